// captable backup: one file with everything but keys, taken while the server runs.
import type { Command } from "commander";
import { LAST_BACKUP } from "../src/backup/last.ts";
import { type BackupReport, takeBackup } from "../src/backup/take.ts";
import { openDataDirectory } from "../src/bootstrap.ts";
import { storeSetting } from "../src/database/settings.ts";
import { Writer } from "../src/database/writer.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { type CommonOptions, configOf, newCommand, print, say, withDataDir, withExamples } from "./command.ts";
import { refuseOtherSchema, withDatabase } from "./data.ts";
import { explain } from "./failure.ts";
import { outFile } from "./out-file.ts";
import { startProgress } from "./progress.ts";

/** Declares `captable backup`. */
export function backupCommand(): Command {
  const command = newCommand("backup", "Write one file with everything but keys, and check it.");
  withDataDir(command.requiredOption("--out <file>", "the file to write; an older one is replaced at the end"));
  withExamples(command, "captable backup --out acme.captable", "captable backup --out /mnt/safe/$(date +%F).captable");
  return command.action(backup);
}

async function backup(options: CommonOptions & { out: string }): Promise<void> {
  const { dataDir } = configOf(options);
  await withDatabase({ dataDir }, refuseOtherSchema);
  const out = outFile(options.out, dataDir);
  const progress = startProgress();
  const nowMs = systemRuntime.nowMs();
  const report = await takeBackup(dataDir, out, nowMs, progress.show).finally(progress.clear);
  await noteBackup(dataDir, nowMs);
  const named = { ...report, file: options.out };
  print(options, named, describe(named));
}

/** Lets `/metrics` tell when the last backup was made. The backup is good also where this cannot be noted. */
async function noteBackup(dataDir: string, nowMs: number): Promise<void> {
  try {
    const db = openDataDirectory(dataDir);
    try {
      await new Writer(db, () => undefined).submit((tx) => storeSetting(tx, LAST_BACKUP, String(nowMs)));
    } finally {
      db.sqlite.close();
    }
  } catch (failure) {
    say(`the time of this backup could not be noted for /metrics: ${explain(failure)}`);
  }
}

function describe({ file, bytes, sha256, organizations, hasChain, keyFiles }: BackupReport): string[] {
  const heads = organizations.map(
    ({ legalName, head }) => `ledger of ${legalName}: head ${head.sequence} ${head.hash}`,
  );
  return [
    `${file} (${bytes} bytes${hasChain ? ", with the local development chain" : ""}), checked`,
    `SHA-256 ${sha256}`,
    ...heads,
    ...(keyFiles.length === 0 ? [] : [`not in it, keep them apart: ${keyFiles.join(", ")}`]),
  ];
}
