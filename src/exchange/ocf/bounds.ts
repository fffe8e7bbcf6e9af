// Size limits of a package, counted over its bytes before anything is parsed: over HTTP, and for the command line,
// whose process gets more.
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

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

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
    const most = this.#bounds.valuesMax - this.#values;
    let [values, depth, members] = [1, 0, 0];
    // Whether a list or an object was opened and nothing has come since: an empty one has no values.
    let [isFresh, isInText] = [false, false];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (isInText) {
        if (byte === QUOTE) isInText = false;
        else if (byte === BACKSLASH) i++;
      } else if (byte > SPACE) {
        if (byte === COMMA) values++;
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
          if (++depth > NESTING_MAX) throw tooMany("nested levels of JSON", depth, NESTING_MAX);
          isFresh = true;
          continue;
        } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
          depth--;
          if (!isFresh) values++;
        } else if (byte === QUOTE) isInText = true;
        else if (byte === COLON) members++;
        isFresh = false;
        if (values > most) throw tooMany("values of JSON", this.#values + values, this.#bounds.valuesMax, true);
      }
    }
    this.#values += values;
    return members;
  }
}
