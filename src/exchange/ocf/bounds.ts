// Size limits of a package, counted over its bytes before anything is parsed: over HTTP, and for the command line,
// whose process gets more.
import { countJson } from "../../kernel/count-json.ts";
import { tooMany } from "../../kernel/too-complex.ts";
import type { ZipLimits } from "./zip-read.ts";

/** The limits of a package. */
export interface PackageBounds extends ZipLimits {
  /** Values of JSON, of all its files together: texts, numbers, lists, objects and so on. */
  readonly valuesMax: number;
}

const MEBIBYTE = 1024 ** 2;
const ENTRIES = { entriesMax: 10_000, mayOverlap: true };

/** Of a package over HTTP. */
export const SERVED_BOUNDS: PackageBounds = {
  ...ENTRIES,
  bytesMax: 96 * MEBIBYTE,
  ratioMax: 100,
  valuesMax: 4_000_000,
};

/** Of a package by the command line. */
export const COMMAND_BOUNDS: PackageBounds = {
  ...ENTRIES,
  bytesMax: 2048 * MEBIBYTE,
  ratioMax: 200,
  valuesMax: 40_000_000,
};

/** The deepest nesting of JSON in a package. */
const NESTING_MAX = 32;

/** Counts the values of a package's files against the limit. */
export class ValueMeter {
  readonly #bounds: PackageBounds;
  #values = 0;

  constructor(bounds: PackageBounds) {
    this.#bounds = bounds;
  }

  /**
   * Counts the JSON of a file, which need not be valid; returns how many members its objects have. Throws
   * `file-too-complex` if it is nested too deep, or has too many values.
   */
  count(bytes: Uint8Array): number {
    const { valuesMax } = this.#bounds;
    const { values, members, levels } = countJson(bytes, { values: valuesMax - this.#values, levels: NESTING_MAX });
    if (levels > NESTING_MAX) throw tooMany("nested levels of JSON", levels, NESTING_MAX);
    this.#values += values;
    if (this.#values > valuesMax) throw tooMany("values of JSON", this.#values, valuesMax, true);
    return members;
  }
}
