// The bucket of the settings, for the commands that use it, and the process without variables in which they do.
import type { Bucket, BucketSettings } from "../../src/safekeeping/offsite/bucket.ts";
import { type Config, processEnvironment, SETTINGS, SettingError } from "../../src/server/config.ts";
import { ownProgram } from "../own-program.ts";

/** Variables from which the client takes credentials and addresses that were not meant for it. */
const FOREIGN = /^(?:S3|AWS)_/;

/** The bucket that the settings name. Throws `SettingError` where one is missing. */
export function bucketSettingsOf(config: Config): BucketSettings {
  const { offsiteBucket: bucket, offsiteKeyFile: keyFile } = config;
  if (bucket === null) throw missing("offsiteBucket", "there is no bucket to look into");
  if (keyFile === null) throw missing("offsiteKeyFile", "a bucket needs it");
  return {
    bucket,
    keyFile,
    endpoint: config.offsiteEndpoint,
    region: config.offsiteRegion,
    prefix: config.offsitePrefix,
    style: config.offsiteStyle,
  };
}

/** The refusal of a server that is to copy without a setting that copying needs; null where nothing is missing. */
export async function refuseHalfOffsite(config: Config, recipients: readonly string[]): Promise<void> {
  if (config.offsiteBucket === null) return;
  if (config.backupDir === null) throw missing("backupDir", "copies are made of scheduled backups");
  if (recipients.length === 0) throw missing("backupRecipients", "nothing leaves the machine unencrypted");
  const { keyFile } = bucketSettingsOf(config);
  const { readBucketKey } = await import("../../src/safekeeping/offsite/bucket.ts");
  readBucketKey(keyFile);
}

function missing(name: keyof typeof SETTINGS, why: string): SettingError {
  return new SettingError(`${SETTINGS[name].variable} is not set: ${why}`);
}

/** Opens the bucket of the settings. */
export async function openBucket(config: Config): Promise<Bucket> {
  const { Bucket } = await import("../../src/safekeeping/offsite/bucket.ts");
  return Bucket.open(bucketSettingsOf(config));
}

/** The environment without those variables. */
export function environmentWithoutForeign(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(processEnvironment()).filter(([name]) => !FOREIGN.test(name)));
}

/**
 * Runs `work` here where no such variable is set; else this same command in a process that has none, since the client
 * has read them before any code of ours runs.
 */
export async function withoutForeign(work: () => Promise<void>): Promise<void> {
  if (!Object.keys(processEnvironment()).some((name) => FOREIGN.test(name))) return await work();
  const child = Bun.spawn([...ownProgram(), ...process.argv.slice(2)], {
    env: environmentWithoutForeign(),
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  process.exitCode = await child.exited;
}
