// Database connections. `synchronous=FULL` makes an acknowledged write survive a power cut, and `recursive_triggers`
// stops INSERT OR REPLACE from bypassing the append-only triggers: both are set on every connection and read back,
// because SQLite ignores a pragma that it does not understand.
import Database from "better-sqlite3";
import { assert } from "../../kernel/assert.ts";
import { SPLIT_FUNCTIONS } from "../../kernel/numbers/split-figures.ts";
import type { Reader } from "./sql.ts";

/** The database file's name inside the data directory. */
export const DATABASE_FILE = "captable.db";

const SYNCHRONOUS_FULL = 2;

/** Opens `file` for writing (creating it), in WAL mode with full durability. Busy locks are reported at once. */
export function openWritable(file: string): Reader {
  const sqlite = new Database(file, { timeout: 0 });
  sqlite.pragma("journal_mode = WAL");
  configure(sqlite);
  assert(sqlite.pragma("journal_mode", { simple: true }) === "wal", `${file} is not in WAL mode`);
  return { sqlite };
}

/** Opens a copy for writing that is removed when this process ends, or before: nothing of it need reach the disk. */
export function openThrowaway(file: string): Reader {
  const db = openWritable(file);
  db.sqlite.pragma("synchronous = OFF");
  return db;
}

/** Opens `file` for reading only; a write through it fails. The file must exist. */
export function openReadOnly(file: string): Reader {
  const sqlite = new Database(file, { fileMustExist: true, timeout: 5000 });
  configure(sqlite);
  sqlite.pragma("query_only = ON");
  return { sqlite };
}

/** Opens a database for reading without touching its files: closing it does not checkpoint the write-ahead log. */
export function openUntouched(file: string): Reader {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  configure(sqlite);
  return { sqlite };
}

function configure(sqlite: Database.Database): void {
  const wanted = {
    synchronous: SYNCHRONOUS_FULL,
    foreign_keys: 1,
    recursive_triggers: 1,
    // A schema may call only SQLite's own harmless functions; better-sqlite3 adds defensive mode.
    trusted_schema: 0,
  };
  for (const [pragma, value] of Object.entries(wanted)) {
    sqlite.pragma(`${pragma} = ${value}`);
    assert(sqlite.pragma(pragma, { simple: true }) === value, `SQLite refused ${pragma} = ${value}`);
  }
  sqlite.pragma("cache_size = -32768");
  addFunctions(sqlite);
  // Keeps savepoint journals in memory instead of temporary files.
  sqlite.pragma("temp_store = MEMORY");
}

/** Gives a connection the functions that queries call: what split-view.ts multiplies by. */
export function addFunctions(sqlite: Database.Database): void {
  for (const [name, figureOf] of Object.entries(SPLIT_FUNCTIONS)) {
    sqlite.function(name, { deterministic: true, varargs: true }, figureOf);
  }
}

/** The log's size in pages before {@link checkpointSeldom} lets SQLite checkpoint it: 64 MB. */
const LOG_PAGES = 16_384;

/**
 * Makes `db` checkpoint its write-ahead log less often, so that a page changed by many transactions is copied once.
 * Only for much writing without other users: the next commit after a long log pays for the copy.
 */
export function checkpointSeldom(db: Reader): void {
  db.sqlite.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
}

const versionStatements = new WeakMap<Reader, Database.Statement<[], number>>();

/** A number that changes when another connection, of this process or another, commits to the database. */
export function dataVersion(db: Reader): number {
  let prepared = versionStatements.get(db);
  if (!prepared) {
    prepared = db.sqlite.prepare<[], number>("PRAGMA data_version").pluck();
    versionStatements.set(db, prepared);
  }
  return prepared.get() ?? 0;
}
