// The log of accounts: one hash chain for the whole instance, append-only by trigger. Each event stands in the commit of
// what it reports, and no secret enters it: a password's hash, a sealed secret and a code's hash are kept as commitments,
// SHA-256 of the account's salt, a colon and the value, so that the log alone lets no one try passwords.
import type { ACTORS } from "../../../kernel/call.ts";
import { insertRow } from "../row-writes.ts";
import { acrossOrganizations, first, type Reader, type Tx } from "../sql.ts";
import type { AccountEvent, EventData } from "./account-events.ts";
import { canonicalJson, FIRST_HASH } from "./log-hash.ts";

/** The author of an event: a person (null before the person is known), a key, the command line or a job. */
export interface EventMaker {
  readonly actor: (typeof ACTORS)[number];
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
}

/** An event to append. */
export interface NewEvent<E extends AccountEvent = AccountEvent> {
  readonly id: string;
  readonly at: string;
  /** The account concerned; null for the instance, and for links without an account yet. */
  readonly accountId: string | null;
  readonly event: E;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly by: EventMaker;
  readonly data: EventData[E];
}

/** An event as its hash covers it: `by` and `data` as JSON values. */
export interface HashedEvent extends Omit<NewEvent, "event" | "data" | "by"> {
  readonly event: string;
  readonly by: unknown;
  readonly data: unknown;
  readonly sequence: number;
  readonly previousHash: string;
}

/** The hash of an event: lowercase hex SHA-256 of the canonical JSON (RFC 8785) of every column but `seq` and `hash`. */
export function hashEvent(event: HashedEvent): string {
  const { id, sequence, at, accountId, event: name, sessionId, address, userAgent, by, data, previousHash } = event;
  const whole = { id, sequence, at, accountId, event: name, sessionId, address, userAgent, by, data, previousHash };
  return sha256(canonicalJson(whole));
}

/** The commitment to a secret of an account: SHA-256 of its salt, a colon and the value, in lowercase hex. */
export function commitTo(salt: string, value: string): string {
  return sha256(`${salt}:${value}`);
}

/** The log's form of a token's hash, and of a row: its SHA-256 in lowercase hex. */
export function sha256(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}

/** A session's or link's columns in the log's form: without `seq`, the token's hash as its SHA-256. */
export function toldColumns<R extends { readonly seq?: number; readonly tokenHash: string }>(row: R): Omit<R, "seq"> {
  const { seq: _seq, ...columns } = row;
  return { ...columns, tokenHash: sha256(row.tokenHash) };
}

/** A row's digest: SHA-256 of the canonical JSON of its columns in the log's form. */
export function digestColumns(columns: object): string {
  return sha256(canonicalJson(columns));
}

const head = first(() =>
  acrossOrganizations.selectFrom("account_log").select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

/** The place and hash of the last event; sequence 0 and 64 zeros for an empty log. */
export function findAccountLogHead(db: Reader): { readonly sequence: number; readonly hash: string } {
  return head(db) ?? { sequence: 0, hash: FIRST_HASH };
}

/** Appends an event. */
export function appendEvent<E extends AccountEvent>(tx: Tx, event: NewEvent<E>): void {
  const { sequence: last, hash: previousHash } = findAccountLogHead(tx);
  const whole = { ...event, sequence: last + 1, previousHash };
  const [by, data] = [canonicalJson(event.by), canonicalJson(event.data)];
  insertRow(tx, "account_log", { ...whole, by, data, hash: hashEvent(whole) });
}
