// The tar format (POSIX ustar), as far as backups need it: plain files one after the other, so that a backup can be
// read with any tar program. Pure: headers only, no files.
import { assert } from "../../kernel/assert.ts";

/** A tar file is made of blocks of this many bytes. */
export const BLOCK_BYTES = 512;

const NAME = { at: 0, bytes: 100 };
const SIZE = { at: 124, bytes: 12 };
const CHECKSUM = { at: 148, bytes: 8 };
const MAGIC = { at: 257, text: "ustar\u000000" };
const OCTAL_SIZE_MAX = 0o77777777777;
const BASE_256 = 0x80;

/** A file in the archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: number;
}

/** How many bytes of padding follow a file of `bytes` bytes. */
export function padding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** The header of a file, by default one that only its owner can read. `seconds` since the epoch; names are short ASCII. */
export function encodeHeader({ name, bytes }: Entry, seconds: number, mode = 0o600): Uint8Array {
  assert(/^[\x21-\x7e]{1,99}$/.test(name), `${name} is no name for a tar file`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, NAME.at, "ascii");
  header.write(`${mode.toString(8).padStart(7, "0")}\u00000000000\u00000000000\u0000`, 100, "ascii");
  if (bytes <= OCTAL_SIZE_MAX) header.write(`${bytes.toString(8).padStart(11, "0")}\u0000`, SIZE.at, "ascii");
  else {
    header[SIZE.at] = BASE_256;
    header.writeBigUInt64BE(BigInt(bytes), SIZE.at + 4);
  }
  header.write(`${Math.floor(seconds).toString(8).padStart(11, "0")}\u0000`, 136, "ascii");
  header.write("0", 156, "ascii");
  header.write(MAGIC.text, MAGIC.at, "ascii");
  header.write(`${checksum(header).toString(8).padStart(6, "0")}\u0000 `, CHECKSUM.at, "ascii");
  return header;
}

/** Reads a header; null at the archive's end, undefined for bytes that are not a header. */
export function decodeHeader(block: Uint8Array): Entry | null | undefined {
  const header = Buffer.from(block);
  if (header.every((byte) => byte === 0)) return null;
  const field = ({ at, bytes }: { at: number; bytes: number }) =>
    header.toString("ascii", at, at + bytes).split("\u0000", 1)[0] ?? "";
  if (header.length !== BLOCK_BYTES || Number.parseInt(field(CHECKSUM), 8) !== checksum(header)) return undefined;
  const isLarge = (header[SIZE.at] ?? 0) === BASE_256;
  const bytes = isLarge ? Number(header.readBigUInt64BE(SIZE.at + 4)) : Number.parseInt(field(SIZE), 8);
  return Number.isSafeInteger(bytes) ? { name: field(NAME), bytes } : undefined;
}

/** The sum of the header's bytes, with the checksum's own counted as spaces. */
function checksum(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => {
    const isOwn = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.bytes;
    return sum + (isOwn ? 0x20 : byte);
  }, 0);
}
