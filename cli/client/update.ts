// Changes of a record as it was read: with `If-Match`, and again from the start where another change came between.
import type { Operation, PathsWith } from "./api.ts";
import { ProblemError, readRefusal } from "./errors.ts";
import { jsonOf } from "./read-json.ts";
import type { Sender } from "./sender.ts";

type UpdatePath = PathsWith<"patch"> & PathsWith<"get">;

/** The parts of a path between slashes. */
type Parts<T extends string> = T extends `${infer A}/${infer B}` ? [A, ...Parts<B>] : [T];
type Fits<A extends readonly string[], B extends readonly string[]> = B extends [
  infer B1 extends string,
  ...infer Bs extends string[],
]
  ? A extends [infer A1 extends string, ...infer As extends string[]]
    ? B1 extends `{${string}}`
      ? Fits<As, Bs>
      : A1 extends B1
        ? Fits<As, Bs>
        : false
    : false
  : A extends []
    ? true
    : false;

/** The path of the document that a path with values is of; never for an unknown one. */
export type PathOf<T extends string> = {
  [P in UpdatePath]: Fits<Parts<T>, Parts<P>> extends true ? P : never;
}[UpdatePath];

type Json<T, S extends number> = T extends { responses: Record<S, { content: { "application/json": infer D } }> }
  ? D
  : never;

/** A record as it is read. */
export type RecordOf<T extends string> = [PathOf<T>] extends [never] ? unknown : Json<Operation<PathOf<T>, "get">, 200>;
/** What an update answers: the record with its `warnings`. */
export type UpdatedOf<T extends string> = [PathOf<T>] extends [never]
  ? unknown
  : Json<Operation<PathOf<T>, "patch">, 200>;
/** The members that an update may name. */
export type ChangeOf<T extends string> = [PathOf<T>] extends [never]
  ? object
  : Operation<PathOf<T>, "patch"> extends { requestBody?: { content: { "application/json": infer B } } }
    ? B
    : never;

/** How often it begins again. */
const AGAIN = 3;

/**
 * Reads a record, changes it with `If-Match`, and begins again where it was changed in between, up to three times.
 * Throws `ProblemError` (`precondition-failed`) where that is not enough.
 */
export async function updateBy<T extends string>(
  sender: Sender,
  path: T,
  change: ChangeOf<T> | ((current: RecordOf<T>) => ChangeOf<T>),
  signal?: AbortSignal,
): Promise<UpdatedOf<T>> {
  for (let attempt = 0; ; attempt++) {
    try {
      const read = await sender.send({ method: "GET", path, isSafe: true, signal });
      if (!read.ok) throw await readRefusal(read);
      const current = await jsonOf<RecordOf<T>>(read);
      const given = isFunction(change) ? change(current) : change;
      const headers = new Headers({ "content-type": "application/json", "if-match": read.headers.get("etag") ?? "*" });
      const body = new TextEncoder().encode(JSON.stringify(given));
      const answer = await sender.send({ method: "PATCH", path, headers, body, isSafe: false, signal });
      if (!answer.ok) throw await readRefusal(answer);
      return await jsonOf<UpdatedOf<T>>(answer);
    } catch (failure) {
      if (!(failure instanceof ProblemError) || failure.status !== 412 || attempt >= AGAIN) throw failure;
    }
  }
}

function isFunction<C, R>(change: C | ((current: R) => C)): change is (current: R) => C {
  return typeof change === "function";
}
