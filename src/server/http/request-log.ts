// One request from its arrival to its answer: the headers that every answer carries, and its line in the log.

import { Problem } from "../../kernel/problem.ts";
import type { Allowance } from "../../kernel/rate-limit.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { ClientGone } from "../../kernel/threads/turns.ts";
import type { Caller, Session } from "../../people/principal.ts";
import type { FileReply } from "../../resources/route.ts";
import type { WireAnswer } from "../changes/answer.ts";
import { tagOf } from "../changes/tags.ts";
import type { RequestCounters } from "./answers/counters.ts";
import { contentDisposition } from "./answers/download.ts";
import { type Pace, paced } from "./answers/pace.ts";
import { problemJson, toProblem } from "./answers/problems.ts";
import type { PublicReply } from "./answers/public.ts";
import { BodyTooLarge } from "./body.ts";
import { basePathOf } from "./host.ts";
import type { Log } from "./log-line.ts";
import { sayAndThrowAway } from "./rest.ts";

/** What a visit needs. */
export interface VisitParts {
  readonly counters: RequestCounters;
  /** Called with every thrown value that is not a `Problem`: an I/O error must end the process. */
  readonly onFailure: (thrown: unknown) => void;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly publicUrl: string;
  /** The slowest download, instead of the usual. */
  readonly slowest?: Pace | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UNCHANGED = 304;
/** The status in the log of a request that its client ended; several servers use this number. */
const CLIENT_GONE = 499;
/** Headers of every answer: it is stored nowhere, loads nothing, and no other site may frame it or look into it. */
const SAFE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;
const BY_TLS_ONLY = { ...SAFE_HEADERS, "strict-transport-security": "max-age=31536000" } as const;

/** The log's words for a failure: the thrown error, or why the server cannot answer at the moment. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof Problem)) return thrown;
  return thrown.slug === "unavailable" ? (thrown.cause ?? thrown.detail) : undefined;
}

/** One request: what its answer and its log line need. */
export class Visit {
  readonly requestId: string;
  readonly startedMs: number;
  caller: Caller | null = null;
  /** The person who signed in. */
  person: Session | null = null;
  allowance: Allowance | null = null;
  readonly #parts: VisitParts;
  readonly #method: string;
  readonly #route: string | null;
  /** When it arrived, on the monotonic clock. */
  readonly started = performance.now();

  constructor(parts: VisitParts, request: Request, route: string | null) {
    const sent = request.headers.get("x-request-id");
    this.requestId = sent && UUID.test(sent) ? sent : parts.runtime.newId();
    this.startedMs = parts.runtime.nowMs();
    this.#parts = parts;
    this.#method = request.method;
    this.#route = route;
  }

  /** Answers; `more` are additional headers, `cookies` are for the browser to keep. */
  answer(
    answer: WireAnswer,
    more: Readonly<Record<string, string>> = {},
    { cause, cookies = [] }: { readonly cause?: unknown; readonly cookies?: readonly string[] } = {},
  ): Response {
    this.#log(answer.status, cause);
    const headers = { ...this.#headers(), ...more };
    const body = answer.bytes ?? (answer.body === "" ? null : answer.body);
    if (body !== null) headers["content-type"] = "application/json";
    if (answer.location) headers.location = basePathOf(this.#parts.publicUrl) + answer.location;
    if (answer.isReplayed) headers["idempotent-replayed"] = "true";
    const response = new Response(body, { status: answer.status, headers });
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  }

  /** Answers a read with its tag; `304` without a body where the client has it. */
  answerRead(answer: WireAnswer, isUnchanged: ((tag: string) => boolean) | undefined): Response {
    const etag = answer.tag ?? tagOf(answer);
    if (isUnchanged?.(etag) !== true) return this.answer(answer, { etag });
    return this.answer({ status: UNCHANGED, body: "", location: null }, { etag });
  }

  /**
   * Sends a file to be saved; a browser that opens it all the same runs nothing of it. `trouble` is for the operator.
   */
  send({ fileName, contentType, content, headers, trailers, bytes }: FileReply, trouble?: string): Response {
    this.#log(200, trouble, trouble !== undefined);
    const disposition = contentDisposition(fileName);
    const own: Record<string, string> = {
      ...headers,
      ...trailers?.(),
      ...(bytes === undefined ? {} : { "content-length": String(bytes) }),
      "content-type": contentType,
      "content-disposition": disposition,
      "content-security-policy":
        "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    };
    const body = content instanceof Uint8Array ? content : paced(content, this.#parts.slowest);
    return new Response(body, { status: 200, headers: { ...this.#headers(), ...own } });
  }

  /** Begins to answer with server-sent events; no proxy may hold them back. */
  live(content: ReadableStream): Response {
    this.#log(200);
    const own = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
    return new Response(content, { status: 200, headers: { ...this.#headers(), ...own } });
  }

  show(reply: PublicReply): Response {
    this.#log(reply.status, reply.cause);
    const headers = { ...this.#headers(), ...reply.headers, "content-type": reply.contentType };
    return new Response(reply.body, { status: reply.status, headers });
  }

  /** Ends a visit whose client has gone: the answer has no reader, and the log says so. */
  abandon(): Response {
    this.#log(CLIENT_GONE);
    return new Response(null, { status: CLIENT_GONE });
  }

  refuse(thrown: unknown, more: Readonly<Record<string, string>> = {}): Response {
    if (thrown instanceof ClientGone) return this.abandon();
    const shown = toProblem(thrown);
    if (!(thrown instanceof Problem)) this.#parts.onFailure(thrown);
    this.#log(shown.status, causeOf(thrown));
    const headers: Record<string, string> = {
      ...this.#headers(),
      ...more,
      "content-type": "application/problem+json",
    };
    if (shown.status === 401) headers["www-authenticate"] = "Bearer";
    if (shown.retryAfterSeconds !== undefined) headers["retry-after"] = String(shown.retryAfterSeconds);
    const body = problemJson(shown, this.#parts.publicUrl, this.requestId);
    if (!(thrown instanceof BodyTooLarge && thrown.rest)) return new Response(body, { status: shown.status, headers });
    headers.connection = "close";
    return new Response(sayAndThrowAway(body, thrown.rest), { status: shown.status, headers });
  }

  #headers(): Record<string, string> {
    const safe = this.#parts.publicUrl.startsWith("https:") ? BY_TLS_ONLY : SAFE_HEADERS;
    const headers: Record<string, string> = { ...safe, "x-request-id": this.requestId };
    if (this.allowance) {
      headers["ratelimit-limit"] = String(this.allowance.limit);
      headers["ratelimit-remaining"] = String(this.allowance.remaining);
      headers["ratelimit-reset"] = String(this.allowance.resetSeconds);
    }
    return headers;
  }

  #log(status: number, failure?: unknown, isTrouble = status >= 500): void {
    this.#parts.counters.count(this.#method, this.#route, status, performance.now() - this.started);
    this.#parts.log.write(() => ({
      time: toTimestamp(this.startedMs),
      level: isTrouble ? "error" : "info",
      requestId: this.requestId,
      apiKeyId: this.caller?.apiKeyId ?? null,
      accountId: this.person?.accountId ?? null,
      orgId: this.caller?.orgId ?? null,
      method: this.#method,
      route: this.#route,
      status,
      ms: Math.round((performance.now() - this.started) * 1000) / 1000,
      ...(failure === undefined ? {} : { error: failure instanceof Error ? (failure.stack ?? "") : String(failure) }),
    }));
  }
}
