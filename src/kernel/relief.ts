// Keeps memory within bounds while a long table is walked: in a loop that never ends a turn, what rows leave behind piles up
// to several times what is in use before anybody collects it.
import { edenGC } from "bun:jsc";

const ROWS = 2_000;

/** Gives back what a long piece of work left behind, at its end: the next one begins with as much memory as this one. */
export function collectAll(): void {
  Bun.gc(true);
}

/** To be told of each row. */
export class Relief {
  readonly #every: number;
  #rows = 0;

  /** `every` so many rows: fewer where a row leaves much behind. */
  constructor(every = ROWS) {
    this.#every = every;
  }

  /** Collects what is young now and then: a look at all that is in use takes as long as some thousand rows. */
  row(): void {
    this.#rows++;
    if (this.#rows % this.#every === 0) edenGC();
  }
}
