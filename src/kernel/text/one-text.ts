// String interning: keeps one copy of each repeated text, since every text read from a database is a new string.

/** Beyond so many different texts the table is cleared and starts again. */
const KEPT_MAX = 10_000;

/** Returns the first of equal texts. */
export class OneText {
  readonly #kept = new Map<string, string>();

  of<T extends string | null>(text: T): T {
    if (text === null) return text;
    const known = this.#kept.get(text);
    if (known !== undefined) return known as T;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(text, text);
    return text;
  }

  /** Interns the named members of a row. */
  ofRow<R extends object>(row: R, names: readonly (keyof R)[]): R {
    for (const name of names) {
      const value = row[name];
      if (typeof value === "string") row[name] = this.of(value) as R[keyof R] & string;
    }
    return row;
  }
}
