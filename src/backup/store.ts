// What a backup needs of SQLite: a consistent copy of a file that others write to, and a look at whether it is sound.
import Database from "better-sqlite3";

const BUSY_MS = 10_000;
/** SQLite's own numbers: an unreadable disk is no damage to the file. */
const IO_ERROR = 10;
const PRIMARY_CODE = 0xff;

/**
 * Copies the database `file` as it is at one moment into the new file `into`, which has no `-wal`. Writers of any
 * process go on meanwhile: in WAL mode a reader holds nobody up.
 */
export function copyDatabase(file: string, into: string): void {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    sqlite.prepare("VACUUM INTO ?").run(into);
  } finally {
    sqlite.close();
  }
}

/** The first thing that SQLite finds wrong with `file`, or null; the quick check leaves the indexes' order out. */
export function findFileFault(file: string, check: "quick_check" | "integrity_check"): string | null {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    const found = String(sqlite.pragma(`${check}(1)`, { simple: true })).replace(/\s+/g, " ");
    const code = Number(/error code=(\d+)/.exec(found)?.[1] ?? 0);
    if ((code & PRIMARY_CODE) === IO_ERROR) throw new Error(`${file} cannot be read (disk I/O error): check the disk`);
    return found === "ok" ? null : found;
  } finally {
    sqlite.close();
  }
}
