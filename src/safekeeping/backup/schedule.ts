// Scheduled backups: the server makes one when the newest is too old, and then deletes the oldest. The work is done by
// a process of its own (`captable backup`), so that it never delays a request.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveToOwnerWithin, refuseUnsafe } from "../../kernel/files/ownership.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";

/** The prefix of the working folders of backups, beside the files that they become. */
export const WORKING_FOLDER = ".captable-backup-";
const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 60_000;
/** The delay after a failure: not every minute. */
const RETRY_MS = 600_000;
const NAME = /^captable-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z)\.captable$/;

/** When, where and how many. */
export interface BackupPlan {
  readonly dataDir: string;
  readonly folder: string;
  readonly everyHours: number;
  readonly keep: number;
  readonly runtime: Runtime;
  /** Writes a backup to a file; rejects with words for the operator. */
  readonly take: (file: string) => Promise<void>;
  readonly onTrouble: (message: string) => void;
}

/** Makes a backup now if one is due, and deletes the surplus. Returns whether it made one. */
export async function backUpIfDue({ dataDir, folder, everyHours, keep, runtime, take }: BackupPlan): Promise<boolean> {
  makeFolder(folder, dataDir);
  refuseUnsafe(`the backup folder ${folder}`, statSync(folder));
  const nowMs = runtime.nowMs();
  const newest = listBackups(folder, nowMs).at(-1);
  const ageMs = newest === undefined ? null : nowMs - statSync(join(folder, newest)).mtimeMs;
  if (ageMs !== null && ageMs > -HOUR_MS && ageMs < everyHours * HOUR_MS) return false;
  removeLeftOvers(folder, nowMs);
  await take(join(folder, nameAt(nowMs)));
  for (const name of listBackups(folder, nowMs).slice(0, -keep)) rmSync(join(folder, name));
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

/** The scheduled backups, oldest first: before all others those from before the clock was set back. */
function listBackups(folder: string, nowMs: number): string[] {
  const names = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
  const now = nameAt(nowMs);
  return [...names.filter((name) => name > now), ...names.filter((name) => name <= now)];
}

function nameAt(nowMs: number): string {
  return `captable-${toTimestamp(nowMs).replace(/[:.]/g, "-")}.captable`;
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
