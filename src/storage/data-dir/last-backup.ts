// The settings that record a data directory's last backup, and the last copy of one elsewhere.

import { findSetting, storeSetting } from "../database/settings.ts";
import type { Reader, Tx } from "../database/sql.ts";

/** The setting that holds the time of the last backup, as milliseconds since the epoch. */
export const LAST_BACKUP = "lastBackupMs";
const LAST_FILE = "lastBackupFile";
const LAST_COPY = "lastOffsiteCopy";

/** The file of the last backup, by which its copy is known again. */
export interface BackupFile {
  readonly name: string;
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  readonly heads: readonly { readonly orgId: string; readonly sequence: number; readonly hash: string }[];
}

/** Records the file of a backup. */
export function storeBackupFile(tx: Tx, { name, sha256, heads }: BackupFile): void {
  storeSetting(tx, LAST_FILE, JSON.stringify({ name, sha256, heads }));
}

/** The file of the last backup, or null. */
export function findBackupFile(db: Reader): BackupFile | null {
  const text = findSetting(db, LAST_FILE);
  return text === null ? null : JSON.parse(text);
}

/** A finished copy elsewhere. */
export interface OffsiteCopy {
  readonly name: string;
  /** When it was finished, in milliseconds since the epoch. */
  readonly ms: number;
}

/** Records a finished copy. */
export function storeOffsiteCopy(tx: Tx, { name, ms }: OffsiteCopy): void {
  storeSetting(tx, LAST_COPY, JSON.stringify({ name, ms }));
}

/** The last finished copy, or null. */
export function findOffsiteCopy(db: Reader): OffsiteCopy | null {
  const text = findSetting(db, LAST_COPY);
  return text === null ? null : JSON.parse(text);
}
