// What an import of a spreadsheet noted of the row that made a security ↔ a comment of ours on its issuance: by it the same
// file is found again, and compared, after the security went through OCF. Pure.
import { type JsonObject, textOf } from "../json.ts";
import { captableComment, fromCaptableComment } from "./captable-comment.ts";
import { compact } from "./values-to-ocf.ts";

/** What rows are known by: digests. */
const KEY = /^[0-9a-f]{64}( [0-9a-f]{64})?$/;
/** What was issued, and what became of it, of a security that came in with what was left. */
const FIGURE = /^[0-9]{1,30}(\.[0-9]{1,10})?$/;

const MEMBERS: Readonly<Record<string, RegExp>> = {
  importNumbered: KEY,
  importNamed: KEY,
  importedIssued: FIGURE,
  importedExercised: FIGURE,
  importedForfeited: FIGURE,
  importedTransferred: FIGURE,
};

/** The members of an entry's metadata that say of which row it is; none of an entry that a numbered row made. */
function notedIn(metadata: JsonObject): JsonObject {
  if (textOf(metadata, "importNumbered") === null) return {};
  return compact(Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, textOf(metadata, name)])));
}

function fits(members: JsonObject): boolean {
  const all = Object.entries(members);
  return all.length > 0 && all.every(([name, value]) => typeof value === "string" && MEMBERS[name]?.test(value));
}

/** The comment of an issuance that tells of which row it is; null where no row without a number made it. */
export function rowComment(metadata: JsonObject): string | null {
  return captableComment(notedIn(metadata));
}

/** What such a comment of an issuance tells, for the metadata of its entry. */
export function rowOf(value: JsonObject): JsonObject {
  return notedIn(fromCaptableComment(value, fits).members);
}

/** Whether a comment of an issuance tells of which row it is. */
export function isRowComment(comment: string): boolean {
  return fromCaptableComment({ comments: [comment] }, fits).isOurs(comment);
}
