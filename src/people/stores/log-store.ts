// The log of accounts: events that are not writes in an organization, in the commit in which they happened.
import type { AccountEvent, EventData } from "../../storage/database/log/account-events.ts";
import { appendEvent, type EventMaker } from "../../storage/database/log/account-log.ts";
import { acrossOrganizations, all, first, type Params, type Tx } from "../../storage/database/sql.ts";
import type { AccountCall } from "../call.ts";
import { findAccount } from "./account-store.ts";
import { queueMail } from "./mail-store.ts";

/** An event to report. */
export interface Reported<E extends AccountEvent> {
  /** The account that it concerns; null for an invitation, and for the instance. */
  readonly accountId: string | null;
  readonly event: E;
  readonly data: EventData[E];
  /** The session in which it happened, if there is one. */
  readonly sessionId?: string | null;
}

/** Writes an event in the log of accounts, with the caller as its author. */
export function reportEvent<E extends AccountEvent>(
  tx: Tx,
  call: AccountCall,
  { accountId, event, data, sessionId = null }: Reported<E>,
): void {
  const { at, address, userAgent, by } = call;
  const id = call.newId();
  appendEvent(tx, { id, at, accountId, event, sessionId, address, userAgent, by, data });
  if (accountId !== null && isOfSecurity(event, data)) queueSecurityMail(tx, call, { accountId, about: id });
}

/** What the account's person is told by mail, lest another did it. */
const OF_SECURITY: ReadonlySet<AccountEvent> = new Set([
  "password-changed",
  "password-reset",
  "email-changed",
  "totp-added",
  "totp-removed",
  "passkey-added",
  "passkey-removed",
  "identity-added",
  "identity-removed",
  "second-factors-removed",
  "recovery-codes-made",
  "recovery-code-used",
]);
const ENDED_BY_ANOTHER: readonly unknown[] = ["administrator", "cli", "member-removed"];

function isOfSecurity(event: AccountEvent, data: object): boolean {
  if (OF_SECURITY.has(event)) return true;
  return event === "sessions-ended" && "endedBy" in data && ENDED_BY_ANOTHER.includes(data.endedBy);
}

/** Queues the mail about an event; `to` is the address that the account has then, unless it is said. */
export function queueSecurityMail(
  tx: Tx,
  call: AccountCall,
  { accountId, about, to }: { readonly accountId: string; readonly about: string; readonly to?: string },
): void {
  const address = to ?? findAccount(tx, { id: accountId })?.email;
  if (address !== undefined) queueMail(tx, call, { kind: "security", to: address, about, accountId });
}

/** The same call, once the caller's account is proven. */
export function provenCall(call: AccountCall, accountId: string): AccountCall {
  const by: EventMaker = { actor: "person", accountId, apiKeyId: null };
  return { ...call, by };
}

/** An event by its id, or null. */
export const findEvent = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("account_log").select(["event", "at"]).where("id", "=", param("id")),
);

interface Page {
  readonly accountId: string;
  readonly before: number;
  readonly limit: number;
}

/** The events of an account with `seq` below `before`, newest first. */
export const listEventsOf = all((param: Params<Page>) =>
  acrossOrganizations
    .selectFrom("account_log")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** The events of every account likewise. */
export const listEvents = all((param: Params<Omit<Page, "accountId">>) =>
  acrossOrganizations
    .selectFrom("account_log")
    .selectAll()
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);
