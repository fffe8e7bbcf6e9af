// Copies elsewhere by schedule: the server copies the newest encrypted backup of its folder whenever it is not copied yet.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { ENCRYPTED, scheduledInOrder } from "../backup/scheduled-names.ts";

const LOOK_EVERY_MS = 5000;
/** The delay after a failure. */
const RETRY_MS = 600_000;

/** What is copied, and by whom. */
export interface OffsitePlan {
  /** The folder of the scheduled backups. */
  readonly folder: string;
  readonly runtime: Pick<Runtime, "nowMs">;
  /** The name of the file that was copied last, null for none; asked once. */
  readonly lastCopied: () => string | null;
  /** Copies a file; rejects with words for the operator. */
  readonly push: (file: string) => Promise<void>;
  readonly onTrouble: (message: string) => void;
}

/** Copies the newest backup if it is not copied yet: never an older one. Returns the name of what is copied now. */
export async function copyIfDue(plan: Omit<OffsitePlan, "lastCopied">, copied: string | null): Promise<string | null> {
  const { folder, runtime, push } = plan;
  if (!existsSync(folder)) return copied;
  const encrypted = scheduledInOrder(readdirSync(folder), runtime.nowMs()).filter((name) => name.endsWith(ENCRYPTED));
  const newest = encrypted.at(-1);
  if (newest === undefined || newest === copied) return copied;
  await push(join(folder, newest));
  return newest;
}

/** Copies until it is stopped; failures are reported, and tried again later. */
export function startOffsite(plan: OffsitePlan): { stop(): void } {
  let copied: string | null | undefined;
  const loop = new BackgroundLoop(async () => {
    try {
      copied ??= plan.lastCopied();
      copied = await copyIfDue(plan, copied);
      return LOOK_EVERY_MS;
    } catch (error) {
      if (!loop.isStopping) plan.onTrouble(error instanceof Error ? error.message : String(error));
      return RETRY_MS;
    }
  });
  loop.start();
  // No wait for a copy under way: it is a process of its own, and without its mark it does not count.
  return { stop: () => void loop.stop() };
}
