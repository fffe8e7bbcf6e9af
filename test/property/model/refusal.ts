// How the model refuses a step.

/** A step that is not allowed, with the problems of which the service names one. */
export class Refusal extends Error {
  constructor(readonly slugs: readonly string[]) {
    super(slugs.join(" or "));
  }
}

type Slug = "invalid-state" | "validation-failed" | "not-found" | "in-use" | "unvested-quantity";

/** Refuses the step in hand; `others` are problems that it has too and the service may name instead. */
export function refuseIf(condition: boolean, slug: Slug, ...others: readonly Slug[]): void {
  if (condition) throw new Refusal([slug, ...others]);
}
