// A data directory of its own with the real writer, for histories that run inside it.
import { rmSync } from "node:fs";
import { prepareDatabase } from "../../src/server/service/bootstrap.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { migratedDataDir } from "../kit/migrated.ts";

export interface Place {
  readonly db: Reader;
  readonly writer: Writer;
  /** Closes the database and removes the directory. */
  readonly close: () => void;
}

/** Makes the directory and the database. */
export async function openPlace(): Promise<Place> {
  const dataDir = await migratedDataDir();
  const db = openDataDirectory(dataDir);
  await prepareDatabase(db, "test");
  const writer = new Writer(db, (error) => {
    throw error;
  });
  const close = () => {
    db.sqlite.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { db, writer, close };
}
