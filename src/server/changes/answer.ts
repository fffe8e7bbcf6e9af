// HTTP answers of routes: turns a route's reply into status, headers and body, and makes the `422` of an invalid
// request.
import { type FieldError, type Problem, problem } from "../../kernel/problem.ts";
import type { Reply } from "../../resources/route.ts";

/** An answer as it goes over the wire; `body` is JSON text, empty for `204`. */
export interface WireAnswer {
  readonly status: number;
  readonly body: string;
  /** The body as bytes, instead of `body`. */
  readonly bytes?: Uint8Array;
  readonly location: string | null;
  /** Of the body, where it was looked at already. */
  readonly tag?: string;
  readonly isReplayed?: boolean;
}

/** The answer that carries a reply. */
export function toAnswer(reply: Reply): WireAnswer {
  const { status, bytes, location = null } = reply;
  if (bytes !== undefined) return { status, body: "", bytes, location };
  const body = reply.text ?? (reply.json === undefined ? "" : JSON.stringify(reply.json));
  return { status, body, location };
}

/** The `422` that names each error. */
export function invalid(errors: readonly FieldError[]): Problem {
  return problem("validation-failed", "The request is not acceptable; `errors` says why.", errors);
}
