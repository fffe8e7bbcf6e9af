// Time and ids of a simulated service: one clock that is set and set back, one that only goes forward.
import type { Runtime } from "../../src/kernel/runtime.ts";
import type { Random } from "../kit/random.ts";

const START_MS = Date.UTC(2026, 0, 15, 9);

/** The runtime of every service of a simulation; it outlives them. */
export class Clock implements Runtime {
  #wallMs = START_MS;
  #elapsedMs = 0;
  #made = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  random(): number {
    return this.#random.fraction();
  }

  newId(): string {
    const time = this.#wallMs.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${(++this.#made).toString(16).padStart(12, "0")}`;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    this.#wallMs += ms;
    this.#elapsedMs += ms;
  }

  /** An administrator sets the clock, forward or back. */
  set(byMs: number): void {
    this.#wallMs += byMs;
  }
}
