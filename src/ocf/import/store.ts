// The originals of imported objects, and what an import asks of the database besides.
import { sql } from "kysely";
import type { RecordTable } from "../../database/records.ts";
import {
  build,
  insertRow,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
  variants,
} from "../../database/sql.ts";

const original = statement((param: Params<{ orgId: string; objectType: string; id: string }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .where("id", "=", param("id")),
);

/** The original of an imported object, or null. */
export function findOriginal(db: Reader, orgId: string, objectType: string, id: string): Row<"ocf_objects"> | null {
  return original.first(db, { orgId, objectType, id });
}

/** Keeps an original. */
export function insertOriginal(tx: Tx, row: Omit<Row<"ocf_objects">, "seq">): void {
  insertRow(tx, "ocf_objects", row);
}

const remap = statement((param: Params<{ orgId: string; objectType: string; recordId: string; mapped: string }>) =>
  build
    .updateTable("ocf_objects")
    .set({ mapped: param("mapped") })
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .where("recordId", "=", param("recordId")),
);

/** Notes anew what a record's mapped columns are, after a later object of the import changed them. */
export function updateMapped(tx: Tx, orgId: string, objectType: string, recordId: string, mapped: string): void {
  remap.run(tx, { orgId, objectType, recordId, mapped });
}

const anyWithId = variants<{ orgId: string; id: string }, { id: string }, [table: RecordTable]>((param, table) => ({
  compile: () =>
    sql<{
      id: string;
    }>`select id from ${sql.table(table)} where "orgId" = ${param("orgId")} and "id" = ${param("id")}`.compile(build),
}));

/** Whether the organization has, or had, a record with this id: ids of deleted ones are not used again. */
export function isIdUsed(db: Reader, table: RecordTable, orgId: string, id: string): boolean {
  return anyWithId(table).first(db, { orgId, id }) !== null;
}

const splitPieces = statement((param: Params<{ orgId: string; ocfId: string }>) =>
  build
    .selectFrom("transactions")
    .select(["metadata", "effectiveDate"])
    .where("orgId", "=", param("orgId"))
    .where("type", "=", "STOCK_SPLIT")
    .where(sql<string>`json_extract("metadata", '$.ocfId')`, "=", param("ocfId"))
    .where(sql<number>`json_extract("metadata", '$.ocfLastSeq')`, "is not", null)
    .orderBy("sequence", "desc")
    .limit(1),
);

/** The last entry of an imported split that an earlier transaction began, or null. */
export function findLastSplitPiece(db: Reader, orgId: string, ocfId: string) {
  return splitPieces.first(db, { orgId, ocfId });
}
