// What the server does by itself, and every how many hours.
import type { Intervals } from "../../views/health/health-company.ts";
import type { Config } from "../config.ts";

/** The intervals of the settings; null for what is turned off. */
export function intervalsOf(config: Config): Intervals {
  return {
    backupEveryHours: backupHours(config),
    timestampEveryHours: config.tsaUrl === null ? null : config.tsaEveryHours,
  };
}

/** The hours between backups; null without scheduled backups. */
function backupHours({ backupDir, backupEveryHours }: Config): number | null {
  return backupDir === null ? null : backupEveryHours;
}
