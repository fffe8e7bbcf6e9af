// Keys under which a write is done once, however often it is sent.

/** A new key: one for each form, and another with each change of what it holds. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
