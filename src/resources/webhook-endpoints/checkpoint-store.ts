// SQL of the endpoints that get kept checkpoints, and of what a delivery of one says.
import { sql } from "kysely";
import type { Timestamp } from "../../kernel/runtime.ts";
import {
  acrossOrganizations,
  all,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Tx,
} from "../../storage/database/sql.ts";
import { type Delivery, insertDelivery } from "./delivery-store.ts";
import { isEnabled } from "./store.ts";

/** The type of the event that a checkpoint was kept. */
export const CHECKPOINT_KEPT = "checkpoint.kept";

const wantsThem = sql<boolean>`${isEnabled} and "checkpoints" = 1`;

/** Whether any endpoint gets checkpoints. */
export const hasCheckpointEndpoint = exists((_param: Params<object>) =>
  acrossOrganizations.selectFrom("webhook_endpoints").select("id").where(wantsThem).limit(1),
);

/** The endpoints of an organization that get checkpoints. */
export const listCheckpointEndpoints = all((param: Params<{ orgId: string }>) =>
  ofOrganization("webhook_endpoints", param).select("id").where(wantsThem),
);

const kept = first((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("checkpoints", param).select(["time", "note"]).where("id", "=", param("id")),
);

/** A checkpoint that was kept. */
export interface KeptNow {
  readonly orgId: string;
  /** A UUID. */
  readonly id: string;
  readonly at: Timestamp;
  newId(): string;
}

/** Queues a kept checkpoint for each endpoint that gets them. */
export function queueCheckpoint(tx: Tx, { orgId, id, at, newId }: KeptNow): void {
  for (const endpoint of listCheckpointEndpoints(tx, { orgId })) {
    insertDelivery(tx, {
      ...{ orgId, endpointId: endpoint.id, id: newId(), createdAt: at, state: "PENDING", kind: "CHECKPOINT" },
      ...{ eventId: `evt_${id.replaceAll("-", "")}`, eventType: CHECKPOINT_KEPT, cursor: null },
    });
  }
}

/** The event of a delivery of a checkpoint: its note as it is now, null once it is gone. */
export function checkpointEvent(db: Reader, { orgId, eventId, createdAt }: Delivery) {
  const id = eventId.replace(/^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const found = kept(db, { orgId, id });
  const data = { orgId, note: found?.note ?? null };
  return { id: eventId, type: CHECKPOINT_KEPT, timestamp: found?.time ?? createdAt, data };
}
