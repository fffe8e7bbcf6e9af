// The organizations' SQL. This is the one table whose rows are tenants themselves.

import {
  build,
  type Columns,
  insertRow,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
  variants,
} from "../../database/sql.ts";
import { present } from "../../kernel/assert.ts";

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

const all = statement((_param: Params<Record<string, never>>) =>
  build.selectFrom("organizations").selectAll().orderBy("seq"),
);

/** Every organization, oldest first. */
export function listOrganizations(db: Reader): Row<"organizations">[] {
  return all.all(db, {});
}

/** Stores a new organization. `isNamed` is 0 for the one that `serve` makes by itself. */
export function insertOrganization(
  tx: Tx,
  row: Pick<Row<"organizations">, "id" | "legalName" | "isNamed" | "createdAt">,
): void {
  insertRow(tx, "organizations", { ...row, updatedAt: row.createdAt });
}

const change = variants((param: Params<Record<string, string | null> & { $id: string }>, columns: string) =>
  build
    .updateTable("organizations")
    .set(Object.fromEntries(columns.split(",").map((name) => [name, param(name)])))
    .where("id", "=", param("$id")),
);

/** Changes the named columns. */
export function updateOrganization(tx: Tx, id: string, changes: Columns): void {
  change(Object.keys(changes).join(",")).run(tx, { ...(changes as Record<string, string | null>), $id: id });
}
