// SQL of deliveries: what was sent to an endpoint, and what is to be sent out of turn. The newest of each endpoint stay for a
// while.
import type { Insertable } from "kysely";
import { notFound } from "../../kernel/problem.ts";
import { isOfOpen } from "../../storage/database/closed.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import type { Schema } from "../../storage/database/schema.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  run,
  type Tx,
  value,
  variants,
} from "../../storage/database/sql.ts";

/** A delivery's row. */
export type Delivery = Row<"webhook_deliveries">;

interface OfEndpoint {
  readonly orgId: string;
  readonly endpointId: string;
}

const findDelivery = first((param: Params<OfEndpoint & { id: string }>) =>
  ofOrganization("webhook_deliveries", param)
    .selectAll()
    .where("endpointId", "=", param("endpointId"))
    .where("id", "=", param("id")),
);

/** One delivery to an endpoint. Throws `404`. */
export function getDelivery(db: Reader, of: OfEndpoint, id = ""): Delivery {
  const row = findDelivery(db, { ...of, id });
  if (!row) throw notFound("delivery");
  return row;
}

/** The first test of an event to an endpoint, or null. */
export const findTest = first((param: Params<OfEndpoint & { eventId: string }>) =>
  ofOrganization("webhook_deliveries", param)
    .selectAll()
    .where("endpointId", "=", param("endpointId"))
    .where("eventId", "=", param("eventId"))
    .where("kind", "=", "TEST")
    .orderBy("seq")
    .limit(1),
);

/** The deliveries to an endpoint with a `seq` below `before`, newest first; of one state where it is named. */
export const listDeliveries = variants<
  OfEndpoint & { before: number; limit: number },
  Delivery,
  [state: Delivery["state"] | ""]
>((param, state) => {
  const page = ofOrganization("webhook_deliveries", param)
    .selectAll()
    .where("endpointId", "=", param("endpointId"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit"));
  return state === "" ? page : page.where("state", "=", state);
});

/** Whether anything is to be sent out of turn. */
export const hasPendingDelivery = exists((_param: Params<object>) =>
  acrossOrganizations.selectFrom("webhook_deliveries").select("id").where("state", "=", "PENDING").limit(1),
);

/** What is to be sent out of turn: the oldest of each endpoint, oldest first. */
export const listPendingDeliveries = all((_param: Params<object>) =>
  acrossOrganizations
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("seq", "in", (row) =>
      row
        .selectFrom("webhook_deliveries as waiting")
        .select((one) => one.fn.min("waiting.seq").as("seq"))
        .where("waiting.state", "=", "PENDING")
        .where(isOfOpen("waiting.orgId"))
        .groupBy(["waiting.orgId", "waiting.endpointId"]),
    )
    .orderBy("seq"),
);

/** How many deliveries to an endpoint wait to be sent out of turn. */
export const countPending = value((param: Params<OfEndpoint>) =>
  ofOrganization("webhook_deliveries", param)
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("endpointId", "=", param("endpointId"))
    .where("state", "=", "PENDING"),
);

/** Stores a delivery. */
export function insertDelivery(tx: Tx, row: Omit<Insertable<Schema["webhook_deliveries"]>, "seq">): void {
  insertRow(tx, "webhook_deliveries", row);
}

/** What became of a delivery that waited. */
export type Outcome = Pick<Delivery, "state" | "startedAt" | "durationMs" | "responseStatus" | "error">;

const settle = run((param: Params<{ orgId: string; id: string } & Outcome>) =>
  build
    .updateTable("webhook_deliveries")
    .set({
      state: param("state"),
      startedAt: param("startedAt"),
      durationMs: param("durationMs"),
      responseStatus: param("responseStatus"),
      error: param("error"),
    })
    .where("orgId", "=", param("orgId"))
    .where("id", "=", param("id"))
    .where("state", "=", "PENDING"),
);

/** Notes what became of a delivery that waited. */
export function settleDelivery(tx: Tx, of: { readonly orgId: string; readonly id: string }, outcome: Outcome): void {
  settle(tx, { ...of, ...outcome });
}

const newestKept = value((param: Params<OfEndpoint & { kept: number }>) =>
  ofOrganization("webhook_deliveries", param)
    .select("seq")
    .where("endpointId", "=", param("endpointId"))
    .orderBy("seq", "desc")
    .limit(1)
    .offset(param("kept")),
);

const removeUpTo = run((param: Params<OfEndpoint & { seq: number }>) =>
  build
    .deleteFrom("webhook_deliveries")
    .where("orgId", "=", param("orgId"))
    .where("endpointId", "=", param("endpointId"))
    .where("seq", "<=", param("seq"))
    .where("state", "<>", "PENDING"),
);

const newestBefore = value((param: Params<OfEndpoint & { before: string }>) =>
  ofOrganization("webhook_deliveries", param)
    .select("seq")
    .where("endpointId", "=", param("endpointId"))
    .where("createdAt", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(1),
);

/** Removes the deliveries to an endpoint beyond the newest `kept`. */
export function keepNewest(tx: Tx, of: OfEndpoint, kept: number): void {
  const seq = newestKept(tx, { ...of, kept });
  if (seq !== null) removeUpTo(tx, { ...of, seq });
}

/** Removes the deliveries to an endpoint that were made before an instant. */
export function removeBefore(tx: Tx, of: OfEndpoint, before: string): void {
  const seq = newestBefore(tx, { ...of, before });
  if (seq !== null) removeUpTo(tx, { ...of, seq });
}

/** Removes all deliveries to an endpoint. */
export const removeDeliveries = run((param: Params<OfEndpoint>) =>
  build
    .deleteFrom("webhook_deliveries")
    .where("orgId", "=", param("orgId"))
    .where("endpointId", "=", param("endpointId")),
);
