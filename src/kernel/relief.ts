// Keeps memory within bounds while a long table is walked: in a loop that never ends a turn, what rows leave behind piles up
// to several times what is in use before anybody collects it.

const ROWS = 4_000;

/** To be told of each row. */
export class Relief {
  #rows = 0;

  /** Collects now and then. A collection takes about as long as some hundred rows. */
  row(): void {
    this.#rows++;
    if (this.#rows % ROWS === 0) Bun.gc(true);
  }
}
