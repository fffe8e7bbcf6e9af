// Closed organizations: they take no writes, while reads go on. The log (log/audit.ts) refuses every logged write;
// what writes unlogged rows, or begins long work, asks here.

import { sql } from "kysely";
import { type Problem, problem } from "../../kernel/problem.ts";
import { acrossOrganizations, exists, type Params, type Reader, type Tx } from "./sql.ts";

/** Whether the organization is closed. */
export const isClosed = exists((param: Params<{ orgId: string }>) =>
  acrossOrganizations
    .selectFrom("organizations")
    .select("seq")
    .where("id", "=", param("orgId"))
    .where("state", "=", "CLOSED"),
);

/** Throws `409 organization-closed` for one that is closed, by what a connection sees. */
export function refuseClosed(db: Reader, orgId: string): void {
  if (isClosed(db, { orgId })) throw closed();
}

/** The same in a write. Within a batch the state is read once: the one write that changes it ends the batch's memory. */
export function refuseClosedIn(tx: Tx, orgId: string): void {
  const look = () => isClosed(tx, { orgId });
  if (tx.waiting ? tx.waiting.remember("organizations", `closed ${orgId}`, look) : look()) throw closed();
}

function closed(): Problem {
  return problem("organization-closed", "The organization is closed: it takes no writes. Nothing was kept.");
}

/** A condition of a query across organizations: that of the row is open. `column` holds its id, with its table's name. */
export function isOfOpen(column: string) {
  return sql<boolean>`not exists (
    select 1 from organizations as closed where closed.id = ${sql.ref(column)} and closed.state = 'CLOSED')`;
}
