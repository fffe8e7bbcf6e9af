// Writes: body → schema → the thread that changes the database (server/changes/), whose answer is on disk.

import { takeLines } from "../../exchange/reading/answer-lines.ts";
import type { FileReader } from "../../exchange/reading/reading-protocol.ts";
import { OrganizationQueues } from "../../exchange/reading/reading-queue.ts";
import { findFaults } from "../../kernel/check.ts";
import { ClientGone } from "../../kernel/threads/turns.ts";
import { digestJson } from "../../ledger/hash.ts";
import type {
  AskRoute,
  ReadRoute,
  Route,
  SeriesRoute,
  StartRoute,
  UploadRoute,
  WriteRoute,
} from "../../resources/route.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { invalid, toAnswer, type WireAnswer } from "../changes/answer.ts";
import { pointAt } from "../changes/local.ts";
import type { Changes } from "../changes/task.ts";
import type { Admission } from "./admit.ts";
import { readBytes, readJson, refuseEmpty, refuseNoJson } from "./body.ts";
import { readDemanded } from "./conditions.ts";
import { askedBy, type Exchange } from "./exchange.ts";
import { pathOf } from "./host.ts";
import { PlannedWrites } from "./planned-writes.ts";
import { readQuery } from "./query.ts";
import type { Reads } from "./read.ts";

/** What writes need. */
export interface WritesParts {
  readonly changes: Changes;
  /** Called after each operation that was executed: the background work then has something to do. */
  readonly onWritten?: (operationId: string) => void;
  readonly reader: Reader;
  /** A connection whose reads are never older than the last commit. */
  readonly keys: Reader;
  readonly bodyBytesMax: number;
  /** Reads packages. */
  readonly files: FileReader;
}

/** A caller that sent its body within this time is not admitted again. */
const LONG_AGO_MS = 100;
/** How long a package waits for its turn to be read. */
const PATIENCE_MS = 30_000;
const FINDINGS_A_PIECE = 1000;

/** A route that changes data. */
export type ChangingRoute = Exclude<Route, ReadRoute | AskRoute>;

/** Answers writes. */
export class Writes {
  readonly #parts: WritesParts;
  readonly #admission: Pick<Admission, "admitWriterAgain" | "admitAll">;
  readonly #imports = new OrganizationQueues();
  readonly #reads: Pick<Reads, "planFor">;
  readonly #planned: PlannedWrites;

  constructor(
    parts: WritesParts,
    admission: Pick<Admission, "admitWriterAgain" | "admitAll">,
    reads: Pick<Reads, "planFor">,
  ) {
    this.#parts = parts;
    this.#admission = admission;
    this.#reads = reads;
    this.#planned = new PlannedWrites(parts);
  }

  /** Executes a route; settles when its change is on disk. Rejects with the `Problem` that refuses it. */
  change(route: ChangingRoute, exchange: Exchange): Promise<WireAnswer> {
    if (route.method === "PUT") return this.#upload(route, exchange);
    if ("gives" in route) return this.#series(route, exchange);
    if ("start" in route) return this.#start(route, exchange);
    return this.#write(route, exchange);
  }

  /** A body may take as long as its sender likes: a caller that was admitted long ago is checked again. */
  #lookAgain(route: ChangingRoute, { request, visit }: Exchange): void {
    if (performance.now() - visit.started > LONG_AGO_MS) this.#admission.admitWriterAgain(route, request);
  }

  async #write(route: WriteRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request, params } = exchange;
    const { operationId } = route;
    const body = route.body
      ? await readJson(request, { bytesMax: this.#parts.bodyBytesMax, isOptional: route.isBodyOptional === true })
      : undefined;
    this.#lookAgain(route, exchange);
    const key = route.isIdempotent ? readIdempotencyKey(request) : null;
    const { query, errors: faultsOfQuery } = readQuery(route.query, request.url);
    const { ifMatch, errors: faultsOfTags } = readDemanded(route, request.headers);
    const errors = [
      ...faultsOfQuery,
      ...faultsOfTags,
      ...(key && "header" in key ? [key] : []),
      ...(route.body ? findFaults(route.body, body).map(pointAt) : []),
    ];
    if (errors.length > 0) throw invalid(errors);
    const examined = route.examine?.(body as never);
    if (examined && examined.errors.length > 0) throw invalid(examined.errors);
    if (examined) this.#admission.admitAll(examined.routes, exchange);
    const idempotency = key && "value" in key ? { key: key.value, bodyHash: digestJson(body ?? null) } : null;
    const asked = askedBy(exchange);
    const members = (body ?? {}) as Readonly<Record<string, unknown>>;
    const task = { operationId, asked, params, query, body: members, ifMatch, idempotency };
    const plan = route.plan ? this.#reads.planFor(route.plan.ask, exchange, members) : null;
    const lookAgain = () => this.#lookAgain(route, exchange);
    const answer = plan
      ? await this.#planned.carryOut({ task, signal: request.signal, plan, lookAgain })
      : await this.#parts.changes.write(task);
    this.#parts.onWritten?.(operationId);
    return answer;
  }

  /** A package is read elsewhere; its sender must still be admitted when the import begins. */
  async #series(route: SeriesRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request, caller } = exchange;
    const { operationId, gives } = route;
    const content = await readBytes(request, route.bytesMax);
    this.#lookAgain(route, exchange);
    const isArchive = isZip(request);
    if (isArchive) refuseEmpty(content);
    else refuseNoJson(request, content);
    const { query, errors: faultsOfQuery } = readQuery(isArchive ? route.zipQuery : undefined, request.url);
    const errors = [...faultsOfQuery, ...readDemanded(route, request.headers).errors];
    if (isArchive && errors.length > 0) throw invalid(errors);
    const file = { form: isArchive ? "zip" : "body", gives, bounds: "served", name: "", errors } as const;
    const asker = { orgId: caller.orgId, callerId: caller.accountId ?? caller.apiKeyId ?? "" };
    const { signal } = request;
    const pieces = heededBy(
      this.#parts.files.read(file, [{ name: "", bytes: content }], { asker, signal, patienceMs: PATIENCE_MS }),
      signal,
      () => this.#lookAgain(route, exchange),
    );
    if (gives === "findings") return findingsAnswer(pieces);
    // Each import under way takes a part of every turn of the thread that writes: an organization has one.
    const end = await this.#imports.take(asker, { ms: PATIENCE_MS, signal }).catch((error: unknown) => {
      throw endOf(signal, error);
    });
    try {
      return await this.#parts.changes.series({ operationId, asked: askedBy(exchange), query, pieces });
    } finally {
      end();
    }
  }

  async #start(route: StartRoute, { request, params, caller: { orgId }, visit }: Exchange): Promise<WireAnswer> {
    const errors = [...readQuery(undefined, request.url).errors, ...readDemanded(route, request.headers).errors];
    if (errors.length > 0) throw invalid(errors);
    return toAnswer(route.start(this.#parts.reader, { orgId, params, nowMs: visit.startedMs }));
  }

  async #upload(route: UploadRoute, exchange: Exchange): Promise<WireAnswer> {
    const { request, params } = exchange;
    const { operationId } = route;
    const content = await readBytes(request, route.bytesMax);
    this.#lookAgain(route, exchange);
    refuseEmpty(content);
    const { ifMatch, errors: faultsOfTags } = readDemanded(route, request.headers);
    const errors = [...readQuery(undefined, request.url).errors, ...faultsOfTags];
    if (errors.length > 0) throw invalid(errors);
    const contentType = request.headers.get("content-type");
    const asked = { ...askedBy(exchange), path: pathOf(request.url) };
    return this.#parts.changes.upload({ operationId, asked, params, ifMatch, content, contentType });
  }
}

/** The same pieces, as long as their sender waits for the answer; at their end the sender is checked once more. */
async function* heededBy(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  lookAgain: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw endOf(signal, error);
  }
  lookAgain();
}

/** What ended the reading of a file, or the wait for it: `ClientGone` if the client did. */
function endOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted ? new ClientGone() : error;
}

/** The answer with a package's problems; made piece by piece, for there may be a hundred thousand findings. */
async function findingsAnswer(pieces: AsyncIterable<Uint8Array>): Promise<WireAnswer> {
  const made: Uint8Array[] = [Buffer.from('{"problems":[')];
  let texts: string[] = [];
  const flush = (isLast: boolean) => {
    made.push(Buffer.from(texts.join(",") + (isLast || texts.length === 0 ? "" : ",")));
    texts = [];
  };
  const objects = await takeLines(pieces, (line) => {
    if (!("finding" in line)) return;
    if (texts.length === FINDINGS_A_PIECE) flush(false);
    texts.push(JSON.stringify(line.finding));
  });
  flush(true);
  made.push(Buffer.from(`],"objects":${objects}}`));
  return { status: 200, body: "", bytes: Buffer.concat(made), location: null };
}

function isZip(request: Request): boolean {
  return /^application\/zip\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

function readIdempotencyKey(request: Request): { value: string } | { header: string; detail: string } | null {
  const header = request.headers.get("idempotency-key");
  if (header === null) return null;
  const value = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x21-\x7e]{1,255}$/.test(value)) return { value };
  return { header: "Idempotency-Key", detail: "must be 1 to 255 visible ASCII characters" };
}
