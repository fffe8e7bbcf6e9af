// Sends requests with the key: waits and sends again where that is safe, and reads each answer to its end, so that one
// that was cut is noticed.
import { ConnectionError } from "./errors.ts";
import { isJson, isProblem } from "./media-type.ts";

/** What carries one request, as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a server is reached. */
export interface Connection {
  /** The server's address, as `https://cap.example.com`. */
  readonly server: string;
  /** An API key. */
  readonly key: string;
  /** How often a request is sent again after a failed attempt; default 3. */
  readonly retries?: number;
  /** What carries requests; by default the global `fetch`. */
  readonly fetch?: Fetch;
  /** After how many milliseconds without a byte of the answer an attempt has failed; default 60,000, 0 for never. */
  readonly stallMs?: number;
}

/** What waits between attempts; rejects with the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** A request. */
export interface Sending {
  readonly method: string;
  /** A path from `/` on, with its query. */
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** Whether it may be sent again without harm. */
  readonly isSafe: boolean;
  /** Whether the answer's body is left unread. */
  readonly isStream?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const RETRIES = 3;
const STALL_MS = 60_000;
const RETRY_AFTER_MAX_S = 60;
const FIRST_WAIT_MS = 250;
const WAIT_MAX_MS = 10_000;
const SECOND_MS = 1000;
/** What a proxy answers that does not reach the server. */
const GATEWAY: ReadonlySet<number> = new Set([502, 504]);

/** Waits with a timer. */
export const waitByTimer: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

/** The server's address without its last slashes. Throws `TypeError` for what is no such address. */
function baseOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  const isFit = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (!isFit || url.search !== "" || url.hash !== "") {
    throw new TypeError("`server` must be an http or https address without user, query and fragment");
  }
  return url.href.replace(/\/+$/, "");
}

/** Sends requests to one server with one key, which no property, error or message shows. */
export class Sender {
  readonly #key: string;
  readonly #base: string;
  readonly #retries: number;
  readonly #fetch: Fetch;
  readonly #stallMs: number;
  readonly #wait: Wait;

  constructor({ server, key, retries, fetch, stallMs }: Connection, wait: Wait = waitByTimer) {
    this.#base = baseOf(server);
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
      throw new TypeError("`key` must be an API key: visible ASCII characters without spaces");
    }
    this.#key = key;
    this.#retries = retries ?? RETRIES;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#stallMs = stallMs ?? STALL_MS;
    this.#wait = wait;
  }

  /** The server's address. */
  get server(): string {
    return this.#base;
  }

  /**
   * Sends a request, and again where it may and has to be; the last answer, which may be a refusal. Throws
   * `ConnectionError`, and the reason of a signal that aborted.
   */
  async send(sending: Sending): Promise<Response> {
    const { isSafe, signal } = sending;
    for (let attempt = 0; ; attempt++) {
      const isLast = !isSafe || attempt >= this.#retries;
      const waitMs = backoffMs(attempt);
      try {
        const response = await this.#attempt(sending);
        if (isLast || (response.status !== 429 && response.status !== 503)) return response;
        await response.body?.cancel();
        await this.#wait(retryAfterMs(response.headers) ?? waitMs, signal);
      } catch (failure) {
        if (signal?.aborted) throw signal.reason;
        if (isLast || (failure instanceof ConnectionError && !mayPass(failure))) throw this.#failed(failure);
        await this.#wait(waitMs, signal);
      }
    }
  }

  /** One attempt: the answer, read to its end unless it is a stream. */
  async #attempt({ method, path, headers, body, isStream = false, signal }: Sending): Promise<Response> {
    const ending = new AbortController();
    const clock = new StallClock(this.#stallMs, () => ending.abort(new ConnectionError("the server has stalled")));
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const sent = new Headers(headers);
    sent.set("authorization", `Bearer ${this.#key}`);
    try {
      const response = await this.#fetch(`${this.#base}${path}`, {
        method,
        headers: sent,
        redirect: "manual",
        signal: ending.signal,
        ...(body === undefined ? {} : { body }),
      });
      const { status } = response;
      if (status >= 300 && status < 400 && status !== 304) throw redirected(response);
      if (GATEWAY.has(status) && !isProblem(response.headers)) {
        throw new ConnectionError(`a proxy answers ${status}: it does not reach the server`, { status });
      }
      if (isStream && response.ok) return response;
      return await whole(response, () => clock.again());
    } catch (failure) {
      throw ending.signal.aborted ? ending.signal.reason : failure;
    } finally {
      clock.stop();
      if (!isStream) signal?.removeEventListener("abort", abort);
    }
  }

  /** What is thrown in place of a failure: nothing in it shows the key. */
  #failed(failure: unknown): ConnectionError {
    const { message, code } = failure instanceof ConnectionError ? failure : detailsOf(failure);
    const status = failure instanceof ConnectionError ? failure.status : null;
    return new ConnectionError(`no answer of ${this.#base}: ${message}`.replaceAll(this.#key, "…"), { code, status });
  }
}

/** Calls `stalled` where it was not told to go on for so long. */
class StallClock {
  readonly #ms: number;
  readonly #stalled: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, stalled: () => void) {
    this.#ms = ms;
    this.#stalled = stalled;
    this.again();
  }

  again(): void {
    clearTimeout(this.#timer);
    if (this.#ms > 0) this.#timer = setTimeout(this.#stalled, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Reads an answer to its end. Throws for one that ends early, and for JSON that is cut or no JSON. */
async function whole(response: Response, onBytes: () => void): Promise<Response> {
  const { status, headers } = response;
  if (response.body === null || status === 204 || status === 304) return response;
  onBytes();
  const pieces: Uint8Array[] = [];
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    onBytes();
  }
  const bytes = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  if (isJson(response)) refuseCut(bytes, status);
  return new Response(bytes, { status, headers });
}

function refuseCut(bytes: Uint8Array, status: number): void {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new ConnectionError("the answer was cut: it is no whole JSON", { status });
  }
}

function redirected({ status, headers }: Response): ConnectionError {
  const to = headers.get("location") ?? "elsewhere";
  return new ConnectionError(`the answer is ${status}, a redirect to ${to}: use that server's address`, { status });
}

/** Whether the same request may have an answer next time: not where another address is meant. */
function mayPass({ status }: ConnectionError): boolean {
  return status === null || status < 300 || status >= 400;
}

function detailsOf(failure: unknown): { readonly message: string; readonly code: string | null } {
  if (!(failure instanceof Error)) return { message: String(failure), code: null };
  const { cause } = failure;
  const inner = cause instanceof Error ? cause : failure;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : null;
  return { message: inner.message || code || failure.message, code };
}

/** What `Retry-After` says, at most a minute; null for none in seconds. */
function retryAfterMs(headers: Headers): number | null {
  const said = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(said) ? Math.min(Number(said), RETRY_AFTER_MAX_S) * SECOND_MS : null;
}

/** Doubles with each attempt; half of it is by chance, so that clients do not come back together. */
function backoffMs(attempt: number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** attempt, WAIT_MAX_MS);
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
  return most / 2 + (most / 2) * (chance / 2 ** 32);
}
