// Packs files into a zip. What deflates them is the browser's, which speaks gzip: what a zip says of a file is in the last
// bytes of that.
import { Zip, type ZipInputFile } from "fflate";

/** The most files of a zip: their count has two bytes. */
export const ZIP_FILES_MAX = 0xffff;
/** Bytes of gzip around what is deflated, without a name: after it come checksum and size, of four bytes each. */
const [HEAD_BYTES, TAIL_BYTES] = [10, 8];
/** The method of zip archives that is called deflate. */
const DEFLATE = 8;

/** A zip of these files, each with its path; {@link ZIP_FILES_MAX} at most, and 4 GB in all. Rejects if one cannot be read. */
export async function zipOf(files: readonly (readonly [path: string, file: Blob])[]): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const [filename, file] of files) {
    const packed = await new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const crc = new DataView(packed).getUint32(packed.byteLength - TAIL_BYTES, true);
    const entry: ZipInputFile = { filename, size: file.size, crc, compression: DEFLATE };
    zip.add(entry);
    entry.ondata?.(null, new Uint8Array(packed.slice(HEAD_BYTES, -TAIL_BYTES)), true);
  }
  zip.end();
  return new Blob(pieces, { type: "application/zip" });
}
