// Reads a zip archive, which may come from a stranger (PKWARE APPNOTE 6.3, without zip64 and encryption). It goes by
// the central directory, inflates one entry at a time, and stops early if the archive would grow beyond its limits.
// Pure.
import { Inflate } from "fflate";
import { mebibytes, tooComplex } from "../../kernel/too-complex.ts";
import { type Findings, type Place, shown } from "./finding.ts";
import { safeName } from "./safe-name.ts";

/** Up to here no ratio is suspicious; above it an entry may be {@link ZipLimits.ratioMax} times as large as packed. */
const UNZIPPED_BYTES_FREE = 32 * 1024 ** 2;
/** Compressed bytes given to the inflater at once, so that it can be stopped in time. */
const SLICE_BYTES = 16 * 1024;

const [END_SIGNATURE, CENTRAL_SIGNATURE, LOCAL_SIGNATURE] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_LENGTH, CENTRAL_LENGTH, LOCAL_LENGTH, COMMENT_MAX] = [22, 46, 30, 65_535];

/** How much an archive may hold; beyond that, reading it throws `file-too-complex`. */
export interface ZipLimits {
  /** Of all read entries together, unpacked. */
  readonly bytesMax: number;
  /** An entry above 32 MiB may be so many times as large as packed. */
  readonly ratioMax: number;
  readonly entriesMax: number;
  /** Whether two entries may share bytes of the archive. */
  readonly mayOverlap: boolean;
}

/** One file of an archive or folder. `read` gives its bytes, or null after saying what is wrong. */
export interface PackageEntry {
  /** With `/` between folders, relative to the root of the package; never leaves it. */
  readonly name: string;
  read(findings: Findings): Promise<Uint8Array | null>;
  /** Of archives: hands the bytes on piece by piece; whether all was well, else after saying what is wrong. */
  stream?(findings: Findings, take: (piece: Uint8Array) => void): boolean;
}

interface CentralEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly localOffset: number;
}

/** Lists the files of the archive in `bytes`; each is unpacked when read. What is wrong becomes findings. */
export function zipEntries(bytes: Uint8Array, findings: Findings, limits: ZipLimits): PackageEntry[] {
  const meter = new UnpackMeter(limits);
  const entries = new Map<string, PackageEntry>();
  const listed = centralDirectory(bytes, findings, limits.entriesMax);
  if (!limits.mayOverlap && doOverlap(listed)) {
    const detail = "Files of the archive overlap, as no program packs them.";
    findings.problem("broken-zip", {}, detail, "Save the file again with the program that made it.");
    return [];
  }
  for (const entry of listed) {
    if (entry.name.endsWith("/")) continue;
    const name = safeName(entry.name);
    if (name === null) {
      const detail = `The name ${shown(entry.name)} is unsafe; the file was ignored.`;
      findings.problem("unsafe-name", { file: entry.name }, detail, "Zip the folder again with plain file names.");
      continue;
    }
    if (entries.has(name)) {
      const detail = "The archive holds two files of this name; the last one counts.";
      findings.problem("duplicate-file", { file: name }, detail, "Keep one of them.");
    }
    const own = { ...entry, name };
    entries.set(name, {
      name,
      read: async (into) => unpack(bytes, own, meter, into),
      stream: (into, take) => unpackTo(bytes, own, { meter, findings: into, take }),
    });
  }
  return [...entries.values()];
}

/** Counts what is unpacked. */
class UnpackMeter {
  readonly #limits: ZipLimits;
  #bytes = 0;
  #ofEntry = 0;
  #packed = 0;

  constructor(limits: ZipLimits) {
    this.#limits = limits;
  }

  /** Another entry begins, of so many packed bytes. */
  entry(packed: number): void {
    this.#ofEntry = 0;
    this.#packed = packed;
  }

  /** So many bytes more were unpacked. Throws `file-too-complex` beyond the limits. */
  add(bytes: number): void {
    const { bytesMax, ratioMax } = this.#limits;
    this.#bytes += bytes;
    this.#ofEntry += bytes;
    if (this.#bytes > bytesMax) {
      throw tooComplex(
        `more than ${mebibytes(bytesMax)} once it is unpacked`,
        `${mebibytes(bytesMax)} are allowed`,
        true,
      );
    }
    if (this.#ofEntry <= UNZIPPED_BYTES_FREE || this.#ofEntry <= this.#packed * ratioMax) return;
    const times = Math.ceil(this.#ofEntry / Math.max(1, this.#packed));
    const allowed = `above ${mebibytes(UNZIPPED_BYTES_FREE)} ${ratioMax} times are allowed`;
    throw tooComplex(`a part that is ${times} times as large as packed, or more`, allowed, true);
  }
}

/** Whether any two entries share bytes, so that little is unpacked many times. */
function doOverlap(entries: readonly CentralEntry[]): boolean {
  const byPlace = entries.toSorted((a, b) => a.localOffset - b.localOffset);
  return byPlace.some((entry, at) => {
    const next = byPlace[at + 1];
    return next !== undefined && entry.localOffset + LOCAL_LENGTH + entry.compressedBytes > next.localOffset;
  });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function centralDirectory(bytes: Uint8Array, findings: Findings, entriesMax: number): CentralEntry[] {
  const view = viewOf(bytes);
  const end = endRecord(view);
  if (end === null) {
    const detail = "The file is no zip archive, or it is cut short.";
    findings.problem("broken-zip", {}, detail, "Download or export it again, or give the unpacked folder.");
    return [];
  }
  const count = view.getUint16(end + 10, true);
  let offset = view.getUint32(end + 16, true);
  if (count > entriesMax || offset === 0xffffffff) {
    const detail = `The archive has more than ${entriesMax} files or 4 GB.`;
    findings.problem("zip-too-large", {}, detail, "Give the unpacked folder with the OCF files only.");
    return [];
  }
  const entries: CentralEntry[] = [];
  for (let i = 0; i < count; i++) {
    if (offset + CENTRAL_LENGTH > bytes.length || view.getUint32(offset, true) !== CENTRAL_SIGNATURE) {
      const detail = `The archive's directory breaks off after ${i} of ${count} files.`;
      findings.problem("broken-zip", {}, detail, "Download or export it again, or give the unpacked folder.");
      break;
    }
    const nameEnd = offset + CENTRAL_LENGTH + view.getUint16(offset + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(offset + CENTRAL_LENGTH, nameEnd)),
      flags: view.getUint16(offset + 8, true),
      method: view.getUint16(offset + 10, true),
      crc: view.getUint32(offset + 16, true),
      compressedBytes: view.getUint32(offset + 20, true),
      localOffset: view.getUint32(offset + 42, true),
    });
    offset = nameEnd + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return entries;
}

function endRecord(view: DataView): number | null {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - COMMENT_MAX);
  for (let i = view.byteLength - END_LENGTH; i >= lowest; i--) {
    if (view.getUint32(i, true) === END_SIGNATURE) return i;
  }
  return null;
}

function unpack(bytes: Uint8Array, entry: CentralEntry, meter: UnpackMeter, findings: Findings): Uint8Array | null {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array) => {
    pieces.push(piece);
    length += piece.length;
  };
  if (!unpackTo(bytes, entry, { meter, findings, take })) return null;
  const content = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    content.set(piece, at);
    at += piece.length;
  }
  return content;
}

/** The target of an entry, the remaining limit of the archive, and the collector of faults. */
interface Unpacking {
  readonly meter: UnpackMeter;
  readonly findings: Findings;
  readonly take: (piece: Uint8Array) => void;
}

function unpackTo(bytes: Uint8Array, entry: CentralEntry, { meter, findings, take }: Unpacking): boolean {
  const place: Place = { file: entry.name };
  const again = "Zip the folder again, without a password and with ordinary compression, or give the folder itself.";
  const broken = (detail: string) => {
    findings.problem("broken-zip", place, detail, again);
    return false;
  };
  if ((entry.flags & 1) !== 0) return broken("The file is encrypted with a password.");
  if (entry.method !== 0 && entry.method !== 8) return broken("The file is packed by a method other than deflate.");
  const packed = packedBytes(bytes, entry);
  if (packed === null) return broken("The archive is damaged: it says that the file lies where it does not.");
  meter.entry(packed.length);
  let crc = 0;
  const checked = (piece: Uint8Array) => {
    crc = Bun.hash.crc32(piece, crc);
    take(piece);
  };
  const ended = entry.method === 0 ? stored(packed, meter, checked) : inflate(packed, meter, checked);
  if (ended === "damaged") return broken("The file cannot be unpacked: the archive is damaged.");
  return crc === entry.crc || broken("The file was damaged in the archive (CRC-32 differs).");
}

function packedBytes(bytes: Uint8Array, entry: CentralEntry): Uint8Array | null {
  const { localOffset, compressedBytes } = entry;
  const view = viewOf(bytes);
  if (localOffset + LOCAL_LENGTH > bytes.length || view.getUint32(localOffset, true) !== LOCAL_SIGNATURE) return null;
  const names = view.getUint16(localOffset + 26, true) + view.getUint16(localOffset + 28, true);
  const start = localOffset + LOCAL_LENGTH + names;
  return start + compressedBytes > bytes.length ? null : bytes.subarray(start, start + compressedBytes);
}

type Ended = "whole" | "damaged";

function stored(packed: Uint8Array, meter: UnpackMeter, take: (piece: Uint8Array) => void): Ended {
  meter.add(packed.length);
  take(packed);
  return "whole";
}

function inflate(packed: Uint8Array, meter: UnpackMeter, take: (piece: Uint8Array) => void): Ended {
  let failure: unknown = null;
  const inflater = new Inflate((piece) => {
    if (failure !== null) return;
    try {
      meter.add(piece.length);
      take(piece);
    } catch (error) {
      failure = error;
    }
  });
  try {
    for (let at = 0; at < packed.length || at === 0; at += SLICE_BYTES) {
      inflater.push(packed.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= packed.length);
      if (failure !== null) break;
    }
  } catch {
    return "damaged";
  }
  if (failure !== null) throw failure;
  return "whole";
}
