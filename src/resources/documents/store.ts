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
