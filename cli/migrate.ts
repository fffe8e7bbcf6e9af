// captable migrate: brings the database to this program's schema, or says how far it is.
import type { Command } from "commander";
import { migrateWithBackup } from "../src/backup/before-migration.ts";
import { openDataDirectory } from "../src/bootstrap.ts";
import { migrationStates, refuseNewerSchema } from "../src/database/migrate.ts";
import { type CommonOptions, configOf, newCommand, print, table, withDataDir, withExamples } from "./command.ts";

/** Declares `captable migrate`. */
export function migrateCommand(): Command {
  const command = withDataDir(newCommand("migrate", "Apply what migrations are pending."));
  command.option("--status", "only list the migrations");
  withExamples(command, "captable migrate --status", "captable migrate --data-dir /var/lib/captable");
  return command.action(async (options: CommonOptions & { status?: boolean }) => {
    const db = openDataDirectory(configOf(options).dataDir);
    try {
      refuseNewerSchema(db);
      const { applied, report } = options.status ? { applied: [], report: [] } : await migrateWithBackup(db);
      const migrations = await migrationStates(db);
      const rows = migrations.map(({ name, appliedAt }) => [name, appliedAt ?? "pending"]);
      print(options, { applied, migrations, report }, [...report, ...table([["MIGRATION", "APPLIED"], ...rows])]);
    } finally {
      db.sqlite.close();
    }
  });
}
