// Puts a backup into a data directory: unpacked and verified beside the data first, then exchanged in one go, with what
// was there kept. Synchronous but for migrations: for a process of its own.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADMIN_KEY_FILE, DataDirectoryError, LOCK_FILE, lockForServing, UNFINISHED_RESTORE } from "../bootstrap.ts";
import { migrateToLatest } from "../database/migrate.ts";
import { DATABASE_FILE, openWritable } from "../database/open.ts";
import { giveToOwner } from "../kernel/ownership.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { BACKUPS_FOLDER } from "./before-migration.ts";
import { DataDamagedError } from "./damage.ts";
import { flushToDisk } from "./files.ts";
import { BackupDamagedError, type Manifest, readArchive } from "./format.ts";
import { checkCopy, type OnStage } from "./take.ts";

const STAGING = "restoring";
const ASIDE = "before-restore-";
/** What may lie in a directory that counts as empty: what the operator puts there first, and what is nobody's data. */
const NO_DATA = [ADMIN_KEY_FILE, "chain-operator.key", "wallet-seed", BACKUPS_FOLDER, STAGING, "lost+found"];
const DATA_FILE = /^[a-z]+\.db(-wal|-shm|-journal)?$/;

/** A finished restore. */
export interface RestoreReport extends Pick<Manifest, "createdAt" | "organizations"> {
  readonly dataDir: string;
  /** The folder that holds what was there before; null where nothing was. */
  readonly keptAside: string | null;
  /** Key files that were beside the data when the backup was made and are not here. */
  readonly missingKeyFiles: readonly string[];
}

/** What a restore goes by. */
export interface RestoreOptions {
  readonly isForced: boolean;
  readonly nowMs: number;
  readonly onStage: OnStage;
}

/**
 * Restores the backup `file` into `dataDir`. Throws `DataDirectoryError` where a server runs there or, unless forced,
 * where there is something already; {@link BackupDamagedError} where the backup is not good: then nothing is changed.
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
      const manifest = readArchive(file, staging, (done) => options.onStage("unpacking", done));
      options.onStage("checking", null);
      const names = manifest.files.map(({ name }) => name);
      const organizations = await bringUpToDate(staging, names);
      refuseOtherHeads(manifest.organizations, organizations);
      const keptAside = exchange(dataDir, staging, names, options.nowMs);
      const missingKeyFiles = manifest.keyFiles.filter((name) => !existsSync(join(dataDir, name)));
      return { dataDir, createdAt: manifest.createdAt, organizations, keptAside, missingKeyFiles };
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } finally {
    unlock();
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

/** Migrates the unpacked copy to this program's schema, and verifies it whole. */
async function bringUpToDate(staging: string, names: readonly string[]): Promise<Manifest["organizations"]> {
  if (!names.includes(DATABASE_FILE)) throw new BackupDamagedError("there is no ledger in the backup");
  try {
    for (const name of names) giveToOwner(join(staging, name));
    const db = openWritable(join(staging, DATABASE_FILE));
    try {
      await migrateToLatest(db);
    } finally {
      db.sqlite.close();
    }
    const organizations = checkCopy(staging, names);
    for (const name of names) flushToDisk(join(staging, name));
    return organizations;
  } catch (error) {
    if (error instanceof DataDamagedError)
      throw new BackupDamagedError(`what is in the backup is damaged: ${error.message}`);
    throw error;
  }
}

function refuseOtherHeads(written: Manifest["organizations"], found: Manifest["organizations"]): void {
  const heads = new Map(found.map(({ orgId, head }) => [orgId, head.hash]));
  const other = written.find(({ orgId, head }) => heads.get(orgId) !== head.hash);
  if (other)
    throw new BackupDamagedError(`the ledger of ${other.legalName} does not end as the backup's manifest says`);
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
