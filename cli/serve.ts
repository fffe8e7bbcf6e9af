// captable serve: migrates, then serves until SIGTERM or SIGINT.
import type { Command } from "commander";
import { type App, startApp } from "../src/app.ts";
import { lockForServing } from "../src/bootstrap.ts";
import { processEnvironment, readConfig } from "../src/config.ts";
import { newCommand, withExamples } from "./command.ts";

interface ServeOptions {
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: string;
}

/** Declares `captable serve`. */
export function serveCommand(): Command {
  const command = newCommand("serve", "Serve the API.")
    .option("--data-dir <folder>", "where everything is kept (CAPTABLE_DATA_DIR, default ./data)")
    .option("--host <address>", "the address to listen on (CAPTABLE_HOST, default 127.0.0.1)")
    .option("--port <number>", "the port to listen on (CAPTABLE_PORT, default 8080)");
  withExamples(command, "captable serve", "captable serve --data-dir /var/lib/captable --port 9000");
  return command.action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig({ ...options }, processEnvironment());
  const unlock = lockForServing(config.dataDir);
  const app = await startApp(config, { onBroken: endAfterDiskFailure });
  say(`serving ${app.url}, data in ${config.dataDir}`);
  if (app.adminKeyFile) say(`made an organization and its first ADMIN key: the key is in ${app.adminKeyFile}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(app, unlock));
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

function endAfterDiskFailure(error: Error): void {
  say(`the database cannot be relied on any more (${error.message}): stopping. Check the disk, then start again.`);
  process.exit(1);
}

function say(message: string): void {
  process.stderr.write(`captable: ${message}\n`);
}
