// The SQL of a verification: whole tables of one organization, deleted rows included, because entries name them.
import { sql } from "kysely";
import { build, type Params, type Reader, type Row, type SqlValue, statement, variants } from "../database/sql.ts";

const securities = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")),
);

/** Every security, deleted ones included, one by one. */
export function iterateSecurityRows(db: Reader, orgId: string): IterableIterator<Row<"securities">> {
  return securities.iterate(db, { orgId });
}

const stakeholders = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("stakeholders")
    .select(["id", "deletedAt", "displayName", "email", "searchText"])
    .where("orgId", "=", param("orgId")),
);

/** Every stakeholder's id, when it was deleted, and what its `searchText` follows from. */
export function iterateStakeholders(
  db: Reader,
  orgId: string,
): IterableIterator<Pick<Row<"stakeholders">, "id" | "deletedAt" | "displayName" | "email" | "searchText">> {
  return stakeholders.iterate(db, { orgId });
}

const contents = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("documents")
    .leftJoin("document_contents", (join) =>
      join
        .onRef("document_contents.orgId", "=", "documents.orgId")
        .onRef("document_contents.documentId", "=", "documents.id"),
    )
    .select(["documents.id", "documents.sha256", "documents.size", "document_contents.content"])
    .where("documents.orgId", "=", param("orgId"))
    .where("documents.sha256", "is not", null),
);

/** A document of which bytes were stored: what was noted of them, and they themselves. */
export interface StoredContent {
  readonly id: string;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly content: Uint8Array | null;
}

/** Every document of which bytes were stored, one by one. */
export function iterateContents(db: Reader, orgId: string): IterableIterator<StoredContent> {
  return contents.iterate(db, { orgId });
}

const repriced = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("audit_log")
    .select("resourceId")
    .distinct()
    .where("orgId", "=", param("orgId"))
    .where("resourceType", "=", "security")
    .where("method", "=", "PATCH")
    .where(
      sql<boolean>`case when json_valid("after")
        then coalesce(json_type("after", '$.pricePerShare'), json_type("after", '$.exercisePrice')) end is not null`,
    ),
);

/** The securities whose price somebody corrected by `PATCH`: an edit of description, which the ledger does not tell. */
export function listRepriced(db: Reader, orgId: string): Set<string> {
  return new Set(repriced.all(db, { orgId }).map(({ resourceId }) => resourceId ?? ""));
}

const orphanedJobs = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("outbox")
    .select(["id", "transactionId"])
    .where("orgId", "=", param("orgId"))
    .where("transactionId", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("transactions")
            .select("transactions.seq")
            .whereRef("transactions.orgId", "=", "outbox.orgId")
            .whereRef("transactions.id", "=", "outbox.transactionId"),
        ),
      ),
    ),
);

/** The background work that was enqueued with an entry which is not there. */
export function listOrphanedJobs(db: Reader, orgId: string): { id: string; transactionId: string | null }[] {
  return orphanedJobs.all(db, { orgId });
}

const strays = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("document_contents as stored")
    .leftJoin("documents as document", (join) =>
      join.onRef("document.orgId", "=", "stored.orgId").onRef("document.id", "=", "stored.documentId"),
    )
    .select("stored.documentId")
    .where("stored.orgId", "=", param("orgId"))
    .where("document.sha256", "is", null),
);

/** The ids of documents of which there are bytes, and none were noted. */
export function listStrayContents(db: Reader, orgId: string): string[] {
  return strays.all(db, { orgId }).map(({ documentId }) => documentId);
}

/** A row whose reference names nothing, as SQLite's `foreign_key_check` tells it. */
export interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

/** Every stored reference of the database that names nothing. */
export function listBrokenReferences(db: Reader): BrokenReference[] {
  return db.sqlite.pragma("foreign_key_check") as BrokenReference[];
}

/** What SQLite's own check finds wrong with the file; empty when nothing is. */
export function listIntegrityFaults(db: Reader): string[] {
  const rows = db.sqlite.pragma("integrity_check") as { readonly integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
}

const ownerOfRow = variants<{ rowid: number }, { orgId: SqlValue; id: SqlValue }, [table: string]>((param, table) => ({
  compile: () =>
    sql<{ orgId: SqlValue; id: SqlValue }>`select * from ${sql.table(table)} where rowid = ${param("rowid")}`.compile(
      build,
    ),
}));

/** The organization and id of a row that is known by its table and number only; null where it has none. */
export function findOwner(db: Reader, table: string, rowid: number): { orgId: string | null; id: string | null } {
  const row = ownerOfRow(table).first(db, { rowid });
  return { orgId: textOrNull(row?.orgId), id: textOrNull(row?.id) };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
