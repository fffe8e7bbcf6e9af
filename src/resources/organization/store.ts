// The organizations' SQL. This is the one table whose rows are tenants themselves.
import { changeLoggedColumns, insertLogged } from "../../database/logged.ts";
import { HAS_SECOND_FACTOR } from "../../database/second-factor.ts";
import {
  acrossOrganizations,
  all,
  build,
  type Columns,
  exists,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
} from "../../database/sql.ts";
import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";

const byId = statement((param: Params<{ id: string }>) =>
  build.selectFrom("organizations").selectAll().where("id", "=", param("id")),
);

/** One organization, or null. */
export function findOrganization(db: Reader, id: string): Row<"organizations"> | null {
  return byId.first(db, { id });
}

/** One organization, which the caller knows to exist. */
export function getOrganization(db: Reader, id: string): Row<"organizations"> {
  return present(findOrganization(db, id), `organization ${id}`);
}

/** Every organization, oldest first. */
export const listOrganizations = all(() => build.selectFrom("organizations").selectAll().orderBy("seq"));

/** Whether an account has a second factor, or is signed in with one that another service asked for. */
export const canProveTwice = exists((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("accounts")
    .select("seq")
    .where("id", "=", param("accountId"))
    .where((row) =>
      row.or([
        HAS_SECOND_FACTOR,
        row.exists(
          row
            .selectFrom("sessions")
            .select("sessions.seq")
            .whereRef("sessions.accountId", "=", "accounts.id")
            .where("hasSecondFactor", "=", 1)
            .where("endedAt", "is", null),
        ),
      ]),
    ),
);

/** Stores the organization of the call, which is new. `isNamed` is 0 for the one that `serve` makes by itself. */
export function insertOrganization(tx: Tx, call: Call, row: Pick<Row<"organizations">, "legalName" | "isNamed">): void {
  insertLogged(tx, call, "organizations", { ...row, id: call.orgId, createdAt: call.at, updatedAt: call.at });
}

/** Changes the named columns. */
export function updateOrganization(tx: Tx, call: Call, changes: Columns): void {
  changeLoggedColumns(tx, call, "organizations", call.orgId, changes);
}
