// captable serve: migrates, then serves until SIGTERM or SIGINT.
import { statSync } from "node:fs";
import type { Command } from "commander";
import type { App } from "../src/app.ts";
import { refuseDamage } from "../src/backup/damage.ts";
import { startBackups } from "../src/backup/schedule.ts";
import { lockForServing } from "../src/bootstrap.ts";
import { type Config, processEnvironment, readConfig, wrongSetting } from "../src/config.ts";
import { refuseUnsafe } from "../src/kernel/ownership.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { type CommonOptions, newCommand, print, say, withDataDir, withExamples } from "./command.ts";

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
}

/** Declares `captable serve`. */
export function serveCommand(): Command {
  const command = withDataDir(newCommand("serve", "Serve the API."))
    .option("--host <address>", "the address to listen on (CAPTABLE_HOST, default 127.0.0.1)")
    .option("--port <number>", "the port to listen on (CAPTABLE_PORT, default 8080)");
  withExamples(command, "captable serve", "captable serve --data-dir /var/lib/captable --port 9000");
  return command.action(serve);
}

async function serve({ json = false, ...options }: ServeOptions): Promise<void> {
  const config = readConfig({ ...options }, processEnvironment());
  refuseBackupFolder(config);
  const unlock = lockForServing(config.dataDir);
  refuseDamage(config.dataDir);
  const { startApp } = await import("../src/app.ts");
  // The JSON document is to be all there is on standard output.
  const out = json ? { out: (text: string) => void process.stderr.write(text) } : {};
  const app = await startApp(config, { onBroken: endAfterDiskFailure, onReport: say, ...out });
  if (app.adminKeyFile) say(`made an organization and its first ADMIN key: the key is in ${app.adminKeyFile}`);
  say(`serving ${app.url}, data in ${config.dataDir}`);
  if (json) print({ json }, { url: app.url, dataDir: config.dataDir, adminKeyFile: app.adminKeyFile }, "");
  const backups = scheduleBackups(config);
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      backups.stop();
      void stop(app, unlock);
    });
  }
}

/** What cannot be the backup folder stops the program at once; a folder that is not there yet will be made. */
function refuseBackupFolder({ backupDir }: Config): void {
  const found = backupDir === null ? undefined : statSync(backupDir, { throwIfNoEntry: false });
  if (backupDir === null || !found) return;
  if (!found.isDirectory()) throw wrongSetting("backupDir", backupDir);
  refuseUnsafe(`the backup folder ${backupDir}`, found);
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

/** Takes backups as the settings say, each in a process of its own, which ends with this one. */
function scheduleBackups({ dataDir, backupDir, backupEveryHours, backupKeep }: Config): { stop(): void } {
  if (backupDir === null) return { stop: () => undefined };
  let running: Bun.Subprocess | null = null;
  const schedule = startBackups({
    dataDir,
    folder: backupDir,
    everyHours: backupEveryHours,
    keep: backupKeep,
    runtime: systemRuntime,
    onTrouble: (message) => say(`no backup was made in ${backupDir}: ${message}`),
    async take(file) {
      const child = Bun.spawn([...ownProgram(), "backup", "--data-dir", dataDir, "--out", file], {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      });
      running = child;
      const [status, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
      running = null;
      if (status !== 0) throw new Error(said.trim() || `captable backup ended with status ${status}`);
    },
  });
  return {
    stop() {
      schedule.stop();
      running?.kill();
    },
  };
}

/** How this program is started: the executable, or Bun with the sources. */
function ownProgram(): string[] {
  const isExecutable = Bun.main.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN/.test(Bun.main);
  return isExecutable ? [process.execPath] : [process.execPath, Bun.main];
}

/** Says so once: everybody who asks meets the same failure. */
function endAfterDiskFailure(error: Error): void {
  say(`the database cannot be relied on any more (${error.message}): stopping. Check the disk, then start again.`);
  process.exit(1);
}
