// A change of accounts: who asks, from where, and when. What it writes in an organization is a `Call` of that.

import type { Call } from "../kernel/call.ts";
import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { EventMaker } from "../storage/database/log/account-log.ts";

/** From where a request comes, as sessions and the log of accounts keep it. */
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
  /** Who makes it, as the log of accounts names them; a person's account is null until it is proven. */
  readonly by: EventMaker;
  /** A new UUIDv7. */
  newId(): string;
}

/** Who writes in an organization: an account, the name that it bears, and its session. */
export interface Writing {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
}

/** The same as a write of a person in an organization. */
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

/** Who makes a change before it is known which person. */
export const VISITOR: EventMaker = { actor: "person", accountId: null, apiKeyId: null };
