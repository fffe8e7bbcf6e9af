// Data directory: created if missing; refused if the folder or a file in it cannot be used, belongs to another user, or
// was lost.
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
  webhookKeyFile,
} from "./names.ts";

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** The data directory does not allow the command: exit status 3. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
}

/**
 * Creates the data directory if it is missing and opens its database, without changing the database. Throws {@link
 * DataDirectoryError} if the folder cannot be written, or a restore into it was interrupted; `UnsafeFileError` if
 * another user owns it or all users can write to it; {@link DataDamagedError} if the database was lost;
 * `ForeignDatabaseError` if another program made it; and `EarlierBuildError` if a build before 1.0 made it.
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
 * Throws `ForeignDatabaseError` if another program made the database, `EarlierBuildError` if a build before 1.0 made
 * it, and {@link DataDamagedError} if it is missing or empty although another file shows that a ledger existed: a new
 * database in its place would look like a company without shares, and so would its backup.
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
 * Throws {@link DataDirectoryError} if the database cannot be written: SQLite would open it read-only, and only the
 * first write would fail. Call it before the database is opened, since SQLite creates files beside it with the same
 * permissions.
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

/**
 * Throws `UnsafeFileError` if another user owns the folder, one of its key files or its backups, or others can change
 * them.
 */
export function refuseUnsafeFiles(dataDir: string): void {
  const look = (path: string) => statSync(path, { throwIfNoEntry: false });
  const folder = look(dataDir);
  if (!folder?.isDirectory()) return;
  refuseUnsafe(`the data directory ${dataDir}`, folder);
  const keyFiles = [embeddedKeyFile, walletSeedFile, signingKeyFile, accountsKeyFile, webhookKeyFile].map((file) =>
    file(dataDir),
  );
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
 * Whether the data directory has a database with content, with the refusals of {@link refuseWrongDatabase}. Creates and
 * changes nothing.
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

/**
 * Whether `file` (an absolute path without links) is, or would be, one of the program's own files in the data
 * directory.
 */
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
    webhookKeyFile(home),
  );
  return own.some((path) => file === path || file.startsWith(`${path}-`));
}

/** The folder for large answers until they are sent; deletes what a crash left in it. */
export function emptySpoolFolder(dataDir: string): string {
  const folder = join(dataDir, SPOOL_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: PRIVATE_FOLDER });
  giveToOwner(folder);
  return folder;
}

/** Checks read-only first: opening for writing would already change another program's file. */
function refuseForeignFile(file: string): void {
  const db = openReadOnly(file);
  try {
    refuseForeignDatabase(db);
    refuseEarlierBuild(db);
  } finally {
    db.sqlite.close();
  }
}

/**
 * Creates the folder if it is missing and flushes its parent, so that a power cut cannot remove it with its content.
 */
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

/** Runs `work` on the data directory; explains in words if the folder or a file cannot be used. */
export function explainingAccess<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|SQLITE_CANTOPEN.*|SQLITE_READONLY.*)$/.test(code)) throw error;
    const who = process.getuid ? ` (user ${process.getuid()})` : "";
    throw new DataDirectoryError(
      `the data directory ${dataDir} cannot be used: ${(error as Error).message} [${code}]. It must be a folder that ` +
        `belongs to the user that runs captable${who}, writable with its content, on a disk that is not read-only.`,
    );
  }
}

/**
 * Writes the first key to a file that only the data directory's owner can read, and returns the file's path. Call it
 * before the key is committed: a start that is interrupted then never leaves an organization whose key is lost.
 */
export function writeAdminKey(dataDir: string, key: string): string {
  const file = join(dataDir, ADMIN_KEY_FILE);
  writeFileSync(file, `${key}\n`, { mode: PRIVATE_FILE, flush: true });
  giveToOwner(file);
  flushToDisk(dataDir);
  return file;
}
