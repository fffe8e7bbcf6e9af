// captable health: what stands out in an organization's records, a line for each finding. Reads only.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { refuseWrongDatabase } from "../src/bootstrap.ts";
import type { Config } from "../src/config.ts";
import { pendingMigrations, refuseNewerSchema } from "../src/database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../src/database/open.ts";
import type { Reader } from "../src/database/sql.ts";
import { type HealthReport, readHealth } from "../src/health/read.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { CommandError, type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "./command.ts";
import { chooseOrganization } from "./data.ts";

interface HealthOptions extends CommonOptions {
  readonly org?: string;
  readonly strict?: boolean;
}

/** Declares `captable health`. */
export function healthCommand(): Command {
  const command = newCommand("health", "Show what stands out in the records: limits, vesting, valuations, papers.")
    .option("--org <id>", "the organization; needed where there are several")
    .option("--strict", "exit with status 1 where there is a problem");
  withExamples(withDataDir(command), "captable health", "captable health --strict --json");
  return command.action((options: HealthOptions) => {
    const report = readReport(configOf(options), options.org);
    print(options, report, describe(report));
    const hasProblem = report.findings.some(({ severity }) => severity === "problem");
    if (options.strict && hasProblem) process.exitCode = 1;
  });
}

function readReport({ dataDir, backupDir, backupEveryHours }: Config, org: string | undefined): HealthReport {
  refuseWrongDatabase(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new CommandError(`there is no database in ${dataDir}`, 3);
  const db = openReadOnly(file);
  try {
    refuseOtherSchema(db);
    const { id } = chooseOrganization(db, org);
    const nowMs = systemRuntime.nowMs();
    return readHealth(db, id, { nowMs, backupEveryHours: backupDir === null ? null : backupEveryHours });
  } finally {
    db.sqlite.close();
  }
}

function refuseOtherSchema(db: Reader): void {
  refuseNewerSchema(db);
  if (pendingMigrations(db).length === 0) return;
  throw new CommandError("the database has an older schema: run captable migrate first", 3);
}

function describe({ findings }: HealthReport): string[] {
  const lines = findings.map(({ severity, code, detail }) => `${severity}: ${code}: ${detail}`);
  return lines.length === 0 ? ["Nothing stands out."] : lines;
}
