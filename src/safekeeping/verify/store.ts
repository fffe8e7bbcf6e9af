// Store of verifications: SQL of whole tables of one organization, deleted rows included, because entries name them.
import { sql } from "kysely";
import { storedTable } from "../../storage/database/log/logged-tables.ts";
import {
  all,
  build,
  iterate,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  type SqlValue,
  statement,
  variants,
} from "../../storage/database/sql.ts";

/** Every security, deleted ones included, one by one. */
export const iterateSecurityRows = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).selectAll(),
);

/** The ids of the same. */
export const iterateSecurityIds = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select("id"),
);

/** Every stakeholder's id, when it was deleted, and the fields of its `searchText`. */
export const iterateStakeholders = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("stakeholders", param).select([
    "id",
    "deletedAt",
    "displayName",
    "email",
    "searchText",
    "name",
    "nameKey",
  ]),
);

/** The current members and the stakeholders that each is. */
export const listOpenMembers = all((param: Params<{ orgId: string }>) =>
  ofOrganization("memberships", param).select(["id", "stakeholderIds"]).where("removedAt", "is", null),
);

/** The stakeholders that are linked to a member. */
export const listMemberStakeholders = all((param: Params<{ orgId: string }>) =>
  ofOrganization("membership_stakeholders", param).select(["stakeholderId", "membershipId"]),
);

/** A document with stored bytes: their recorded size and checksum, and the bytes. */
export interface StoredContent {
  readonly id: string;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly content: Uint8Array | null;
}

/** Every document with stored bytes, one by one. */
export const iterateContents = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("documents", param)
    .leftJoin("document_contents", (join) =>
      join
        .onRef("document_contents.orgId", "=", "documents.orgId")
        .onRef("document_contents.documentId", "=", "documents.id"),
    )
    .select(["documents.id", "documents.sha256", "documents.size", "document_contents.content"])
    .where("documents.sha256", "is not", null),
);

const repriced = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param)
    .select("resourceId")
    .distinct()
    .where("resourceType", "=", "security")
    .where((row) => row.or([row("method", "=", "PATCH"), row("path", "=", "/api/v1/transactions/correct")]))
    .where(
      sql<boolean>`case when json_valid("after")
        then coalesce(json_type("after", '$.pricePerShare'), json_type("after", '$.exercisePrice')) end is not null`,
    ),
);

/**
 * The securities whose price was corrected by `PATCH` or `correct`: an edit of description, which the ledger does not
 * record.
 */
export function listRepriced(db: Reader, orgId: string): Set<string> {
  return new Set(repriced.all(db, { orgId }).map(({ resourceId }) => resourceId ?? ""));
}

/** The background work that was enqueued with an entry that does not exist. */
export const listOrphanedJobs = all((param: Params<{ orgId: string }>) =>
  ofOrganization("outbox", param)
    .select(["id", "transactionId"])
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

const strays = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("document_contents", param)
    .leftJoin("documents as document", (join) =>
      join
        .onRef("document.orgId", "=", "document_contents.orgId")
        .onRef("document.id", "=", "document_contents.documentId"),
    )
    .select("document_contents.documentId")
    .where("document.sha256", "is", null),
);

/** The ids of documents with bytes but without a recorded size. */
export function listStrayContents(db: Reader, orgId: string): string[] {
  return strays.all(db, { orgId }).map(({ documentId }) => documentId);
}

/** Every acceptance, oldest first, one by one. */
export const iterateAcceptances = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("acceptances", param)
    .select(["id", "securityId", "stakeholderId", "acceptedAt", "shown", "digest", "ledgerSequence"])
    .orderBy("seq"),
);

/** The securities that say anything of an acceptance, one by one. */
export const iterateAccepting = iterate((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param)
    .select(["id", "stakeholderId", "asksAcceptance", "acceptanceStatus", "acceptanceAskedAt", "acceptedAt"])
    .where((row) =>
      row.or([
        row("asksAcceptance", "=", 1),
        row("acceptanceStatus", "<>", "NOT_ASKED"),
        row("acceptedAt", "is not", null),
      ]),
    ),
);

const edits = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select((row) => ["securityId", row.fn.max<number>("sequence").as("last")])
    .where(sql<boolean>`json_extract(metadata, '$.directEdit') = 1`)
    .where("recordOnly", "=", 0)
    .groupBy("securityId"),
);

/** The place of the last direct edit of each security that was edited. */
export function lastEditsOf(db: Reader, orgId: string): Map<string, number> {
  return new Map(edits.all(db, { orgId }).map(({ securityId, last }) => [securityId ?? "", last]));
}

/** A row whose reference names no row, as SQLite's `foreign_key_check` reports it. */
export interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

/** Every stored reference of the database that names no row. */
export function listBrokenReferences(db: Reader): BrokenReference[] {
  return db.sqlite.pragma("foreign_key_check") as BrokenReference[];
}

/** SQLite's own findings about the file; empty if it is intact. */
export function listIntegrityFaults(db: Reader): string[] {
  const rows = db.sqlite.pragma("integrity_check") as { readonly integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
}

const ownerOfRow = variants<{ rowid: number }, { orgId: SqlValue; id: SqlValue }, [table: string]>((param, table) => ({
  compile: () =>
    sql<{
      orgId: SqlValue;
      id: SqlValue;
    }>`select * from ${sql.table(storedTable(table))} where rowid = ${param("rowid")}`.compile(build),
}));

/** The organization and id of a row that is known by its table and number only; null if it has none. */
export function findOwner(db: Reader, table: string, rowid: number): { orgId: string | null; id: string | null } {
  const row = ownerOfRow(table).first(db, { rowid });
  return { orgId: textOrNull(row?.orgId), id: textOrNull(row?.id) };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** The securities whose vesting stopped, was stopped or resumed by an entry, or that came of one of these. */
export const listStoppable = all((param: Params<{ orgId: string }>) => ({
  compile: () =>
    sql<Row<"securities">>`with recursive stopped (id) as (
        select "securityId" from transactions where "orgId" = ${param("orgId")}
          and type in ('VESTING_EVENT', 'VESTING_START') and type <> 'STOCK_ISSUANCE' and "recordOnly" = 0
          and case when json_valid(metadata) then json_extract(metadata, '$.vestingStopped') end is not null
        union select id from securities where "orgId" = ${param("orgId")}
          and ("vestingStoppedOn" is not null or vestings like '%"stopped"%')
        union select securities.id from stopped cross join securities on securities."originSecurityId" = stopped.id
          where securities."orgId" = ${param("orgId")}
      ) select securities.* from stopped cross join securities on securities.id = stopped.id
        where securities."orgId" = ${param("orgId")} and securities."deletedAt" is null`.compile(build),
}));
