// Reading many things as they were at one moment, while others write; and telling a damaged file from other failures.
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

/** Whether SQLite found that the file is not, or no longer, a sound database. */
export function isDamagedFile(error: Error): boolean {
  return "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}
