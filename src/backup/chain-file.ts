// What the embedded chain's file in a backup defines, compared with a new one before anything else is asked of it.
import Database from "better-sqlite3";
import { defineChainFile } from "../chain/embedded/store.ts";
import { schemaOf } from "../database/migrate.ts";
import { openReadOnly } from "../database/open.ts";
import { compareObjects } from "../verify/compare-schema.ts";
import { BackupDamagedError } from "./format.ts";

/** Throws {@link BackupDamagedError} where the file defines anything more, less or other than a chain's. */
export function refuseForeignChain(file: string): void {
  const fresh = new Database(":memory:");
  const db = openReadOnly(file);
  try {
    const found = schemaOf(db);
    // Copied in the moment in which it was made: it will be made anew.
    if (found.length === 0) return;
    defineChainFile(fresh);
    const [first] = compareObjects(found, schemaOf({ sqlite: fresh })).differences;
    if (first)
      throw new BackupDamagedError(`the backup's chain is not as it must be: ${first.subject}: ${first.detail}`);
  } finally {
    db.sqlite.close();
    fresh.close();
  }
}
