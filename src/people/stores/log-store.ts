// The log of accounts: events that are not writes in an organization, in the commit in which they happened.
import type { AccountEvent, EventData } from "../../storage/database/log/account-events.ts";
import { appendEvent, type EventMaker } from "../../storage/database/log/account-log.ts";
import { acrossOrganizations, all, type Params, type Tx } from "../../storage/database/sql.ts";
import type { AccountCall } from "../call.ts";

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
  appendEvent(tx, { id: call.newId(), at, accountId, event, sessionId, address, userAgent, by, data });
}

/** The same call, once the caller's account is proven. */
export function provenCall(call: AccountCall, accountId: string): AccountCall {
  const by: EventMaker = { actor: "person", accountId, apiKeyId: null };
  return { ...call, by };
}

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
