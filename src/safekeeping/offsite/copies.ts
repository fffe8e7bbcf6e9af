// Copies of backups in a bucket elsewhere: put there, read back whole, marked; listed, checked and fetched; and the
// oldest removed. Nothing that is not encrypted is put there.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { toTimestamp } from "../../kernel/runtime.ts";
import { flushToDisk, hashFile, writeAll } from "../../storage/data-dir/durable-files.ts";
import { isScheduledName, scheduledInOrder } from "../backup/scheduled-names.ts";
import { isEncrypted } from "../encryption/decrypt.ts";
import { EncryptionKeyError } from "../encryption/errors.ts";
import type { Bucket, StoredObject } from "./bucket.ts";
import { type CopiedHead, MARK, MARK_BYTES_MAX, type Mark, readMark, writeMark } from "./mark.ts";
import { OffsiteError, OtherBytesError } from "./offsite-errors.ts";

const PIECE_BYTES = 1024 * 1024;
const MARKS_AT_ONCE = 8;
const DAY_MS = 86_400_000;

/** Called with the current step; `done` from 0 to 1 if it is known. */
export type OnStage = (stage: string, done: number | null) => void;

/** A copy that was put into the bucket, or was there already. */
export interface Pushed {
  readonly mark: Mark;
  readonly wasThere: boolean;
  /** The old copies that were removed. */
  readonly removed: readonly string[];
  /** The server's refusal to remove one; null where there was none. */
  readonly notRemoved: string | null;
}

/** What is known of a file that is to be copied. */
export interface PushOptions {
  readonly keep: number;
  readonly nowMs: number;
  readonly onStage: OnStage;
  /** The last backup of this data directory: its file's name and SHA-256, and the heads of its ledgers. */
  readonly known?: { readonly name: string; readonly sha256: string; readonly heads: readonly CopiedHead[] } | null;
}

/**
 * Copies an encrypted file under its own name, reads the copy back, marks it, and removes the oldest. Throws
 * {@link OffsiteError}, {@link OtherBytesError}, and `EncryptionKeyError` for a file that is not encrypted.
 */
export async function pushCopy(bucket: Bucket, file: string, options: PushOptions): Promise<Pushed> {
  const { onStage, nowMs } = options;
  if (!isEncrypted(file)) {
    throw new EncryptionKeyError(
      `${file} is not encrypted, and nothing leaves this machine unencrypted (backup --recipient)`,
    );
  }
  const name = basename(file);
  refuseName(name);
  const { size: bytes, mtimeMs } = statSync(file);
  const sha256 = hashFile(file);
  const known = options.known?.name === name ? options.known : null;
  if (known !== null && known.sha256 !== sha256 && isScheduledName(name)) {
    throw new OtherBytesError(`${file} is not as the backup was written: nothing was copied`);
  }
  const mark = {
    name,
    bytes,
    sha256,
    createdAt: toTimestamp(Math.floor(mtimeMs)),
    heads: known?.sha256 === sha256 ? [...known.heads] : null,
  };
  const older = await findMark(bucket, name);
  const wasThere = older?.sha256 === sha256 && older.bytes === bytes;
  if (!wasThere) {
    if (older !== null) await bucket.remove(name + MARK);
    await putCopy(bucket, file, mark, onStage);
  }
  return { mark: wasThere ? older : mark, wasThere, ...(await removeOldest(bucket, name, options.keep, nowMs)) };
}

async function putCopy(bucket: Bucket, file: string, mark: Mark, onStage: OnStage): Promise<void> {
  const { name, bytes, sha256 } = mark;
  const sent = createHash("sha256");
  let sentBytes = 0;
  await bucket.put(
    name,
    piecesOf(file, (piece) => {
      sent.update(piece);
      sentBytes += piece.length;
      onStage("sending", sentBytes / bytes);
    }),
  );
  if (sent.digest("hex") !== sha256) throw new OtherBytesError(`${file} was changed while it was copied`);
  await readBack(bucket, mark, () => undefined, onStage);
  const text = writeMark(mark);
  await bucket.put(name + MARK, [Buffer.from(text)]);
  if ((await bucket.readText(name + MARK, MARK_BYTES_MAX)) !== text) {
    throw new OtherBytesError(`${name}: the server gives another mark than was put there`);
  }
}

function* piecesOf(path: string, show: (piece: Uint8Array) => void): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      // A new one for each: the client may hold it until it is sent.
      const piece = new Uint8Array(PIECE_BYTES);
      const count = readSync(file, piece, 0, piece.length, null);
      if (count === 0) return;
      show(piece.subarray(0, count));
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** Reads a copy whole, and throws {@link OtherBytesError} unless it is what its mark says. */
async function readBack(
  bucket: Bucket,
  { name, bytes, sha256 }: Mark,
  take: (piece: Uint8Array) => void,
  onStage: OnStage,
): Promise<void> {
  const hash = createHash("sha256");
  let read = 0;
  await bucket.read(name, bytes, (piece) => {
    hash.update(piece);
    take(piece);
    read += piece.length;
    onStage("reading back", bytes === 0 ? 1 : read / bytes);
  });
  if (read === bytes && hash.digest("hex") === sha256) return;
  throw new OtherBytesError(`the copy ${name} has other bytes than were put there (${read} of ${bytes}, SHA-256)`);
}

/** Removes all but the newest marked copies of scheduled backups, and what was never finished from before them. */
async function removeOldest(
  bucket: Bucket,
  pushed: string,
  keep: number,
  nowMs: number,
): Promise<Pick<Pushed, "removed" | "notRemoved">> {
  const names = new Set((await bucket.list()).map(({ name }) => name));
  const unmarked = (name: string) => name.slice(0, -MARK.length);
  const all = new Set([...names].map((name) => (name.endsWith(MARK) ? unmarked(name) : name)));
  // A clock that goes behind for less than a day leaves what others just put there in its place.
  const inOrder = scheduledInOrder([...all], nowMs + DAY_MS);
  const isWhole = (name: string) => names.has(name) && names.has(name + MARK);
  const oldestKept = inOrder.filter(isWhole).at(-keep);
  const surplus = oldestKept === undefined ? [] : inOrder.slice(0, inOrder.indexOf(oldestKept));
  const removed: string[] = [];
  let notRemoved: string | null = null;
  for (const name of surplus.filter((each) => each !== pushed)) {
    try {
      for (const each of [name + MARK, name]) if (names.has(each)) await bucket.remove(each);
      removed.push(name);
    } catch (failure) {
      if (!(failure instanceof OffsiteError)) throw failure;
      notRemoved ??= failure.message;
    }
  }
  return { removed, notRemoved };
}

/** What lies in the bucket under a name; the mark is null for a copy that was not finished, or is being put there. */
export interface Listed extends StoredObject {
  readonly mark: Mark | null;
}

/** The copies in the bucket, by name. */
export async function listCopies(bucket: Bucket): Promise<Listed[]> {
  const objects = await bucket.list();
  const names = new Set(objects.map(({ name }) => name));
  const copies = objects.filter(({ name }) => !(name.endsWith(MARK) && names.has(name.slice(0, -MARK.length))));
  const listed: Listed[] = [];
  for (let at = 0; at < copies.length; at += MARKS_AT_ONCE) {
    const some = copies.slice(at, at + MARKS_AT_ONCE);
    const withMarks = some.map(async (each) => ({
      ...each,
      mark: names.has(each.name + MARK) ? await findMark(bucket, each.name) : null,
    }));
    listed.push(...(await Promise.all(withMarks)));
  }
  return listed;
}

/** The name of the newest marked copy of a scheduled backup. Throws {@link OffsiteError} for none. */
export async function newestCopy(bucket: Bucket, nowMs: number): Promise<string> {
  const names = new Set((await bucket.list()).map(({ name }) => name));
  const newest = scheduledInOrder([...names], nowMs + DAY_MS)
    .filter((name) => names.has(name + MARK))
    .at(-1);
  if (newest === undefined) throw new OffsiteError("the bucket holds no finished copy of a scheduled backup");
  return newest;
}

/** Reads a copy whole and compares it with its mark; returns that. */
export async function verifyCopy(bucket: Bucket, name: string, onStage: OnStage): Promise<Mark> {
  const mark = await markOf(bucket, name);
  await readBack(bucket, mark, () => undefined, onStage);
  return mark;
}

/** Writes a copy to the file `out` (mode 0600), which is replaced only when it is whole and what its mark says. */
export async function fetchCopy(bucket: Bucket, name: string, out: string, onStage: OnStage): Promise<Mark> {
  const mark = await markOf(bucket, name);
  const draft = `${out}.${process.pid}.part`;
  const file = openSync(draft, "wx", 0o600);
  try {
    try {
      await readBack(bucket, mark, (piece) => writeAll(file, piece), onStage);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, out);
    flushToDisk(dirname(out));
  } catch (failure) {
    rmSync(draft, { force: true });
    throw failure;
  }
  return mark;
}

async function markOf(bucket: Bucket, name: string): Promise<Mark> {
  refuseName(name);
  const mark = await findMark(bucket, name);
  if (mark !== null) return mark;
  throw new OffsiteError(`the bucket holds no finished copy ${name} (captable offsite list)`);
}

/** The mark of a copy; null for a missing one, and for one that cannot be read: the copy does not count. */
async function findMark(bucket: Bucket, name: string): Promise<Mark | null> {
  const text = await bucket.readText(name + MARK, MARK_BYTES_MAX);
  return text === null ? null : readMark(name, text);
}

/** A name of a file, and no mark's. */
function refuseName(name: string): void {
  if (name !== "" && !/[/\0]/.test(name) && !name.endsWith(MARK) && Buffer.byteLength(name) <= 255) return;
  throw new OffsiteError(`${JSON.stringify(name)} cannot be the name of a copy`);
}
