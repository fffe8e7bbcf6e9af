// What becomes of the members of a form when another person has changed its record meanwhile. Pure.

/** A form's values beside those of the record as it is now. */
export interface Merged<V> {
  /** Members that were not touched here, and are as the other person has them now. */
  readonly taken: Partial<V>;
  /** Members that both have changed, to something different. */
  readonly disputed: readonly (keyof V & string)[];
}

/** Whether two values are the same: texts, or lists of rows. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Compares by member what the form began with, what it holds, and what the record holds now. */
export function merge<V extends object>(began: V, mine: V, theirs: V): Merged<V> {
  const names = Object.keys(theirs) as (keyof V & string)[];
  const changed = names.filter((name) => !isSame(theirs[name], began[name]) && !isSame(theirs[name], mine[name]));
  const isTouched = (name: keyof V) => !isSame(mine[name], began[name]);
  return {
    taken: Object.fromEntries(
      changed.filter((name) => !isTouched(name)).map((name) => [name, theirs[name]]),
    ) as Partial<V>,
    disputed: changed.filter(isTouched),
  };
}
