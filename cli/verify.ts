// captable verify: recomputes everything from the ledger and prints each difference. Reads only.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { refuseWrongDatabase } from "../src/bootstrap.ts";
import { pendingMigrations, refuseNewerSchema } from "../src/database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../src/database/open.ts";
import type { VerifyReport } from "../src/verify/report.ts";
import { verifyDatabase } from "../src/verify/verify.ts";
import { CommandError, type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "./command.ts";

const DAMAGED = 4;

/** Declares `captable verify`. */
export function verifyCommand(): Command {
  const command = newCommand("verify", "Check every figure against the ledger, and the ledger's hash chain.");
  withDataDir(command.option("--org <id>", "only this organization"));
  withExamples(command, "captable verify", "captable verify --data-dir /var/lib/captable --json");
  return command.action((options: CommonOptions & { org?: string }) => {
    const report = verifyDataDirectory(options);
    print(options, report, describe(report));
    if (report.differences.length > 0) process.exitCode = DAMAGED;
  });
}

function verifyDataDirectory(options: CommonOptions & { org?: string }): VerifyReport {
  const { dataDir } = configOf(options);
  refuseWrongDatabase(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new CommandError(`there is no database in ${dataDir}`, 3);
  const db = openReadOnly(file);
  try {
    refuseNewerSchema(db);
    if (pendingMigrations(db).length > 0) {
      throw new CommandError("the database has an older schema: run captable migrate first", 3);
    }
    return verifyDatabase(db, options.org);
  } finally {
    db.sqlite.close();
  }
}

function describe({ organizations, differences, notes }: VerifyReport): string[] {
  const checked = organizations.map(
    ({ orgId, legalName, entries, head }) =>
      `${legalName} (${orgId}): ${entries} entries, head ${head.sequence} ${head.hash}`,
  );
  const noted = notes.map(({ code, subject, detail }) => `note: ${code}: ${subject}: ${detail}`);
  const found = differences.map(
    ({ code, subject, detail, fix }) => `${code}: ${subject}: ${detail}${fix === undefined ? "" : ` ${fix}`}`,
  );
  const verdict = differences.length === 0 ? "No difference." : `${differences.length} difference(s).`;
  return [...checked, ...noted, ...found, verdict];
}
