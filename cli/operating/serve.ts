// captable serve: migrates, then serves until SIGTERM or SIGINT.
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { Command } from "commander";
import { refuseUnsafe } from "../../src/kernel/files/ownership.ts";
import type { App } from "../../src/server/app.ts";
import { type Config, processEnvironment, readConfig, wrongSetting } from "../../src/server/config.ts";
import { tryListening } from "../../src/server/http/listen.ts";
import { refuseDamage } from "../../src/storage/data-dir/damage.ts";
import { refuseReadOnlyDatabase } from "../../src/storage/data-dir/directory.ts";
import { lockForServing } from "../../src/storage/data-dir/lock.ts";
import { DATABASE_FILE } from "../../src/storage/database/open.ts";
import { type CommonOptions, newCommand, print, say, withDataDir, withExamples } from "../command.ts";
import { refuseHalfOffsite } from "../offsite/offsite-bucket.ts";
import { ownProgram } from "../own-program.ts";
import { readBackupRecipients, scheduleBackups } from "./serve-backups.ts";
import { wordsOfServe } from "./serve-words.ts";
import { verifyApart } from "./verify-apart.ts";

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
  readonly acceptRollback?: boolean;
}

/** Declares `captable serve`. */
export function serveCommand(): Command {
  const command = withDataDir(newCommand("serve", "Serve the API."))
    .option("--host <address>", "the address to listen on (CAPTABLE_HOST, default 127.0.0.1)")
    .option("--port <number>", "the port to listen on (CAPTABLE_PORT, default 8080)")
    .option("--accept-rollback", "serve data that CAPTABLE_CHECKPOINT_FILE contradicts, as after a restore");
  withExamples(command, "captable serve", "captable serve --data-dir /var/lib/captable --port 9000");
  return command.action(serve);
}

async function serve({ json = false, acceptRollback = false, ...options }: ServeOptions): Promise<void> {
  const config = readConfig({ ...options }, processEnvironment());
  refuseBackupFolder(config);
  const recipients = await readBackupRecipients(config);
  await refuseHalfOffsite(config, recipients);
  refuseCheckpointFile(config);
  if (!existsSync(join(config.dataDir, DATABASE_FILE))) await tryListening(config);
  const unlock = lockForServing(config.dataDir);
  refuseReadOnlyDatabase(config.dataDir);
  refuseDamage(config.dataDir);
  const { startApp } = await import("../../src/server/app.ts");
  // The JSON document is to be all there is on standard output.
  const stream = json ? process.stderr : process.stdout;
  const log = { out: (text: string) => void stream.write(text), isTerminal: stream.isTTY === true };
  const onCheckpointTrouble = (message: string) => say(`no checkpoint was written: ${message}`);
  const ports = { onBroken: endAfterDiskFailure, acceptsRollback: acceptRollback, onCheckpointTrouble };
  const verify = verifyApart(config.dataDir);
  const app = await startApp(config, {
    ...ports,
    ...{ verify, program: ownProgram(), isThreaded: true, onReport: say },
    ...log,
  });
  const backups = scheduleBackups(config, recipients, (event) => void app.tellInstance(event));
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      backups.stop();
      void stop(app, unlock);
    });
  }
  // Last: a script that waits for this line may end the program at once.
  for (const line of wordsOfServe(app, config.dataDir)) say(line);
  const { url, publicUrl, adminKeyFile } = app;
  if (json) print({ json }, { url, docsUrl: `${publicUrl}/docs`, dataDir: config.dataDir, adminKeyFile }, "");
}

/** What cannot be the backup folder stops the program at once; a folder that is not there yet will be made. */
function refuseBackupFolder({ backupDir }: Config): void {
  const found = backupDir === null ? undefined : statSync(backupDir, { throwIfNoEntry: false });
  if (backupDir === null || !found) return;
  if (!found.isDirectory()) throw wrongSetting("backupDir", backupDir);
  refuseUnsafe(`the backup folder ${backupDir}`, found);
}

/** A checkpoint inside the data directory would be put back together with the data, and prove nothing. */
function refuseCheckpointFile({ checkpointFile, dataDir }: Config): void {
  if (checkpointFile === null) return;
  const folder = dirname(resolve(checkpointFile));
  const status = statSync(checkpointFile, { throwIfNoEntry: false });
  const isUsable = statSync(folder, { throwIfNoEntry: false })?.isDirectory() && status?.isDirectory() !== true;
  if (isUsable && !isInside(realpathSync(folder), dataDir)) return;
  throw wrongSetting("checkpointFile", checkpointFile);
}

function isInside(folder: string, dataDir: string): boolean {
  const home = existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir);
  return folder === home || folder.startsWith(`${home}${sep}`);
}

async function stop(app: App, unlock: () => void): Promise<void> {
  try {
    await app.stop();
    unlock();
    process.exit(0);
  } catch (failure) {
    say(`stopping failed: ${String(failure)}`);
    process.exit(1);
  }
}

/** Says so once: everybody who asks meets the same failure. */
function endAfterDiskFailure(error: Error): void {
  say(`the database cannot be relied on any more (${error.message}): stopping. Check the disk, then start again.`);
  process.exit(1);
}
