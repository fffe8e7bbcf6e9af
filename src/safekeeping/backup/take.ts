// Makes a backup while others write, and keeps it only if it passes all checks. Synchronous: for a process of its own.
import { existsSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { giveToOwnerWithin } from "../../kernel/files/ownership.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { VERSION } from "../../kernel/version.ts";
import { embeddedChainFile, embeddedKeyFile, walletSeedFile } from "../../storage/data-dir/chain-files.ts";
import { copyDatabase } from "../../storage/data-dir/copy-store.ts";
import { DataDamagedError } from "../../storage/data-dir/damage.ts";
import { hashFile } from "../../storage/data-dir/durable-files.ts";
import { findFileFault } from "../../storage/data-dir/integrity-store.ts";
import { accountsKeyFile, signingKeyFile, webhookKeyFile } from "../../storage/data-dir/names.ts";
import { pendingMigrations, refuseNewerSchema } from "../../storage/database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { type MadeCheckpoint, makeCheckpoints } from "../checkpoint/make.ts";
import { openSigningKey } from "../checkpoint/signing-key.ts";
import type { Lock } from "../encryption/keys.ts";
import { verifyWhole } from "../verify/whole.ts";
import { type Manifest, makeManifest, readArchive, writeArchive } from "./format.ts";
import { removeLeftOvers } from "./schedule.ts";
import { signManifest } from "./signature.ts";
import { makeWorkingFolder, type OnStage, type PutFile, putInTarget } from "./target.ts";

/** A finished backup. */
export interface BackupReport extends PutFile, Pick<Manifest, "createdAt" | "organizations" | "keyFiles"> {
  readonly file: string;
  /** Whether the embedded chain's state is in it. */
  readonly hasChain: boolean;
  readonly isEncrypted: boolean;
}

/**
 * Backs `dataDir` up to the file `out`, which is replaced only when the backup is whole, flushed and checked. With a
 * lock the file is encrypted, and nothing that is not leaves the data directory: the folder of `out` may be another
 * machine's. Throws {@link DataDamagedError}, and `NewerSchemaError` if a newer program wrote the data.
 */
export async function takeBackup(
  dataDir: string,
  out: string,
  nowMs: number,
  onStage: OnStage,
  lock: Lock | null = null,
): Promise<BackupReport> {
  const target = resolve(out);
  if (lock !== null) removeLeftOvers(dataDir, nowMs);
  const folder = makeWorkingFolder(lock === null ? dirname(target) : dataDir, dataDir);
  try {
    onStage("copying", null);
    const names = copyFiles(dataDir, folder);
    for (const name of names) giveToOwnerWithin(dataDir, join(folder, name));
    onStage("checking the copy", null);
    const signer = openSigningKey(dataDir);
    const time = toTimestamp(nowMs);
    const { organizations, notes } = await checkCopy(folder, names, (db) => makeCheckpoints(db, time, signer));
    const files = names.map((name) => {
      const path = join(folder, name);
      return { name, bytes: statSync(path).size, sha256: hashFile(path) };
    });
    const known = [embeddedKeyFile, walletSeedFile, signingKeyFile, accountsKeyFile, webhookKeyFile].map((file) =>
      file(dataDir),
    );
    const keyFiles = known.filter((path) => existsSync(path)).map((path) => basename(path));
    const parts = { createdAt: time, program: VERSION, organizations, files, keyFiles };
    const manifest = signManifest(makeManifest({ ...parts, notes: notes.map(({ note }) => note) }), signer);
    const draft = join(folder, "backup.tar");
    writeArchive(draft, { manifest, folder, nowMs, onProgress: (done) => onStage("writing", done) });
    readArchive(draft, null, (done) => onStage("reading back", done));
    for (const name of names) rmSync(join(folder, name));
    const about = await putInTarget(draft, target, { dataDir, lock, onStage });
    const { createdAt } = manifest;
    const has = { hasChain: names.length > 1, isEncrypted: lock !== null };
    return { file: out, ...about, createdAt, organizations, keyFiles: manifest.keyFiles, ...has };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The chain is copied after the ledger, so that its copy contains every transaction that the ledger's knows. */
function copyFiles(dataDir: string, folder: string): string[] {
  copyDatabase(join(dataDir, DATABASE_FILE), join(folder, DATABASE_FILE));
  const chain = embeddedChainFile(dataDir);
  if (!existsSync(chain)) return [DATABASE_FILE];
  const copy = join(folder, basename(chain));
  copyDatabase(chain, copy);
  return existsSync(copy) && statSync(copy).size > 0 ? [DATABASE_FILE, basename(chain)] : [DATABASE_FILE];
}

/** Checks the copy; returns each organization's heads and note, none if the schema is an older one. */
async function checkCopy(
  folder: string,
  names: readonly string[],
  makeNotes: (db: Reader) => MadeCheckpoint[],
): Promise<{ organizations: Manifest["organizations"]; notes: readonly MadeCheckpoint[] }> {
  for (const name of names) {
    const fault = findFileFault(join(folder, name), "integrity_check");
    if (fault !== null) throw damaged(`${name}: ${fault}`);
  }
  const db = openReadOnly(join(folder, DATABASE_FILE));
  try {
    refuseNewerSchema(db);
    if (pendingMigrations(db).length > 0) return { organizations: [], notes: [] };
    const { organizations, differences } = await verifyWhole(db);
    const [first] = differences;
    if (first) throw damaged(`${first.subject}: ${first.detail} (${differences.length} in all)`);
    return { organizations: [...organizations], notes: makeNotes(db) };
  } finally {
    db.sqlite.close();
  }
}

function damaged(what: string): DataDamagedError {
  return new DataDamagedError(`the data is damaged, so no backup was made of it: ${what}. See: captable verify`);
}
