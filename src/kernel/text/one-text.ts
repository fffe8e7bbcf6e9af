// Keeps one of each text that comes up again and again, in place of as many as there are rows: every text that is read of a
// database is a new one.

/** Beyond so many different ones they are forgotten, and kept anew. */
const KEPT_MAX = 10_000;

/** Gives the first of equal texts. */
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

  /** The same of the members of a row that are named. */
  ofRow<R extends object>(row: R, names: readonly (keyof R)[]): R {
    for (const name of names) {
      const value = row[name];
      if (typeof value === "string") row[name] = this.of(value) as R[keyof R] & string;
    }
    return row;
  }
}
