// Writes in the database of an unpacked backup, before the backup is adopted: nothing else has it open then.
import { join } from "node:path";
import { DATABASE_FILE, openWritable } from "../../storage/database/open.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { Writer } from "../../storage/database/writer.ts";

/** Runs `work` in one transaction on the database in `folder`, and gives what it gives. */
export async function writeUnpacked<T>(folder: string, work: (tx: Tx) => T): Promise<T> {
  const db = openWritable(join(folder, DATABASE_FILE));
  try {
    return await new Writer(db, () => undefined).submit(work);
  } finally {
    db.sqlite.close();
  }
}
