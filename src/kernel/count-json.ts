// Counts what JSON holds over its bytes, before anything is parsed: parsing makes memory and takes time for every value.

/** What is counted; a count above its limit ends the counting there. */
export interface JsonCounts {
  /** Texts, numbers, lists, objects and so on. */
  readonly values: number;
  /** Members of its objects, duplicates too. */
  readonly members: number;
  /** Lists and objects around the deepest value. */
  readonly levels: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts UTF-8 JSON, which need not be valid, up to the first figure beyond its limit. */
export function countJson(bytes: Uint8Array, limits: Pick<JsonCounts, "values" | "levels">): JsonCounts {
  let [values, members, depth, levels] = [1, 0, 0, 0];
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
        if (++depth > levels) levels = depth;
        if (levels > limits.levels) break;
        isFresh = true;
        continue;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth--;
        if (!isFresh) values++;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COLON) members++;
      isFresh = false;
      if (values > limits.values) break;
    }
  }
  return { values, members, levels };
}
