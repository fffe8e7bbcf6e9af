// Batches: several changes in one transaction, of which a later one may refer to what an earlier one makes.
import type { Api, Operation, PathsWith } from "./api.ts";
import { filledPath, segmentOf } from "./path.ts";

type BatchVerb = "POST" | "PATCH" | "DELETE";
type PathsOf<V extends BatchVerb> = PathsWith<Lowercase<V>>;

/** Stands for a text member of the answer of an earlier operation. */
export class Ref {
  readonly $ref: string;

  constructor(ref: string) {
    this.$ref = ref;
  }
}

/** A body in which each text may be a reference. */
export type WithRefs<T> = T extends string
  ? T | Ref
  : T extends readonly (infer E)[]
    ? readonly WithRefs<E>[]
    : T extends object
      ? { [K in keyof T]: WithRefs<T[K]> }
      : T;

type BodyOf<V extends BatchVerb, P extends PathsOf<V>> =
  Operation<P, Lowercase<V>> extends { requestBody?: infer R }
    ? [NonNullable<R>] extends [never]
      ? undefined
      : NonNullable<R> extends { content: { "application/json": infer B } }
        ? WithRefs<Omit<B, "dryRun">>
        : undefined
    : undefined;
type InPath<V extends BatchVerb, P extends PathsOf<V>> =
  Operation<P, Lowercase<V>> extends {
    parameters: { path: infer T extends object };
  }
    ? { readonly [K in keyof T]: string | Ref }
    : undefined;

/** What an operation takes besides its body: what stands in its path, and the tag that its record must have. */
export type OperationOptions<V extends BatchVerb, P extends PathsOf<V>> = (InPath<V, P> extends undefined
  ? { readonly path?: undefined }
  : { readonly path: InPath<V, P> }) & { readonly ifMatch?: string };

type Given<V extends BatchVerb, P extends PathsOf<V>> =
  InPath<V, P> extends undefined
    ? undefined extends BodyOf<V, P>
      ? [body?: BodyOf<V, P>, options?: OperationOptions<V, P>]
      : [body: BodyOf<V, P>, options?: OperationOptions<V, P>]
    : [body: BodyOf<V, P>, options: OperationOptions<V, P>];

/** The answer of an operation, as it would be by itself. */
type AnswerOf<V extends BatchVerb, P extends PathsOf<V>> =
  Operation<P, Lowercase<V>> extends {
    responses: { 201: { content: { "application/json": infer D } } };
  }
    ? D
    : Operation<P, Lowercase<V>> extends { responses: { 200: { content: { "application/json": infer D } } } }
      ? Exclude<D, { data: { effects: unknown } }>
      : null;

/** What a batch answers. */
export type BatchResult = Operation<"/api/v1/batch", "post">["responses"][200]["content"]["application/json"]["data"];

/** An operation of a batch. */
export class Added<V extends BatchVerb, P extends PathsOf<V>> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Stands for a text member of its answer, as `id` or `securityId`. */
  ref(member: string): Ref {
    return new Ref(`${this.name}.${member}`);
  }

  /** Its answer in what the batch answered; null after a dry run. Throws `TypeError` for another batch's. */
  of({ results }: BatchResult): AnswerOf<V, P> | null {
    const found = results.find(({ name }) => name === this.name);
    if (found === undefined) throw new TypeError(`the batch has no operation named ${this.name}`);
    return (found.body ?? null) as AnswerOf<V, P> | null;
  }
}

/** How a batch is carried out. */
export interface RunOptions {
  /** Whether to say what would change, and keep nothing. */
  readonly dryRun?: boolean;
  /** The hash that the newest entry of the ledger must have. */
  readonly ifHead?: string;
  /** Names this batch, so that it is done once however often it is sent; by default one of its own. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type BatchBody = NonNullable<Operation<"/api/v1/batch", "post">["requestBody"]>["content"]["application/json"];

/** Changes that are done together or not at all. */
export class Batch {
  readonly #api: Api;
  readonly #operations: BatchBody["operations"] = [];
  /** One for all attempts to run it. */
  readonly #key = crypto.randomUUID();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Adds an operation: its name, method and path as the document has them, then its body, and what is in its path. */
  add<V extends BatchVerb, P extends PathsOf<V>>(
    name: string,
    method: V,
    path: P,
    ...[body, options]: Given<V, P>
  ): Added<V, P> {
    const { path: values, ifMatch } = (options ?? {}) as { path?: Record<string, string | Ref>; ifMatch?: string };
    this.#operations.push({
      name,
      method,
      path: filled(path, values ?? {}),
      ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    return new Added(name);
  }

  /** Carries all of it out, or none. Throws `ProblemError`, whose `problem` names the operation. */
  async run({ dryRun, ifHead, idempotencyKey, signal }: RunOptions = {}): Promise<BatchResult> {
    const key = idempotencyKey ?? (dryRun === true ? crypto.randomUUID() : this.#key);
    const { data } = await this.#api.POST("/api/v1/batch", {
      body: {
        operations: this.#operations,
        ...(dryRun === undefined ? {} : { dryRun }),
        ...(ifHead === undefined ? {} : { ifHead }),
      },
      params: { header: { "Idempotency-Key": key } },
      ...(signal === undefined ? {} : { signal }),
    });
    return data.data;
  }
}

/** The path with its parameters: a reference is a whole segment in braces. */
function filled(path: string, values: Readonly<Record<string, string | Ref>>): string {
  return filledPath(path, (name) => {
    const value = values[name];
    return value instanceof Ref ? `{${value.$ref}}` : segmentOf(name, value);
  });
}
