// A change of accounts: who asks, from where, and when. What it writes in an organization is a `Call` of that.
import type { Call } from "../kernel/call.ts";
import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";

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
  /** A new UUIDv7. */
  newId(): string;
}

/** The same as a write of a person in an organization. */
export function personCall(
  call: AccountCall,
  orgId: string,
  { id: accountId, name: actorName }: { readonly id: string; readonly name: string },
): Call {
  const { requestId, method, path, at, today, newId } = call;
  return { orgId, actor: "person", apiKeyId: null, accountId, actorName, requestId, method, path, at, today, newId };
}
