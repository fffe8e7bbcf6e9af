// Store of imports: SQL of their states, the queue, and the downloads.
import { type Insertable, sql, type Updateable } from "kysely";
import { insertRow, updateRow } from "../../storage/database/row-writes.ts";
import {
  acrossOrganizations,
  build,
  first,
  ofOrganization,
  type Params,
  type Reader,
  run,
  statement,
  type Tx,
} from "../../storage/database/sql.ts";
import type { ImportsTable } from "../../storage/database/tables/imports-schema.ts";

type OfImport = { orgId: string; id: string };

/** An import; null if the id is unknown. */
export const findImport = first((param: Params<OfImport>) =>
  ofOrganization("imports", param).selectAll().where("id", "=", param("id")),
);

/** Imports, newest first. */
export const listImports = statement((param: Params<{ orgId: string; before: number | null; most: number }>) =>
  ofOrganization("imports", param)
    .selectAll()
    .where(sql<boolean>`(${param("before")} is null or seq < ${param("before")})`)
    .orderBy("seq", "desc")
    .limit(param("most")),
);

/** The imports that wait to be read or committed, of all organizations, in the order of arrival. */
export const listWaiting = statement(() =>
  acrossOrganizations
    .selectFrom("imports")
    .select((eb) => [
      "orgId",
      "id",
      "state",
      eb.case().when("state", "=", "READING").then(eb.ref("createdAt")).else(eb.ref("updatedAt")).end().as("since"),
    ])
    .where("state", "in", ["READING", "COMMITTING"])
    .orderBy("seq"),
);

const waitingOf = first((param: Params<{ orgId: string }>) =>
  ofOrganization("imports", param)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("state", "in", ["READING", "COMMITTING"]),
);

/** How many of an organization's imports wait to be read or committed, or are. */
export function countWaiting(db: Reader, orgId: string): number {
  return waitingOf(db, { orgId })?.count ?? 0;
}

/** Interrupted commits, after a crash: they were undone, and may be requested again. */
export const backToPreview = run((param: Params<{ at: string; failure: string }>) =>
  acrossOrganizations
    .updateTable("imports")
    .set({ state: "PREVIEWED", updatedAt: param("at"), failure: param("failure") })
    .where("state", "=", "COMMITTING"),
);

/** Imports that would end the server once more: each was begun to be read this often, and never finished. */
export const failPoison = run((param: Params<{ at: string; failure: string; attempts: number }>) =>
  acrossOrganizations
    .updateTable("imports")
    .set({ state: "FAILED", updatedAt: param("at"), failure: param("failure"), failureCode: "reader-ended" })
    .where("state", "=", "READING")
    .where("attempts", ">=", param("attempts")),
);

/** Counts that reading the file of an import begins, or with -1 that it was interrupted. */
export const countAttempt = run((param: Params<OfImport & { by: number }>) =>
  acrossOrganizations
    .updateTable("imports")
    .set({ attempts: sql<number>`attempts + ${param("by")}` })
    .where("orgId", "=", param("orgId"))
    .where("id", "=", param("id")),
);

/** Makes an import. */
export function insertImport(tx: Tx, row: Insertable<ImportsTable>): void {
  insertRow(tx, "imports", row);
}

/** Changes an import. */
export function changeImport(tx: Tx, { orgId, id }: OfImport, changes: Updateable<ImportsTable>): void {
  updateRow(tx, "imports", orgId, id, changes);
}

const forget = run((param: Params<OfImport>) =>
  build.deleteFrom("imports").where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);
const forgetPieces = run((param: Params<OfImport>) =>
  build.deleteFrom("import_pieces").where("orgId", "=", param("orgId")).where("importId", "=", param("id")),
);

/** Deletes an import with its files. */
export function deleteImport(tx: Tx, key: OfImport): void {
  forgetPieces(tx, key);
  forget(tx, key);
}

/** Puts the files of an import in place of those that it had: pieces of each, deflated, in their order. */
export function putPieces(
  tx: Tx,
  { orgId, id }: OfImport,
  files: Readonly<Record<"problems" | "preview", readonly Uint8Array[]>>,
): void {
  forgetPieces(tx, { orgId, id });
  for (const file of ["problems", "preview"] as const) {
    for (const [number, content] of files[file].entries()) {
      insertRow(tx, "import_pieces", { orgId, importId: id, file, number, content });
    }
  }
}

const piece = first((param: Params<OfImport & { file: string; number: number }>) =>
  ofOrganization("import_pieces", param)
    .select("content")
    .where("importId", "=", param("id"))
    .where("file", "=", sql<"problems" | "preview">`${param("file")}`)
    .where("number", "=", param("number")),
);

/** A piece of a file of an import; null after the last. */
export function findPiece(db: Reader, key: OfImport & { file: string; number: number }): Uint8Array | null {
  return piece(db, key)?.content ?? null;
}
