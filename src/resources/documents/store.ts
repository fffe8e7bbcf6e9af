// SQL that only documents need.
import { sql } from "kysely";
import { build, type Params, type Reader, statement, type Tx } from "../../database/sql.ts";

type OfDocument = { orgId: string; documentId: string };

const put = statement((param: Params<OfDocument & { content: Uint8Array }>) =>
  build
    .insertInto("document_contents")
    .values({ orgId: param("orgId"), documentId: param("documentId"), content: param("content") })
    .onConflict((known) => known.columns(["orgId", "documentId"]).doUpdateSet({ content: param("content") })),
);

/** Stores a document's bytes in place of those that were there. */
export function putContent(tx: Tx, orgId: string, documentId: string, content: Uint8Array): void {
  put.run(tx, { orgId, documentId, content });
}

const contents = statement((param: Params<OfDocument>) =>
  build
    .selectFrom("document_contents")
    .select("content")
    .where("orgId", "=", param("orgId"))
    .where("documentId", "=", param("documentId")),
);

/** A document's bytes, or null when none were stored. */
export function findContent(db: Reader, orgId: string, documentId: string): Uint8Array | null {
  return contents.first(db, { orgId, documentId })?.content ?? null;
}

const slices = statement((param: Params<OfDocument & { sha256: string; from: number; bytes: number }>) =>
  build
    .selectFrom("document_contents as stored")
    .innerJoin("documents as document", (join) =>
      join.onRef("document.orgId", "=", "stored.orgId").onRef("document.id", "=", "stored.documentId"),
    )
    .select(sql<Uint8Array>`substr(stored.content, ${param("from")}, ${param("bytes")})`.as("content"))
    .where("stored.orgId", "=", param("orgId"))
    .where("stored.documentId", "=", param("documentId"))
    .where("document.sha256", "=", param("sha256")),
);

/** Up to `bytes` of a document's bytes from `offset` on; null when it has others than those of `sha256` by now. */
export function findSlice(
  db: Reader,
  document: { readonly orgId: string; readonly id: string; readonly sha256: string },
  offset: number,
  bytes: number,
): Uint8Array | null {
  const { orgId, id, sha256 } = document;
  return slices.first(db, { orgId, documentId: id, sha256, from: offset + 1, bytes })?.content ?? null;
}

const SOURCED = ["stakeholders", "share_classes", "valuations", "equity_plans", "securities"] as const;

const naming = statement((param: Params<OfDocument>) => {
  const [orgId, documentId] = [param("orgId"), param("documentId")];
  const living = sql`"orgId" = ${orgId} and "deletedAt" is null`;
  const sources = SOURCED.map(
    (table) => sql`select 1 from ${sql.table(table)} where ${living} and "sourceDocumentId" = ${documentId}`,
  );
  const actions = sql`select 1 from corporate_actions where ${living}
    and ${documentId} in (select value from json_each(metadata, '$.documentIds'))`;
  const documents = sql`select 1 from documents as other where ${living} and id <> ${documentId}
    and exists (select 1 from json_each(other."relatedObjects") as related
      where related.value ->> '$.objectType' = 'DOCUMENT' and related.value ->> '$.objectId' = ${documentId})`;
  return { compile: () => sql`${sql.join([...sources, actions, documents], sql` union all `)} limit 1`.compile(build) };
});

/** Whether a record names the document: as its source, among a corporate action's documents, or as related to it. */
export function isDocumentNamed(db: Reader, orgId: string, documentId: string): boolean {
  return naming.first(db, { orgId, documentId }) !== null;
}
