// Integrity check at every start: a quick look at the data directory's database. It does not import backups, which a
// start does not need.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../database/open.ts";
import { findFileFault } from "./integrity-store.ts";

/** The data itself is damaged: exit status 4. */
export class DataDamagedError extends Error {
  override readonly name = "DataDamagedError";
}

/** Above this size SQLite's check is not quick any more, and starts skip it; `captable verify` always makes it. */
const QUICK_BYTES_MAX = 64 * 1024 * 1024;

/** Checks the structure of a data directory's file, if it is small enough. Throws {@link DataDamagedError}. */
export function refuseDamage(dataDir: string): void {
  const file = join(dataDir, DATABASE_FILE);
  const bytes = existsSync(file) ? statSync(file).size : 0;
  if (bytes === 0 || bytes > QUICK_BYTES_MAX) return;
  const fault = findFileFault(file, "quick_check");
  if (fault === null) return;
  throw new DataDamagedError(
    `${file} is damaged: ${fault}. Keep a copy of the data directory as it is, and restore the newest backup into an ` +
      "empty one: captable restore FILE --data-dir FOLDER",
  );
}
