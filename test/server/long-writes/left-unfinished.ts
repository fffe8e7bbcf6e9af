// Data directories that a process left between two pieces of a long write: as its files are, and as a backup of then
// is restored.
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreBackup } from "../../../src/safekeeping/backup/restore.ts";
import { takeBackup } from "../../../src/safekeeping/backup/take.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { hasLongWrite } from "../../../src/storage/database/long-writes.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../../../src/storage/database/open.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { type Company, finisher } from "./company.ts";

/**
 * Finishes what the company has left unfinished, in a copy of its files and in a restored backup: both are right at each
 * step, and no security is left in the end of which `left`, an SQL condition, is true.
 */
export async function finishCopies({ service }: Company, left: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "captable-long-"));
  const [killed, restored] = [join(folder, "killed"), join(folder, "restored")];
  try {
    // What is committed is what a killed process leaves.
    mkdirSync(killed, { mode: 0o700 });
    service.db.sqlite.prepare("vacuum into ?").run(join(killed, DATABASE_FILE));
    const out = join(folder, "now.captable");
    await takeBackup(killed, out, Date.now(), () => undefined);
    await restoreBackup(out, restored, { isForced: false, nowMs: Date.now(), onStage: () => undefined });
    await finishIn(killed, left);
    await finishIn(restored, left);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function finishIn(folder: string, left: string): Promise<void> {
  const file = join(folder, DATABASE_FILE);
  const [db, reader] = [openWritable(file), openReadOnly(file)];
  const pieces = finisher(reader, new Writer(db, () => undefined));
  expect(hasLongWrite(reader)).toBe(true);
  expect(verifyDatabase(reader).differences).toEqual([]);
  while (await pieces.step()) expect(verifyDatabase(reader).differences).toEqual([]);
  const counted = reader.sqlite.prepare(`select count(*) as count from securities where ${left}`);
  expect(counted.get()).toEqual({ count: 0 });
  for (const { sqlite } of [reader, db]) sqlite.close();
}
