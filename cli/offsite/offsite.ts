// captable offsite: copies of encrypted backups in a bucket elsewhere.
import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Listed, Pushed } from "../../src/safekeeping/offsite/copies.ts";
import type { Mark } from "../../src/safekeeping/offsite/mark.ts";
import { hasDatabase, openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { findBackupFile, storeOffsiteCopy } from "../../src/storage/data-dir/last-backup.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  say,
  table,
  withDataDir,
  withExamples,
} from "../command.ts";
import { withDatabase } from "../data.ts";
import { explain } from "../failure.ts";
import { outFile } from "../files/out-file.ts";
import { startProgress } from "../progress.ts";
import { openBucket, withoutForeign } from "./offsite-bucket.ts";

/** Declares `captable offsite`. */
export function offsiteCommand(): Command {
  return newCommand("offsite", "Copy encrypted backups to a bucket, list, check and fetch them.")
    .addCommand(listCommand())
    .addCommand(pushCommand())
    .addCommand(verifyCommand())
    .addCommand(fetchCommand());
}

function listCommand(): Command {
  const command = withDataDir(newCommand("list", "List the copies in the bucket."));
  withExamples(command, "captable offsite list", "captable offsite list --json");
  return command.action((options: CommonOptions) =>
    withoutForeign(async () => {
      const bucket = await openBucket(configOf(options));
      const { listCopies } = await import("../../src/safekeeping/offsite/copies.ts");
      const items = await listCopies(bucket);
      print(options, { items }, items.length === 0 ? "no copies" : table([HEADING, ...items.map(lineOf)]));
    }),
  );
}

const HEADING = ["NAME", "BYTES", "MADE", "SHA-256"];

function lineOf({ name, bytes, mark }: Listed): string[] {
  return mark === null
    ? [name, String(bytes), "not finished, does not count", ""]
    : [name, String(mark.bytes), mark.createdAt, mark.sha256];
}

function pushCommand(): Command {
  const command = withDataDir(newCommand("push", "Copy an encrypted backup, read it back, and remove the oldest."));
  command.argument("<file>", "an encrypted backup, as captable backup --recipient writes it");
  withExamples(command, "captable offsite push acme.captable.age");
  return command.action((file: string, options: CommonOptions) => withoutForeign(() => push(file, options)));
}

async function push(file: string, options: CommonOptions): Promise<void> {
  const config = configOf(options);
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}`, 2);
  if (!statSync(file).isFile()) throw new CommandError(`${file} is not a file`, 2);
  const bucket = await openBucket(config);
  const { pushCopy } = await import("../../src/safekeeping/offsite/copies.ts");
  const { dataDir, offsiteKeep: keep } = config;
  const nowMs = systemRuntime.nowMs();
  const known = hasDatabase(dataDir) ? await withDatabase({ dataDir }, findBackupFile) : null;
  const progress = startProgress();
  const pushed = await pushCopy(bucket, file, { keep, nowMs, onStage: progress.show, known }).finally(progress.clear);
  await noteCopy(dataDir, pushed.mark.name);
  if (pushed.notRemoved !== null) say(`old copies stay in the bucket: ${pushed.notRemoved}`);
  print(options, pushed, describe(pushed));
}

/** Lets `/metrics` tell when the last copy was finished. The copy is good also where this cannot be noted. */
async function noteCopy(dataDir: string, name: string): Promise<void> {
  if (!hasDatabase(dataDir)) return;
  try {
    const db = openDataDirectory(dataDir);
    try {
      const ms = systemRuntime.nowMs();
      await new Writer(db, () => undefined).submit((tx) => storeOffsiteCopy(tx, { name, ms }));
    } finally {
      db.sqlite.close();
    }
  } catch (failure) {
    say(`the time of this copy could not be noted for /metrics: ${explain(failure)}`);
  }
}

function describe({ mark, wasThere, removed }: Pushed): string[] {
  return [
    `${mark.name}: ${wasThere ? "was there already" : `${mark.bytes} bytes copied, and read back`}`,
    `SHA-256 ${mark.sha256}`,
    ...removed.map((name) => `removed ${name}`),
  ];
}

function verifyCommand(): Command {
  const command = withDataDir(newCommand("verify", "Read a copy whole, and compare it with its SHA-256."));
  command.argument("[name]", "a copy; by default the newest of a scheduled backup");
  withExamples(command, "captable offsite verify");
  return command.action((name: string | undefined, options: CommonOptions) =>
    withoutForeign(async () => {
      const bucket = await openBucket(configOf(options));
      const { newestCopy, verifyCopy } = await import("../../src/safekeeping/offsite/copies.ts");
      const chosen = name ?? (await newestCopy(bucket, systemRuntime.nowMs()));
      const progress = startProgress();
      const mark = await verifyCopy(bucket, chosen, progress.show).finally(progress.clear);
      print(options, mark, `${mark.name}: ${mark.bytes} bytes, as they were put there, SHA-256 ${mark.sha256}`);
    }),
  );
}

function fetchCommand(): Command {
  const command = withDataDir(newCommand("fetch", "Fetch a copy, and compare it with its SHA-256."));
  command.argument("<name>", "a copy, as captable offsite list shows it, or latest");
  command.requiredOption("--out <file>", "the file to write");
  withExamples(command, "captable offsite fetch latest --out acme.captable.age");
  return command.action((name: string, options: CommonOptions & { readonly out: string }) =>
    withoutForeign(async () => {
      const config = configOf(options);
      const mark = await fetchTo(config, name, outFile(options.out, config.dataDir));
      print(options, { ...mark, file: options.out }, `${options.out}: ${mark.name}, SHA-256 ${mark.sha256}`);
    }),
  );
}

/** Fetches the copy `name`, or the newest for `latest`, to a file. */
export async function fetchTo(config: ReturnType<typeof configOf>, name: string, file: string): Promise<Mark> {
  const bucket = await openBucket(config);
  const { fetchCopy, newestCopy } = await import("../../src/safekeeping/offsite/copies.ts");
  const chosen = name === "latest" ? await newestCopy(bucket, systemRuntime.nowMs()) : name;
  const progress = startProgress();
  return await fetchCopy(bucket, chosen, file, progress.show).finally(progress.clear);
}
