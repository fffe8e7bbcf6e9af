// The backups that a server makes by its settings, each in a process of its own, which ends with the server.
import { setPriority } from "node:os";
import { basename, join } from "node:path";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { startBackups } from "../../src/safekeeping/backup/schedule.ts";
import { EncryptionKeyError } from "../../src/safekeeping/encryption/errors.ts";
import { startOffsite } from "../../src/safekeeping/offsite/copy-schedule.ts";
import { type Config, processEnvironment, SETTINGS, SettingError } from "../../src/server/config.ts";
import { findOffsiteCopy } from "../../src/storage/data-dir/last-backup.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import type { InstanceEvent } from "../../src/storage/follow/instance-events.ts";
import { say } from "../command.ts";
import { environmentWithoutForeign } from "../offsite/offsite-bucket.ts";
import { ownProgram } from "../own-program.ts";

/** Of the process that copies elsewhere: requests go first. (The lowest is 19.) */
const COPY_PRIORITY = 10;

/** What runs until it is stopped. */
interface Running {
  stop(): void;
}

/** Takes an event of the instance. */
type Tell = (event: InstanceEvent) => void;

/** The recipients of scheduled backups, none where they are not encrypted. Throws `SettingError` for a wrong one. */
export async function readBackupRecipients({ backupRecipients }: Config): Promise<readonly string[]> {
  if (backupRecipients === null) return [];
  const { recipientsOf } = await import("../../src/safekeeping/encryption/keys.ts");
  try {
    return await recipientsOf(backupRecipients.split(","));
  } catch (failure) {
    if (!(failure instanceof EncryptionKeyError)) throw failure;
    // Without the value: a secret key may have been put there.
    throw new SettingError(`${SETTINGS.backupRecipients.variable}: ${failure.message}`);
  }
}

/** Takes backups as the settings say, and copies them elsewhere where there is a bucket; `tell` hears of each. */
export function scheduleBackups(config: Config, recipients: readonly string[], tell: Tell): Running {
  const { dataDir, backupDir, backupEveryHours, backupKeep } = config;
  if (backupDir === null) return { stop: () => undefined };
  const copies = scheduleCopies(config, backupDir, tell);
  const child = new Child();
  const schedule = startBackups({
    dataDir,
    folder: backupDir,
    everyHours: backupEveryHours,
    keep: backupKeep,
    isEncrypted: recipients.length > 0,
    runtime: systemRuntime,
    onTrouble: (message) => {
      say(`no backup was made in ${backupDir}: ${message}`);
      tell({ type: "backup.failed", data: {} });
    },
    async take(file) {
      const locks = recipients.flatMap((recipient) => ["--recipient", recipient]);
      await child.run(["backup", "--data-dir", dataDir, "--out", file, ...locks]);
      tell({ type: "backup.completed", data: { name: basename(file) } });
    },
  });
  return {
    stop() {
      schedule.stop();
      child.end();
      copies.stop();
    },
  };
}

function scheduleCopies({ dataDir, offsiteBucket }: Config, folder: string, tell: Tell): Running {
  if (offsiteBucket === null) return { stop: () => undefined };
  const child = new Child();
  let said = "";
  const schedule = startOffsite({
    folder,
    runtime: systemRuntime,
    lastCopied() {
      const db = openReadOnly(join(dataDir, DATABASE_FILE));
      try {
        return findOffsiteCopy(db)?.name ?? null;
      } finally {
        db.sqlite.close();
      }
    },
    async push(file) {
      const words = ["offsite", "push", file, "--data-dir", dataDir];
      const remark = await child.run(words, environmentWithoutForeign(), COPY_PRIORITY);
      // A server that lets nothing be removed refuses it each day in the same words.
      if (remark !== "" && remark !== said) say(remark);
      said = remark;
      tell({ type: "offsite.completed", data: { name: basename(file) } });
    },
    onTrouble(message) {
      say(`no copy was made in the bucket ${offsiteBucket}: ${message}`);
      tell({ type: "offsite.failed", data: {} });
    },
  });
  return {
    stop() {
      schedule.stop();
      child.end();
    },
  };
}

/** It may have ended already, or may not be ours to change: it then runs like any other. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Requests are then served beside it as beside a backup.
  }
}

/** A command of this program in a process of its own, one at a time. */
class Child {
  #running: Bun.Subprocess | null = null;

  /** Runs it; what it said on standard error is given, or where its status is not 0 thrown. */
  async run(args: readonly string[], env = processEnvironment(), priority = 0): Promise<string> {
    const child = Bun.spawn([...ownProgram(), ...args], { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    this.#running = child;
    if (priority > 0) lowerPriority(child.pid, priority);
    const [status, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    this.#running = null;
    const text = said.trim().replace(/^captable: /, "");
    if (status !== 0) throw new Error(text || `captable ${args[0]} ended with status ${status}`);
    return text;
  }

  end(): void {
    this.#running?.kill();
  }
}
