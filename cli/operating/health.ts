// captable health: what stands out in an organization's records, a line for each finding. Reads only.
import type { Command } from "commander";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Config } from "../../src/server/config.ts";
import { intervalsOf } from "../../src/server/service/intervals.ts";
import { type HealthReport, readHealth } from "../../src/views/health/read.ts";
import { type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "../command.ts";
import { chooseOrganization, withRecords } from "../data.ts";

interface HealthOptions extends CommonOptions {
  readonly org?: string;
  readonly strict?: boolean;
}

/** Declares `captable health`. */
export function healthCommand(): Command {
  const command = newCommand("health", "Show what stands out in the records: limits, vesting, valuations, papers.")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--strict", "exit with status 1 where there is a problem");
  withExamples(withDataDir(command), "captable health", "captable health --strict --json");
  return command.action(async (options: HealthOptions) => {
    const report = await readReport(configOf(options), options.org);
    print(options, report, describe(report));
    const hasProblem = report.findings.some(({ severity }) => severity === "problem");
    if (options.strict && hasProblem) process.exitCode = 1;
  });
}

function readReport(config: Config, org: string | undefined): Promise<HealthReport> {
  return withRecords(config, (db) => {
    const { id } = chooseOrganization(db, org);
    const nowMs = systemRuntime.nowMs();
    return readHealth(db, id, { nowMs, ...intervalsOf(config) });
  });
}

function describe({ findings }: HealthReport): string[] {
  const lines = findings.map(({ severity, code, detail }) => `${severity}: ${code}: ${detail}`);
  return lines.length === 0 ? ["Nothing stands out."] : lines;
}
