// A file that was made for one answer: kept in memory while it is small, else written at full speed where it has no name,
// and sent from there, so that whoever takes it slowly holds nothing else, least of all a snapshot of the database.
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../../../kernel/problem.ts";
import { ClientGone } from "../../../kernel/threads/turns.ts";

const PIECE_BYTES = 64 * 1024;
const RETRY_SECONDS = 30;
const NO_ROOM = /^(ENOSPC|EDQUOT|EFBIG)$/;

const KEPT_MAX = 8;
const FULL_RETRY_SECONDS = 5;

/** What is kept in memory until it is sent; anything larger goes to the disk. */
const IN_MEMORY_MAX = 4 * 1024 * 1024;

/** A file that was made whole. */
export interface Spooled {
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
  readonly bytes: number;
}

/** The files that are being taken, by organization. */
export class Spools {
  readonly #kept = new Map<string, number>();
  readonly #folder: string;

  /** `folder` is where large ones lie. */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  /** Spools a file for an organization as {@link spool} does. Rejects with `429` while it takes too many already. */
  async hold(orgId: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Spooled> {
    const kept = this.#kept.get(orgId) ?? 0;
    if (kept >= KEPT_MAX) {
      await content.cancel();
      const detail = "Several files are being taken already; try again when one of them has arrived.";
      throw new Problem("rate-limited", detail, undefined, { retryAfterSeconds: FULL_RETRY_SECONDS });
    }
    this.#kept.set(orgId, kept + 1);
    const letGo = () => {
      const left = (this.#kept.get(orgId) ?? 0) - 1;
      if (left > 0) this.#kept.set(orgId, left);
      else this.#kept.delete(orgId);
    };
    try {
      return await spool(content, { folder: this.#folder, signal, onClose: letGo });
    } catch (error) {
      letGo();
      throw error;
    }
  }
}

/** Where a file goes, who waits for it, and who is told when it is gone. */
interface Spooling {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

/**
 * Reads all of `content`, into a file without a name where it is large; resolves with what reads it back, once. Rejects
 * with what went wrong with `content`, with `503 unavailable` where there is no room, and with {@link ClientGone} when
 * `signal` tells that nobody waits.
 */
async function spool(content: ReadableStream<Uint8Array>, { folder, signal, onClose }: Spooling): Promise<Spooled> {
  const reader = content.getReader();
  let file: FileHandle | null = null;
  let small: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (signal.aborted) throw new ClientGone();
      bytes += piece.value.length;
      small.push(piece.value);
      if (bytes <= IN_MEMORY_MAX) continue;
      file ??= await openNameless(folder);
      for (const each of small) await writeAll(file, each);
      small = [];
    }
    if (file) return { content: readBack(file, onClose), bytes };
    onClose();
    return { content: Buffer.concat(small), bytes };
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    await file?.close();
    if (!isNoRoom(error)) throw error;
    throw new Problem("unavailable", NO_ROOM_DETAIL, undefined, { retryAfterSeconds: RETRY_SECONDS, cause: error });
  }
}

const NO_ROOM_DETAIL = "There is no room for the file on the server's disk for temporary files.";

/** Nobody else finds it, and it goes when it is closed, or with the process. */
async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `captable-${crypto.randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

function isNoRoom(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_ROOM.test(String(error.code));
}

function readBack(file: FileHandle, onClose: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    onClose();
    await file.close();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, at);
      at += bytesRead;
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await close();
      controller.close();
    },
    cancel: close,
  });
}
