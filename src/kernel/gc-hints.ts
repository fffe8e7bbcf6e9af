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
  readonly #allEvery: number;
  #rows = 0;

  /**
   * `every` so many rows what is young is collected: fewer where a row leaves much behind. What is in use at that time
   * counts as old from then on; `allEvery` so many that is collected, too, where it adds up.
   */
  constructor({ every = ROWS, allEvery = Number.POSITIVE_INFINITY } = {}) {
    this.#every = every;
    this.#allEvery = allEvery;
  }

  /** Collects now and then: a look at all that is in use takes as long as some thousand rows. */
  row(): void {
    this.#rows++;
    if (this.#rows % this.#allEvery === 0) collectAll();
    else if (this.#rows % this.#every === 0) edenGC();
  }
}
