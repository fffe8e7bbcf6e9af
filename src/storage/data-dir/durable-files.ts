// Durable files: written, flushed and put in their place in one step, so that they survive a power cut.
import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

/** The bytes that one read or write takes. */
export const PIECE_BYTES = 1024 * 1024;

/** Opens a file for `work` and always closes it. */
export function withFile<T>(path: string, flags: "r" | "wx", work: (file: number) => T): T {
  const file = openSync(path, flags, 0o600);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until a file, or a folder's list of files, is on disk. */
export function flushToDisk(path: string): void {
  withFile(path, "r", fsyncSync);
}

/** Writes all of `bytes`. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Calls `take` with the next `bytes` bytes of a file, piece by piece; returns how many the file had. */
export function readPieces(file: number, bytes: number, take: (piece: Uint8Array) => void): number {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let left = bytes;
  while (left > 0) {
    const count = readSync(file, piece, 0, Math.min(left, PIECE_BYTES), null);
    if (count === 0) break;
    take(piece.subarray(0, count));
    left -= count;
  }
  return bytes - left;
}

/** The SHA-256 of a file, as lowercase hex. */
export function hashFile(path: string): string {
  const hash: Hash = createHash("sha256");
  withFile(path, "r", (file) => readPieces(file, Number.POSITIVE_INFINITY, (piece) => hash.update(piece)));
  return hash.digest("hex");
}
