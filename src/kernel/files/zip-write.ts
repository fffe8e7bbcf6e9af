// Writes a zip archive as a stream with bounded memory: files are pulled piece by piece, packed and handed on, and the
// event loop gets a turn after every piece, so that an export of a million entries delays no other request. Files come
// in order; each may use the checksums of those before it.
import { createHash } from "node:crypto";
import { Zip } from "fflate";
import { assert } from "../assert.ts";
import { giveWay } from "../threads/give-way.ts";
import { PackedFile } from "./packed-file.ts";

/** Checksums of the files written so far, lowercase hex MD5 of their exact bytes, by file name. */
export type Md5s = ReadonlyMap<string, string>;

/**
 * One file to write. `chunks` is called at the file's turn; the pieces are joined unchanged, in UTF-8. A producer that
 * reads much before its first byte yields empty pieces, which give the event loop a turn.
 */
export interface ZipFile {
  readonly name: string;
  chunks(md5s: Md5s): Iterable<string>;
}

/** Options. The same files and options give the same bytes. */
export interface ZipOptions {
  /** Deflate level; 3 is as fast as 1 and packs JSON nearly as well as 6. Default 3. */
  readonly level?: 1 | 2 | 3 | 4 | 5 | 6;
  /** Whether each file receives the checksums of the previous ones. Default true. */
  readonly hasMd5s?: boolean;
  /** The time stamp of every file: `2026-01-15T14:30:00`, without a zone. Default 1980-01-01. */
  readonly modifiedAt?: string;
}

const PIECE_BYTES = 64 * 1024;
/** Larger archives need zip64, which the packer does not write. */
const BYTES_MAX = 0xffffffff;

/** Packs `files`, in order. Stopping early closes the iterables. Throws if the archive would exceed 4 GB. */
export async function* zipStream(files: Iterable<ZipFile>, options: ZipOptions = {}): AsyncGenerator<Uint8Array> {
  const { level = 3, hasMd5s = true, modifiedAt = "1980-01-01T00:00:00" } = options;
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  let bytes = 0;
  const zip = new Zip((error, piece) => {
    failure ??= error;
    bytes += piece?.length ?? 0;
    if (piece && piece.length > 0) ready.push(piece);
  });
  const take = (): Uint8Array[] => {
    if (failure) throw failure;
    assert(bytes <= BYTES_MAX, "the archive would be larger than 4 GB");
    return ready.splice(0);
  };
  const md5s = new Map<string, string>();
  for (const file of files) {
    assert(!md5s.has(file.name), `two files are called ${file.name}`);
    const hash = hasMd5s ? createHash("md5") : null;
    const entry = new PackedFile(file.name, { level, modifiedAt });
    zip.add(entry);
    try {
      for (const piece of encoded(file.chunks(md5s))) {
        assert(entry.size + piece.length <= BYTES_MAX, `${file.name} would be larger than 4 GB`);
        hash?.update(piece);
        if (piece.length > 0) await entry.push(piece);
        yield* take();
        await giveWay();
      }
      await entry.end();
    } finally {
      entry.close();
    }
    md5s.set(file.name, hash?.digest("hex") ?? "");
    yield* take();
  }
  zip.end();
  yield* take();
}

/** The most UTF-8 bytes for one UTF-16 unit. */
const BYTES_A_UNIT = 3;

/**
 * Joins small pieces of text into bytes of about {@link PIECE_BYTES}, in two alternating buffers: a consumer must be
 * done with a piece before it requests the next but one. Never splits a character.
 */
function* encoded(chunks: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let [buffer, other] = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)];
  let used = 0;
  let half = "";
  const written = (): Uint8Array => {
    const piece = buffer.subarray(0, used);
    [buffer, other, used] = [other, buffer, 0];
    return piece;
  };
  for (const each of chunks) {
    if (each === "") {
      yield new Uint8Array(0);
      continue;
    }
    const chunk = half + each;
    half = endsInHalf(chunk) ? chunk : "";
    if (half !== "") continue;
    const most = chunk.length * BYTES_A_UNIT;
    if (used > 0 && used + most > PIECE_BYTES) yield written();
    if (most > PIECE_BYTES) yield encoder.encode(chunk);
    else used += encoder.encodeInto(chunk, buffer.subarray(used)).written;
  }
  if (used > 0) yield written();
  if (half !== "") yield encoder.encode(half);
}

/** Whether a text ends in the first half of a surrogate pair. */
function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}
