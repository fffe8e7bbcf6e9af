// The data directory as every command finds it: made where it is missing, and refused where it or what is in it cannot be
// used, belongs to others, or is not what was there.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { giveToOwner, makePrivateFile, refuseUnsafe } from "../../kernel/files/ownership.ts";
import { isNewDatabase, refuseEarlierBuild, refuseForeignDatabase } from "../database/migrate.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../database/open.ts";
import type { Reader } from "../database/sql.ts";
import { embeddedChainFile, embeddedKeyFile, walletSeedFile } from "./chain-files.ts";
import { DataDamagedError } from "./damage.ts";
import { flushToDisk } from "./durable-files.ts";
import {
  ADMIN_KEY_FILE,
  accountsKeyFile,
  BACKUPS_FOLDER,
  LOCK_FILE,
  SPOOL_FOLDER,
  signingKeyFile,
  UNFINISHED_RESTORE,
} from "./names.ts";

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** The data directory does not allow what was asked: exit status 3. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
}

/**
 * Makes the data directory where it is missing and opens its database, without changing the database. Throws
 * {@link DataDirectoryError} where the folder cannot be written, or a restore into it was broken off, and
 * `UnsafeFileError` where somebody else owns it or everybody can write to it;
 * {@link DataDamagedError} where the database was lost, `ForeignDatabaseError` where it is another program's, and
 * `EarlierBuildError` where a build before 1.0 made it.
 */
export function openDataDirectory(dataDir: string): Reader {
  return explainingAccess(dataDir, () => {
    makeDataDirectory(dataDir);
    refuseUnfinishedRestore(dataDir);
    const file = join(dataDir, DATABASE_FILE);
    refuseReadOnlyDatabase(dataDir);
    refuseWrongDatabase(dataDir);
    makePrivateFile(file);
    return openWritable(file);
  });
}

/**
 * Throws `ForeignDatabaseError` where the database is another program's, `EarlierBuildError` where a build before 1.0
 * made it, {@link DataDamagedError} where it is missing or empty and something else tells that there was a ledger:
 * a new one in its place would look like a company without shares, and so would a backup of it.
 */
export function refuseWrongDatabase(dataDir: string): void {
  explainingAccess(dataDir, () => {
    refuseUnsafeFiles(dataDir);
    const file = join(dataDir, DATABASE_FILE);
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > 0) refuseForeignFile(file);
    else refuseLostDatabase(dataDir, file);
  });
}

/**
 * Throws {@link DataDirectoryError} where the database cannot be written: SQLite would open it for reading alone, and
 * only the first write would fail. To be called before anything opens it, for SQLite makes files beside it like it.
 */
export function refuseReadOnlyDatabase(dataDir: string): void {
  explainingAccess(dataDir, () => {
    refuseUnsafeFiles(dataDir);
    for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`]) {
      const file = join(dataDir, name);
      if (existsSync(file)) accessSync(file, constants.W_OK);
    }
  });
}

/** Throws `UnsafeFileError` where the folder, one of its key files or its backups are another's, or others can change them. */
export function refuseUnsafeFiles(dataDir: string): void {
  const look = (path: string) => statSync(path, { throwIfNoEntry: false });
  const folder = look(dataDir);
  if (!folder?.isDirectory()) return;
  refuseUnsafe(`the data directory ${dataDir}`, folder);
  const keyFiles = [embeddedKeyFile, walletSeedFile, signingKeyFile, accountsKeyFile].map((file) => file(dataDir));
  for (const file of [join(dataDir, ADMIN_KEY_FILE), ...keyFiles]) {
    const found = look(file);
    if (found) refuseUnsafe(`the key file ${file}`, found, "key file");
  }
  const backups = join(dataDir, BACKUPS_FOLDER);
  const found = look(backups);
  if (found) refuseUnsafe(`the backup folder ${backups}`, found);
}

function refuseLostDatabase(dataDir: string, file: string): void {
  const [witness] = [join(dataDir, ADMIN_KEY_FILE), embeddedChainFile(dataDir)].filter((path) => existsSync(path));
  if (witness === undefined) return;
  throw new DataDamagedError(
    `${file} is ${existsSync(file) ? "empty" : "not there"}, and ${witness} says that there was a ledger. Restore the ` +
      `newest backup: captable restore FILE --force --data-dir ${dataDir}. To begin anew, use an empty --data-dir.`,
  );
}

/**
 * Whether the data directory has a database that something was put into, with the refusals of
 * {@link refuseWrongDatabase}. Makes and changes nothing.
 */
export function hasDatabase(dataDir: string): boolean {
  refuseWrongDatabase(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const db = openReadOnly(file);
  try {
    return !isNewDatabase(db);
  } finally {
    db.sqlite.close();
  }
}

/** Whether `file` (an absolute path without links) is one that the program keeps in the data directory, or would. */
export function isDataFile(dataDir: string, file: string): boolean {
  if (!existsSync(dataDir)) return false;
  const home = realpathSync(dataDir);
  const own = [DATABASE_FILE, ADMIN_KEY_FILE, LOCK_FILE, UNFINISHED_RESTORE].map((name) => join(home, name));
  own.push(
    embeddedChainFile(home),
    embeddedKeyFile(home),
    walletSeedFile(home),
    signingKeyFile(home),
    accountsKeyFile(home),
  );
  return own.some((path) => file === path || file.startsWith(`${path}-`));
}

/** The folder in which large answers lie until they are sent; whatever a crash left there is removed. */
export function emptySpoolFolder(dataDir: string): string {
  const folder = join(dataDir, SPOOL_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: PRIVATE_FOLDER });
  giveToOwner(folder);
  return folder;
}

/** Looks before anything is written: opening for writing would already change another program's file. */
function refuseForeignFile(file: string): void {
  const db = openReadOnly(file);
  try {
    refuseForeignDatabase(db);
    refuseEarlierBuild(db);
  } finally {
    db.sqlite.close();
  }
}

/** Makes the folder where it is missing, so that a power cut cannot take it away with all that was put into it. */
export function makeDataDirectory(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return;
  const outermost = dirname(resolve(first));
  for (let folder = resolve(dataDir); folder !== outermost; folder = dirname(folder)) flushToDisk(dirname(folder));
}

function refuseUnfinishedRestore(dataDir: string): void {
  const mark = join(dataDir, UNFINISHED_RESTORE);
  if (!existsSync(mark)) return;
  throw new DataDirectoryError(
    `a restore into ${dataDir} was broken off. Run it again (captable restore FILE --force); ` +
      `what was there before is in ${readFileSync(mark, "utf8").trim()}`,
  );
}

/** Runs `work` on the data directory; that the folder or a file cannot be used is told in words. */
export function explainingAccess<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|SQLITE_CANTOPEN.*|SQLITE_READONLY.*)$/.test(code)) throw error;
    const who = process.getuid ? ` (user ${process.getuid()})` : "";
    throw new DataDirectoryError(
      `the data directory ${dataDir} cannot be used: ${(error as Error).message} [${code}]. It must be a folder that ` +
        `belongs to whoever runs captable${who}, writable with all that is in it, on a disk that is not read-only.`,
    );
  }
}

/**
 * Writes the first key where only the data directory's owner can read it, and returns the file's path. It is called
 * before the key is committed: a start that is cut short then never leaves an organization whose key nobody has.
 */
export function writeAdminKey(dataDir: string, key: string): string {
  const file = join(dataDir, ADMIN_KEY_FILE);
  writeFileSync(file, `${key}\n`, { mode: PRIVATE_FILE, flush: true });
  giveToOwner(file);
  flushToDisk(dataDir);
  return file;
}
