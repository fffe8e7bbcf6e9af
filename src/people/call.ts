// The context of a change of accounts: caller, client and instant. For its writes in an organization it becomes that
// organization's `Call`.

import type { Call } from "../kernel/call.ts";
import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { EventMaker } from "../storage/database/log/account-log.ts";

/** The client of a request, as sessions and the log of accounts store it. */
export interface Visitor {
  readonly requestId: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly address: string | null;
  /** Up to 200 characters. */
  readonly userAgent: string | null;
}

/** A change of accounts at one instant. */
export interface AccountCall extends Visitor {
  readonly at: Timestamp;
  readonly nowMs: number;
  readonly today: CalendarDate;
  /** The caller, as the log of accounts names it; a person's account is null until it is proven. */
  readonly by: EventMaker;
  /** A new UUIDv7. */
  newId(): string;
}

/** The author of writes in an organization: an account, its name, and its session. */
export interface Writing {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
}

/** The context of a person's write in an organization, as a change of accounts. */
export function personCall(
  { requestId, method, path, at, today, newId }: AccountCall,
  orgId: string,
  { id: accountId, name: actorName, sessionId }: Writing,
): Call {
  const who = { actor: "person", apiKeyId: null, accountId, actorName, sessionId } as const;
  return { orgId, ...who, requestId, method, path, at, today, newId };
}

/** A write in an organization, as a change of accounts. */
export function accountCall(call: Call): AccountCall {
  const { requestId, method, path, at, today, newId, actor, accountId, apiKeyId } = call;
  const when = { at, nowMs: Date.parse(at), today };
  const by = { actor, accountId, apiKeyId };
  return { requestId, method, path, address: null, userAgent: null, ...when, by, newId };
}

/** The caller before it is known which person it is. */
export const VISITOR: EventMaker = { actor: "person", accountId: null, apiKeyId: null };
