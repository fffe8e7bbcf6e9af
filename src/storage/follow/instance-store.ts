// SQL of the instance's own events and endpoints: what happens to no organization, such as a backup that failed, and where
// the operator wants to be told.
import type { Insertable } from "kysely";
import { insertRow } from "../database/row-writes.ts";
import type { Schema } from "../database/schema.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  type Params,
  type Row,
  run,
  type Tx,
  value,
} from "../database/sql.ts";

/** An endpoint of the instance. */
export type InstanceEndpoint = Row<"instance_endpoints">;
/** An event of the instance. */
export type InstanceEventRow = Row<"instance_events">;

/** Stores an event. */
export function insertInstanceEvent(tx: Tx, row: Omit<Insertable<Schema["instance_events"]>, "seq">): void {
  insertRow(tx, "instance_events", row);
}

/** Removes the events from before an instant. */
export const removeInstanceEvents = run((param: Params<{ before: string }>) =>
  build.deleteFrom("instance_events").where("at", "<", param("before")),
);

/** The events behind a place, oldest first. */
export const listInstanceEvents = all((param: Params<{ after: number; limit: number }>) =>
  acrossOrganizations
    .selectFrom("instance_events")
    .selectAll()
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** The newest event of either type; null without one. */
export const findLastEvent = first((param: Params<{ type: string; or: string }>) =>
  acrossOrganizations
    .selectFrom("instance_events")
    .select(["type", "at"])
    .where("type", "in", [param("type"), param("or")])
    .orderBy("seq", "desc")
    .limit(1),
);

/** The place behind the last event; null without one. */
export const lastInstanceEvent = value((_param: Params<object>) =>
  acrossOrganizations.selectFrom("instance_events").select((rows) => rows.fn.max("seq").as("seq")),
);

/** All endpoints, oldest first. */
export const listInstanceEndpoints = all((_param: Params<object>) =>
  acrossOrganizations.selectFrom("instance_endpoints").selectAll().orderBy("seq"),
);

/** Whether there is an enabled one. */
export const hasInstanceEndpoint = exists((_param: Params<object>) =>
  acrossOrganizations.selectFrom("instance_endpoints").select("id").where("status", "=", "ENABLED").limit(1),
);

/** One endpoint, or null. */
export const findInstanceEndpoint = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("instance_endpoints").selectAll().where("id", "=", param("id")),
);

/** Stores a new endpoint. */
export function insertInstanceEndpoint(tx: Tx, row: Omit<Insertable<Schema["instance_endpoints"]>, "seq">): void {
  insertRow(tx, "instance_endpoints", row);
}

/** How deliveries to an endpoint fare, and how far they are. */
export type InstanceProgress = Pick<
  InstanceEndpoint,
  "place" | "failures" | "lastSuccessAt" | "failingSince" | "nextAttemptAt" | "lastError"
>;

/** Notes how deliveries to an endpoint fare. */
export const changeInstanceProgress = run((param: Params<InstanceProgress & { id: string }>) =>
  build
    .updateTable("instance_endpoints")
    .set({
      place: param("place"),
      failures: param("failures"),
      lastSuccessAt: param("lastSuccessAt"),
      failingSince: param("failingSince"),
      nextAttemptAt: param("nextAttemptAt"),
      lastError: param("lastError"),
    })
    .where("id", "=", param("id")),
);

/** Sends nothing to an endpoint any more. */
export const disableInstanceEndpoint = run((param: Params<{ id: string; reason: "GONE" | "FAILING" }>) =>
  build
    .updateTable("instance_endpoints")
    .set({ status: "DISABLED", disabledReason: param("reason") })
    .where("id", "=", param("id")),
);

/** Removes an endpoint; returns how many it were. */
export const removeInstanceEndpoint = run((param: Params<{ id: string }>) =>
  build.deleteFrom("instance_endpoints").where("id", "=", param("id")),
);
