// An export as a stream of bytes with a database connection of its own: one read transaction from the first byte to the
// last, closed when the stream ends, fails or is cancelled. Its reader should not pause: an open snapshot keeps
// SQLite's log from shrinking.

import { fileNameOf } from "../../../kernel/files/file-name.ts";
import { findOrganization } from "../../../resources/organization/store.ts";
import { openSnapshot, streamOf } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import type { ExportKey } from "./include.ts";

/** An export under way. */
export interface OpenExport {
  readonly fileName: string;
  /** The zip. Must be read to its end or cancelled. */
  readonly content: ReadableStream<Uint8Array>;
}

/** Begins the export of an organization from the database in `file`, as of this moment. */
export function openExport(file: string, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number): OpenExport {
  const db = openSnapshot(file);
  const close = () => void (db.sqlite.open && db.sqlite.close());
  try {
    const legalName = findOrganization(db, orgId)?.legalName ?? "";
    return { fileName: fileNameOf(legalName, nowMs), content: streamOf(zipOf(db, orgId, keys, nowMs), close) };
  } catch (error) {
    close();
    throw error;
  }
}

/** What maps records to OCF and compresses is loaded with the first export. */
async function* zipOf(db: Reader, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number) {
  const [{ packageFiles }, { zipStream }] = await Promise.all([
    import("./package-files.ts"),
    import("../../../kernel/files/zip-write.ts"),
  ]);
  yield* zipStream(packageFiles(db, orgId, keys, nowMs));
}
