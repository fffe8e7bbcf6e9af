// Lists, read page by page as they are taken.
import type { Operation, PathsWith } from "./api.ts";
import { filledPath, searchOf, segmentOf } from "./path.ts";
import { readJson } from "./read-json.ts";
import type { Sender } from "./sender.ts";

type JsonOf<P extends PathsWith<"get">> =
  Operation<P, "get"> extends {
    responses: { 200: { content: { "application/json": infer D } } };
  }
    ? D
    : never;
type QueryOf<P extends PathsWith<"get">> =
  Operation<P, "get"> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type PathOf<P extends PathsWith<"get">> = Operation<P, "get"> extends { parameters: { path: infer V } } ? V : undefined;

/** The paths of lists that have pages. */
export type ListPath = {
  [P in PathsWith<"get">]: "cursor" extends keyof QueryOf<P>
    ? JsonOf<P> extends { nextCursor: unknown }
      ? P
      : never
    : never;
}[PathsWith<"get">];

/** A page of a list. */
export type PageOf<P extends ListPath> = JsonOf<P>;
/** A record of a list. */
export type ItemOf<P extends ListPath> =
  JsonOf<P> extends { items: readonly (infer E)[] } | { data: readonly (infer E)[] } ? E : never;

/** Besides the query of a list: what its path takes, and a signal that ends it. */
export interface ListOptions<P extends ListPath> {
  readonly path?: PathOf<P>;
  readonly signal?: AbortSignal;
}

/** A list: its records one by one, or its pages. Each is read when it is taken. */
export interface Listed<P extends ListPath> extends AsyncIterable<ItemOf<P>> {
  /** The pages in place of their records. */
  pages(): AsyncGenerator<PageOf<P>, void, undefined>;
}

/** What lists that have pages answer. */
interface Page {
  readonly items?: readonly unknown[];
  readonly data?: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Reads a list of 100 a page, unless the query says another length. */
export function listOf<P extends ListPath>(
  sender: Sender,
  path: P,
  query: ListQuery<P> | undefined,
  { path: inPath, signal }: ListOptions<P> = {},
): Listed<P> {
  const values: Readonly<Record<string, unknown>> = inPath ?? {};
  const place = filledPath(path, (name) => segmentOf(name, values[name]));
  async function* pages() {
    let cursor: string | null = null;
    do {
      const asked = searchOf({ limit: 100, ...query, cursor });
      const page: Page = await readJson(sender, `${place}?${asked}`, signal);
      yield page as PageOf<P>;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items, data } of pages() as AsyncIterable<Page>) yield* (items ?? data ?? []) as ItemOf<P>[];
    },
  };
}

/** The query of a list, without its cursor. */
export type ListQuery<P extends ListPath> = Omit<QueryOf<P>, "cursor">;
