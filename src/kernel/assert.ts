// Assertions, which stay on in production: a broken invariant must stop a write instead of being stored.

/** Thrown when the program's own reasoning is wrong; always ends as a 500 (HTTP) or a failure (CLI). */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Throws {@link InvariantError} unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Returns `value`, which the caller knows to be present; throws {@link InvariantError} otherwise. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(`${what} is missing`);
  return value;
}
