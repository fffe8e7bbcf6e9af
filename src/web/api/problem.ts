// Errors of requests, as pages show them: problems of the API, lost connections, declined sign-ins.
import { ERRORS } from "../text/common.ts";

/** A place in a request that is wrong, as the API tells it. */
export interface FieldFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly detail: string;
}

/** A refusal of the API: its problem document. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  /** The last part of its `type`: `validation-failed`. */
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldFault[];
  /** By what a sign-in is completed whose password was right. */
  readonly ways: readonly string[];
  /** The id under which the server's log has it. */
  readonly requestId: string | null;

  constructor(told: Omit<ApiProblem, keyof Error | "ways"> & { readonly ways?: readonly string[] }) {
    super(`${told.slug}: ${told.detail}`);
    const { status, slug, title, detail, errors, ways = [], requestId } = told;
    this.status = status;
    this.slug = slug;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.ways = ways;
    this.requestId = requestId;
  }
}

/** A refusal as the server would give it for a record that was deleted. */
export function gone(): ApiProblem {
  return new ApiProblem({ status: 404, slug: "not-found", title: "", detail: "", errors: [], requestId: null });
}

/** Whether the record is not there, or not any more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

/** Whether a change was refused because the record is not as it was looked at. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiProblem && error.slug === "precondition-failed";
}

/** No answer came: the network is gone, or the server. A write may have been done or not. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The user was asked to sign in or to confirm, and declined. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** Something that did not work for a reason that its message tells people. */
export class Told extends Error {
  override readonly name = "Told";
}

/** Whether something was given up on purpose: nothing is shown of that. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}

/** Reads a refusal. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const requestId = response.headers.get("x-request-id");
  const body = await response
    .clone()
    .json()
    .catch(() => ({}));
  const { type = "", title = "", detail = "", errors = [], ways = [] } = body as Record<string, never>;
  const slug = String(type).split("/").at(-1) ?? "";
  return new ApiProblem({
    status: response.status,
    slug,
    title: String(title),
    detail: slug === "precondition-failed" ? ERRORS.stale : String(detail),
    errors: Array.isArray(errors) ? errors : [],
    ways: Array.isArray(ways) ? ways : [],
    requestId,
  });
}
