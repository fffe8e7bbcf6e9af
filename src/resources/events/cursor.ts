// Cursors of the feed: a place in the ledger and in the log, each with the beginning of its row's hash, so that a cursor
// proves by itself whether it is of this data.
import { present } from "../../kernel/assert.ts";
import { FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { listRestores, rowAt } from "./feed-store.ts";

/** The last row of each list that was answered; 0 for none. */
export interface Place {
  readonly ledger: number;
  readonly log: number;
}

/** Before the first event. */
export const BEGINNING: Place = { ledger: 0, log: 0 };

const DIGITS = 16;
const FORM = /^(\d{1,15})\.([0-9a-f]{16})\.(\d{1,15})\.([0-9a-f]{16})$/;

/** A cursor, read: its place, and the beginnings of the hashes that it has there. */
export interface Claim extends Place {
  readonly hashes: readonly [ledger: string, log: string];
}

/** The beginning of a row's hash, as cursors have it. */
export function beginningOf(hash: string): string {
  return hash.slice(0, DIGITS);
}

/** The beginning of the hash at a place of one list; null if no row is there. */
function beginningAt(db: Reader, orgId: string, list: "ledger" | "log", sequence: number): string | null {
  const hash = sequence === 0 ? FIRST_HASH : rowAt(db, list, orgId, sequence)?.hash;
  return hash === undefined ? null : beginningOf(hash);
}

/** The cursor of a place, and the beginnings of the hashes there. */
export function writeFeedCursor({ ledger, log }: Place, [ofLedger, ofLog]: readonly [string, string]): string {
  return Buffer.from(`${ledger}.${ofLedger}.${log}.${ofLog}`).toString("base64url");
}

/** The beginnings of the hashes at a place that is there. */
export function beginningsAt(db: Reader, orgId: string, { ledger, log }: Place): readonly [string, string] {
  const of = (list: "ledger" | "log", sequence: number) =>
    present(beginningAt(db, orgId, list, sequence), `row ${sequence} of the ${list}`);
  return [of("ledger", ledger), of("log", log)];
}

/** The cursor of a place that is there. */
export function cursorAt(db: Reader, orgId: string, place: Place): string {
  return writeFeedCursor(place, beginningsAt(db, orgId, place));
}

/** Reads a cursor; null if it has another form. */
export function readFeedCursor(cursor: string): Claim | null {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, ledger = "", ofLedger = "", log = "", ofLog = ""] = FORM.exec(text) ?? [];
  if (ledger === "" || Buffer.from(text, "latin1").toString("base64url") !== cursor) return null;
  return { ledger: Number(ledger), log: Number(log), hashes: [ofLedger, ofLog] };
}

/** Whether both rows of a cursor are here, with their hashes. */
export function isHere(db: Reader, orgId: string, { ledger, log, hashes: [ofLedger, ofLog] }: Claim): boolean {
  return beginningAt(db, orgId, "ledger", ledger) === ofLedger && beginningAt(db, orgId, "log", log) === ofLog;
}

/**
 * Where a reader goes on whose cursor is not here: at what the earliest restore found that has less than the cursor has
 * seen, so that nothing is missed; else at the beginning.
 */
export function rewoundTo(db: Reader, orgId: string, { ledger, log }: Place): Place {
  for (const { after } of listRestores(db, { orgId })) {
    const found = JSON.parse(after ?? "{}") as Partial<Place>;
    const [ofLedger, ofLog] = [found.ledger ?? 0, found.log ?? 0];
    if (ledger > ofLedger || log > ofLog) return { ledger: ofLedger, log: ofLog };
  }
  return BEGINNING;
}
