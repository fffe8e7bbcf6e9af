// Budget of one model: steps of exact arithmetic, each about a third of a millisecond for the longest numbers, and
// lines held at once. It counts instead of reading a clock, so that the same body is always refused; a reading thread
// has a time limit of its own besides (server/threads/read/pool.ts).
import { problem } from "../../kernel/problem.ts";

/** The most of each. */
export interface BudgetLimits {
  readonly steps: number;
  readonly lines: number;
}

const MOST: BudgetLimits = { steps: 100_000, lines: 1_000_000 };

/** So many looks to a step that is allowed. */
const GLANCES = 20;

/** What is left for one model. */
export class Budget {
  #steps: number;
  #glances: number;
  #lines: number;

  constructor({ steps, lines }: BudgetLimits = MOST) {
    this.#steps = steps;
    this.#glances = steps * GLANCES;
    this.#lines = lines;
  }

  /** Takes a step. Throws `409 invalid-state` where none is left. */
  step(): void {
    this.#steps -= 1;
    if (this.#steps < 0) throw tooMuch("steps of calculation");
  }

  /** Takes a look: a sum between bounds, some hundredth of a step. Throws `409 invalid-state` where none is left. */
  glance(): void {
    this.#glances -= 1;
    if (this.#glances < 0) throw tooMuch("steps of calculation");
  }

  /** Holds so many lines more. Throws `409 invalid-state` where they are too many. */
  hold(lines: number): void {
    this.#lines -= lines;
    if (this.#lines < 0) throw tooMuch("figures to hold at once");
  }
}

function tooMuch(what: string) {
  return problem("invalid-state", `The model of this company needs more ${what} than the server allows for one model.`);
}
