// Lists that have pages: a page that is larger than an answer is asked for again with fewer records, whose cursor is right.
import { type Row, rowsOf } from "../api/output.ts";
import { BYTES_MAX, bytesOf, countThatFit, Refusal } from "./answer.ts";
import type { Query, Requests } from "./requests.ts";

const KIBIBYTE = 1024;

/** A page that fits into an answer. */
export async function pageThatFits(
  requests: Requests,
  path: string,
  query: Query & { readonly limit: number },
  signal?: AbortSignal,
): Promise<Row> {
  for (let limit = query.limit; ; ) {
    const page = await requests.get(path, { ...query, limit }, signal);
    if (bytesOf(page) <= BYTES_MAX) return page;
    limit = Math.min(limit - 1, countThatFit(rowsOf(page) ?? [], BYTES_MAX - KIBIBYTE));
    if (limit < 1) throw new Refusal("the next record alone is larger than 64 KiB: captable api shows it");
  }
}
