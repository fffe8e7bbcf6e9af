// What a body names and is not there: a `404`, of which a kept body tells the id (MODELLING section 8).
import { notFound, Problem } from "../kernel/problem.ts";

/** A `404` that knows what is missing. */
export class Missing extends Problem {
  constructor(
    readonly what: string,
    readonly id: string,
  ) {
    super("not-found", notFound(what).detail);
  }
}
