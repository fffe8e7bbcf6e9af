// Walks one organization's log from its newest row to its first: hashes, chain, sequence; and hands the rows to the
// fold. Pure: rows come in as an iterable.
import { canonicalText, FIRST_HASH, hashLogRow } from "../../storage/database/log/log-hash.ts";
import { Fold, type LogRow, type Members, nameOf, type Said, type Stored } from "./fold.ts";
import { RESTORE, type Tell } from "./report.ts";

/** Where the log ends. */
export interface LogEnd {
  readonly sequence: number;
  readonly hash: string;
}

/** Checks the rows, newest first, and compares them with the stored records. */
export function walkLog(rows: Iterable<LogRow>, stored: Stored, again: () => Iterable<LogRow>, tell: Tell): LogEnd {
  const fold = new Fold(stored, tell);
  let end: LogEnd | null = null;
  let above: LogRow | null = null;
  for (const row of rows) {
    end ??= { sequence: row.sequence, hash: row.hash };
    const said = readRow(row, tell);
    if (above) checkPlace(row, above, tell);
    if (said) fold.take(row, said);
    above = row;
  }
  if (above) checkFirst(above, tell);
  fold.finish(again);
  return end ?? { sequence: 0, hash: FIRST_HASH };
}

/** A row follows the one before it: the next number, and that one's hash. Tables keep the order of writing. */
function checkPlace(row: LogRow, above: LogRow, tell: Tell): void {
  const subject = nameOf(above);
  if (above.sequence !== row.sequence + 1) {
    const [first, last] = [row.sequence + 1, above.sequence - 1];
    const missing = first === last ? `row ${first} is` : `rows ${first} to ${last} are`;
    tell({ code: "log-gap", subject, detail: `${missing} missing before it`, fix: RESTORE });
  } else if (above.previousHash !== row.hash) {
    const detail = `its previousHash is not the hash of row ${row.sequence}: one of the two was changed`;
    tell({ code: "log-broken", subject, detail, fix: RESTORE });
  }
  if (above.seq <= row.seq) {
    const detail = `its place in the table (seq ${above.seq}) is not behind that of row ${row.sequence} (seq ${row.seq})`;
    tell({ code: "log-broken", subject, detail, fix: RESTORE });
  }
}

function checkFirst(row: LogRow, tell: Tell): void {
  const subject = nameOf(row);
  if (row.sequence !== 1) {
    const missing = row.sequence === 2 ? "row 1 is" : `rows 1 to ${row.sequence - 1} are`;
    tell({ code: "log-gap", subject, detail: `${missing} missing before it`, fix: RESTORE });
  } else if (row.previousHash !== FIRST_HASH) {
    const detail = "its previousHash is not the 64 zeros of a first row: it was changed after it was written";
    tell({ code: "log-broken", subject, detail, fix: RESTORE });
  }
}

/** Checks a row's hash; returns its content, or null if that cannot be read. */
function readRow(row: LogRow, tell: Tell): Said | null {
  const subject = nameOf(row);
  try {
    const [before, after] = [readText(row.before), readText(row.after)];
    if (hashLogRow({ ...row, before: before.canonical, after: after.canonical }) !== row.hash) {
      const detail = "its hash does not match its contents: the row was changed after it was written";
      tell({ code: "log-altered", subject, detail, fix: RESTORE });
    }
    return { before: before.value, after: after.value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    tell({ code: "log-altered", subject, detail: "what it says before or after cannot be read", fix: RESTORE });
    return null;
  }
}

function readText(text: string | null): { readonly value: Members | null; readonly canonical: string | null } {
  if (text === null) return { value: null, canonical: null };
  const value: Members | null = JSON.parse(text);
  if (typeof value !== "object" || Array.isArray(value)) throw new SyntaxError("it is not an object");
  const isCanonical = JSON.stringify(value) === text && isSorted(value);
  return { value, canonical: isCanonical ? text : canonicalText(text) };
}

/** Whether the members of a value, and of all in it, stand in canonical order. */
function isSorted(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last = "";
  for (const name of Object.keys(value)) {
    const member: unknown = value[name as keyof typeof value];
    if (name < last || (typeof member === "object" && !isSorted(member))) return false;
    last = name;
  }
  return true;
}
