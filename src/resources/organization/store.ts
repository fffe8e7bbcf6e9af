// SQL of organizations, the one table whose rows are the units of access themselves.
import { sql } from "kysely";
import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import { changeLoggedColumns, insertLogged } from "../../storage/database/log/logged.ts";
import { NOUNS, type RecordTable } from "../../storage/database/log/logged-tables.ts";
import { HAS_SECOND_FACTOR } from "../../storage/database/second-factor.ts";
import {
  acrossOrganizations,
  all,
  build,
  type Columns,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
  value,
  variants,
} from "../../storage/database/sql.ts";

const byId = statement((param: Params<{ id: string }>) =>
  build.selectFrom("organizations").selectAll().where("id", "=", param("id")),
);

/** One organization, or null. */
export function findOrganization(db: Reader, id: string): Row<"organizations"> | null {
  return byId.first(db, { id });
}

/** The bytes that an organization stores; null if it does not exist. */
export const findStoredBytes = value((param: Params<{ id: string }>) =>
  build.selectFrom("organizations").select("storedBytes").where("id", "=", param("id")),
);

/** One organization, which the caller knows to exist. */
export function getOrganization(db: Reader, id: string): Row<"organizations"> {
  return present(findOrganization(db, id), `organization ${id}`);
}

/** Every organization, oldest first. */
export const listOrganizations = all(() => build.selectFrom("organizations").selectAll().orderBy("seq"));

/** Whether an account has a second factor, or signed in by another service that required one. */
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

const recorded = variants((param: Params<{ orgId: string }>, table: RecordTable | "transactions" | "ocf_objects") =>
  ofOrganization(table, param)
    .select((row) => row.lit(1).as("one"))
    .limit(1),
);

/**
 * Whether the organization has a record of any kind, deleted ones included, or a ledger entry; keys and members are
 * ignored.
 */
export function hasRecords(db: Reader, orgId: string): boolean {
  const tables = [...(Object.keys(NOUNS) as RecordTable[]), "transactions", "ocf_objects"] as const;
  return tables.some((table) => recorded(table).first(db, { orgId }) !== null);
}

/** Throws `409 organization-unnamed` for an organization without a name: its papers show the company's name. */
export function requireName(db: Reader, orgId: string): void {
  if (getOrganization(db, orgId).isNamed === 1) return;
  throw problem("organization-unnamed", "The organization has no name yet: name it before it makes papers.");
}

/** Stores the call's new organization. `isNamed` is 0 for the one that `serve` creates automatically. */
export function insertOrganization(tx: Tx, call: Call, row: Pick<Row<"organizations">, "legalName" | "isNamed">): void {
  insertLogged(tx, call, "organizations", { ...row, id: call.orgId, createdAt: call.at, updatedAt: call.at });
}

/** Changes the named columns. */
export function updateOrganization(tx: Tx, call: Call, changes: Columns): void {
  changeLoggedColumns(tx, call, "organizations", call.orgId, changes);
}

const stored = first((param: Params<{ orgId: string }>) =>
  acrossOrganizations
    .selectFrom("organizations")
    .select((row) => [
      "storedBytes",
      row
        .selectFrom("document_contents")
        .select(sql<number>`coalesce(sum(octet_length(content)), 0)`.as("bytes"))
        .whereRef("document_contents.orgId", "=", "organizations.id")
        .as("documents"),
      row
        .selectFrom("import_pieces")
        .select(sql<number>`coalesce(sum(octet_length(content)), 0)`.as("bytes"))
        .whereRef("import_pieces.orgId", "=", "organizations.id")
        .as("pieces"),
      row
        .selectFrom("ocf_objects")
        .select(sql<number>`coalesce(sum(octet_length(raw)), 0)`.as("bytes"))
        .whereRef("ocf_objects.orgId", "=", "organizations.id")
        .as("originals"),
    ])
    .where("id", "=", param("orgId")),
);

/** The recorded number of bytes that an organization stores, and the actual one. */
export function findStored(db: Reader, orgId: string): { readonly said: number; readonly there: number } {
  const row = stored(db, { orgId });
  const there = (row?.documents ?? 0) + (row?.pieces ?? 0) + (row?.originals ?? 0);
  return { said: row?.storedBytes ?? 0, there };
}
