// Problem documents: renders a `Problem` as RFC 9457 `application/problem+json`. Any other thrown value becomes a `500`
// that shows nothing of the inside.

import { PROBLEMS, Problem, problem } from "../../../kernel/problem.ts";
import { isStorageFailure } from "../../../storage/database/storage-failure.ts";

const RETRY_SECONDS = 5;

/** The thrown value, as the `Problem` that the caller sees. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (isStorageFailure(thrown)) {
    return new Problem("unavailable", "The database cannot be read at the moment.", undefined, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  return problem("internal-error", "The server failed unexpectedly.");
}

/** The body of a problem answer. `publicUrl` is where the explanation of its `type` is served. */
export function problemJson(shown: Problem, publicUrl: string, requestId: string): string {
  const { status, title } = PROBLEMS[shown.slug];
  return JSON.stringify({
    type: `${publicUrl}/problems/${shown.slug}`,
    title,
    status,
    detail: shown.detail,
    instance: `urn:uuid:${requestId}`,
    ...(shown.errors ? { errors: shown.errors } : {}),
    ...shown.members,
  });
}
