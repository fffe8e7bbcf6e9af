// Puts a backup into a data directory: unpacked and checked beside the data first, then exchanged in one go, with what
// was there kept.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToOwner } from "../../kernel/files/ownership.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { DataDirectoryError, writeAdminKey } from "../../storage/data-dir/directory.ts";
import { flushToDisk, hashFile } from "../../storage/data-dir/durable-files.ts";
import { lockForServing } from "../../storage/data-dir/lock.ts";
import { ADMIN_KEY_FILE, BACKUPS_FOLDER, LOCK_FILE, UNFINISHED_RESTORE } from "../../storage/data-dir/names.ts";
import { type Verifier, writeVerifier } from "../checkpoint/note.ts";
import { findSigningKey, isSameKey } from "../checkpoint/signing-key.ts";
import { type Checked, checkUnpacked } from "./check.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { BackupDamagedError, type Manifest, readArchive } from "./format.ts";
import { makeNewKeys } from "./new-keys.ts";
import { makeNewPeople, type NewWayIn } from "./new-people.ts";
import { comparePeople, type PersonDifference } from "./people.ts";
import { signerOfManifest } from "./signature.ts";
import type { OnStage } from "./take.ts";

const STAGING = "restoring";
const ASIDE = "before-restore-";
/** What may lie in a directory that counts as empty: what the operator puts there first, and what is nobody's data. */
const NO_DATA = [
  ADMIN_KEY_FILE,
  "chain-operator.key",
  "wallet-seed",
  "signing.key",
  "accounts.key",
  BACKUPS_FOLDER,
  STAGING,
  "lost+found",
];
const DATA_FILE = /^[a-z]+\.db(-wal|-shm|-journal)?$/;

/** A finished restore. */
export interface RestoreReport extends Checked {
  readonly dataDir: string;
  readonly createdAt: string;
  /** The key that signed the backup, and whether it is this data directory's; null where nobody did. */
  readonly signedBy: { readonly key: string; readonly isOwn: boolean } | null;
  /** The folder that holds what was there before; null where nothing was. */
  readonly keptAside: string | null;
  /** Key files that were beside the data when the backup was made and are not here. */
  readonly missingKeyFiles: readonly string[];
  /** How many sessions were ended and links revoked: they may have been, after the backup. */
  readonly endedSessions: number;
  readonly revokedLinks: number;
  /** How the people differ from those of the data that was replaced; null where there was none to compare with. */
  readonly people: readonly PersonDifference[] | null;
  /** The links with which people set passwords; null where the backup's passwords and factors were kept. */
  readonly waysIn: readonly NewWayIn[] | null;
  /** The file with the new ADMIN key of the first organization; null where the backup's keys were kept. */
  readonly adminKeyFile: string | null;
}

/** What the backup must be, as somebody knows from elsewhere. */
export interface Expected {
  /** Of the whole file. */
  readonly sha256?: string;
  /** The last entry of an organization's ledger. */
  readonly heads?: readonly { readonly orgId: string; readonly sequence: number; readonly hash: string }[];
  readonly signedBy?: Verifier;
}

/** What a restore goes by. */
export interface RestoreOptions {
  readonly isForced: boolean;
  readonly nowMs: number;
  readonly onStage: OnStage;
  readonly expected?: Expected;
  /** Whether all keys of the backup are revoked and one is made. */
  readonly makesNewKeys?: boolean;
  /** Whether every password and factor is taken away, and links are made to set passwords with. */
  readonly makesNewPeople?: boolean;
  /** Checks what was unpacked into a folder; by default in this process, without limits. */
  readonly check?: (folder: string, manifest: Manifest) => Promise<Checked>;
}

/**
 * Restores the backup `file` into `dataDir`. Throws `DataDirectoryError` where a server runs there or, unless forced,
 * where there is something already; {@link BackupDamagedError} where the backup is not good, or not the one that was
 * expected: then nothing is changed.
 */
export async function restoreBackup(file: string, dataDir: string, options: RestoreOptions): Promise<RestoreReport> {
  const unlock = lockForServing(dataDir);
  try {
    if (!options.isForced) refuseData(dataDir);
    const staging = join(dataDir, STAGING);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    giveToOwner(staging);
    try {
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
    check = checkUnpacked,
  }: RestoreOptions,
): Promise<RestoreReport> {
  const { sha256 = null } = expected;
  if (sha256 !== null && hashFile(file) !== sha256) throw new BackupDamagedError("the file has another SHA-256");
  const manifest = readArchive(file, staging, (done) => onStage("unpacking", done));
  const signer = signerOfManifest(manifest);
  refuseOtherSigner(signer, expected.signedBy);
  onStage("checking", null);
  const checked = await check(staging, manifest);
  refuseOtherHeads(checked, expected.heads ?? []);
  const made = makesNewKeys ? await makeNewKeys(staging) : null;
  const people = comparePeople(staging, dataDir);
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
    keptAside,
    missingKeyFiles: manifest.keyFiles.filter((name) => !existsSync(join(dataDir, name))),
    adminKeyFile: made && writeAdminKey(dataDir, made.adminKey),
  };
}

function refuseOtherSigner(signer: Verifier | null, wanted: Verifier | undefined): void {
  if (wanted === undefined || (signer !== null && isSameKey(signer, wanted))) return;
  const who = signer === null ? "nobody" : `another key, ${writeVerifier(signer)}`;
  throw new BackupDamagedError(`the backup is signed by ${who}, and not by the key asked for`);
}

function refuseOtherHeads({ organizations }: Checked, heads: Expected["heads"] & object): void {
  for (const { orgId, sequence, hash } of heads) {
    const found = organizations.find((organization) => organization.orgId === orgId);
    if (found === undefined) throw new BackupDamagedError(`the backup does not hold the organization ${orgId}`);
    if (found.head.sequence === sequence && found.head.hash === hash) continue;
    const is = `${found.head.sequence}:${found.head.hash}`;
    throw new BackupDamagedError(`the ledger of ${found.legalName} ends at ${is}, and not as asked for`);
  }
}

function refuseData(dataDir: string): void {
  const found = readdirSync(dataDir).filter((name) => !NO_DATA.includes(name) && !name.startsWith(LOCK_FILE));
  if (found.length === 0) return;
  throw new DataDirectoryError(
    `${dataDir} is not empty (${found.slice(0, 3).join(", ")}): restore into another --data-dir, or say --force, ` +
      "which keeps the data that is there in a folder inside it",
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
