// captable check-unpacked: checks the unpacked files of an untrusted backup, in a process of its own that can be ended.
// `restore` starts it; users do not.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { runLimited } from "../../src/kernel/threads/limited-process.ts";
import { type Checked, checkUnpacked } from "../../src/safekeeping/backup/check.ts";
import { BackupDamagedError, type Manifest } from "../../src/safekeeping/backup/format.ts";
import { EarlierBuildError, NewerSchemaError } from "../../src/storage/database/migrate.ts";
import { newCommand, print, withoutDataDir } from "../command.ts";
import { explain } from "../failure.ts";
import { ownProgram } from "../own-program.ts";

/** What the program calls it. */
export const CHECK_UNPACKED = "check-unpacked";
const MANIFEST = "manifest.json";
const MS = 60_000;
const MS_EACH = 1000;
const BYTES_EACH = 10_000_000;
const MEMORY_BYTES = 2 * 1024 ** 3;

const REFUSALS = {
  earlier: () => new EarlierBuildError(),
  newer: (message: string) => new NewerSchemaError(message),
  damaged: (message: string) => new BackupDamagedError(message),
} as const;

/** What the process answers. */
type Answer = { readonly checked: Checked } | { readonly refused: keyof typeof REFUSALS; readonly message: string };

/** Declares `captable check-unpacked`. */
export function checkUnpackedCommand(): Command {
  const command = withoutDataDir(newCommand(CHECK_UNPACKED, "Check what a restore has unpacked.")).argument("<folder>");
  return command.action(async (folder: string) => {
    print({ json: true }, await answerFor(folder), "");
  });
}

async function answerFor(folder: string): Promise<Answer> {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8"));
  try {
    return { checked: await checkUnpacked(folder, manifest) };
  } catch (failure) {
    if (failure instanceof EarlierBuildError) return { refused: "earlier", message: failure.message };
    if (failure instanceof NewerSchemaError) return { refused: "newer", message: failure.message };
    return { refused: "damaged", message: explain(failure) };
  }
}

/** Checks an unpacked backup by a process of its own: 60 s and 1 s more for each 10 MB, and 2 GB of memory. */
export async function checkApart(folder: string, manifest: Manifest): Promise<Checked> {
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest), { mode: 0o600 });
  const bytes = manifest.files.reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
  const ms = MS + Math.ceil(bytes / BYTES_EACH) * MS_EACH;
  const ended = await runLimited([...ownProgram(), CHECK_UNPACKED, folder], { ms, bytes: MEMORY_BYTES });
  if (ended.exceeded === "time") throw refused(`checking it was not done after ${ms / 1000} s`);
  if (ended.exceeded === "memory") throw refused("checking it took more than 2 GB of memory");
  if (ended.status !== 0)
    throw refused(`checking it broke off: ${ended.stderr.trim().slice(-500) || "without a word"}`);
  const answer: Answer = JSON.parse(ended.stdout);
  if ("checked" in answer) return answer.checked;
  throw REFUSALS[answer.refused](answer.message);
}

function refused(why: string): BackupDamagedError {
  return new BackupDamagedError(`the backup cannot be restored: ${why}`);
}
