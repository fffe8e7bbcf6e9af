// Serialized errors: an error as plain data, sent to the thread that waits for the result and thrown again there.
import { type FieldError, Problem, type ProblemMembers, type ProblemSlug } from "../problem.ts";

/** A `refusal` is the caller's fault; a `failure` is ours, and `code` is the system's or SQLite's if it has one. */
export type ToldError =
  | {
      readonly kind: "refusal";
      readonly slug: ProblemSlug;
      readonly detail: string;
      readonly errors: readonly FieldError[] | undefined;
      readonly retryAfterSeconds: number | undefined;
      readonly members: ProblemMembers | undefined;
      /** The cause, for the log alone. */
      readonly cause: ToldError | null;
    }
  | { readonly kind: "failure"; readonly message: string; readonly stack: string | undefined; readonly code: string };

/** An error of another thread. */
class ErrorElsewhere extends Error {
  override readonly name = "ErrorElsewhere";

  constructor(
    message: string,
    readonly code: string,
    stack: string | undefined,
  ) {
    super(message);
    if (stack !== undefined) this.stack = stack;
  }
}

/** Serializes an error. */
export function tellError(thrown: unknown): ToldError {
  if (thrown instanceof Problem) {
    const { slug, detail, errors, retryAfterSeconds, members, cause } = thrown;
    const told = cause === undefined ? null : tellError(cause);
    return { kind: "refusal", slug, detail, errors, retryAfterSeconds, members, cause: told };
  }
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return { kind: "failure", message, stack, code };
}

/** The error to throw on the other side. */
export function toldError(told: ToldError): Error {
  if (told.kind === "failure") return new ErrorElsewhere(told.message, told.code, told.stack);
  const { slug, detail, errors, retryAfterSeconds, members, cause } = told;
  const hints = { retryAfterSeconds, members, cause: cause === null ? undefined : toldError(cause) };
  return new Problem(slug, detail, errors, hints);
}
