// What a route is: the data from which the edge serves it, the OpenAPI document describes it and the matrix tests walk
// it. Handlers are synchronous and never see a request object.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Call } from "../kernel/call.ts";
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

/** How much a read takes of the machine; a report or the preview of a spreadsheet takes most. */
export type Expense = "much" | "report";

/** A file in place of a JSON body. */
export interface FileReply {
  /** What it is called when it is saved; folders in it do not count. */
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are known once the content was made. */
  readonly trailers?: () => Readonly<Record<string, string>>;
  /** How many bytes it has, where that is known. */
  readonly bytes?: number;
}

/** What a handler answers. */
export interface Reply {
  readonly status: 200 | 201 | 204;
  /** The JSON body; undefined for `204`. */
  readonly json?: unknown;
  /** The JSON body as text, instead of `json`. */
  readonly text?: string;
  /**
   * The JSON body as bytes, instead of `json`. Their buffer is the reply's alone: it is handed from thread to thread,
   * and nothing is left of it where it was made.
   */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Whether the body depends on the moment of the request, and not on the database alone: it is not kept. */
  readonly isOfMoment?: boolean;
  /** Reading routes only: plain text in place of JSON. */
  readonly plain?: string;
  /** Reading routes only: the file that is answered, as an attachment. */
  readonly file?: FileReply;
  /** A path for the `Location` header. */
  readonly location?: string;
}

/** What a reading handler is given. */
export interface ReadRequest {
  readonly orgId: string;
  readonly params: PathParams;
  readonly query: Query;
  readonly nowMs: number;
  /** In the portal: the stakeholders that the person is, at least one. */
  readonly stakeholderIds?: readonly string[];
}

/** What a writing handler is given besides the transaction and the call. */
export interface WriteRequest<B> {
  readonly params: PathParams;
  readonly query?: Query;
  readonly body: B;
}

/** A read as plain data: the route by its name, and what it is given. */
export interface ReadTask extends ReadRequest {
  readonly operationId: string;
  /** Of a route that is asked with a body. */
  readonly body?: unknown;
}

/**
 * Does reads elsewhere than in the thread that answers requests; rejects as the route's `run` throws. `signal` says
 * that no client waits for the answer any more.
 */
export interface ReadElsewhere {
  read(task: ReadTask, signal?: AbortSignal): Promise<Reply>;
}

/** What every route has. */
export interface RouteBase {
  /** With `:name` for parameters, from `/api/v1` on. */
  readonly path: string;
  /** Names the operation in a generated client. */
  readonly operationId: string;
  /** The group in the reference documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The lowest role that may ask. `STAKEHOLDER`: any member who is a stakeholder there, in the portal; never a key. */
  readonly role: MemberRole;
  /** The scope of which a key needs this route, where that is neither `read` for what writes nothing nor `write`. */
  readonly scope?: Exclude<Scope, "read" | "write">;
  /** Whether a person must have proved who it is within the last minutes. Keys need no such proof. */
  readonly needsConfirmation?: boolean;
  /** True for an extension of the interface that this service implements. */
  readonly isExtension?: boolean;
  /** What the success body looks like; absent for `204` and for files. */
  readonly response?: TSchema;
  readonly status: 200 | 201 | 204;
  /** Whether the success carries a `Location`. */
  readonly isLocated?: boolean;
  /** Problem kinds beyond those that every route has, by status. */
  readonly problems?: readonly (404 | 409)[];
}

/** A route that only reads. */
export interface ReadRoute extends RouteBase {
  readonly method: "GET";
  readonly query?: TObject;
  /** The media type of the file that it answers, where it answers one; `text/plain` where it answers `plain`. */
  readonly fileType?: string;
  /** What the file is, where it holds many records: the log then records that it left. Absent for one record's paper. */
  readonly exports?: ExportFormat;
  /** Whether the file says with `X-Captable-Head` up to which entry of the ledger it goes. */
  readonly hasHead?: boolean;
  /** What it takes with this query, where that may be much: the edge then has it wait for its turn. Null: little. */
  expense?(query: Query): Expense | null;
  /** Whether it computes as much over a short ledger: it is then always done elsewhere, where a thread can. */
  readonly isComputed?: boolean;
  run(db: Reader, request: ReadRequest): Reply;
}

/** What an asked handler is given. */
export interface AskRequest<B> extends ReadRequest {
  readonly body: B;
}

/** A route that only reads, and is asked with a body: it computes, always in turn, and elsewhere where a thread can. */
export interface AskRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST";
  readonly body: S;
  readonly bodyExample?: unknown;
  readonly isBodyOptional?: undefined;
  /** Nothing is kept that a repetition could find. */
  readonly isIdempotent?: undefined;
  ask(db: Reader, request: AskRequest<Static<S>>): Reply;
}

/** A route that writes, in one transaction. */
export interface WriteRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly query?: TObject;
  readonly body?: S;
  /** Whether an absent body counts as `{}`. */
  readonly isBodyOptional?: boolean;
  readonly isIdempotent?: boolean;
  readonly bodyExample?: unknown;
  run(tx: Tx, call: Call, request: WriteRequest<Static<S>>): Reply;
}

/** What an uploading handler is given: the body's bytes, and its `Content-Type` as sent or null. */
export interface UploadRequest {
  readonly params: PathParams;
  readonly content: Uint8Array;
  readonly contentType: string | null;
}

/** A route that stores the body's bytes as they are, whatever they are. */
export interface UploadRoute extends RouteBase {
  readonly method: "PUT";
  /** The most bytes that the body may have. */
  readonly bytesMax: number;
  /** Nothing that a JSON body may ask for: bytes are no JSON, and putting them twice is putting them once. */
  readonly body?: undefined;
  readonly isIdempotent?: undefined;
  run(tx: Tx, call: Call, request: UploadRequest): Reply;
}

/** What takes a package that is read elsewhere, line by line, and then does what was asked. */
export interface Intake {
  take(line: unknown): void;
  /** Once all lines were taken. `newCall` dates each transaction. */
  run(writer: Writer, newCall: () => Call): Promise<Reply>;
}

/**
 * A route that takes a package, as parsed JSON or as a zip archive, which is read elsewhere. It writes in several
 * transactions, one after the other: one alone would hold up all other writers.
 */
export interface SeriesRoute<S extends TObject = TObject> extends RouteBase {
  readonly method: "POST";
  readonly body: S;
  /** The most bytes that the body may have. */
  readonly bytesMax: number;
  readonly bodyExample?: unknown;
  readonly isBodyOptional?: undefined;
  /** What a series has written stays when it ends early, so that no stored answer could stand for it. */
  readonly isIdempotent?: undefined;
  /** The query parameters that go with a zip archive, which has no members to say the same. */
  readonly zipQuery?: TObject;
  /** What is wanted of the package: its objects, which {@link open} takes, or what is wrong with it, which is the answer. */
  readonly gives: "objects" | "findings";
  open?(query: Query): Promise<Intake>;
}

/** A route that begins work which goes on by itself and writes nothing: answered at once, by the thread of the requests. */
export interface StartRoute extends RouteBase {
  readonly method: "POST";
  /** Nothing that a write may ask for. */
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

/** Whether a route writes nothing: it reads, checks a package, or begins work that only reads. */
function writesNothing(route: Route): boolean {
  return isReading(route) || "start" in route || ("gives" in route && route.gives === "findings");
}

/**
 * The scopes of which a key needs one. The route says, never the body: a dry run needs what its write does. What is
 * read of a scope's own goes with that scope, too.
 */
export function scopesFor(route: Route): readonly Scope[] {
  const own = route.scope === undefined ? [] : [route.scope];
  if (writesNothing(route)) return ["read", ...own];
  return own.length > 0 ? own : ["write"];
}

/** Declares a route that is asked with a body, with the body's type inferred. */
export function askRoute<S extends TObject>(route: AskRoute<S>): AskRoute<S> {
  return route;
}

/** Declares a writing route with its body's type inferred. What it answers of a record made or changed has `warnings[]`. */
export function writeRoute<S extends TObject>(route: WriteRoute<S>): WriteRoute<S> {
  const { response } = route;
  if (response === undefined || (route.status !== 201 && route.method !== "PATCH")) return route;
  return {
    ...route,
    response: withWarnings(response),
    run(tx, call, request) {
      const reply = route.run(tx, call, request);
      return { ...reply, json: tellWarnings(reply.json) };
    },
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
