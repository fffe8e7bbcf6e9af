// Sends a request of `captable api`, and ends the command as its answer says: 0 done, 1 no answer, a limit or the
// server's failure, 2 wrong usage, 3 refused.
import { ConnectionError, ProblemError, readRefusal } from "../client/errors.ts";
import type { Sender } from "../client/sender.ts";
import { CommandError, print } from "../command.ts";
import { usualHeaders } from "./connection.ts";

/** A request as a command has put it together. */
export interface ApiRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** Whether it takes an `Idempotency-Key`: its own, or one of this run. */
  readonly isKeyed?: boolean;
  readonly idempotencyKey?: string | undefined;
  /** Whether it writes nothing. */
  readonly isRead: boolean;
}

const FAULTS: ReadonlySet<number> = new Set([400, 405, 406, 413, 415, 422]);

/** The exit status for a refusal with this status. */
export function exitFor(status: number): 1 | 2 | 3 {
  if (status >= 500 || status === 429 || status === 408) return 1;
  return FAULTS.has(status) ? 2 : 3;
}

/** A refusal that has been printed as the server sent it. */
class Refused extends CommandError {}

/** Sends it, and again where that is safe. Throws {@link CommandError} for every refusal and for no answer. */
export async function sendRequest(sender: Sender, request: ApiRequest): Promise<Response> {
  const { method, path, body, isKeyed = false, idempotencyKey, isRead } = request;
  const headers = usualHeaders();
  const key = idempotencyKey ?? (isKeyed ? crypto.randomUUID() : undefined);
  const given = { ...request.headers, ...(key === undefined ? {} : { "idempotency-key": key }) };
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\x20-\x7e]+$/.test(value)) throw new CommandError(`--${name}: visible ASCII characters alone`, 2);
    headers.set(name, value);
  }
  const isSafe = isRead || headers.has("idempotency-key");
  const response = await told(() => sender.send({ method, path, headers, body, isSafe }));
  if (response.ok) return response;
  throw asCommandError(await readRefusal(response));
}

/** Runs what speaks to a server: its refusals end the command as they say. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw asCommandError(failure);
  }
}

function asCommandError(failure: unknown): unknown {
  if (failure instanceof ConnectionError) return new CommandError(failure.message, 1);
  if (!(failure instanceof ProblemError)) return failure;
  const { message, status, requestId, problem } = failure;
  const where = requestId === null ? "" : ` (request ${requestId})`;
  return Object.assign(new Refused(`${message}${where}`, exitFor(status)), { problem });
}

/**
 * Runs a command; where its output is JSON, a refusal is on standard error as the server sent it, and elsewhere in a
 * line of words.
 */
export async function orProblem(isJson: boolean, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    if (!isJson || !(failure instanceof Refused) || !("problem" in failure)) throw failure;
    print({ json: true }, failure.problem, [], process.stderr);
    process.exitCode = failure.status;
  }
}
