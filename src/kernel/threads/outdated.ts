// What was worked out beforehand no longer holds.

const CODE = "OUTDATED";

/** Thrown by a change, before it writes, where what was worked out for it has to be worked out anew. */
export class Outdated extends Error {
  /** By which it is known on the other side of a thread. */
  readonly code = CODE;

  constructor() {
    super("what the change was worked out from has changed");
  }
}

/** Whether an error, perhaps of another thread, is an {@link Outdated}. */
export function isOutdated(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === CODE;
}
