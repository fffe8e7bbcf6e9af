// Integrity checks of SQLite files, for backups.
import { basename } from "node:path";
import Database from "better-sqlite3";
import { type SchemaObject, schemaOf } from "../database/migrate.ts";
import { embeddedChainFile } from "./chain-files.ts";
import { defineChainFile } from "./chain-tables.ts";
import { BUSY_MS } from "./copy-store.ts";
import { hashFile } from "./durable-files.ts";

/** The name of the embedded chain's file, in a data directory as in a backup. */
export const CHAIN_FILE = basename(embeddedChainFile("."));

/** The first fault that SQLite finds in `file`, or null; the quick check skips the order of indexes. */
export function findFileFault(file: string, check: "quick_check" | "integrity_check"): string | null {
  try {
    const found = lookAt(file, check);
    if (found !== null) refuseUnreadable(file);
    return found;
  } catch (error) {
    refuseUnreadable(file);
    throw error;
  }
}

function lookAt(file: string, check: string, readonly = true): string | null {
  const sqlite = new Database(file, { readonly, fileMustExist: true, timeout: BUSY_MS });
  try {
    const found = String(sqlite.pragma(`${check}(1)`, { simple: true })).replace(/\s+/g, " ");
    return found === "ok" ? null : found;
  } catch (error) {
    // A first start that was interrupted before WAL mode left a journal, which SQLite rolls back before it reads.
    if (readonly && isUnfinished(error)) return lookAt(file, check, false);
    throw error;
  } finally {
    sqlite.close();
  }
}

function isUnfinished(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_READONLY_ROLLBACK";
}

/** SQLite reports a read error of a failing disk as damage: reading the whole file tells the two apart. */
function refuseUnreadable(file: string): void {
  try {
    hashFile(file);
  } catch (error) {
    throw new Error(`${file} cannot be read (${error instanceof Error ? error.message : error}): check the disk`);
  }
}

/** The schema of a new embedded chain's file. */
export function schemaOfNewChain(): SchemaObject[] {
  const sqlite = new Database(":memory:");
  try {
    defineChainFile(sqlite);
    return schemaOf({ sqlite });
  } finally {
    sqlite.close();
  }
}
