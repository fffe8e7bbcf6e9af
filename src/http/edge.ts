// The way of a request, as one list: route → host → key → rate limit → role → body → schema → handler → answer (DECISIONS
// section 1). Everything a caller can see of a failure is made here.
import { findAnswer, type IdempotentRequest, insertAnswer } from "../database/idempotency.ts";
import { dataVersion } from "../database/open.ts";
import { makeReadTurns } from "../database/read-turn.ts";
import type { Reader, Tx } from "../database/sql.ts";
import { RollBack, type Writer } from "../database/writer.ts";
import type { Call } from "../kernel/call.ts";
import { type Fault, findFaults } from "../kernel/check.ts";
import { type FieldError, Problem, problem } from "../kernel/problem.ts";
import { toTimestamp, toUtcDate } from "../kernel/runtime.ts";
import { pointerFragment } from "../kernel/text.ts";
import { digestJson } from "../ledger/hash.ts";
import type { KeyEnvironment } from "../resources/api-keys/key.ts";
import { touchKey } from "../resources/api-keys/store.ts";
import {
  type PathParams,
  type ReadRoute,
  type Reply,
  ROLES,
  type Route,
  type SeriesRoute,
  type UploadRoute,
  type WriteRoute,
} from "../route.ts";
import { Authenticator, type Caller } from "./auth.ts";
import { readBytes, readJson } from "./body.ts";
import { pathOf, refuseMalformedHost } from "./host.ts";
import type { PublicRoute } from "./public.ts";
import { isList, pageErrors, readQuery } from "./query.ts";
import type { Allowance, RateLimiter } from "./rate-limit.ts";
import { RememberedAnswers } from "./remembered.ts";
import { Spools } from "./spool.ts";
import { type Asker, ClientGone, type TurnLimits, Turns } from "./turns.ts";
import { Visit, type VisitParts, type WireAnswer } from "./visit.ts";

/** What the edge is made of. */
export interface EdgeParts extends VisitParts {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly environment: KeyEnvironment;
  /** Null: no limit. */
  readonly keyLimiter: RateLimiter | null;
  readonly failureLimiter: RateLimiter | null;
  readonly bodyBytesMax: number;
  /** How many may read much at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
}

const MINUTE_MS = 60_000;
const PLAIN = "text/plain; charset=utf-8";
/** How long a request counts as one of just now. */
const RECENT_MS = 50;

/** Answers requests for matched routes, and for addresses that match none. */
export class Edge {
  readonly #parts: EdgeParts;
  /** The minute in which each key was last noted as used. */
  readonly #notedMinutes = new Map<string, number>();

  readonly #answers = new RememberedAnswers();
  readonly #turns: Turns;
  readonly #spools = new Spools();
  readonly #openReadTurn: () => void;
  /** Who may read, as of the turn's snapshot. */
  readonly #readers: Authenticator;
  /** Who may write, as of now. */
  readonly #writers: Authenticator;
  #versionOfOthers = -1;
  #hasAskedThisTurn = false;
  #lastRequestMs = Number.NEGATIVE_INFINITY;
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.turns);
    this.#readers = new Authenticator(parts.reader, parts.environment);
    this.#writers = new Authenticator(parts.writer.db, parts.environment);
    this.#openReadTurn = makeReadTurns(parts.reader, () => {
      this.#readers.forget();
      this.#answers.forget();
    });
  }

  /** What requests are doing just now, for work that can wait: they write, or read, or there are none. */
  get activity(): "writing" | "reading" | "idle" {
    const nowMs = performance.now();
    if (nowMs - this.#lastWriteMs < RECENT_MS) return "writing";
    return nowMs - this.#lastRequestMs < RECENT_MS ? "reading" : "idle";
  }

  /**
   * Serves one request of a route; a read is answered at once, because a promise would cost as much as the record.
   * `address` tells the client's, and is asked only when a key is refused.
   */
  serve(route: Route, request: Request, params: PathParams, address: () => string): Response | Promise<Response> {
    const visit = new Visit(this.#parts, request, route.path);
    const refuse = (thrown: unknown) => visit.refuse(thrown);
    try {
      this.#lastRequestMs = visit.started;
      refuseMalformedHost(request);
      if (route.method === "GET") {
        this.#openReadTurn();
        const caller = this.#admit(this.#readers, route, request, visit, address);
        return this.#read(route, request, params, caller, visit);
      }
      this.#forgetKeysAfterOtherCommits();
      const caller = this.#admit(this.#writers, route, request, visit, address);
      return this.#change(route, request, params, caller, visit).then((answer) => {
        if (route.role === "ADMIN") this.#writers.forget(); // it may have revoked a key
        return visit.answer(answer);
      }, refuse);
    } catch (thrown) {
      return refuse(thrown);
    }
  }

  /** Forgets known keys when another process, as `captable keys revoke`, has committed: asked once in a turn, as by reads. */
  #forgetKeysAfterOtherCommits(): void {
    if (this.#hasAskedThisTurn) return;
    this.#hasAskedThisTurn = true;
    setImmediate(() => {
      this.#hasAskedThisTurn = false;
    });
    const version = dataVersion(this.#parts.writer.db);
    if (version !== this.#versionOfOthers) this.#writers.forget();
    this.#versionOfOthers = version;
  }

  /** Who is calling, where the key, its rate and its role allow this operation. Throws `401`, `429` or `403`. */
  #admit(keys: Authenticator, route: Route, request: Request, visit: Visit, address: () => string): Caller {
    const caller = this.#authenticate(keys, request, address);
    visit.caller = caller;
    visit.allowance = this.#parts.keyLimiter?.take(caller.id, visit.startedMs) ?? null;
    if (visit.allowance && !visit.allowance.isAllowed) throw tooMany(visit.allowance);
    if (ROLES.indexOf(caller.role) < ROLES.indexOf(route.role)) {
      throw problem("forbidden", `This operation needs the role ${route.role}; the key has ${caller.role}.`);
    }
    this.#noteUse(caller, visit.startedMs);
    return caller;
  }

  /** Serves what anybody may ask for. */
  async servePublic(
    route: PublicRoute,
    request: Request,
    params: PathParams,
    address: () => string,
  ): Promise<Response> {
    const visit = new Visit(this.#parts, request, route.path);
    try {
      if (!route.isForAnyHost) refuseMalformedHost(request);
      return visit.show(await route.run({ params, headers: request.headers, address }));
    } catch (thrown) {
      return visit.refuse(thrown);
    }
  }

  /** Answers a request that no route matches: `405` when the address takes other methods, else `404`. */
  refuseUnrouted(request: Request, allowed: () => readonly string[]): Response {
    const visit = new Visit(this.#parts, request, null);
    try {
      refuseMalformedHost(request);
      const methods = allowed().join(", ");
      if (methods === "") return visit.refuse(problem("not-found", "There is no such address."));
      return visit.refuse(problem("method-not-allowed", `This address takes ${methods}.`), { allow: methods });
    } catch (thrown) {
      return visit.refuse(thrown);
    }
  }

  /** Answers a failure outside any route. */
  refuseFailed(request: Request, thrown: unknown): Response {
    return new Visit(this.#parts, request, null).refuse(thrown);
  }

  #authenticate(keys: Authenticator, request: Request, address: () => string): Caller {
    const caller = keys.find(request.headers.get("authorization"), this.#parts.runtime.nowMs());
    if (caller) return caller;
    const allowance = this.#parts.failureLimiter?.take(address(), this.#parts.runtime.nowMs());
    if (allowance && !allowance.isAllowed) throw tooMany(allowance);
    throw unauthorized();
  }

  /** Notes once a minute that a key is in use. Nobody waits for it, and a full disk must not stop a read. */
  #noteUse(caller: Caller, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (this.#notedMinutes.get(caller.id) === minute) return;
    if (this.#notedMinutes.size > 10_000) this.#notedMinutes.clear();
    this.#notedMinutes.set(caller.id, minute);
    const at = toTimestamp(minute * MINUTE_MS);
    this.#parts.writer.submit((tx) => touchKey(tx, caller.orgId, caller.id, at)).catch(() => undefined);
  }

  #read(
    route: ReadRoute,
    request: Request,
    params: PathParams,
    caller: Caller,
    visit: Visit,
  ): Response | Promise<Response> {
    const { orgId } = caller;
    const { url } = request;
    const known = this.#answers.find(orgId, url);
    if (known) return visit.answer(known);
    const { query, errors } = readQuery(route.query, url);
    const read = (nowMs: number) => route.run(this.#parts.reader, { orgId, params, query, nowMs });
    if (errors.length > 0)
      throw invalid([...errors, ...(isList(route) ? pageErrors(() => read(visit.startedMs)) : [])]);
    const expense = route.expense?.(query) ?? null;
    if (expense !== null) return this.#readInTurn({ ...caller, expense }, request, visit, read);
    const reply = read(visit.startedMs);
    if (reply.file) return visit.send(reply.file);
    if (reply.plain !== undefined) return visit.show({ status: 200, contentType: PLAIN, body: reply.plain });
    const answer = toAnswer(reply);
    if (reply.text !== undefined) this.#answers.keep(orgId, url, answer);
    return visit.answer(answer);
  }

  /** Reads much, when it is this one's turn: as of then, and if the key still counts. */
  async #readInTurn(asker: Asker, request: Request, visit: Visit, read: (nowMs: number) => Reply): Promise<Response> {
    const { signal, headers } = request;
    try {
      const end = await this.#turns.take(asker, signal);
      try {
        this.#openReadTurn();
        const nowMs = this.#parts.runtime.nowMs();
        if (!this.#readers.find(headers.get("authorization"), nowMs)) throw unauthorized();
        const { file, ...reply } = read(nowMs);
        if (!file) return visit.answer(toAnswer(reply));
        if (file.content instanceof Uint8Array) return visit.send(file);
        return visit.send({ ...file, content: await this.#spools.hold(asker.orgId, file.content, signal) });
      } finally {
        end();
      }
    } catch (thrown) {
      return thrown instanceof ClientGone ? visit.abandon() : visit.refuse(thrown);
    }
  }

  #change(
    route: Exclude<Route, ReadRoute>,
    request: Request,
    params: PathParams,
    caller: Caller,
    visit: Visit,
  ): Promise<WireAnswer> {
    if (route.method === "PUT") return this.#upload(route, request, params, caller, visit);
    if ("runSeries" in route) return this.#runSeries(route, request, caller, visit);
    return this.#write(route, request, params, caller, visit);
  }

  async #runSeries(route: SeriesRoute, request: Request, caller: Caller, visit: Visit): Promise<WireAnswer> {
    if (isZip(request)) return this.#runZip(route, request, caller, visit);
    // A package's objects are kept as they came, whatever their numbers.
    const body = await readJson(request, { bytesMax: route.bytesMax, isExact: false });
    const errors = [...readQuery(undefined, request.url).errors, ...findFaults(route.body, body).map(pointAt)];
    if (errors.length > 0) throw invalid(errors);
    const path = pathOf(request.url).replace(/\/$/, "");
    const newCall = () => this.#call(route, path, caller, visit);
    return toAnswer(await route.runSeries(this.#parts.writer, newCall, body as Record<string, unknown>));
  }

  async #runZip(route: SeriesRoute, request: Request, caller: Caller, visit: Visit): Promise<WireAnswer> {
    if (!route.runZip) throw problem("unsupported-media-type", "Send JSON with `Content-Type: application/json`.");
    const bytes = await readBytes(request, route.bytesMax);
    if (bytes.byteLength === 0) throw problem("malformed-json", "The body is empty; this operation needs one.");
    const { query, errors } = readQuery(route.zipQuery, request.url);
    if (errors.length > 0) throw invalid(errors);
    const path = pathOf(request.url).replace(/\/$/, "");
    const newCall = () => this.#call(route, path, caller, visit);
    return toAnswer(await route.runZip(this.#parts.writer, newCall, { bytes, query }));
  }

  async #upload(
    route: UploadRoute,
    request: Request,
    params: PathParams,
    caller: Caller,
    visit: Visit,
  ): Promise<WireAnswer> {
    const content = await readBytes(request, route.bytesMax);
    if (content.byteLength === 0) throw problem("malformed-json", "The body is empty; this operation needs one.");
    const { errors } = readQuery(undefined, request.url);
    if (errors.length > 0) throw invalid(errors);
    const call = this.#call(route, pathOf(request.url), caller, visit);
    const contentType = request.headers.get("content-type");
    const work = (tx: Tx) => toAnswer(route.run(tx, call, { params, content, contentType }));
    return this.#parts.writer.submit(work, "repeatable");
  }

  async #write(
    route: WriteRoute,
    request: Request,
    params: PathParams,
    caller: Caller,
    visit: Visit,
  ): Promise<WireAnswer> {
    const body = route.body
      ? await readJson(request, { bytesMax: this.#parts.bodyBytesMax, isOptional: route.isBodyOptional === true })
      : undefined;
    const key = route.isIdempotent ? readIdempotencyKey(request) : null;
    const errors = [
      ...readQuery(undefined, request.url).errors,
      ...(key && "header" in key ? [key] : []),
      ...(route.body ? findFaults(route.body, body).map(pointAt) : []),
    ];
    if (errors.length > 0) throw invalid(errors);
    const path = pathOf(request.url).replace(/\/$/, "");
    const idempotent: IdempotentRequest | null =
      key && "value" in key
        ? { orgId: caller.orgId, key: key.value, method: route.method, path, bodyHash: digestJson(body ?? null) }
        : null;
    const command = { params, body: (body ?? {}) as Record<string, unknown> };
    this.#lastWriteMs = performance.now();
    const work = (tx: Tx) => {
      const call = this.#call(route, path, caller, visit);
      return runOnce(tx, idempotent, call, () => route.run(tx, call, command));
    };
    // A dry run is undone in any case.
    return this.#parts.writer.submit(work, command.body.dryRun === true ? "once" : "repeatable");
  }

  /** Dated when it is recorded, not when the request began: what was known at an instant must never change later. */
  #call(route: Exclude<Route, ReadRoute>, path: string, caller: Caller, visit: Visit): Call {
    const { runtime } = this.#parts;
    const nowMs = runtime.nowMs();
    return {
      orgId: caller.orgId,
      actor: "api-key",
      apiKeyId: caller.id,
      requestId: visit.requestId,
      method: route.method,
      path,
      at: toTimestamp(nowMs),
      today: toUtcDate(nowMs),
      newId: () => runtime.newId(),
    };
  }
}

/** Runs a write at most once for its idempotency key: a later request with the key gets the stored answer. */
function runOnce(tx: Tx, idempotent: IdempotentRequest | null, call: Call, run: () => Reply): WireAnswer {
  const stored = idempotent && findAnswer(tx, idempotent);
  if (stored && !stored.isSameBody) {
    throw problem("idempotency-key-reused", "This Idempotency-Key was used for a request with another body.");
  }
  if (stored) return { ...stored, isReplayed: true };
  const answer = toAnswer(runDry(run));
  if (idempotent) insertAnswer(tx, idempotent, answer, call.at);
  return answer;
}

/** A dry run's reply becomes the answer that is given after everything was rolled back. */
function runDry(run: () => Reply): Reply {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof RollBack ? new RollBack(toAnswer(thrown.value as Reply)) : thrown;
  }
}

function toAnswer(reply: Reply): WireAnswer {
  const body = reply.text ?? (reply.json === undefined ? "" : JSON.stringify(reply.json));
  return { status: reply.status, body, location: reply.location ?? null };
}

function isZip(request: Request): boolean {
  return /^application\/zip\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

function unauthorized(): Problem {
  return problem("unauthorized", "Authentication is required: send a valid API key as a Bearer token.");
}

function tooMany(allowance: Allowance): Problem {
  const seconds = allowance.retryAfterSeconds;
  return new Problem("rate-limited", `Too many requests; try again in ${seconds} s.`, undefined, seconds);
}

function invalid(errors: readonly FieldError[]): Problem {
  return problem("validation-failed", "The request is not acceptable; `errors` says why.", errors);
}

function pointAt(fault: Fault): FieldError {
  return { pointer: pointerFragment(fault.path), detail: fault.detail };
}

function readIdempotencyKey(request: Request): { value: string } | { header: string; detail: string } | null {
  const header = request.headers.get("idempotency-key");
  if (header === null) return null;
  const value = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x21-\x7e]{1,255}$/.test(value)) return { value };
  return { header: "Idempotency-Key", detail: "must be 1 to 255 visible ASCII characters" };
}
