// A data directory with the schema in it. Migrating takes half of a service's start, so a run of the tests migrates once and
// copies the file; test/migrations and the tests of a first start make theirs anew.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateWithBackup } from "../../src/safekeeping/backup/before-migration.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { DATABASE_FILE } from "../../src/storage/database/open.ts";

let migrated: Promise<Uint8Array> | null = null;

async function migrate(): Promise<Uint8Array> {
  const dataDir = mkdtempSync(join(tmpdir(), "captable-migrated-"));
  try {
    const db = openDataDirectory(dataDir);
    await migrateWithBackup(db);
    db.sqlite.close();
    return readFileSync(join(dataDir, DATABASE_FILE));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Makes a temporary folder with a migrated, empty database, as the program's own start leaves it; returns its path. */
export async function migratedDataDir(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "captable-test-"));
  await writeMigrated(dataDir);
  return dataDir;
}

/** Writes a migrated, empty database into a folder. */
export async function writeMigrated(dataDir: string): Promise<void> {
  migrated ??= migrate();
  writeFileSync(join(dataDir, DATABASE_FILE), await migrated, { mode: 0o600 });
}
