// Idempotency keys of writes, so that a repeated request takes effect once.

/** A new key: one for each form, and another with each change of what it holds. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
