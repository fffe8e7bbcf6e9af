// Free disk space of the data directory.
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The free space of the disk under a database, and the length of its write-ahead log, in bytes. */
export function diskUnder(database: string): { readonly freeBytes: number; readonly walBytes: number } {
  const { bavail, bsize } = statfsSync(dirname(database));
  return { freeBytes: bavail * bsize, walBytes: statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0 };
}
