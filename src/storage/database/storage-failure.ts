// Storage failures: what kind of error SQLite met. A full disk is temporary: writes are refused until space is free.
// After an I/O error the content of the disk is unknown: the process must end. SQLite reports a write beyond a
// file-size limit or quota as an I/O error, so a trial write tells that case apart.
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";

import { giveToOwner } from "../../kernel/files/ownership.ts";

const PROBE_BYTES = 65_536;
/** The system's error codes for no space: the disk, the quota, or the largest file allowed. */
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether SQLite could not write: disk full, locked, read-only, I/O error or damage. */
export function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|BUSY|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|NOMEM)/.test(sqliteCode(error));
}

/** Whether the content of `databaseFile` is unknown after `error`, so that the process must end and restart. */
export function isBroken(error: unknown, databaseFile: string): boolean {
  const code = sqliteCode(error);
  if (/^SQLITE_IOERR_(WRITE|SHMSIZE|TRUNCATE)$/.test(code)) return !hasNoRoom(databaseFile);
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code);
}

/** SQLite's name for the failure, or the empty text. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Tries to write beside the database's files, in a file of its own. */
function hasNoRoom(databaseFile: string): boolean {
  const probe = `${databaseFile}-probe`;
  try {
    const ends = [databaseFile, `${databaseFile}-wal`].map(
      (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    );
    const file = openSync(probe, "w", 0o600);
    giveToOwner(probe);
    try {
      writeSync(file, new Uint8Array(PROBE_BYTES), 0, PROBE_BYTES, Math.max(...ends));
    } finally {
      closeSync(file);
    }
    return false;
  } catch (error) {
    return NO_ROOM.has(sqliteCode(error));
  } finally {
    rmSync(probe, { force: true });
  }
}
