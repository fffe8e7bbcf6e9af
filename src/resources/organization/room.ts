// What an organization may store, and what the disk must have left: one organization's files are not to take the room of
// all others, nor the disk the room that records need.

import { Problem } from "../../kernel/problem.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { findStoredBytes } from "./store.ts";

/** What the disk has left, and how long the log of what was written last is, in bytes. */
export interface DiskState {
  readonly freeBytes: number;
  readonly walBytes: number;
}

/** What room is there. */
export interface RoomParts {
  /** Bytes that an organization may store; 0: no limit. */
  readonly allowedBytes: number;
  /** Null: it is not looked at. */
  readonly disk: (() => DiskState) | null;
}

const FREE_BYTES_MIN = 512 * 1024 * 1024;
/** A checkpoint, and a preview on a copy, write as much again. */
const WALS_FREE = 4;
const RETRY_SECONDS = 60;

/** Admits what stores files, packages and previews. */
export class Room {
  readonly #parts: RoomParts;
  /** What packages will store that are being imported. */
  readonly #reserved = new Map<string, number>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** Throws `503 disk-low` where the disk has less left than records may need. */
  refuseLowDisk(): void {
    if (this.#parts.disk === null) return;
    const { freeBytes, walBytes } = this.#parts.disk();
    if (freeBytes >= Math.max(FREE_BYTES_MIN, WALS_FREE * walBytes)) return;
    const detail = "The server's disk is nearly full, and it takes no files at the moment. Other writes go on.";
    throw new Problem("disk-low", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
  }

  /** Throws `409 storage-full` where `addedBytes` more are beyond what the organization may store; less is always admitted. */
  refuseFull(db: Reader, orgId: string, addedBytes: number): void {
    const { allowedBytes } = this.#parts;
    if (allowedBytes === 0 || addedBytes <= 0) return;
    const used = (findStoredBytes(db, { id: orgId }) ?? 0) + (this.#reserved.get(orgId) ?? 0);
    if (used + addedBytes <= allowedBytes) return;
    const detail =
      `The organization stores ${used} bytes of the ${allowedBytes} that it may, and this is ${addedBytes} more. ` +
      "Replace or shorten what is stored, or ask the operator of the server for more room.";
    throw new Problem("storage-full", detail, undefined, { members: { used, allowed: allowedBytes } });
  }

  /** Keeps room for a package while it is imported; returns what gives it back. Throws as {@link refuseFull}. */
  reserve(db: Reader, orgId: string, bytes: number): () => void {
    this.refuseFull(db, orgId, bytes);
    this.#add(orgId, bytes);
    return () => this.#add(orgId, -bytes);
  }

  /** What the organization stores beyond what it may, in bytes; 0 where it does not. */
  excessOf(db: Reader, orgId: string): number {
    const { allowedBytes } = this.#parts;
    return allowedBytes === 0 ? 0 : Math.max(0, (findStoredBytes(db, { id: orgId }) ?? 0) - allowedBytes);
  }

  #add(orgId: string, bytes: number): void {
    const reserved = (this.#reserved.get(orgId) ?? 0) + bytes;
    if (reserved === 0) this.#reserved.delete(orgId);
    else this.#reserved.set(orgId, reserved);
  }
}

/** Where nothing is limited. */
export const UNLIMITED_ROOM = new Room({ allowedBytes: 0, disk: null });
