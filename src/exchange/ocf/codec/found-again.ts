// Codec of the keys of imported spreadsheet rows ↔ a comment of ours on the security's issuance: by it the same file is
// recognized and compared after the security went through OCF. Pure.
import { type JsonObject, textOf } from "../json.ts";
import { captableComment, fromCaptableComment } from "./captable-comment.ts";
import { compact } from "./values-to-ocf.ts";

/** The keys of rows: digests. */
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

/** The members of an entry's metadata that identify its row; empty if a numbered row made the entry. */
function notedIn(metadata: JsonObject): JsonObject {
  if (textOf(metadata, "importNumbered") === null) return {};
  return compact(Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, textOf(metadata, name)])));
}

function fits(members: JsonObject): boolean {
  const all = Object.entries(members);
  return all.length > 0 && all.every(([name, value]) => typeof value === "string" && MEMBERS[name]?.test(value));
}

/** The comment of an issuance that identifies its row; null unless a row without a number made it. */
export function rowComment(metadata: JsonObject): string | null {
  return captableComment(notedIn(metadata));
}

/** The row's keys in such a comment, for the metadata of its entry. */
export function rowOf(value: JsonObject): JsonObject {
  return notedIn(fromCaptableComment(value, fits).members);
}

/** Whether a comment of an issuance identifies its row. */
export function isRowComment(comment: string): boolean {
  return fromCaptableComment({ comments: [comment] }, fits).isOurs(comment);
}
