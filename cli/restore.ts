// captable restore: puts a backup into an empty data directory, verified before anything is changed.
import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { type RestoreReport, restoreBackup } from "../src/backup/restore.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { CommandError, type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "./command.ts";
import { startProgress } from "./progress.ts";

/** Declares `captable restore`. */
export function restoreCommand(): Command {
  const command = newCommand("restore", "Restore a backup into an empty data directory.");
  command.argument("<file>", "a file that captable backup wrote");
  withDataDir(command).option("--force", "into a directory in use; what is there is kept in a folder inside it");
  withExamples(
    command,
    "captable restore acme.captable",
    "captable restore acme.captable --data-dir /var/lib/captable --force",
  );
  return command.action(restore);
}

async function restore(file: string, options: CommonOptions & { force?: boolean }): Promise<void> {
  const { dataDir } = configOf(options);
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}`, 2);
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a folder; name a backup file`, 2);
  const progress = startProgress();
  try {
    const report = await restoreBackup(file, dataDir, {
      isForced: options.force === true,
      nowMs: systemRuntime.nowMs(),
      onStage: progress.show,
    });
    progress.clear();
    print(options, report, describe(report));
  } finally {
    progress.clear();
  }
}

function describe({ dataDir, createdAt, organizations, keptAside, missingKeyFiles }: RestoreReport): string[] {
  return [
    `restored into ${dataDir}: the data of ${createdAt}, verified`,
    ...organizations.map(({ legalName, head }) => `ledger of ${legalName}: head ${head.sequence} ${head.hash}`),
    ...(keptAside === null ? [] : [`what was there before is in ${keptAside}`]),
    ...missingKeyFiles.map(
      (name) =>
        `lacks ${name}, which no backup holds: put it into ${dataDir} before new chain operations can be signed`,
    ),
  ];
}
