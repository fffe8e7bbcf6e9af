// Garbage collection hints for walks of long tables: in a loop that never ends a turn, garbage of rows grows to several
// times the memory in use before the engine collects it.
import { edenGC } from "bun:jsc";

const ROWS = 2_000;

/** Frees the garbage of a long piece of work at its end, so that the next one starts with as much memory. */
export function collectAll(): void {
  Bun.gc(true);
}

/** Call once per row. */
export class Relief {
  readonly #every: number;
  readonly #allEvery: number;
  #rows = 0;

  /**
   * Young garbage is collected every `every` rows: fewer if a row leaves much behind. Objects alive at that time count
   * as old from then on; every `allEvery` rows they are collected too, for walks where they add up.
   */
  constructor({ every = ROWS, allEvery = Number.POSITIVE_INFINITY } = {}) {
    this.#every = every;
    this.#allEvery = allEvery;
  }

  /** Collects rarely: a full collection takes as long as some thousand rows. */
  row(): void {
    this.#rows++;
    if (this.#rows % this.#allEvery === 0) collectAll();
    else if (this.#rows % this.#every === 0) edenGC();
  }
}
