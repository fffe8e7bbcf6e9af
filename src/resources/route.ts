// Route: the data from which the edge serves it, the OpenAPI document describes it and the matrix tests cover it.
// Handlers are synchronous and never see a request object. What runs a route may be loaded with its first request:
// `run: later(…)`; callers of `run` and `ask` await `loading(…)` before.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import type { FieldError } from "../kernel/problem.ts";
import { tellWarnings, withWarnings } from "../kernel/warning.ts";
import type { ExportFormat } from "../storage/database/log/audit.ts";
import type { Reader, Tx } from "../storage/database/sql.ts";
import type { Writer } from "../storage/database/writer.ts";
import type { Scope } from "../storage/records/api-key.ts";
import type { MemberRole } from "../storage/records/member.ts";

/** Path parameters, percent-decoded. */
export type PathParams = Readonly<Record<string, string>>;
/** Query parameters: each known to the route and given once. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The cost of a read; a report or the preview of a spreadsheet has the highest. */
export type Expense = "much" | "report";

/** A file in place of a JSON body. */
export interface FileReply {
  /** Its file name for saving; folders in it are ignored. */
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers known once the content was made. */
  readonly trailers?: () => Readonly<Record<string, string>>;
  /** Its number of bytes, if known. */
  readonly bytes?: number;
}

/** One member that would change. `id` and `before` are null for a record that would be created. */
export interface Effect {
  /** The kind of record, such as `security` or `share-class`. */
  readonly resourceType: string;
  readonly id: string | null;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A handler's answer. */
export interface Reply {
  readonly status: 200 | 201 | 204;
  /** The JSON body; undefined for `204`. */
  readonly json?: unknown;
  /** The JSON body as text, instead of `json`. */
  readonly text?: string;
  /**
   * The JSON body as bytes, instead of `json`. Their buffer must be the reply's alone: it is transferred between
   * threads and detached from the sender.
   */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Whether the body depends on the moment of the request besides the database: it is not cached. */
  readonly isOfMoment?: boolean;
  /** Reading routes only: plain text in place of JSON. */
  readonly plain?: string;
  /** Reading routes only: the file returned as an attachment. */
  readonly file?: FileReply;
  /** Of a change on the ledger: what it changed, for the dry run of a batch. */
  readonly effects?: () => readonly Effect[];
  /** A path for the `Location` header. */
  readonly location?: string;
}

/** The JSON of an answer, whether it is held as such or as text; null for `204`. */
export function jsonOf({ json, text }: Pick<Reply, "json" | "text">): unknown {
  return text === undefined ? (json ?? null) : JSON.parse(text);
}

/** The input of a reading handler. */
export interface ReadRequest {
  readonly orgId: string;
  readonly params: PathParams;
  readonly query: Query;
  readonly nowMs: number;
  /** The caller's role. */
  readonly role?: MemberRole;
  /** In the portal: the stakeholders that the person is, at least one. */
  readonly stakeholderIds?: readonly string[];
}

/** The input of a writing handler besides the transaction and the call. */
export interface WriteRequest<B> {
  readonly params: PathParams;
  readonly query?: Query;
  readonly body: B;
}

/** A read as plain data: the route by its name, and its input. */
export interface ReadTask extends ReadRequest {
  readonly operationId: string;
  /** For a route with a body. */
  readonly body?: unknown;
}

/**
 * Runs reads in another thread than the one that answers requests; rejects as the route's `run` throws. `signal`
 * reports that the client is gone.
 */
export interface ReadElsewhere {
  read(task: ReadTask, signal?: AbortSignal): Promise<Reply>;
}

/** The members of every route. */
export interface RouteBase {
  /** With `:name` for parameters, from `/api/v1` on. */
  readonly path: string;
  /** Names the operation in a generated client. */
  readonly operationId: string;
  /** The group in the reference documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The lowest role allowed. `STAKEHOLDER`: any member who is a stakeholder there, in the portal; never a key. */
  readonly role: MemberRole;
  /** The scope that a key needs for this route, if it is neither `read` (for routes that write nothing) nor `write`. */
  readonly scope?: Exclude<Scope, "read" | "write">;
  /** Whether a person needs a recent proof of identity. Keys need no such proof. */
  readonly needsConfirmation?: boolean;
  /** True for an extension of the interface that this service implements. */
  readonly isExtension?: boolean;
  /** The schema of the success body; absent for `204` and for files. */
  readonly response?: TSchema;
  readonly status: 200 | 201 | 204;
  /** Whether the success carries a `Location`. */
  readonly isLocated?: boolean;
  /** Of a change: the route that reads the record that it works on, whose tag a request may demand. */
  readonly record?: ReadRoute | undefined;
  /** The route that reads what that record is a part of: a step's approval. Its tag may be demanded instead. */
  readonly whole?: ReadRoute | undefined;
  /** Problem kinds beyond those that every route has, by status. */
  readonly problems?: readonly (404 | 409)[];
}

/** The moment at which a stream is read: one `look` for all readers of it, and the role that the caller then has. */
export interface LiveMoment {
  readonly look: object;
  readonly role: MemberRole;
}

/** Reads a stream's messages. */
export interface LiveReader {
  /** The text of the next messages, which may be none yet, and whether there is more to read. */
  next(db: Reader, moment: LiveMoment): { readonly text: string; readonly hasMore: boolean };
  /** A message that shows that the stream is alive. */
  heartbeat(db: Reader): string;
}

/** A route that only reads. */
export interface ReadRoute extends RouteBase {
  readonly method: "GET";
  readonly query?: TObject;
  /** The media type of the file in the answer, if it is a file; `text/plain` if it is `plain`. */
  readonly fileType?: string;
  /** The format of a file with many records: the log then records its export. Absent for one record's paper. */
  readonly exports?: ExportFormat;
  /** Whether the file names the last entry of the ledger in it by `X-Captable-Head`. */
  readonly hasHead?: boolean;
  /** Its cost with this query, if it may be high: the edge then lets it wait for its turn. Null: low. */
  expense?(query: Query): Expense | null;
  /** Whether a short ledger costs as much: it then always runs in another thread, if there is one. */
  readonly isComputed?: boolean;
  run(db: Reader, request: ReadRequest): Reply;
  /** Of a stream of server-sent events: begins to read it. `lastEventId` is the header's, null without one. */
  live?(db: Reader, request: ReadRequest & { readonly lastEventId: string | null }): LiveReader;
}

/** The input of a handler with a body. */
export interface AskRequest<B> extends ReadRequest {
  readonly body: B;
}

/** A reading route with a body: it computes, always in turn, and in another thread if there is one. */
export interface AskRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST";
  readonly body: S;
  readonly bodyExample?: unknown;
  readonly isBodyOptional?: undefined;
  /** It stores nothing, so a retry needs no idempotency key. */
  readonly isIdempotent?: undefined;
  ask(db: Reader, request: AskRequest<Static<S>>): Reply;
}

/** How a change is worked out beforehand. */
export interface RoutePlan<S extends TObject = TObject> {
  /** Works it out in a reading thread, on a snapshot: a route that no request can name. */
  readonly ask: AskRoute<S>;
  /**
   * Carries it out by the JSON that `ask` answered. Throws `Outdated`, before it writes, where that no longer holds.
   * The route's own `run` works out the same by itself: of a short ledger, in a batch, and where too much is written.
   */
  run(tx: Tx, call: Call, request: WriteRequest<Static<S>>, plan: unknown): Reply;
}

/** A route that writes, in one transaction. */
export interface WriteRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly query?: TObject;
  readonly body?: S;
  /** Whether an absent body counts as `{}`. */
  readonly isBodyOptional?: boolean;
  readonly isIdempotent?: boolean;
  /** Whether its new rows may wait for the end of a batch: it opens no savepoint. */
  readonly rowsMayWait?: boolean | undefined;
  readonly bodyExample?: unknown;
  /** False for a change that no batch takes. */
  readonly isBatchable?: false;
  /** Whether it never runs twice, as other changes may: it does much. */
  readonly isOnce?: true;
  /** Of a change that carries out others: their faults, and the routes, whose roles and scopes the caller needs. */
  examine?(body: Static<S>): { readonly errors: readonly FieldError[]; readonly routes: readonly Route[] };
  run(tx: Tx, call: Call, request: WriteRequest<Static<S>>): Reply;
  /**
   * Reads beforehand what takes long to find, in slices between which others write; gives the `run` that knows it, or
   * null where there is no need. `open` makes a connection that the route closes. Not called for a dry run.
   */
  prepare?(open: () => Reader, orgId: string, body: Static<S>): Promise<WriteRoute<S>["run"] | null>;
  /** Works out beforehand what takes long, and carries the change out by that; absent where `run` is quick. */
  readonly plan?: RoutePlan<S>;
}

/** The input of an upload handler: the body's bytes, and its `Content-Type` as sent or null. */
export interface UploadRequest {
  readonly params: PathParams;
  readonly content: Uint8Array;
  readonly contentType: string | null;
}

/** A route that stores the body's bytes unchanged. */
export interface UploadRoute extends RouteBase {
  readonly method: "PUT";
  /** The most bytes that the body may have. */
  readonly bytesMax: number;
  /** Not for a JSON body: uploads are bytes, and repeating an upload changes nothing. */
  readonly body?: undefined;
  readonly isIdempotent?: undefined;
  run(tx: Tx, call: Call, request: UploadRequest): Reply;
}

/** Accepts a package that another thread or process reads, line by line, and then executes the request. */
export interface Intake {
  take(line: unknown): void;
  /** Called after all lines. `newCall` dates each transaction. */
  run(writer: Writer, newCall: () => Call): Promise<Reply>;
}

/**
 * A route that takes a package, as parsed JSON or as a zip archive, which is read elsewhere. It writes in several
 * consecutive transactions: a single one would block all other writers.
 */
export interface SeriesRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST";
  readonly body: S;
  /** The most bytes that the body may have. */
  readonly bytesMax: number;
  readonly bodyExample?: unknown;
  readonly isBodyOptional?: undefined;
  /** Its earlier transactions stay if it ends early, so a stored answer would be false. */
  readonly isIdempotent?: undefined;
  /** The query parameters for a zip archive, which has no members to say the same. */
  readonly zipQuery?: TObject;
  /** The wanted part of the package: its objects, for {@link open}, or its faults, which are the answer. */
  readonly gives: "objects" | "findings";
  open?(query: Query): Promise<Intake>;
}

/** A route that starts background work and writes nothing: answered at once, by the thread of the requests. */
export interface StartRoute extends RouteBase {
  readonly method: "POST";
  /** Not for a route that writes nothing. */
  readonly body?: undefined;
  readonly isBodyOptional?: undefined;
  readonly isIdempotent?: undefined;
  start(db: Reader, request: Omit<ReadRequest, "query">): Reply;
}

export type Route = ReadRoute | AskRoute | WriteRoute | UploadRoute | SeriesRoute | StartRoute;

/** Whether a route only reads. */
export function isReading(route: Route): route is ReadRoute | AskRoute {
  return route.method === "GET" || "ask" in route;
}

/** Whether a route writes, be it for a dry run: a closed organization refuses it. */
export function isWriting(route: Route): boolean {
  return !writesNothing(route);
}

/** Whether a route writes nothing: it reads, checks a package, or begins work that only reads. */
function writesNothing(route: Route): boolean {
  return isReading(route) || "start" in route || ("gives" in route && route.gives === "findings");
}

/**
 * The scopes of which a key needs one. The route decides, never the body: a dry run needs the scope of its write. A
 * read of a scope's own records is allowed with that scope, too.
 */
export function scopesFor(route: Route): readonly Scope[] {
  const own = route.scope === undefined ? [] : [route.scope];
  if (writesNothing(route)) return ["read", ...own];
  return own.length > 0 ? own : ["write"];
}

/** Declares a reading route with its body's type inferred. */
export function askRoute<S extends TObject>(route: AskRoute<S>): AskRoute<S> {
  return route;
}

/** Declares a writing route with its body's type inferred. Its answers of a new or changed record have `warnings[]`. */
export function writeRoute<S extends TObject>(route: WriteRoute<S>): WriteRoute<S> {
  const { response, run, plan } = route;
  if (response === undefined || (route.status !== 201 && route.method !== "PATCH")) return route;
  const warning = <R extends (...args: never[]) => Reply>(own: R): R =>
    needing<R>(own, ((...args) => {
      const reply = own(...args);
      return { ...reply, json: tellWarnings(reply.json) };
    }) as R);
  return {
    ...route,
    response: withWarnings(response),
    run: warning(run),
    ...(plan ? { plan: { ...plan, run: warning(plan.run) } } : {}),
  };
}

/** Declares a route of several transactions with its body's type inferred. */
export function seriesRoute<S extends TObject>(route: SeriesRoute<S>): SeriesRoute<S> {
  return route;
}

/** The path of a record, percent-encoded: for `Location`. */
export function recordPath(segment: string, id: string): string {
  return `/api/v1/${segment}/${encodeURIComponent(id)}`;
}

/** Any function. */
type Runs = (...args: never[]) => unknown;

const loads = new WeakMap<Runs, () => Promise<void> | null>();

/**
 * Makes a function of a module that is loaded with {@link loading}, before the function is first called:
 *
 *     run: later(() => import(…), ({ readHealth }) => (db, request) => …)
 */
export function later<M, F extends Runs>(load: () => Promise<M>, make: (module: M) => F): F {
  let made: F | null = null;
  const run = (...args: never[]) => present(made, "what is loaded before it is called")(...args);
  loads.set(run, () =>
    made === null
      ? load().then((module) => {
          made = make(module);
        })
      : null,
  );
  return run as F;
}

/** Gives a function what others need to be loaded, because it calls them. */
export function needing<F extends Runs>(needed: Runs | readonly Runs[], run: F): F {
  const all = [needed].flat().flatMap((each) => loads.get(each) ?? []);
  if (all.length > 0) loads.set(run, () => together(all.map((load) => load())));
  return run;
}

function together(loadings: readonly (Promise<void> | null)[]): Promise<void> | null {
  const open = loadings.filter((each) => each !== null);
  return open.length === 0 ? null : Promise.all(open).then(() => undefined);
}

/** Loads what a function needs before it is called; null if nothing is left to load. */
export function loading(run: Runs): Promise<void> | null {
  return loads.get(run)?.() ?? null;
}
