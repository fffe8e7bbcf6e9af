// captable restore: puts a backup into an empty data directory, checked before anything is changed.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { counted } from "../../src/kernel/text/text.ts";
import { newDataDirectory } from "../../src/safekeeping/backup/before-migration.ts";
import {
  type BackupSource,
  type Expected,
  type RestoreReport,
  restoreBackup,
} from "../../src/safekeeping/backup/restore.ts";
import type { Config } from "../../src/server/config.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  withDataDir,
  withExamples,
} from "../command.ts";
import { publicUrlOf } from "../company/people.ts";
import { type OpenerOptions, openerOf, withOpenerOptions } from "../files/encryption-options.ts";
import { fetchTo } from "../offsite/offsite.ts";
import { bucketSettingsOf, withoutForeign } from "../offsite/offsite-bucket.ts";
import { startProgress } from "../progress.ts";
import { checkApart } from "./check-unpacked.ts";
import { readKey } from "./verify-against.ts";

interface RestoreOptions extends CommonOptions, OpenerOptions {
  readonly force?: boolean;
  readonly sha256?: string;
  readonly head?: readonly string[];
  readonly signedBy?: string;
  readonly newKeys?: boolean;
  readonly newPeople?: boolean;
}

/** Declares `captable restore`. */
export function restoreCommand(): Command {
  const command = newCommand("restore", "Restore a backup into an empty data directory.");
  command.argument("<file>", "a file that captable backup wrote, or a copy elsewhere: s3:NAME, s3:latest");
  withDataDir(command)
    .option("--force", "into a directory in use; its files are kept in a folder inside it")
    .option("--sha256 <hex>", "refuse a file with another SHA-256 than captable backup printed")
    .option("--head <org=size:hash>", "refuse a ledger with another head; once for each organization", append)
    .option("--signed-by <key>", "refuse a backup that another key signed (captable version --json)")
    .option("--new-keys", "revoke every API key in it, and write a new ADMIN key to admin.key")
    .option("--new-people", "take every password and factor away, and print a link for each person to set a password");
  withOpenerOptions(command);
  withExamples(
    command,
    "captable restore acme.captable",
    "captable restore acme.captable --data-dir /var/lib/captable --force",
    "captable restore acme.captable --sha256 5d41… --new-keys",
    "captable restore acme.captable.age --identity-file key.txt",
    "captable restore s3:latest --identity-file key.txt",
  );
  return command.action((file: string, options: RestoreOptions) =>
    file.startsWith(OFFSITE) ? withoutForeign(() => restore(file, options)) : restore(file, options),
  );
}

/** What the name of a copy in the bucket is written behind. */
const OFFSITE = "s3:";

function append(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const config = configOf(options);
  const { dataDir } = config;
  const source = sourceOf(file, config);
  const expected = readExpected(options);
  const opener = await openerOf(options);
  const progress = startProgress();
  try {
    const report = await restoreBackup(source, dataDir, {
      isForced: options.force === true,
      nowMs: systemRuntime.nowMs(),
      onStage: progress.show,
      expected,
      opener,
      makesNewKeys: options.newKeys === true,
      makesNewPeople: options.newPeople === true,
      check: checkApart,
    });
    progress.clear();
    const waysIn = report.waysIn?.map(({ token, ...way }) => ({
      ...way,
      url: `${publicUrlOf(config)}/reset#${token}`,
    }));
    const shown = { ...report, waysIn: waysIn ?? null };
    const isOpen = opener !== null && !report.wasEncrypted;
    const note = isOpen ? ["WARNING: it was not encrypted: the key was not needed, and anybody may have made it"] : [];
    print(options, shown, [...describe(report), ...note, ...linesOf(shown)]);
  } finally {
    progress.clear();
  }
}

function sourceOf(file: string, config: Config): BackupSource {
  if (file.startsWith(OFFSITE)) {
    bucketSettingsOf(config);
    return async (folder) => {
      const fetched = join(folder, "fetched.age");
      await fetchTo(config, file.slice(OFFSITE.length), fetched);
      return fetched;
    };
  }
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}`, 2);
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a folder; name a backup file`, 2);
  return file;
}

function readExpected({ sha256, head, signedBy }: RestoreOptions): Expected {
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw new CommandError("--sha256 takes 64 hexadecimal digits", 2);
  }
  return {
    ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
    ...(head === undefined ? {} : { heads: head.map(readHead) }),
    ...(signedBy === undefined ? {} : { signedBy: readKey(signedBy) }),
  };
}

function readHead(text: string) {
  const [, orgId, size, hash] = /^([^=]+)=(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (orgId === undefined || hash === undefined) {
    throw new CommandError(`--head ${text}: write ORGANIZATION=SIZE:HASH, as captable backup --json shows them`, 2);
  }
  return { orgId, sequence: Number(size), hash: hash.toLowerCase() };
}

function describe(report: RestoreReport): string[] {
  const { dataDir, createdAt, organizations, keptAside, missingKeyFiles } = report;
  return [
    ...(keptAside === null ? [newDataDirectory(dataDir)] : []),
    `restored into ${dataDir}: the data of ${createdAt}, verified`,
    ...organizations.map(({ legalName, head }) => `ledger of ${legalName}: head ${head.sequence} ${head.hash}`),
    signerOf(report),
    keysOf(report),
    ...peopleOf(report),
    ...(keptAside === null ? [] : [`what was there before is in ${keptAside}`]),
    ...missingKeyFiles.map((name) => `lacks ${name}, which no backup holds: ${LACKING[name] ?? LACKING_FOR_CHAIN}`),
  ];
}

/** The people who are other than in the data that was replaced, and the links of those who set their passwords anew. */
function linesOf({ people, waysIn }: Pick<RestoreReport, "people"> & { waysIn: readonly WayIn[] | null }): string[] {
  return [
    ...(people ?? []).map(({ email, what }) => `other than in the data that was replaced: ${email}: ${what}`),
    ...(waysIn ?? []).map(({ email, expiresAt, url }) => `${email} sets a password until ${expiresAt}: ${url}`),
  ];
}

interface WayIn {
  readonly email: string;
  readonly expiresAt: string;
  readonly url: string;
}

const LACKING_FOR_CHAIN = "put it into the data directory before new chain operations can be signed";
const LACKING: Readonly<Record<string, string>> = {
  "accounts.key": "put it into the data directory, else one-time codes fail (captable members reset --second-factor)",
  "webhook.key": "put it into the data directory, else webhooks send nothing until their secrets are rotated",
  "signing.key": "put it into the data directory, else a new key signs the next checkpoints and backups",
};

function signerOf({ signedBy }: RestoreReport): string {
  if (signedBy === null) {
    return "WARNING: it has no signature: only what you know of it shows who made it";
  }
  return signedBy.isOwn ? "signed by this data directory's own key" : `signed by another key, ${signedBy.key}`;
}

function peopleOf({ endedSessions, endedCalendars, revokedLinks, waysIn }: RestoreReport): string[] {
  if (endedSessions + endedCalendars + revokedLinks === 0) return [];
  const ended = counted(endedSessions, "session");
  const sessions = endedCalendars === 0 ? ended : `${ended} and ${counted(endedCalendars, "calendar")}`;
  const links = counted(revokedLinks, "link");
  const how = waysIn === null ? "people sign in again, with their passwords of then" : "no password of then works";
  return [`${sessions} ended and ${links} revoked: ${how}`];
}

function keysOf({ keys, adminKeyFile }: RestoreReport): string {
  if (adminKeyFile !== null) return `every key in it is revoked; a new ADMIN key is in ${adminKeyFile}`;
  const working = (["ADMIN", "EDITOR", "VIEWER"] as const).map((role) => `${keys[role]} ${role}`).join(", ");
  return `keys that work now: ${working}; one that was revoked after the backup works again (captable keys list, --new-keys)`;
}
