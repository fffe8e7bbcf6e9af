// Garbage collection during large packages: they leave garbage faster than the runtime collects it, up to 200 MB. So
// the code that processes one asks for a collection, between its parts and as memory grows.
import { collectAll } from "../../../kernel/gc-hints.ts";

/** From how many objects on a package counts as large. */
const LARGE = 20_000;
/** How far memory may grow beyond the least that it was since the last collection. */
const GROWTH_BYTES = 48 * 2 ** 20;
/** To ask for the process's size takes a third of a millisecond. */
const LOOK_MS = 50;
/** Collected memory shows in the process's size only after a while. */
const PAUSE_MS = 400;

/** Collects the garbage of a large package; does nothing for a small one. */
export class GarbageWatch {
  readonly #isLarge: boolean;
  #least = Number.POSITIVE_INFINITY;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(objects: number) {
    this.#isLarge = objects > LARGE;
  }

  /** Looks, and collects where memory has grown. */
  look(): void {
    const now = performance.now();
    if (!this.#isLarge || now < this.#nextMs) return;
    this.#nextMs = now + LOOK_MS;
    const bytes = process.memoryUsage.rss();
    this.#least = Math.min(this.#least, bytes);
    if (bytes > this.#least + GROWTH_BYTES) this.collect();
  }

  /** Collects at once: a twentieth of a second. */
  collect(): void {
    if (!this.#isLarge) return;
    collectAll();
    this.#nextMs = performance.now() + PAUSE_MS;
    this.#least = Number.POSITIVE_INFINITY;
  }
}
