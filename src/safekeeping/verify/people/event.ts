// Walks the log of accounts from its first event: hash, chain, sequence; and hands each event on. Pure: rows come in as
// an iterable.
import { hashEvent } from "../../../storage/database/log/account-log.ts";
import { canonicalJson, FIRST_HASH } from "../../../storage/database/log/log-hash.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { type Difference, RESTORE } from "../report.ts";

/** A difference, and the account that it concerns; null without one. */
export type TellPerson = (difference: Omit<Difference, "orgId">, accountId: string | null) => void;

/** Members of JSON by name. */
export type Said = Readonly<Record<string, unknown>>;

/** An event whose JSON was read. */
export interface ReadEvent extends Omit<Row<"account_log">, "by" | "data"> {
  readonly by: Said;
  readonly data: Said;
}

/** Where the log ends. */
export interface AccountLogEnd {
  readonly sequence: number;
  readonly hash: string;
}

/** How a difference names an event. */
export function nameOfEvent({ sequence, id }: Pick<ReadEvent, "sequence" | "id">): string {
  return `account event ${sequence} (id ${id})`;
}

/** Checks the events, oldest first, and hands each readable one to `take`. Returns where the log ends. */
export function walkEvents(
  rows: Iterable<Row<"account_log">>,
  take: (event: ReadEvent) => void,
  tell: TellPerson,
): AccountLogEnd {
  let last: Row<"account_log"> | null = null;
  for (const row of rows) {
    checkPlace(row, last, tell);
    const event = readEvent(row, tell);
    if (event) take(event);
    last = row;
  }
  return last ?? { sequence: 0, hash: FIRST_HASH };
}

function checkPlace(row: Row<"account_log">, last: Row<"account_log"> | null, tell: TellPerson): void {
  const subject = nameOfEvent(row);
  const say = (code: "log-gap" | "log-broken", detail: string) => tell({ code, subject, detail, fix: RESTORE }, null);
  const due = (last?.sequence ?? 0) + 1;
  if (row.sequence !== due) {
    const missing = row.sequence === due + 1 ? `event ${due} is` : `events ${due} to ${row.sequence - 1} are`;
    say("log-gap", `${missing} missing before it`);
  } else if (row.previousHash !== (last?.hash ?? FIRST_HASH)) {
    const what = last === null ? "the 64 zeros of a first event" : `the hash of event ${last.sequence}`;
    say("log-broken", `its previousHash is not ${what}: one of the two was changed`);
  }
  if (last !== null && row.seq <= last.seq) {
    say("log-broken", `its place in the table (seq ${row.seq}) is not behind that of the event before it`);
  }
}

function readEvent(row: Row<"account_log">, tell: TellPerson): ReadEvent | null {
  const [by, data] = [readObject(row.by), readObject(row.data)];
  const isWhole = by !== null && data !== null && hashEvent({ ...row, by, data }) === row.hash;
  if (!isWhole) {
    const detail = "its hash does not match its contents: the event was changed after it was written";
    tell({ code: "log-altered", subject: nameOfEvent(row), detail, fix: RESTORE }, null);
  }
  return by && data && { ...row, by, data };
}

/** An object of canonical JSON; null for any other text. */
function readObject(text: string): Said | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && canonicalJson(value) === text ? (value as Said) : null;
  } catch {
    return null;
  }
}
