// The first run of a data directory, and what each later start checks: folder, environment, schema, first organization
// and first key.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { BACKUPS_FOLDER } from "./backup/before.ts";
import { migrateWithBackup } from "./backup/before-migration.ts";
import { DataDamagedError } from "./backup/damage.ts";
import { flushToDisk } from "./backup/files.ts";
import { embeddedChainFile, embeddedKeyFile, walletSeedFile } from "./chain/files.ts";
import { signingKeyFile } from "./checkpoint/signing-key.ts";
import { isNewDatabase, refuseForeignDatabase } from "./database/migrate.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "./database/open.ts";
import { findSetting, storeSetting } from "./database/settings.ts";
import type { Reader, Tx } from "./database/sql.ts";
import { type Call, callWithoutRequest } from "./kernel/call.ts";
import { giveToOwner, makePrivateFile, refuseUnsafe } from "./kernel/ownership.ts";
import type { Runtime } from "./kernel/runtime.ts";
import type { KeyEnvironment } from "./resources/api-keys/key.ts";
import { createKey } from "./resources/api-keys/routes.ts";
import { insertOrganization, listOrganizations } from "./resources/organization/store.ts";

/** Held by the server as long as it runs; inside the data directory. */
export const LOCK_FILE = "serve.lock";
/** Is there from when a restore begins to exchange files until it is done; says where the old ones are. */
export const UNFINISHED_RESTORE = "restore-unfinished";
const LOCK_LOOK_MS = 100;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** What an organization is called until somebody names it. */
export const UNNAMED = "Unnamed organization";
/** Where the first key is written, inside the data directory. */
export const ADMIN_KEY_FILE = "admin.key";

/** The data directory does not allow what was asked: exit status 3. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
}

/**
 * Makes the data directory where it is missing and opens its database, without changing the database. Throws
 * {@link DataDirectoryError} where the folder cannot be written, or a restore into it was broken off, and
 * `UnsafeFileError` where somebody else owns it or everybody can write to it;
 * {@link DataDamagedError} where the database was lost, and `ForeignDatabaseError` where it is another program's.
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
 * Throws `ForeignDatabaseError` where the database is another program's, {@link DataDamagedError} where it is missing
 * or empty and something else tells that there was a ledger: a new one in its place would look like a company without
 * shares, and so would a backup of it.
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
function refuseUnsafeFiles(dataDir: string): void {
  const look = (path: string) => statSync(path, { throwIfNoEntry: false });
  const folder = look(dataDir);
  if (!folder?.isDirectory()) return;
  refuseUnsafe(`the data directory ${dataDir}`, folder);
  const keyFiles = [embeddedKeyFile(dataDir), walletSeedFile(dataDir), signingKeyFile(dataDir)];
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
  own.push(embeddedChainFile(home), embeddedKeyFile(home), walletSeedFile(home), signingKeyFile(home));
  return own.some((path) => file === path || file.startsWith(`${path}-`));
}

/** Looks before anything is written: opening for writing would already change another program's file. */
function refuseForeignFile(file: string): void {
  const db = openReadOnly(file);
  try {
    refuseForeignDatabase(db);
  } finally {
    db.sqlite.close();
  }
}

/** Makes the folder where it is missing, so that a power cut cannot take it away with all that was put into it. */
function makeDataDirectory(dataDir: string): void {
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
function explainingAccess<T>(dataDir: string, work: () => T): T {
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
 * Migrates the database to this program's schema and returns the environment of its keys, fixed when the directory is
 * made. `wanted` null takes it as it is (production for a new one); another than the directory's is refused. `onReport`
 * is told that the database was made or migrated, and what had to be interpreted of what was there.
 */
export async function prepareDatabase(
  db: Reader,
  wanted: KeyEnvironment | null,
  onReport: (sentence: string) => void = () => undefined,
): Promise<KeyEnvironment> {
  for (const sentence of (await migrateWithBackup(db)).report) onReport(sentence);
  const fixed = findSetting(db, "environment") as KeyEnvironment | null;
  if (fixed === null) {
    const environment = wanted ?? "production";
    storeSetting({ sqlite: db.sqlite, isWritable: true }, "environment", environment);
    return environment;
  }
  if (wanted !== null && wanted !== fixed) {
    throw new DataDirectoryError(
      `this data directory is a ${fixed} one and CAPTABLE_ENV says ${wanted}: the environment is fixed when it is made`,
    );
  }
  return fixed;
}

/** Makes sure that no second server runs on the data directory; returns what releases it. A crash releases it too. */
export function lockForServing(dataDir: string): () => void {
  const lock = explainingAccess(dataDir, () => {
    makeDataDirectory(dataDir);
    const file = join(dataDir, LOCK_FILE);
    refuseUnsafeFiles(dataDir);
    makePrivateFile(file);
    // Somebody who only looks whether a server runs holds it for a moment.
    return new Database(file, { timeout: LOCK_LOOK_MS });
  });
  try {
    explainingAccess(dataDir, () => lock.exec("BEGIN EXCLUSIVE"));
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") {
      throw new DataDirectoryError(`another captable serves ${dataDir}: stop it first, or use another --data-dir`);
    }
    throw error;
  }
  return () => lock.close();
}

/** Whether a server runs on the data directory at this moment. */
export function isServed(dataDir: string): boolean {
  if (!existsSync(join(dataDir, LOCK_FILE))) return false;
  try {
    lockForServing(dataDir)();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryError) return true;
    throw error;
  }
}

/** A call by the command line in the name of an organization. */
export function commandLineCall(runtime: Runtime, orgId: string): Call {
  return callWithoutRequest(runtime, orgId, "cli");
}

/** Where there is no organization yet, makes one and its first ADMIN key; returns the key, or null when there was one. */
export function makeFirstOrganization(tx: Tx, runtime: Runtime, environment: KeyEnvironment): string | null {
  if (listOrganizations(tx).length > 0) return null;
  const call = commandLineCall(runtime, makeUnnamedOrganization(tx, runtime));
  return createKey(tx, call, environment, { name: "First key", role: "ADMIN" }).key;
}

/** Makes an organization that has no name until somebody gives it one, or a package does; returns its id. */
export function makeUnnamedOrganization(tx: Tx, runtime: Runtime): string {
  const call = commandLineCall(runtime, runtime.newId());
  insertOrganization(tx, call, { legalName: UNNAMED, isNamed: 0 });
  return call.orgId;
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
