// The id and the comment that every imported ledger entry takes from its object.
import { findEntry } from "../../../ledger/store.ts";
import { faultOfId } from "../codec/values.ts";
import { type JsonObject, textOf } from "../json.ts";
import type { ImportContext } from "./context.ts";
import type { Step } from "./plan.ts";

/**
 * The object's own id; one made of type and id if another entry has it, since OCF ids are unique within a type only.
 */
export function freeEntryId({ tx, call, freeIds }: ImportContext, { objectType, id }: Step): string {
  // What was asked before holds once: the entry takes the id.
  const isFree = (candidate: string) =>
    faultOfId(candidate) === null && (freeIds.delete(candidate) || !findEntry(tx, call.orgId, candidate));
  return [id, `${objectType}:${id}`].find(isFree) ?? call.newId();
}

/** What a transaction says of itself in words. */
export function wordsOf(value: JsonObject): string | null {
  return textOf(value, "reason_text") ?? textOf(value, "consideration_text");
}
