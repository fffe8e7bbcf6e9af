// Compares the rows of accounts, factors, links and sessions with the log of accounts. Differences name table, account
// and column, and no value: hashes and addresses stay private. Pure: rows come in as iterables.
import { commitTo, sha256 } from "../../../storage/database/log/account-log.ts";
import type { Columns, SqlValue } from "../../../storage/database/sql.ts";
import { RESTORE, UNVERIFIED } from "../report.ts";
import type { TellPerson } from "./event.ts";
import type { KnownAccount, Made, PeopleState } from "./state.ts";

/** The tables, in the order in which they are compared. */
export const PEOPLE_TABLES = [
  "accounts",
  "passkeys",
  "identities",
  "recovery_codes",
  "calendars",
  "links",
  "sessions",
] as const;
export type PeopleTable = (typeof PEOPLE_TABLES)[number];

/** The tables' rows. */
export interface StoredPeople {
  /** Every row of a table, in the order of its places. */
  rows(table: PeopleTable): Iterable<Columns>;
  /** A column's value in a new row if no event names one. */
  fallback(table: PeopleTable, column: string): SqlValue;
}

/** An expected row and its key. */
interface Wanted {
  readonly accountId: string | null;
  readonly made: Made;
}

/** Compares all tables; `now` decides which sessions have expired. */
export function comparePeople(state: PeopleState, stored: StoredPeople, now: string, tell: TellPerson): void {
  for (const table of PEOPLE_TABLES) compareTable(table, state, stored, tell);
  for (const [id, session] of state.sessions) {
    if (session.row === null && session.to === null && session.expiresAt > now) {
      say(tell, "row-missing", `sessions row ${id}`, "the session is open, and its row is missing", session.accountId);
    }
  }
}

function compareTable(table: PeopleTable, state: PeopleState, stored: StoredPeople, tell: TellPerson): void {
  const wanted = wantedRows(table, state);
  let last = 0;
  for (const row of stored.rows(table)) {
    const id = String(row.id);
    const subject = `${table} row ${id}`;
    const found = wanted.get(id);
    wanted.delete(id);
    if (found === undefined) {
      const owner = table === "accounts" ? row.id : row.accountId;
      say(tell, "row-unexplained", subject, "no event made it", typeof owner === "string" ? owner : null);
      continue;
    }
    const { accountId, made } = found;
    if (made.place <= last) {
      say(tell, "row-differs", subject, `its place in the table (${table}.seq) is not that of its making`, accountId);
    }
    last = made.place;
    const account = state.accounts.get(accountId ?? "");
    for (const [column, value] of Object.entries(row)) {
      if (column === "seq" || UNVERIFIED.includes(`${table}.${column}`)) continue;
      const isSaid = column in made.columns;
      const should = isSaid ? (made.columns[column] ?? null) : stored.fallback(table, column);
      if (asTold(table, column, value, account) === should) continue;
      say(tell, "row-differs", subject, `its ${column} (${table}.${column}) is not what the events say`, accountId);
    }
  }
  for (const [id, { accountId }] of wanted) {
    say(tell, "row-missing", `${table} row ${id}`, "events made it, and its row is missing", accountId);
  }
}

function say(
  tell: TellPerson,
  code: "row-differs" | "row-missing" | "row-unexplained",
  subject: string,
  detail: string,
  accountId: string | null,
): void {
  const of = accountId === null ? "" : ` (account ${accountId})`;
  tell({ code, subject: `${subject}${of}`, detail, fix: RESTORE }, accountId);
}

/** A value as the log keeps it: secrets as commitments, tokens' hashes as digests. */
function asTold(table: PeopleTable, column: string, value: SqlValue, account: KnownAccount | undefined): SqlValue {
  if (typeof value !== "string") return value;
  if (column === "tokenHash") return sha256(value);
  const isSecret =
    (table === "accounts" && (column === "passwordHash" || column === "totpSecret")) || column === "codeHash";
  return isSecret ? commitTo(account?.salt ?? "", value) : value;
}

function wantedRows(table: PeopleTable, state: PeopleState): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  if (table === "links") {
    for (const [id, made] of state.links) wanted.set(id, { accountId: textOrNull(made.columns.accountId), made });
  } else if (table === "sessions") {
    for (const [id, { accountId, row: made }] of state.sessions) if (made) wanted.set(id, { accountId, made });
  } else {
    for (const account of state.accounts.values()) {
      for (const made of rowsOf(table, account)) wanted.set(String(made.columns.id), { accountId: account.id, made });
    }
  }
  return wanted;
}

function rowsOf(table: PeopleTable, account: KnownAccount): Iterable<Made> {
  if (table === "accounts") return [account];
  if (table === "passkeys") return account.passkeys.values();
  if (table === "calendars") return account.calendars.values();
  return table === "identities" ? account.identities.values() : account.codes.values();
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
