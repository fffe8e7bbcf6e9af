// Storage limits for files, packages and previews: what the settings allow an organization, and what the disk has left.

import { type DiskState, Room } from "../../resources/organization/room.ts";
import { diskUnder } from "../../storage/data-dir/disk.ts";
import type { Config } from "../config.ts";

const MEBIBYTE = 1024 * 1024;

/** The storage limits of a database; `disk` instead of the system's figures. */
export function roomOf({ organizationStorageMb }: Config, database: string, disk?: () => DiskState): Room {
  return new Room({ allowedBytes: organizationStorageMb * MEBIBYTE, disk: disk ?? (() => diskUnder(database)) });
}
