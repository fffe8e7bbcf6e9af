// Puts a finished archive in the place of its target, encrypted or as it is, with one step that replaces an older one.
import { mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveToOwnerWithin } from "../../kernel/files/ownership.ts";
import { flushToDisk, hashFile } from "../../storage/data-dir/durable-files.ts";
import type { Lock } from "../encryption/keys.ts";
import { WORKING_FOLDER } from "./schedule.ts";

/** Called with the current step; `done` from 0 to 1 if it is known. */
export type OnStage = (stage: string, done: number | null) => void;

/** What is known of a file that was put in its place. */
export interface PutFile {
  readonly bytes: number;
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
}

interface PutOptions {
  readonly dataDir: string;
  readonly lock: Lock | null;
  readonly onStage: OnStage;
}

/** Moves the archive `draft` to `target`; with a lock, it is encrypted beside it, read back, and then moved. */
export async function putInTarget(draft: string, target: string, { lock, ...options }: PutOptions): Promise<PutFile> {
  return lock === null
    ? putInPlace(draft, target, options.dataDir)
    : await putEncrypted(draft, target, { ...options, lock });
}

/** A folder beside what is written, or in the data directory; of a name by which {@link removeLeftOvers} knows it. */
export function makeWorkingFolder(where: string, dataDir: string): string {
  const folder = mkdtempSync(join(where, WORKING_FOLDER));
  giveToOwnerWithin(dataDir, folder);
  return folder;
}

function putInPlace(draft: string, target: string, dataDir: string): PutFile {
  const about = { bytes: statSync(draft).size, sha256: hashFile(draft) };
  giveToOwnerWithin(dataDir, draft);
  renameSync(draft, target);
  flushToDisk(dirname(target));
  return about;
}

/** Encrypts it beside its target, reads it back, and puts it in its place. */
async function putEncrypted(
  plain: string,
  target: string,
  { dataDir, lock, onStage }: PutOptions & { readonly lock: Lock },
): Promise<PutFile> {
  const { encryptFile } = await import("../encryption/encrypt.ts");
  const folder = makeWorkingFolder(dirname(target), dataDir);
  try {
    const draft = join(folder, "backup.age");
    onStage("encrypting", null);
    await encryptFile(plain, draft, lock, { onProgress: (done) => onStage("opening it again", done) });
    return putInPlace(draft, target, dataDir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
