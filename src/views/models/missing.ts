// Missing references of a model's body: a `404` that keeps the id, because the result of a kept scenario has to name
// the missing record.
import { notFound, Problem } from "../../kernel/problem.ts";

/** A `404` that knows the missing record. */
export class Missing extends Problem {
  constructor(
    readonly what: string,
    readonly id: string,
  ) {
    super("not-found", notFound(what).detail);
  }
}
