// A consistent copy of a database that others write to.
import Database from "better-sqlite3";

/** How long a file is waited for that another process has locked. */
export const BUSY_MS = 10_000;

/**
 * Copies the database `file` as it is at one moment into the new file `into`, which has no `-wal`. Writers of any
 * process go on meanwhile: in WAL mode a reader blocks no writer. A copy with `isKept` is on disk when this returns.
 */
export function copyDatabase(file: string, into: string, isKept = true): void {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    if (!isKept) sqlite.pragma("synchronous = OFF");
    sqlite.prepare("VACUUM INTO ?").run(into);
  } finally {
    sqlite.close();
  }
}
