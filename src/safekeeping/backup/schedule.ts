// Scheduled backups: the server makes one when the newest is too old, and then deletes the oldest. The work is done by
// a process of its own (`captable backup`), so that it never delays a request.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveToOwnerWithin, refuseUnsafe } from "../../kernel/files/ownership.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { scheduledInOrder, scheduledName } from "./scheduled-names.ts";

/** The prefix of the working folders of backups, beside the files that they become. */
export const WORKING_FOLDER = ".captable-backup-";
const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;
/** The delay after a failure: not every minute. */
const RETRY_MS = 600_000;

/** When, where and how many. */
export interface BackupPlan {
  readonly dataDir: string;
  readonly folder: string;
  readonly everyHours: number;
  readonly keep: number;
  /** Whether the backups are encrypted, as their names then say. */
  readonly isEncrypted?: boolean;
  readonly runtime: Runtime;
  /** Writes a backup to a file; rejects with words for the operator. */
  readonly take: (file: string) => Promise<void>;
  readonly onTrouble: (message: string) => void;
}

/** Makes a backup now if one is due, and deletes the surplus. Returns whether it made one. */
export async function backUpIfDue(plan: BackupPlan): Promise<boolean> {
  const { dataDir, folder, everyHours, keep, isEncrypted = false, runtime, take } = plan;
  makeFolder(folder, dataDir);
  refuseUnsafe(`the backup folder ${folder}`, statSync(folder));
  const nowMs = runtime.nowMs();
  const newest = scheduledInOrder(readdirSync(folder), nowMs).at(-1);
  const ageMs = newest === undefined ? null : nowMs - statSync(join(folder, newest)).mtimeMs;
  if (ageMs !== null && ageMs > -HOUR_MS && ageMs < everyHours * HOUR_MS) return false;
  removeLeftOvers(folder, nowMs);
  await take(join(folder, scheduledName(nowMs, isEncrypted)));
  for (const name of scheduledInOrder(readdirSync(folder), nowMs).slice(0, -keep)) rmSync(join(folder, name));
  return true;
}

/** Deletes the working folders of interrupted backups: an hour old, so that no backup under way is disturbed. */
export function removeLeftOvers(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const isLeftOver = name.startsWith(WORKING_FOLDER) && nowMs - statSync(join(folder, name)).mtimeMs > HOUR_MS;
    if (isLeftOver) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function makeFolder(folder: string, dataDir: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToOwnerWithin(dataDir, folder);
}

/** Runs the schedule until it is stopped; failures are reported, and tried again later. */
export function startBackups(plan: BackupPlan): { stop(): void } {
  const loop = new BackgroundLoop(async () => {
    try {
      await backUpIfDue(plan);
      return LOOK_EVERY_MS;
    } catch (error) {
      if (!loop.isStopping) plan.onTrouble(error instanceof Error ? error.message : String(error));
      return RETRY_MS;
    }
  });
  loop.start();
  // No wait for a backup under way: it is a process of its own, and a later one deletes what it leaves.
  return { stop: () => void loop.stop() };
}
