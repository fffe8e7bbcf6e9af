// Server lock: one server for a data directory, which holds the lock as long as it runs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makePrivateFile } from "../../kernel/files/ownership.ts";
import { DataDirectoryError, explainingAccess, makeDataDirectory, refuseUnsafeFiles } from "./directory.ts";
import { LOCK_FILE } from "./names.ts";

const LOCK_LOOK_MS = 100;

/**
 * Takes the lock, or refuses if another server holds it; returns the function that releases it. A crash releases it
 * too.
 */
export function lockForServing(dataDir: string): () => void {
  const lock = explainingAccess(dataDir, () => {
    makeDataDirectory(dataDir);
    const file = join(dataDir, LOCK_FILE);
    refuseUnsafeFiles(dataDir);
    makePrivateFile(file);
    // A command that only checks whether a server runs holds the lock for a moment.
    return new Database(file, { timeout: LOCK_LOOK_MS });
  });
  try {
    explainingAccess(dataDir, () => lock.exec("BEGIN EXCLUSIVE"));
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") {
      throw new DataDirectoryError(`another captable serves ${dataDir}: stop it first, or use another --data-dir`);
    }
    throw error;
  }
  return () => lock.close();
}

/** Whether a server runs on the data directory at this moment. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, LOCK_FILE))) return false;
  try {
    lockForServing(dataDir)();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryError) return true;
    throw error;
  }
}
