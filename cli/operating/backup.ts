// captable backup: one file with everything but keys, taken while the server runs.
import { mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "commander";
import { giveToOwner } from "../../src/kernel/files/ownership.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { type BackupReport, takeBackup } from "../../src/safekeeping/backup/take.ts";
import type { Lock } from "../../src/safekeeping/encryption/keys.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { LAST_BACKUP, storeBackupFile } from "../../src/storage/data-dir/last-backup.ts";
import { storeSetting } from "../../src/storage/database/settings.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { type CommonOptions, configOf, newCommand, say, withDataDir, withExamples } from "../command.ts";
import { refuseOtherSchema, withDatabase } from "../data.ts";
import { explain } from "../failure.ts";
import { type LockOptions, lockOf, withLockOptions } from "../files/encryption-options.ts";
import { outFile } from "../files/out-file.ts";
import { startProgress } from "../progress.ts";
import { printBeside, refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "../standard-output.ts";

/** Declares `captable backup`. */
export function backupCommand(): Command {
  const command = newCommand("backup", "Write one file with everything but keys, and check it.");
  withDataDir(
    command.requiredOption(
      "--out <file>",
      "the file to write, - for standard output; an older one is replaced at the end",
    ),
  );
  withLockOptions(command);
  withExamples(
    command,
    "captable backup --out acme.captable",
    "captable backup --out /mnt/safe/$(date +%F).captable",
    "captable backup --out acme.captable.age --recipient age1…",
  );
  return command.action(backup);
}

async function backup(options: CommonOptions & LockOptions & { out: string }): Promise<void> {
  const { dataDir } = configOf(options);
  const lock = await lockOf(options);
  await withDatabase({ dataDir }, refuseOtherSchema);
  const nowMs = systemRuntime.nowMs();
  const report = await (options.out === STANDARD_OUTPUT
    ? backUpToStandardOutput(dataDir, nowMs, lock)
    : backUp(dataDir, outFile(options.out, dataDir), nowMs, lock));
  await noteBackup(dataDir, nowMs, report);
  const named = { ...report, file: options.out };
  printBeside(options.out, options, named, describe(named));
}

async function backUp(dataDir: string, file: string, nowMs: number, lock: Lock | null): Promise<BackupReport> {
  const progress = startProgress();
  return await takeBackup(dataDir, file, nowMs, progress.show, lock).finally(progress.clear);
}

/** Makes and checks it in the data directory first: nothing is sent of a backup that is not good. */
async function backUpToStandardOutput(dataDir: string, nowMs: number, lock: Lock | null): Promise<BackupReport> {
  refuseTerminal();
  const folder = mkdtempSync(join(dataDir, "backup-to-send-"));
  try {
    giveToOwner(folder);
    const file = join(folder, "backup.captable");
    const report = await backUp(dataDir, file, nowMs, lock);
    await writeToStandardOutput(Bun.file(file).stream());
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets `/metrics` tell when the last backup was made, and a copy elsewhere what it is. The backup is good also where this cannot be noted. */
async function noteBackup(dataDir: string, nowMs: number, report: BackupReport): Promise<void> {
  const heads = report.organizations.map(({ orgId, head }) => ({ orgId, ...head }));
  const file = { name: basename(report.file), sha256: report.sha256, heads };
  try {
    const db = openDataDirectory(dataDir);
    try {
      await new Writer(db, () => undefined).submit((tx) => {
        storeSetting(tx, LAST_BACKUP, String(nowMs));
        storeBackupFile(tx, file);
      });
    } finally {
      db.sqlite.close();
    }
  } catch (failure) {
    say(`the time of this backup could not be noted for /metrics: ${explain(failure)}`);
  }
}

function describe({ file, bytes, sha256, organizations, hasChain, isEncrypted, keyFiles }: BackupReport): string[] {
  const holds = [...(hasChain ? ["with the local development chain"] : []), ...(isEncrypted ? ["encrypted"] : [])];
  const heads = organizations.map(
    ({ legalName, head }) => `ledger of ${legalName}: head ${head.sequence} ${head.hash}`,
  );
  return [
    `${file === STANDARD_OUTPUT ? "standard output" : file} (${[`${bytes} bytes`, ...holds].join(", ")}), checked`,
    `SHA-256 ${sha256}`,
    ...heads,
    ...(keyFiles.length === 0 ? [] : [`not in it, keep them apart: ${keyFiles.join(", ")}`]),
  ];
}
