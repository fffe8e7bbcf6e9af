// The backups that a server makes by its settings, each in a process of its own, which ends with the server.
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { startBackups } from "../../src/safekeeping/backup/schedule.ts";
import { EncryptionKeyError } from "../../src/safekeeping/encryption/errors.ts";
import { type Config, SETTINGS, SettingError } from "../../src/server/config.ts";
import { say } from "../command.ts";
import { ownProgram } from "../own-program.ts";

/** What runs until it is stopped. */
interface Running {
  stop(): void;
}

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

/** Takes backups as the settings say. */
export function scheduleBackups(
  { dataDir, backupDir, backupEveryHours, backupKeep }: Config,
  recipients: readonly string[],
): Running {
  if (backupDir === null) return { stop: () => undefined };
  const child = new Child();
  const schedule = startBackups({
    dataDir,
    folder: backupDir,
    everyHours: backupEveryHours,
    keep: backupKeep,
    isEncrypted: recipients.length > 0,
    runtime: systemRuntime,
    onTrouble: (message) => say(`no backup was made in ${backupDir}: ${message}`),
    take: (file) => {
      const locks = recipients.flatMap((recipient) => ["--recipient", recipient]);
      return child.run(["backup", "--data-dir", dataDir, "--out", file, ...locks]);
    },
  });
  return {
    stop() {
      schedule.stop();
      child.end();
    },
  };
}

/** A command of this program in a process of its own, one at a time. */
class Child {
  #running: Bun.Subprocess | null = null;

  /** Runs it; rejects with what it said on standard error where its status is not 0. */
  async run(args: readonly string[]): Promise<void> {
    const child = Bun.spawn([...ownProgram(), ...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    this.#running = child;
    const [status, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    this.#running = null;
    if (status !== 0) throw new Error(said.trim() || `captable ${args[0]} ended with status ${status}`);
  }

  end(): void {
    this.#running?.kill();
  }
}
