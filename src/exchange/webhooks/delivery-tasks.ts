// Tasks of webhooks: what the follow thread notes of deliveries, each one transaction of the writer.
import { toTimestamp } from "../../kernel/runtime.ts";
import {
  type Delivery,
  insertDelivery,
  keepNewest,
  type Outcome,
  removeBefore,
  settleDelivery,
} from "../../resources/webhook-endpoints/delivery-store.ts";
import {
  changeProgress,
  disableEndpoint,
  type Endpoint,
  findEndpoint,
  listAllEndpoints,
  type Untold,
} from "../../resources/webhook-endpoints/store.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type FollowCall, followTask } from "../../storage/follow/follow-task.ts";
import { recordInstanceEvent } from "../../storage/follow/instance-events.ts";
import {
  changeInstanceProgress,
  disableInstanceEndpoint,
  findInstanceEndpoint,
  type InstanceProgress,
} from "../../storage/follow/instance-store.ts";

const DELIVERIES_KEPT = 1000;
const DELIVERIES_KEPT_MS = 30 * 86_400_000;

interface OfOne {
  readonly orgId: string;
  readonly id: string;
}

/** A request in the order of the feed. */
export type Made = Pick<Delivery, "eventId" | "eventType" | "attempt" | "cursor"> & Outcome;

/** How far deliveries are, by what was known of the endpoint. */
export interface NotedProgress extends OfOne {
  /** The revision that the thread knows: what a person changed since is not overwritten. */
  readonly revision: number;
  readonly progress: Omit<Untold, "revision">;
  readonly made: readonly Made[];
}

/** Notes deliveries, and how far an endpoint is; returns whether its place was still the thread's to move. */
export const progressTask = followTask(
  "webhook-progress",
  (tx, { newId, at }, { orgId, id, revision, progress, made }: NotedProgress): boolean => {
    const row = findEndpoint(tx, { orgId, id });
    if (row === null) return false;
    for (const each of made) {
      insertDelivery(tx, {
        orgId,
        endpointId: id,
        id: newId(),
        createdAt: each.startedAt ?? at,
        kind: "ORDERED",
        ...each,
      });
    }
    if (made.length > 0) keepNewest(tx, { orgId, endpointId: id }, DELIVERIES_KEPT);
    const isCurrent = row.revision === revision;
    if (isCurrent) changeProgress(tx, { orgId, id }, progress);
    return isCurrent;
  },
);

/** Notes what became of a delivery out of turn. */
export const settleTask = followTask(
  "webhook-settle",
  (tx, _call, { outcome, ...of }: OfOne & { readonly outcome: Outcome }) => settleDelivery(tx, of, outcome),
);

/** Why the service itself disables an endpoint. */
export type EndReason = "GONE" | "FAILING";

/** Disables an endpoint, unless it was changed meanwhile. */
export const disableTask = followTask(
  "webhook-disable",
  (tx, call, { orgId, id, revision, reason }: OfOne & { readonly revision: number; readonly reason: EndReason }) => {
    const row = findEndpoint(tx, { orgId, id });
    if (row === null || row.revision !== revision || row.status !== "ENABLED") return;
    disable(tx, call, row, reason);
  },
);

function disable(tx: Tx, call: FollowCall, row: Endpoint, reason: EndReason): void {
  disableEndpoint(tx, call.callIn(row.orgId), row, reason);
  const data = { endpointOrgId: row.orgId, endpointId: row.id, reason };
  recordInstanceEvent(tx, call, { type: "webhook_endpoint.disabled", data });
}

/** Removes the record of old deliveries of an organization. */
export const pruneTask = followTask("webhook-prune", (tx, { nowMs }, { orgId }: { readonly orgId: string }) => {
  const before = toTimestamp(nowMs - DELIVERIES_KEPT_MS);
  for (const { id } of listAllEndpoints(tx, { orgId })) removeBefore(tx, { orgId, endpointId: id }, before);
});

/** Notes how far an endpoint of the instance is; returns whether there is such an endpoint still. */
export const instanceProgressTask = followTask(
  "instance-webhook-progress",
  (tx, _call, { id, ...progress }: InstanceProgress & { readonly id: string }): boolean => {
    return changeInstanceProgress(tx, { id, ...progress }) > 0;
  },
);

/** Disables an endpoint of the instance. */
export const disableInstanceTask = followTask(
  "instance-webhook-disable",
  (tx, call, { id, reason }: { readonly id: string; readonly reason: EndReason }) => {
    if (findInstanceEndpoint(tx, { id })?.status !== "ENABLED") return;
    disableInstanceEndpoint(tx, { id, reason });
    recordInstanceEvent(tx, call, {
      type: "webhook_endpoint.disabled",
      data: { endpointOrgId: null, endpointId: id, reason },
    });
  },
);
