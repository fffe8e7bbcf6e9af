// How much room the disk of the data directory has.
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** What the disk under a database has left, and how long the database's write-ahead log is, in bytes. */
export function diskUnder(database: string): { readonly freeBytes: number; readonly walBytes: number } {
  const { bavail, bsize } = statfsSync(dirname(database));
  return { freeBytes: bavail * bsize, walBytes: statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0 };
}
