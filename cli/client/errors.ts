// Errors of the client: a refusal of the server, and no answer of it. Neither holds the key.
import type { ProblemSlug } from "./made/known.ts";
import type { components } from "./made/types.ts";
import { isProblem } from "./media-type.ts";

/** A refusal as the server sends it (RFC 9457). */
export type Problem = components["schemas"]["Problem"];
/** One thing that is wrong with a request: `pointer`, `parameter` or `header` says where. */
export type FieldError = components["schemas"]["FieldError"];

/** The server refused a request: nothing was changed. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  /** The kind of problem: the last part of its `type`. */
  readonly slug: ProblemSlug;
  readonly status: number;
  /** What is wrong with this request. */
  readonly detail: string;
  /** With `422`: each thing that is wrong. */
  readonly errors: readonly FieldError[];
  /** The id under which the server's log has the request. */
  readonly requestId: string | null;
  /** The whole document: of a batch also `operation` and `name`, with `events-rewound` the `cursor`. */
  readonly problem: Problem;

  constructor(problem: Problem, requestId: string | null) {
    const { type, status, title, detail, errors = [] } = problem;
    const slug = type.slice(type.lastIndexOf("/") + 1) as ProblemSlug;
    super([`${status} ${slug}: ${detail || title}`, ...errors.map(inWords)].join("; "));
    this.slug = slug;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.problem = problem;
  }
}

/** The place and what is wrong there. */
function inWords({ pointer, parameter, header, detail }: FieldError): string {
  return `${pointer ?? parameter ?? header ?? ""} ${detail}`.trim();
}

/** No answer came, or none of captable. A write without an `Idempotency-Key` may have been done or not. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** The system's code, such as `ECONNREFUSED`; null without one. */
  readonly code: string | null;
  /** The status of an answer that is not captable's; null without an answer. */
  readonly status: number | null;

  constructor(message: string, { code = null, status = null }: { code?: string | null; status?: number | null } = {}) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Reads a refusal: a `ProblemError`, or a `ConnectionError` for what is no problem document of the server. */
export async function readRefusal(response: Response): Promise<ProblemError | ConnectionError> {
  const { status, headers } = response;
  const text = await response.text();
  const problem = isProblem(headers) ? parsed(text) : null;
  if (problem !== null) return new ProblemError(problem, headers.get("x-request-id"));
  const type = headers.get("content-type") ?? "no type";
  return new ConnectionError(`the answer is ${status} and no problem of captable, but ${type}`, { status });
}

function parsed(text: string): Problem | null {
  try {
    const { type, title, status, detail, ...more } = JSON.parse(text) as Partial<Problem>;
    if (typeof type !== "string" || typeof status !== "number") return null;
    return { instance: "", ...more, type, status, title: String(title ?? ""), detail: String(detail ?? "") };
  } catch {
    return null;
  }
}
