// The backup file: a tar archive of `manifest.json` and of whole SQLite files, each with its SHA-256. Keys and seeds
// are never in it: a person who finds a backup can read the cap table, and can sign nothing.
import { createHash } from "node:crypto";
import { fstatSync, fsyncSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { findFaults } from "../../kernel/check.ts";
import { PIECE_BYTES, readPieces, withFile, writeAll } from "../../storage/data-dir/durable-files.ts";
import { BLOCK_BYTES, decodeHeader, encodeHeader, padding } from "./tar.ts";

const MANIFEST_NAME = "manifest.json";
const MANIFEST_BYTES_MAX = 16 * PIECE_BYTES;
const FORMAT = "captable-backup";
const FORMAT_VERSION = 1;
/** The format of the file of one organization (moving/moved-manifest.ts). */
export const ORGANIZATION_FORMAT = "captable-organization";

const Organization = Type.Object({
  orgId: Type.String(),
  legalName: Type.String(),
  entries: Type.Integer(),
  head: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
  log: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
});

const ManifestShape = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  createdAt: Type.String(),
  /** The version of the program that wrote it. */
  program: Type.String(),
  /** Each organization's ledger head; empty in a copy made before a migration. */
  organizations: Type.Array(Organization),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: "^[a-z]+\\.db$" }),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
  /** The key files that were beside the data and are not in the backup. */
  keyFiles: Type.Array(Type.String()),
  /** The checkpoints of each organization and the instance, as signed notes; missing in an unsigned backup. */
  notes: Type.Optional(Type.Array(Type.String())),
  /** The public key that signed the canonical JSON of all other members, and the signature in base64. */
  signature: Type.Optional(Type.Object({ key: Type.String(), value: Type.String() })),
});

/** The manifest. */
export type Manifest = Static<typeof ManifestShape>;

/** A file is a damaged backup, or not a backup: exit status 4. */
export class BackupDamagedError extends Error {
  override readonly name = "BackupDamagedError";
}

/** Called with the progress, from 0 to 1. */
export type OnProgress = (done: number) => void;

/** Makes the manifest from its parts. */
export function makeManifest(parts: Omit<Manifest, "format" | "formatVersion">): Manifest {
  return { format: FORMAT, formatVersion: FORMAT_VERSION, ...parts };
}

/** What every manifest has: the files that follow it. */
export type Listing = Pick<Manifest, "files" | "signature">;

/** The input of an archive. */
export interface ArchiveParts {
  readonly manifest: Listing;
  /** The folder of the files that it lists. */
  readonly folder: string;
  readonly nowMs: number;
  readonly onProgress: OnProgress;
}

/** Writes an archive of the files that the manifest lists to the new file `path`, and flushes it. */
export function writeArchive(path: string, { manifest, folder, nowMs, onProgress }: ArchiveParts): void {
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = nowMs / 1000;
  let written = 0;
  withFile(path, "wx", (out) => {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    writeAll(out, encodeHeader({ name: MANIFEST_NAME, bytes: text.length }, seconds));
    writeAll(out, text);
    writeAll(out, new Uint8Array(padding(text.length)));
    for (const file of manifest.files) {
      writeAll(out, encodeHeader(file, seconds));
      withFile(join(folder, file.name), "r", (source) => {
        readPieces(source, file.bytes, (piece) => {
          writeAll(out, piece);
          written += piece.length;
          onProgress(written / total);
        });
      });
      writeAll(out, new Uint8Array(padding(file.bytes)));
    }
    writeAll(out, new Uint8Array(2 * BLOCK_BYTES));
    fsyncSync(out);
  });
}

/**
 * Reads a whole backup and checks every checksum; `into` names a folder to unpack to, null only checks. Throws
 * {@link BackupDamagedError}.
 */
export function readArchive(path: string, into: string | null, onProgress: OnProgress): Manifest {
  return readFiles(path, { into, onProgress, known: knownManifest });
}

/** How an archive is read. */
interface Reading<M extends Listing> {
  readonly into: string | null;
  readonly onProgress: OnProgress;
  /** The manifest that a JSON value is; throws for another. */
  readonly known: (value: unknown) => M;
}

/** The same for an archive of any kind. */
export function readFiles<M extends Listing>(path: string, { into, onProgress, known }: Reading<M>): M {
  return withFile(path, "r", (file) => {
    const total = fstatSync(file).size;
    let read = 0;
    const manifest = known(readManifest(file));
    for (const expected of manifest.files) {
      const entry = readHeader(file);
      if (entry?.name !== expected.name || entry.bytes !== expected.bytes) {
        throw new BackupDamagedError(`the backup does not hold ${expected.name} where its manifest says so`);
      }
      const hash = createHash("sha256");
      const take = (write: (piece: Uint8Array) => void) =>
        readPieces(file, expected.bytes, (piece) => {
          hash.update(piece);
          write(piece);
          read += piece.length;
          onProgress(Math.min(1, read / total));
        });
      if (into === null) take(() => undefined);
      else {
        withFile(join(into, expected.name), "wx", (out) => {
          take((piece) => writeAll(out, piece));
          fsyncSync(out);
        });
      }
      if (hash.digest("hex") !== expected.sha256) {
        throw new BackupDamagedError(`the backup's ${expected.name} is not as it was written (checksum)`);
      }
      skip(file, padding(expected.bytes));
    }
    return manifest;
  });
}

function readManifest(file: number): unknown {
  const entry = readHeader(file);
  if (entry?.name !== MANIFEST_NAME || entry.bytes > MANIFEST_BYTES_MAX) {
    throw new BackupDamagedError("this is not a backup made by captable");
  }
  const pieces: Uint8Array[] = [];
  readPieces(file, entry.bytes, (piece) => pieces.push(Uint8Array.from(piece)));
  skip(file, padding(entry.bytes));
  return parse(Buffer.concat(pieces).toString("utf8"));
}

function knownManifest(manifest: unknown): Manifest {
  if (hasFormat(manifest, ORGANIZATION_FORMAT)) {
    throw new BackupDamagedError("this file holds one organization, which is no backup: captable org export wrote it");
  }
  if (findFaults(ManifestShape, manifest).length > 0) {
    throw new BackupDamagedError("the backup's manifest cannot be read");
  }
  const known = manifest as Manifest;
  if (known.formatVersion > FORMAT_VERSION) {
    throw new BackupDamagedError(
      `the backup was made by a newer captable (${known.program}): restore it with that one`,
    );
  }
  return known;
}

/** Whether a manifest says that it is of this format. */
function hasFormat(manifest: unknown, format: string): boolean {
  return typeof manifest === "object" && manifest !== null && "format" in manifest && manifest.format === format;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readHeader(file: number) {
  const block = Buffer.alloc(BLOCK_BYTES);
  return readSync(file, block, 0, BLOCK_BYTES, null) === BLOCK_BYTES ? decodeHeader(block) : undefined;
}

function skip(file: number, bytes: number): void {
  if (bytes > 0) readSync(file, Buffer.alloc(bytes), 0, bytes, null);
}
