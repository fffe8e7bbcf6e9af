// The log of accounts: what happened to them that is no write in an organization. Append-only by trigger; no secret in it.
import { acrossOrganizations, all, insertRow, type Params, type Tx } from "../database/sql.ts";
import type { AccountCall } from "./call.ts";

/** What can happen to an account. */
export const EVENTS = [
  "account-made",
  "signed-in",
  "sign-in-failed",
  "second-factor-failed",
  "signed-out",
  "session-ended",
  "sessions-ended",
  "confirmed",
  "confirmation-failed",
  "name-changed",
  "email-changed",
  "password-changed",
  "password-reset",
  "reset-link-made",
  "totp-added",
  "totp-removed",
  "recovery-codes-made",
  "recovery-code-used",
  "passkey-added",
  "passkey-removed",
  "passkey-counter-went-back",
  "identity-added",
  "identity-removed",
  "second-factors-removed",
  "made-operator",
  "suspended",
  "suspension-lifted",
] as const;
export type AccountEvent = (typeof EVENTS)[number];

/** Tells that something happened to an account, in a session where there is one. */
export function tellOfAccount(
  tx: Tx,
  call: AccountCall,
  accountId: string,
  event: AccountEvent,
  sessionId: string | null = null,
): void {
  const { at, address, userAgent } = call;
  insertRow(tx, "account_log", { id: call.newId(), at, accountId, event, sessionId, address, userAgent });
}

interface Page {
  readonly accountId: string;
  readonly before: number;
  readonly limit: number;
}

/** What happened to an account with `seq` below `before`, newest first. */
export const listEventsOf = all((param: Params<Page>) =>
  acrossOrganizations
    .selectFrom("account_log")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** The same of every account. */
export const listEvents = all((param: Params<Omit<Page, "accountId">>) =>
  acrossOrganizations
    .selectFrom("account_log")
    .selectAll()
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);
