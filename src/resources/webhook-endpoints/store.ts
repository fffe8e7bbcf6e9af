// SQL of webhook endpoints. What people decide is logged; the place, times and errors of deliveries are not.
import { type Insertable, sql, type Updateable } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { notFound } from "../../kernel/problem.ts";
import { isOfOpen } from "../../storage/database/closed.ts";
import { changeLogged, changeUntold, insertLogged } from "../../storage/database/log/logged.ts";
import type { Schema } from "../../storage/database/schema.ts";
import {
  acrossOrganizations,
  all,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  type Tx,
  value,
} from "../../storage/database/sql.ts";

type Table = Schema["webhook_endpoints"];

/** An endpoint's row. */
export type Endpoint = Row<"webhook_endpoints">;

interface OfOne {
  readonly orgId: string;
  readonly id: string;
}

/** An endpoint that was not removed, or null. */
export const findEndpoint = first((param: Params<OfOne>) =>
  ofOrganization("webhook_endpoints", param).selectAll().where("id", "=", param("id")).where("removedAt", "is", null),
);

/** The same. Throws `404`. */
export function getEndpoint(db: Reader, orgId: string, id = ""): Endpoint {
  const row = findEndpoint(db, { orgId, id });
  if (!row) throw notFound("webhook endpoint");
  return row;
}

/** The endpoints with a `seq` below `before`, newest first. */
export const listEndpoints = all((param: Params<{ orgId: string; before: number; limit: number }>) =>
  ofOrganization("webhook_endpoints", param)
    .selectAll()
    .where("removedAt", "is", null)
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** All endpoints of an organization, oldest first. */
export const listAllEndpoints = all((param: Params<{ orgId: string }>) =>
  ofOrganization("webhook_endpoints", param).selectAll().where("removedAt", "is", null).orderBy("seq"),
);

/** How many endpoints an organization has. */
export const countEndpoints = value((param: Params<{ orgId: string }>) =>
  ofOrganization("webhook_endpoints", param)
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("removedAt", "is", null),
);

/** The condition that an endpoint is enabled, as the index of those has it. */
export const isEnabled = sql<boolean>`"status" = 'ENABLED' and "removedAt" is null`;

/** Whether any organization has an enabled endpoint. */
export const hasEnabledEndpoint = exists((_param: Params<object>) =>
  acrossOrganizations.selectFrom("webhook_endpoints").select("id").where(isEnabled).limit(1),
);

/** The enabled endpoints of all organizations; those of closed ones rest. */
export const listEnabledEndpoints = all((_param: Params<object>) =>
  acrossOrganizations
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where(isEnabled)
    .where(isOfOpen("webhook_endpoints.orgId")),
);

/** Stores a new endpoint. */
export function insertEndpoint(tx: Tx, call: Call, row: Omit<Insertable<Table>, "seq">): void {
  insertLogged(tx, call, "webhook_endpoints", row);
}

/** Columns that the log tells of. */
type Told = Omit<Updateable<Table>, keyof Untold | "seq" | "orgId" | "id">;
/** Those that it does not. */
export type Untold = Partial<
  Pick<Endpoint, "cursor" | "revision" | "failures" | "lastSuccessAt" | "failingSince" | "nextAttemptAt" | "lastError">
>;

/** Changes what the log tells of; returns whether anything changed. */
export function changeEndpoint(tx: Tx, call: Call, id: string, changes: Told): boolean {
  return changeLogged(tx, call, "webhook_endpoints", id, changes);
}

/** Changes how deliveries fare, or where they go on. */
export function changeProgress(tx: Tx, { orgId, id }: OfOne, changes: Untold): void {
  changeUntold(tx, orgId, "webhook_endpoints", id, changes);
}

/** Disables an endpoint; the follow thread then leaves its place as it is. */
export function disableEndpoint(
  tx: Tx,
  call: Call,
  { orgId, id, revision }: Endpoint,
  disabledReason: NonNullable<Endpoint["disabledReason"]>,
): void {
  changeEndpoint(tx, call, id, { status: "DISABLED", disabledReason, updatedAt: call.at });
  changeProgress(tx, { orgId, id }, { revision: revision + 1, nextAttemptAt: null });
}
