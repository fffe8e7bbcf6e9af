// Storage limits: the quota of an organization, and the free disk space that uploads must leave. One organization's
// files must not fill the quota of others, nor the disk space that records need.

import { Problem } from "../../kernel/problem.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { findStoredBytes } from "./store.ts";

/** The disk's free space, and the size of the write-ahead log, in bytes. */
export interface DiskState {
  readonly freeBytes: number;
  readonly walBytes: number;
}

/** The limits. */
export interface RoomParts {
  /** Bytes that an organization may store; 0: no limit. */
  readonly allowedBytes: number;
  /** Null: the disk is not checked. */
  readonly disk: (() => DiskState) | null;
}

const FREE_BYTES_MIN = 512 * 1024 * 1024;
/** A checkpoint, and a preview on a copy, write the same amount again. */
const WALS_FREE = 4;
const RETRY_SECONDS = 60;

/** Admits uploads of files, packages and previews. */
export class Room {
  readonly #parts: RoomParts;
  /** The bytes reserved for packages under import. */
  readonly #reserved = new Map<string, number>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** Throws `503 disk-low` if the disk has less free space than records may need. */
  refuseLowDisk(): void {
    if (this.#parts.disk === null) return;
    const { freeBytes, walBytes } = this.#parts.disk();
    if (freeBytes >= Math.max(FREE_BYTES_MIN, WALS_FREE * walBytes)) return;
    const detail = "The server's disk is nearly full, and it takes no files at the moment. Other writes go on.";
    throw new Problem("disk-low", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
  }

  /** Throws `409 storage-full` if `addedBytes` more exceed the organization's quota; shrinking is always admitted. */
  refuseFull(db: Reader, orgId: string, addedBytes: number): void {
    const { allowedBytes } = this.#parts;
    if (allowedBytes === 0 || addedBytes <= 0) return;
    const used = (findStoredBytes(db, { id: orgId }) ?? 0) + (this.#reserved.get(orgId) ?? 0);
    if (used + addedBytes <= allowedBytes) return;
    const detail =
      `The organization uses ${used} of ${allowedBytes} bytes of storage, and this needs ${addedBytes} more. ` +
      "Replace or shorten stored documents, or ask the operator of the server for more storage.";
    throw new Problem("storage-full", detail, undefined, { members: { used, allowed: allowedBytes } });
  }

  /**
   * Reserves storage for a package during its import; returns the function that releases it. Throws as {@link
   * refuseFull}.
   */
  reserve(db: Reader, orgId: string, bytes: number): () => void {
    this.refuseFull(db, orgId, bytes);
    this.#add(orgId, bytes);
    return () => this.#add(orgId, -bytes);
  }

  /** The bytes beyond the organization's quota; 0 within it. */
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

/** Unlimited storage. */
export const UNLIMITED_ROOM = new Room({ allowedBytes: 0, disk: null });
