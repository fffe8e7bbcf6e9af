// Backup before a migration: made before a new version changes an existing database. To downgrade, restore that file
// with the old program.
import { dirname, resolve } from "node:path";
import {
  appliedMigrations,
  isNewDatabase,
  migrateToLatest,
  pendingMigrations,
  refuseNewerSchema,
} from "../../storage/database/migrate.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { backUpBefore } from "./before.ts";

/** The migrations and the backup of a database at start. */
export interface Migrated {
  /** The names of the migrations. */
  readonly applied: readonly string[];
  /** The backup made before; null if there were no data to lose. */
  readonly backup: string | null;
  /** Sentences for the operator: that the database was made, or from which migration to which it was brought. */
  readonly report: readonly string[];
}

/** Migrates the database to this program's schema, after a backup if it holds data. */
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
  return { applied, backup, report: [done] };
}

/** The message of every command that makes a data directory. */
export function newDataDirectory(dataDir: string): string {
  return `made a new data directory in ${resolve(dataDir)}`;
}
