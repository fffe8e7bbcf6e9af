// Restores a backup into a data directory: unpacks and checks it beside the data first, then exchanges the two in one
// step, and keeps the replaced data.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveToOwner } from "../../kernel/files/ownership.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { DataDirectoryError, writeAdminKey } from "../../storage/data-dir/directory.ts";
import { flushToDisk, hashFile } from "../../storage/data-dir/durable-files.ts";
import { lockForServing } from "../../storage/data-dir/lock.ts";
import { ADMIN_KEY_FILE, BACKUPS_FOLDER, LOCK_FILE, UNFINISHED_RESTORE } from "../../storage/data-dir/names.ts";
import { type Verifier, writeVerifier } from "../checkpoint/note.ts";
import { findSigningKey, isSameKey } from "../checkpoint/signing-key.ts";
import { decryptFile, isEncrypted } from "../encryption/decrypt.ts";
import type { Opener } from "../encryption/keys.ts";
import { type Checked, checkUnpacked } from "./check.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { BackupDamagedError, type Manifest, readArchive } from "./format.ts";
import { makeNewKeys } from "./new-keys.ts";
import { makeNewPeople, type NewWayIn } from "./new-people.ts";
import { comparePeople, type PersonDifference } from "./people.ts";
import { signerOfManifest } from "./signature.ts";
import type { OnStage } from "./target.ts";
import { tellRestored } from "./tell-restored.ts";

const STAGING = "restoring";
const ASIDE = "before-restore-";
/** Files in a directory that counts as empty: the operator's own preparations, and files that hold no data. */
const NO_DATA = [
  ADMIN_KEY_FILE,
  "chain-operator.key",
  "wallet-seed",
  "signing.key",
  "accounts.key",
  "webhook.key",
  BACKUPS_FOLDER,
  STAGING,
  "lost+found",
];
const DATA_FILE = /^[a-z]+\.db(-wal|-shm|-journal)?$/;

/** A finished restore. */
export interface RestoreReport extends Checked {
  readonly dataDir: string;
  readonly createdAt: string;
  /** The key that signed the backup, and whether it is this data directory's; null for an unsigned backup. */
  readonly signedBy: { readonly key: string; readonly isOwn: boolean } | null;
  readonly wasEncrypted: boolean;
  /** The folder that holds the replaced data; null if there was none. */
  readonly keptAside: string | null;
  /** Key files that were beside the data when the backup was made and are missing here. */
  readonly missingKeyFiles: readonly string[];
  /** How many sessions and calendars were ended and links revoked: they may have ended after the backup. */
  readonly endedSessions: number;
  readonly endedCalendars: number;
  readonly revokedLinks: number;
  /** How the people differ from those of the replaced data; null without data to compare with. */
  readonly people: readonly PersonDifference[] | null;
  /** The links with which people set passwords; null if the backup's passwords and factors were kept. */
  readonly waysIn: readonly NewWayIn[] | null;
  /** The file with the new ADMIN key of the first organization; null if the backup's keys were kept. */
  readonly adminKeyFile: string | null;
}

/** The operator's expectations of the backup, known from elsewhere. */
export interface Expected {
  /** Of the whole file. */
  readonly sha256?: string;
  /** The last entry of an organization's ledger. */
  readonly heads?: readonly { readonly orgId: string; readonly sequence: number; readonly hash: string }[];
  readonly signedBy?: Verifier;
}

/** The options of a restore. */
export interface RestoreOptions {
  readonly isForced: boolean;
  readonly nowMs: number;
  readonly onStage: OnStage;
  readonly expected?: Expected;
  /** Whether to revoke all keys of the backup and make a new one. */
  readonly makesNewKeys?: boolean;
  /** Whether to remove every password and factor, and make links to set new passwords. */
  readonly makesNewPeople?: boolean;
  /** What opens an encrypted backup; null or absent where none was named. */
  readonly opener?: Opener | null;
  /** Checks an unpacked folder; by default in this process, without limits. */
  readonly check?: (folder: string, manifest: Manifest) => Promise<Checked>;
}

/** Where a backup is: a file, or one that is first fetched into a folder. */
export type BackupSource = string | ((folder: string) => Promise<string>);

/**
 * Restores a backup into `dataDir`. Throws `DataDirectoryError` if a server runs there or, unless forced, if
 * it holds data; {@link BackupDamagedError} if the backup is not valid, or not the expected one: then nothing is
 * changed.
 */
export async function restoreBackup(
  source: BackupSource,
  dataDir: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const unlock = lockForServing(dataDir);
  try {
    if (!options.isForced) refuseData(dataDir);
    const staging = join(dataDir, STAGING);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    giveToOwner(staging);
    try {
      const file = typeof source === "string" ? source : await source(staging);
      return await restoreVia(staging, file, dataDir, options);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } finally {
    unlock();
  }
}

async function restoreVia(
  staging: string,
  file: string,
  dataDir: string,
  {
    onStage,
    nowMs,
    expected = {},
    makesNewKeys = false,
    makesNewPeople = false,
    opener = null,
    check = checkUnpacked,
  }: RestoreOptions,
): Promise<RestoreReport> {
  const { sha256 = null } = expected;
  if (sha256 !== null && hashFile(file) !== sha256) throw new BackupDamagedError("the file has another SHA-256");
  const plain = await openIfEncrypted(file, staging, opener, onStage);
  const manifest = readArchive(plain, staging, (done) => onStage("unpacking", done));
  // Room for what is unpacked: what was fetched, and what was opened, is not needed twice.
  for (const each of new Set([plain, file])) if (dirname(each) === staging) rmSync(each);
  const signer = signerOfManifest(manifest);
  refuseOtherSigner(signer, expected.signedBy);
  onStage("checking", null);
  const checked = await check(staging, manifest);
  refuseOtherHeads(checked, expected.heads ?? []);
  const made = makesNewKeys ? await makeNewKeys(staging) : null;
  const people = comparePeople(staging, dataDir);
  await tellRestored(staging, manifest.createdAt);
  const ended = await endSignIns(staging);
  const waysIn = makesNewPeople ? await makeNewPeople(staging) : null;
  const names = manifest.files.map(({ name }) => name);
  for (const name of names) giveToOwner(join(staging, name));
  const own = findSigningKey(dataDir);
  const keptAside = exchange(dataDir, staging, names, nowMs);
  return {
    ...checked,
    ...(made && { keys: made.keys }),
    ...ended,
    people,
    waysIn,
    dataDir,
    createdAt: manifest.createdAt,
    signedBy: signer && { key: writeVerifier(signer), isOwn: own !== null && isSameKey(own, signer) },
    wasEncrypted: plain !== file,
    keptAside,
    missingKeyFiles: manifest.keyFiles.filter((name) => !existsSync(join(dataDir, name))),
    adminKeyFile: made && writeAdminKey(dataDir, made.adminKey),
  };
}

/** The archive that the file is, or holds: it is opened inside the data directory. */
async function openIfEncrypted(
  file: string,
  staging: string,
  opener: Opener | null,
  onStage: OnStage,
): Promise<string> {
  if (!isEncrypted(file)) return file;
  const plain = join(staging, "opened.tar");
  await decryptFile(file, plain, opener, (done) => onStage("opening", done));
  return plain;
}

function refuseOtherSigner(signer: Verifier | null, wanted: Verifier | undefined): void {
  if (wanted === undefined || (signer !== null && isSameKey(signer, wanted))) return;
  const by = signer === null ? "not signed" : `signed by another key, ${writeVerifier(signer)}`;
  throw new BackupDamagedError(`the backup is ${by}; the expected key did not sign it`);
}

function refuseOtherHeads({ organizations }: Checked, heads: Expected["heads"] & object): void {
  for (const { orgId, sequence, hash } of heads) {
    const found = organizations.find((organization) => organization.orgId === orgId);
    if (found === undefined) throw new BackupDamagedError(`the backup does not hold the organization ${orgId}`);
    if (found.head.sequence === sequence && found.head.hash === hash) continue;
    const is = `${found.head.sequence}:${found.head.hash}`;
    throw new BackupDamagedError(`the ledger of ${found.legalName} ends at ${is}, not at the expected entry`);
  }
}

function refuseData(dataDir: string): void {
  const found = readdirSync(dataDir).filter((name) => !NO_DATA.includes(name) && !name.startsWith(LOCK_FILE));
  if (found.length === 0) return;
  throw new DataDirectoryError(
    `${dataDir} is not empty (${found.slice(0, 3).join(", ")}): restore into another --data-dir, or say --force, ` +
      "which keeps the existing data in a folder inside it",
  );
}

/** Moves the data away and the restored files in. A crash in between leaves a mark that every command explains. */
function exchange(dataDir: string, staging: string, names: readonly string[], nowMs: number): string | null {
  const old = readdirSync(dataDir).filter((name) => DATA_FILE.test(name));
  const aside = join(dataDir, `${ASIDE}${toTimestamp(nowMs).replace(/[:.]/g, "-")}`);
  const mark = join(dataDir, UNFINISHED_RESTORE);
  writeFileSync(mark, `${aside}\n`, { mode: 0o600 });
  giveToOwner(mark);
  flushToDisk(dataDir);
  if (old.length > 0) {
    mkdirSync(aside, { mode: 0o700 });
    giveToOwner(aside);
  }
  for (const name of old) renameSync(join(dataDir, name), join(aside, name));
  for (const name of names) renameSync(join(staging, name), join(dataDir, name));
  flushToDisk(dataDir);
  rmSync(mark);
  flushToDisk(dataDir);
  return old.length > 0 ? aside : null;
}
