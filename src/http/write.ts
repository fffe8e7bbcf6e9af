// Writes: body → schema → handler → one transaction with its idempotent answer (DECISIONS sections 1 and 5).
import { findAnswer, type IdempotentRequest, insertAnswer } from "../database/idempotency.ts";
import type { Tx } from "../database/sql.ts";
import { RollBack, type Writer } from "../database/writer.ts";
import type { Call } from "../kernel/call.ts";
import { type Fault, findFaults } from "../kernel/check.ts";
import { type FieldError, problem } from "../kernel/problem.ts";
import { type Runtime, toTimestamp, toUtcDate } from "../kernel/runtime.ts";
import { pointerFragment } from "../kernel/text.ts";
import { digestJson } from "../ledger/hash.ts";
import type { ReadRoute, Reply, Route, SeriesRoute, UploadRoute, WriteRoute } from "../route.ts";
import { invalid, toAnswer } from "./answer.ts";
import { readBytes, readJson } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { pathOf } from "./host.ts";
import { readQuery } from "./query.ts";
import type { WireAnswer } from "./visit.ts";

/** What writes are made of. */
export interface WritesParts {
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly bodyBytesMax: number;
}

/** A route that changes something. */
export type ChangingRoute = Exclude<Route, ReadRoute>;

/** Answers writes. */
export class Writes {
  readonly #parts: WritesParts;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(parts: WritesParts) {
    this.#parts = parts;
  }

  /** When a write last began, on the clock of `performance.now()`. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Carries out what a route is asked for; settles when it is on disk. Rejects with the `Problem` in its way. */
  change(route: ChangingRoute, exchange: Exchange): Promise<WireAnswer> {
    if (route.method === "PUT") return this.#upload(route, exchange);
    if ("runSeries" in route) return this.#runSeries(route, exchange);
    return this.#write(route, exchange);
  }

  async #write(route: WriteRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request, params, caller } = exchange;
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
    const path = recordedPath(request);
    const idempotent: IdempotentRequest | null =
      key && "value" in key
        ? { orgId: caller.orgId, key: key.value, method: route.method, path, bodyHash: digestJson(body ?? null) }
        : null;
    const command = { params, body: (body ?? {}) as Record<string, unknown> };
    this.#lastMs = performance.now();
    const work = (tx: Tx) => {
      const call = this.#call(route, path, exchange);
      return runOnce(tx, idempotent, call, () => route.run(tx, call, command));
    };
    // A dry run is undone in any case.
    return this.#parts.writer.submit(work, command.body.dryRun === true ? "once" : "repeatable");
  }

  async #runSeries(route: SeriesRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request } = exchange;
    if (isZip(request)) return this.#runZip(route, exchange);
    // A package's objects are kept as they came, whatever their numbers.
    const body = await readJson(request, { bytesMax: route.bytesMax, isExact: false });
    const errors = [...readQuery(undefined, request.url).errors, ...findFaults(route.body, body).map(pointAt)];
    if (errors.length > 0) throw invalid(errors);
    const newCall = this.#calls(route, exchange);
    return toAnswer(await route.runSeries(this.#parts.writer, newCall, body as Record<string, unknown>));
  }

  async #runZip(route: SeriesRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request } = exchange;
    if (!route.runZip) throw problem("unsupported-media-type", "Send JSON with `Content-Type: application/json`.");
    const bytes = await readContent(request, route.bytesMax);
    const { query, errors } = readQuery(route.zipQuery, request.url);
    if (errors.length > 0) throw invalid(errors);
    return toAnswer(await route.runZip(this.#parts.writer, this.#calls(route, exchange), { bytes, query }));
  }

  async #upload(route: UploadRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request, params } = exchange;
    const content = await readContent(request, route.bytesMax);
    const { errors } = readQuery(undefined, request.url);
    if (errors.length > 0) throw invalid(errors);
    const call = this.#call(route, pathOf(request.url), exchange);
    const contentType = request.headers.get("content-type");
    const work = (tx: Tx) => toAnswer(route.run(tx, call, { params, content, contentType }));
    return this.#parts.writer.submit(work, "repeatable");
  }

  /** A call for each transaction of a series. */
  #calls(route: ChangingRoute, exchange: Exchange): () => Call {
    const path = recordedPath(exchange.request);
    return () => this.#call(route, path, exchange);
  }

  /** Dated when it is recorded, not when the request began: what was known at an instant must never change later. */
  #call(route: ChangingRoute, path: string, { caller, visit }: Exchange): Call {
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

/** The address as the log and the idempotency of a write know it: with and without a slash at its end it is one. */
function recordedPath(request: Request): string {
  return pathOf(request.url).replace(/\/$/, "");
}

/** A body that is a file. Throws where there is none. */
async function readContent(request: Request, bytesMax: number): Promise<Uint8Array> {
  const content = await readBytes(request, bytesMax);
  if (content.byteLength === 0) throw problem("malformed-json", "The body is empty; this operation needs one.");
  return content;
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

function isZip(request: Request): boolean {
  return /^application\/zip\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
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
