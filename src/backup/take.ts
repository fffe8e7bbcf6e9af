// Takes a backup while others write, and keeps it only if it proves good. Synchronous: for a process of its own.
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { embeddedChainFile, embeddedKeyFile, walletSeedFile } from "../chain/files.ts";
import { pendingMigrations, refuseNewerSchema } from "../database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../database/open.ts";
import { giveToOwnerWithin } from "../kernel/ownership.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { verifyDatabase } from "../verify/verify.ts";
import { VERSION } from "../version.ts";
import { DataDamagedError } from "./damage.ts";
import { flushToDisk, hashFile } from "./files.ts";
import { type Manifest, makeManifest, readArchive, writeArchive } from "./format.ts";
import { WORKING_FOLDER } from "./schedule.ts";
import { copyDatabase, findFileFault } from "./store.ts";

/** A finished backup. */
export interface BackupReport extends Pick<Manifest, "createdAt" | "organizations" | "keyFiles"> {
  readonly file: string;
  readonly bytes: number;
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  /** Whether the embedded chain's state is in it. */
  readonly hasChain: boolean;
}

/** Told what is being done; `done` from 0 to 1 where that is known. */
export type OnStage = (stage: string, done: number | null) => void;

/**
 * Backs `dataDir` up to the file `out`, which is replaced only when the backup is whole, flushed and checked. Throws
 * {@link DataDamagedError}, and `NewerSchemaError` where a newer program wrote the data.
 */
export function takeBackup(dataDir: string, out: string, nowMs: number, onStage: OnStage): BackupReport {
  const target = resolve(out);
  const folder = mkdtempSync(join(dirname(target), WORKING_FOLDER));
  giveToOwnerWithin(dataDir, folder);
  try {
    onStage("copying", null);
    const names = copyFiles(dataDir, folder);
    for (const name of names) giveToOwnerWithin(dataDir, join(folder, name));
    onStage("checking the copy", null);
    const organizations = checkCopy(folder, names);
    const files = names.map((name) => {
      const path = join(folder, name);
      return { name, bytes: statSync(path).size, sha256: hashFile(path) };
    });
    const keyFiles = [embeddedKeyFile(dataDir), walletSeedFile(dataDir)].filter((path) => existsSync(path));
    const manifest = makeManifest({
      createdAt: toTimestamp(nowMs),
      program: VERSION,
      organizations,
      files,
      keyFiles: keyFiles.map((path) => basename(path)),
    });
    const draft = join(folder, "backup.tar");
    writeArchive(draft, manifest, folder, nowMs, (done) => onStage("writing", done));
    readArchive(draft, null, (done) => onStage("reading back", done));
    const report = { file: out, bytes: statSync(draft).size, sha256: hashFile(draft) };
    giveToOwnerWithin(dataDir, draft);
    renameSync(draft, target);
    flushToDisk(dirname(target));
    const { createdAt } = manifest;
    return { ...report, createdAt, organizations, keyFiles: manifest.keyFiles, hasChain: names.length > 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The chain is copied after the ledger, so that it has seen everything that the ledger knows to be on it. */
function copyFiles(dataDir: string, folder: string): string[] {
  copyDatabase(join(dataDir, DATABASE_FILE), join(folder, DATABASE_FILE));
  const chain = embeddedChainFile(dataDir);
  if (!existsSync(chain)) return [DATABASE_FILE];
  const copy = join(folder, basename(chain));
  copyDatabase(chain, copy);
  return existsSync(copy) && statSync(copy).size > 0 ? [DATABASE_FILE, basename(chain)] : [DATABASE_FILE];
}

/** Checks what was copied; returns each organization's ledger head, none where the schema is an older one. */
export function checkCopy(folder: string, names: readonly string[]): Manifest["organizations"] {
  for (const name of names) {
    const fault = findFileFault(join(folder, name), "integrity_check");
    if (fault !== null) throw damaged(`${name}: ${fault}`);
  }
  const db = openReadOnly(join(folder, DATABASE_FILE));
  try {
    refuseNewerSchema(db);
    if (pendingMigrations(db).length > 0) return [];
    const { organizations, differences } = verifyDatabase(db);
    const [first] = differences;
    if (first) throw damaged(`${first.subject}: ${first.detail} (${differences.length} in all)`);
    return organizations.map(({ orgId, legalName, entries, head }) => ({ orgId, legalName, entries, head }));
  } finally {
    db.sqlite.close();
  }
}

function damaged(what: string): DataDamagedError {
  return new DataDamagedError(`the data is damaged, so no backup was made of it: ${what}. See: captable verify`);
}
