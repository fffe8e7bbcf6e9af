// Keeps memory within bounds while a long table is walked: in a loop that never ends a turn, what rows leave behind piles up
// to several times what is in use before anybody collects it.

const ROWS = 4_000;

/** To be told of each row. */
export class Relief {
  readonly #every: number;
  #rows = 0;

  /** `every` so many rows: fewer where a row leaves much behind. */
  constructor(every = ROWS) {
    this.#every = every;
  }

  /** Collects now and then. A collection takes about as long as some hundred rows. */
  row(): void {
    this.#rows++;
    if (this.#rows % this.#every === 0) Bun.gc(true);
  }
}
