// Before a new version changes an existing database, a backup of it is made: going back to the old version is restoring
// that file with the old program.
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  appliedMigrations,
  isNewDatabase,
  migrateToLatest,
  migrationReport,
  pendingMigrations,
  refuseNewerSchema,
} from "../database/migrate.ts";
import type { Reader } from "../database/sql.ts";
import { giveToOwner } from "../kernel/ownership.ts";
import { systemRuntime, toTimestamp } from "../kernel/runtime.ts";

/** Where backups before migrations are kept, inside the data directory. */
export const BACKUPS_FOLDER = "backups";

/** What was done to a database. */
export interface Migrated {
  /** The names of the migrations. */
  readonly applied: readonly string[];
  /** The backup from before; null where there was nothing to lose. */
  readonly backup: string | null;
  /** In sentences: that it was made or from what to what it was brought, and what had to be interpreted of what was there. */
  readonly report: readonly string[];
}

/** Brings the database to this program's schema, after a backup where there is something to lose. */
export async function migrateWithBackup(db: Reader): Promise<Migrated> {
  refuseNewerSchema(db);
  const [first] = pendingMigrations(db);
  if (first === undefined) return { applied: [], backup: null, report: [] };
  const dataDir = resolve(dirname(db.sqlite.name));
  const before = appliedMigrations(db).at(-1);
  const backup = isNewDatabase(db) ? null : await backUpBefore(dataDir, first);
  const applied = await migrateToLatest(db);
  const done =
    backup === null
      ? newDataDirectory(dataDir)
      : `migrated the database from ${before} to ${applied.at(-1)}; the backup from before is ${backup}`;
  return { applied, backup, report: [done, ...applied.flatMap((name) => migrationReport(db, name))] };
}

/** What every command says that makes a data directory. */
export function newDataDirectory(dataDir: string): string {
  return `made a new data directory in ${resolve(dataDir)}`;
}

/** Writes a backup to the data directory's own folder of them, named after what comes next, and returns the file. */
export async function backUpBefore(dataDir: string, what: string): Promise<string> {
  const { takeBackup } = await import("./take.ts");
  const nowMs = systemRuntime.nowMs();
  const folder = join(dataDir, BACKUPS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToOwner(folder);
  const stamp = toTimestamp(nowMs).replace(/[:.]/g, "-");
  const file = join(folder, `before-${what}-${stamp}.captable`);
  await takeBackup(dataDir, file, nowMs, () => undefined);
  return file;
}
