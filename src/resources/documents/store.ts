// SQL that only documents need.
import { sql } from "kysely";
import {
  build,
  exists,
  ofOrganization,
  type Params,
  type Reader,
  run,
  statement,
  value,
} from "../../storage/database/sql.ts";

type OfDocument = { orgId: string; documentId: string };

/** Stores a document's bytes, replacing earlier ones. */
export const putContent = run((param: Params<OfDocument & { content: Uint8Array }>) =>
  build
    .insertInto("document_contents")
    .values({ orgId: param("orgId"), documentId: param("documentId"), content: param("content") })
    .onConflict((known) => known.columns(["orgId", "documentId"]).doUpdateSet({ content: param("content") })),
);

/** A document's bytes, or null without content. */
export const findContent = value((param: Params<OfDocument>) =>
  ofOrganization("document_contents", param).select("content").where("documentId", "=", param("documentId")),
);

const slices = statement((param: Params<OfDocument & { sha256: string; from: number; bytes: number }>) =>
  ofOrganization("document_contents", param)
    .innerJoin("documents as document", (join) =>
      join
        .onRef("document.orgId", "=", "document_contents.orgId")
        .onRef("document.id", "=", "document_contents.documentId"),
    )
    .select(sql<Uint8Array>`substr(document_contents.content, ${param("from")}, ${param("bytes")})`.as("content"))
    .where("document_contents.documentId", "=", param("documentId"))
    .where("document.sha256", "=", param("sha256")),
);

/** Up to `bytes` of a document's bytes from `offset` on; null if its content is no longer that of `sha256`. */
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

/** Whether a record or an import names the document: as its source, among a corporate action's documents, or as related to it. */
export const isDocumentNamed = exists((param: Params<OfDocument>) => {
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
  const imports = sql`select 1 from imports where "orgId" = ${orgId} and "documentId" = ${documentId}`;
  const acceptances = sql`select 1 from acceptances where "orgId" = ${orgId} and +"documentId" = ${documentId}`;
  return {
    compile: () =>
      sql`${sql.join([...sources, actions, documents, imports, acceptances], sql` union all `)} limit 1`.compile(build),
  };
});

/** Whether an acceptance on paper names the document, whose bytes then are what was signed. */
export const isDocumentAccepted = exists((param: Params<OfDocument>) => {
  const [orgId, documentId] = [param("orgId"), param("documentId")];
  return {
    compile: () =>
      sql`select 1 from acceptances where "orgId" = ${orgId} and +"documentId" = ${documentId} limit 1`.compile(build),
  };
});
