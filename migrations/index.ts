// The migrations in order, named statically so that they are compiled into the executable. Forward only.
import type { Migration } from "kysely/migration";
import { up as foundation } from "./0001_foundation.ts";

/** Every migration by name; the names sort in the order in which they apply. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001_foundation": { up: foundation },
};
