// Who writes when nobody asked just now: the background work.
import type { Call } from "../kernel/call.ts";
import { type Runtime, toTimestamp, toUtcDate } from "../kernel/runtime.ts";

/** A write by the background work in the name of an organization. */
export function jobCall(runtime: Runtime, orgId: string): Call {
  const nowMs = runtime.nowMs();
  return {
    orgId,
    actor: "job",
    apiKeyId: null,
    requestId: null,
    method: null,
    path: null,
    at: toTimestamp(nowMs),
    today: toUtcDate(nowMs),
    newId: () => runtime.newId(),
  };
}
