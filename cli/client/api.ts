// The API by path and method, typed by the OpenAPI document: each call gives what the server answers, or throws.
import createClient, { type MaybeOptionalInit } from "openapi-fetch";
import { readRefusal } from "./errors.ts";
import { ASKS, FILES, KEYED } from "./made/known.ts";
import type { paths } from "./made/types.ts";
import { isJson } from "./media-type.ts";
import { segmentOf } from "./path.ts";
import { jsonOf } from "./read-json.ts";
import type { Sender } from "./sender.ts";

/** The methods of the API. */
export type Verb = "get" | "post" | "patch" | "put" | "delete";
type Media = `${string}/${string}`;

/** The paths that have a method. */
export type PathsWith<M extends Verb> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, unknown>> ? P : never;
}[keyof paths];

/** An operation of the document. */
export type Operation<P extends keyof paths, M extends Verb> =
  paths[P] extends Readonly<Record<M, infer T>> ? T : never;

type DryAnswer = { data: { effects: unknown } };

/** Of answers that a dry run changes, those that a call can get: all of them where it leaves that open. */
type Chosen<D, R extends boolean> = boolean extends R
  ? D
  : R extends true
    ? [Extract<D, DryAnswer>] extends [never]
      ? D
      : Extract<D, DryAnswer>
    : Exclude<D, DryAnswer>;

type Status = 200 | 201 | 204;

/** The body of a success, whatever its type; undefined for none. */
type SuccessOf<T> = T extends { responses: infer R }
  ? { [S in keyof R & Status]: R[S] extends { content: infer C } ? C[keyof C] : undefined }[keyof R & Status]
  : never;

/** What a body is, by what the caller asks for. */
interface Parsed<D> {
  readonly json: D;
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: ReadableStream<Uint8Array> | null;
}

/** How a body is read. */
type ParseAs = keyof Parsed<unknown>;
/** A body as its type has it. */
type Usual = "json";

type DataOf<T, A extends ParseAs, R extends boolean> = Parsed<Chosen<SuccessOf<T>, R>>[A];

/** What a call gives: `data` is the body, `undefined` for `204` and `304`; `response` has status and headers. */
export interface Answer<D> {
  readonly data: D;
  readonly response: Response;
}

/** What a call takes besides its path. */
type InitOf<P extends keyof paths, M extends Verb> = Exclude<MaybeOptionalInit<paths[P], M>, undefined>;
/** The paths that need nothing besides. */
type PathsAlone<M extends Verb> = {
  [P in PathsWith<M>]: undefined extends MaybeOptionalInit<paths[P], M> ? P : never;
}[PathsWith<M>];

/** The members that say what is answered; of a body only where it has such a member. */
type Asked<P extends keyof paths, M extends Verb, A extends ParseAs, R extends boolean> = { parseAs?: A } & (InitOf<
  P,
  M
> extends { body: { dryRun?: boolean } }
  ? "dryRun" extends keyof InitOf<P, M>["body"]
    ? { body: { dryRun?: R } }
    : object
  : object);

/** A method of the API: the path as the document has it, and what it takes. */
export interface Method<M extends Verb> {
  <P extends PathsAlone<M>>(path: P): Promise<Answer<DataOf<Operation<P, M>, Usual, false>>>;
  <P extends PathsWith<M>, A extends ParseAs = Usual, R extends boolean = false>(
    path: P,
    init: InitOf<P, M> & Asked<P, M, A, R>,
  ): Promise<Answer<DataOf<Operation<P, M>, A, R>>>;
}

/** The whole API. */
export interface Api {
  readonly GET: Method<"get">;
  readonly POST: Method<"post">;
  readonly PATCH: Method<"patch">;
  readonly PUT: Method<"put">;
  readonly DELETE: Method<"delete">;
}

/** What openapi-fetch takes, whatever the path. */
interface Init {
  readonly params?: { readonly path?: Readonly<Record<string, unknown>> };
  readonly body?: unknown;
  readonly headers?: Headers | Readonly<Record<string, string>>;
  readonly parseAs?: ParseAs;
}

type Upper = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** The paths as openapi-fetch may call any of them: the types of `Api` say which there are. */
type AnyPaths = Record<string, Record<Verb, { responses: Record<200, { content: Record<Media, unknown> }> }>>;

/** Makes the API of a server. */
export function apiOf(sender: Sender): Api {
  const client = createClient<AnyPaths>({ baseUrl: sender.server, bodySerializer: serialized });
  const method =
    (verb: Upper) =>
    async (path: string, init: Init = {}): Promise<never> => {
      const { parseAs } = init;
      for (const [name, value] of Object.entries(init.params?.path ?? {})) segmentOf(name, value);
      const carry = (request: Request) => carried(sender, request, `${verb} ${path}`, parseAs === "stream");
      const sent = { ...init, headers: withType(init), parseAs: "stream", fetch: carry } as const;
      const { response } = await client.request(methodOf(verb), path, sent as Record<string, unknown>);
      return { data: await bodyOf(response, parseAs, FILES.has(`${verb} ${path}`)), response } as never;
    };
  const [GET, POST, PATCH, PUT, DELETE] = (["GET", "POST", "PATCH", "PUT", "DELETE"] as const).map(method);
  return { GET, POST, PATCH, PUT, DELETE } as Api;
}

function methodOf(verb: Upper): Verb {
  return verb.toLowerCase() as Verb;
}

/** Bytes go as they are, all else as JSON. */
function serialized(body: unknown): unknown {
  return isBytes(body) ? body : JSON.stringify(body);
}

function isBytes(body: unknown): body is Blob | ArrayBuffer | ArrayBufferView {
  return body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

function withType({ body, headers }: Init): Headers {
  const sent = new Headers(headers);
  if (!isBytes(body) || sent.has("content-type")) return sent;
  sent.set("content-type", (body instanceof Blob && body.type) || "application/octet-stream");
  return sent;
}

/** Sends what openapi-fetch has made. Throws what the server refuses. */
async function carried(sender: Sender, request: Request, operation: string, isStream: boolean): Promise<Response> {
  const headers = new Headers(request.headers);
  const isKeyed = KEYED.has(operation);
  if (isKeyed && !headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID());
  const { method, url, signal } = request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  const response = await sender.send({
    method,
    path: url.slice(sender.server.length),
    headers,
    body: bytes.length > 0 ? bytes : undefined,
    isSafe: method === "GET" || isKeyed || ASKS.has(operation),
    isStream,
    signal,
  });
  if (response.ok || response.status === 304) return response;
  throw await readRefusal(response);
}

/** The body, by what the caller asks for, else by its type: JSON, or of a file its text or a Blob. */
async function bodyOf(response: Response, parseAs: ParseAs | undefined, isFile: boolean): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  if (parseAs === "stream") return response.body;
  if (parseAs !== undefined && parseAs !== "json") return response[parseAs]();
  if (!isFile || isJson(response)) return jsonOf(response);
  return /^text\/plain\b/.test(response.headers.get("content-type") ?? "") ? response.text() : response.blob();
}
