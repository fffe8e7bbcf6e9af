// Events of the instance: recorded where they are noticed, kept for 30 days, and sent to the operator's endpoints.
import { newEventId } from "../../kernel/event-id.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { Tx } from "../database/sql.ts";
import { type FollowCall, followTask } from "./follow-task.ts";
import { insertInstanceEvent, removeInstanceEvents } from "./instance-store.ts";

/** The types of events of the instance. */
export const INSTANCE_EVENT_TYPES = [
  ...(["backup.completed", "backup.failed", "offsite.completed", "offsite.failed"] as const),
  ...(["webhook_endpoint.disabled", "mail.failing"] as const),
] as const;

/** What happened; `data` is plain JSON without secrets. */
export interface InstanceEvent {
  readonly type: (typeof INSTANCE_EVENT_TYPES)[number];
  readonly data: Readonly<Record<string, string | number | null>>;
}

const KEPT_MS = 30 * 86_400_000;

/** Records an event, and removes old ones. */
export function recordInstanceEvent(
  tx: Tx,
  { at, nowMs, newId }: Pick<FollowCall, "at" | "nowMs" | "newId">,
  { type, data }: InstanceEvent,
): void {
  insertInstanceEvent(tx, { id: newEventId(newId()), at, type, data: JSON.stringify({ orgId: null, ...data }) });
  removeInstanceEvents(tx, { before: toTimestamp(nowMs - KEPT_MS) });
}

/** The same as a task. */
export const instanceEventTask = followTask("instance-event", recordInstanceEvent);
