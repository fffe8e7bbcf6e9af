// Reading many things as they were at one moment, while others write; and telling a damaged file from other failures.
import { openReadOnly } from "./open.ts";
import type { Reader } from "./sql.ts";

/** Runs `read` against the database as it is at this moment, whatever is written meanwhile. Nests. */
export function inSnapshot<T>(db: Reader, read: () => T): T {
  if (db.sqlite.inTransaction) return read();
  db.sqlite.exec("BEGIN");
  try {
    return read();
  } finally {
    if (db.sqlite.inTransaction) db.sqlite.exec("ROLLBACK");
  }
}

/** A connection of its own to the database in `file`, as it is at this moment; the caller closes it. */
export function openSnapshot(file: string): Reader {
  const db = openReadOnly(file);
  db.sqlite.exec("BEGIN");
  return db;
}

/** Whether SQLite found that the file is not, or no longer, a sound database. */
export function isDamagedFile(error: Error): boolean {
  return "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}
