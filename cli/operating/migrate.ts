// captable migrate: brings the database to this program's schema, or says how far it is.
import type { Command } from "commander";
import { type Migrated, migrateWithBackup } from "../../src/safekeeping/backup/before-migration.ts";
import type { Config } from "../../src/server/config.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { lockForServing } from "../../src/storage/data-dir/lock.ts";
import {
  isNewDatabase,
  type MigrationState,
  migrationStates,
  pendingMigrations,
  refuseNewerSchema,
} from "../../src/storage/database/migrate.ts";
import { type CommonOptions, configOf, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { withDatabase } from "../data.ts";

/** Declares `captable migrate`. */
export function migrateCommand(): Command {
  const command = withDataDir(newCommand("migrate", "Apply what migrations are pending."));
  command.option("--status", "only list the migrations");
  withExamples(command, "captable migrate --status", "captable migrate --data-dir /var/lib/captable");
  return command.action((options: CommonOptions & { status?: boolean }) => {
    const config = configOf(options);
    return options.status ? showStatus(options, config) : migrate(options, config);
  });
}

/** Makes and changes nothing. */
function showStatus(options: CommonOptions, config: Config): Promise<void> {
  return withDatabase(config, async (db) => {
    refuseNewerSchema(db);
    show(options, { applied: [], backup: null, report: [] }, await migrationStates(db));
  });
}

async function migrate(options: CommonOptions, config: Config): Promise<void> {
  const db = openDataDirectory(config.dataDir);
  try {
    refuseNewerSchema(db);
    const isDue = pendingMigrations(db).length > 0 && !isNewDatabase(db);
    // An older server that still runs on the data must not have it changed under its feet.
    const unlock = isDue ? lockForServing(config.dataDir) : () => undefined;
    const migrated = await migrateWithBackup(db).finally(unlock);
    show(options, migrated, await migrationStates(db));
  } finally {
    db.sqlite.close();
  }
}

function show(options: CommonOptions, migrated: Migrated, migrations: readonly MigrationState[]): void {
  const rows = migrations.map(({ name, appliedAt }) => [name, appliedAt ?? "pending"]);
  const lines = [...migrated.report, ...table([["MIGRATION", "APPLIED"], ...rows])];
  print(options, { ...migrated, migrations }, lines);
}
