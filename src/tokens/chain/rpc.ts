// HTTP transport to an EVM node. One request is one attempt, limited in time and size: retries are up to the jobs. The
// node's URL may hold credentials, so no part of it, and no library's message, ever enters a reason.
import { HttpRequestError, http, ResponseBodyTooLargeError } from "viem";
import { evmChain } from "./evm.ts";
import { isKnownTransaction, type NodeError, nodeError } from "./node-error.ts";
import { type Chain, ChainError } from "./port.ts";

/** The node's URL, and the limits of time and size. */
export interface RpcSettings {
  readonly url: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

/** A chain by its node's URL (http or https). Does not connect yet: the first request reveals a node that is down. */
export function rpcChain(settings: RpcSettings): Chain {
  const secrets = secretsOf(settings.url);
  const ask = requester(settings);
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { result, error } = await ask(method, params);
    if (error) throw nodeError(error, secrets);
    return result;
  };
  return evmChain({
    embedded: false,
    request,
    async send(raw) {
      const { error } = await ask("eth_sendRawTransaction", [raw]);
      if (error && !isKnownTransaction(error)) throw nodeError(error, secrets);
    },
    close: async () => {},
  });
}

type Answer = { readonly result?: unknown; readonly error?: NodeError };

function requester({ url, timeoutMs, answerBytesMax }: RpcSettings) {
  const transport = http(url, {
    raw: true,
    retryCount: 0,
    timeout: 0, // boundedFetch has the time limit, for the body too
    maxResponseBodySize: answerBytesMax,
    fetchFn: (input, init) => boundedFetch(input, init, timeoutMs, answerBytesMax),
  })({});
  return async (method: string, params: readonly unknown[]): Promise<Answer> => {
    let answer: unknown;
    try {
      answer = await transport.request({ method, params });
    } catch (error) {
      throw transportError(error);
    }
    const { result, error } = answer as { result: unknown; error: unknown };
    if (error !== undefined && error !== null) return { error: readNodeError(error) };
    if (result === undefined) throw new ChainError("bad-answer", "the node's answer is not JSON-RPC");
    return { result };
  };
}

/** Fetches with the body, all within `timeoutMs`; follows no redirect, which could carry credentials elsewhere. */
async function boundedFetch(
  input: string | URL | Request,
  init: RequestInit | undefined,
  timeoutMs: number,
  bytesMax: number,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(input, { ...init, redirect: "manual", signal });
    refuseStatus(response);
    return new Response(await readUpTo(response, bytesMax), { status: response.status, headers: response.headers });
  } catch (error) {
    if (signal.aborted) throw new ChainError("timeout", `the node did not answer within ${timeoutMs} ms`);
    throw error;
  }
}

/** Statuses with one meaning whatever the body. Others may carry a JSON-RPC error. */
function refuseStatus({ status, headers }: Response): void {
  if (status === 429) throw new ChainError("rate-limited", "the node asks for fewer requests", retryAfterMs(headers));
  if (status === 401 || status === 403) throw new ChainError("access-refused", `the node refuses access (${status})`);
  if (status >= 300 && status < 400)
    throw new ChainError("not-a-node", `the node's URL redirects elsewhere (${status})`);
  if (status === 503) throw new ChainError("node-failing", "the node is not available (503)", retryAfterMs(headers));
}

/** `Retry-After` in seconds (RFC 9110 section 10.2.3); a date or an invalid value counts as absent. */
function retryAfterMs(headers: Headers): number | null {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

async function readUpTo(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new ChainError("bad-answer", `the node's answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function transportError(error: unknown): ChainError {
  if (error instanceof ResponseBodyTooLargeError) return new ChainError("bad-answer", "the node's answer is too large");
  if (!(error instanceof HttpRequestError)) return new ChainError("bad-answer", "the node's answer is not JSON-RPC");
  if (error.cause instanceof ChainError) return error.cause;
  const { status, cause } = error;
  if (status === undefined) {
    if (cause instanceof SyntaxError) return new ChainError("bad-answer", "the node's answer is not JSON");
    return new ChainError("unreachable", `the node cannot be reached${reasonCode(cause)}`);
  }
  if (status >= 500) return new ChainError("node-failing", `the node is failing (${status})`);
  return new ChainError("not-a-node", `no JSON-RPC node answers at this URL (${status})`);
}

/** The error code of the system or of TLS, as `ECONNREFUSED`: it reveals nothing of the URL. */
function reasonCode(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^\w{3,60}$/.test(code) ? ` (${code})` : "";
}

function readNodeError(error: unknown): NodeError {
  if (typeof error !== "object" || error === null)
    throw new ChainError("bad-answer", "the node's error is not JSON-RPC");
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "", data };
}

/** Parts of the URL that may be credentials: a node might repeat them in an error. */
function secretsOf(text: string): string[] {
  const url = new URL(text);
  const parts = [url.username, url.password, ...url.pathname.split("/"), ...url.searchParams.values()];
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= 4);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
