// Tags of answers (RFC 9110, section 8.8): a digest of the body's bytes, by which a client demands that a record is still
// what it has read.
import { problem } from "../../kernel/problem.ts";
import type { PathParams, ReadRoute } from "../../resources/route.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { toAnswer, type WireAnswer } from "./answer.ts";

const DIGITS = 16;

/** Tags with their quotation marks, of which a record must have one; `*` if any will do. */
export type DemandedTags = "*" | readonly string[];

/** The tag of an answer with a JSON body: 16 hex digits in quotation marks. */
export function tagOf({ body, bytes }: Pick<WireAnswer, "body" | "bytes">): string {
  return `"${Bun.hash(bytes ?? body)
    .toString(16)
    .padStart(DIGITS, "0")}"`;
}

/** The record that a change is made to, and the tags that the request demands of it. */
export interface Demand {
  /** The route that reads the record. */
  readonly record: ReadRoute | undefined;
  /** The route that reads what the record is a part of, whose tag will do as well. */
  readonly whole?: ReadRoute | undefined;
  readonly demanded: DemandedTags | undefined;
  readonly orgId: string;
  readonly params: PathParams;
  readonly nowMs: number;
}

/** Throws `412 precondition-failed` unless the record has a demanded tag, and its route's `404` if there is no record. */
export function requireTag(db: Reader, { record, whole, demanded, orgId, params, nowMs }: Demand): void {
  if (demanded === undefined || record === undefined) return;
  const tagBy = (route: ReadRoute) => tagOf(toAnswer(route.run(db, { orgId, params, query: {}, nowMs })));
  const tag = tagBy(record);
  if (demanded === "*" || demanded.includes(tag) || (whole && demanded.includes(tagBy(whole)))) return;
  throw problem(
    "precondition-failed",
    "The record is no longer what `If-Match` demands: it was changed after it was read.",
  );
}
