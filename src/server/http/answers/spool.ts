// File spool: a file made for one answer is kept in memory while it is small, else written at full speed to an unnamed
// file and sent from there, so that a slow client holds nothing else, least of all a snapshot of the database.
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

/** The size up to which a file stays in memory until it is sent; a larger one goes to the disk. */
const IN_MEMORY_MAX = 4 * 1024 * 1024;

/** A complete file. */
export interface Spooled {
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
  readonly bytes: number;
}

/** The files that are being sent, by organization. */
export class Spools {
  readonly #kept = new Map<string, number>();
  readonly #folder: string;

  /** `folder` holds the large ones. */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  /**
   * Spools a file for an organization as {@link spool} does. Rejects with `429` if the organization takes too many
   * already.
   */
  async hold(orgId: string, content: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Spooled> {
    const kept = this.#kept.get(orgId) ?? 0;
    if (kept >= KEPT_MAX) {
      await content.cancel();
      const detail = "Several files are being downloaded already. Try again when one of them has arrived.";
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

/** The file's folder, the client that waits for it, and a callback for when it is gone. */
interface Spooling {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

/**
 * Reads all of `content`, into an unnamed file if it is large; resolves with a stream that reads it back, once. Rejects
 * with the error of `content`, with `503 unavailable` if there is no room, and with {@link ClientGone} if `signal` says
 * that the client has gone.
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

const NO_ROOM_DETAIL = "The server's disk for temporary files has no room for this file.";

/** No other program finds the file, and it goes when it is closed, or with the process. */
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
