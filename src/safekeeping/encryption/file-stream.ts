// A file as a stream of pieces, for the library that encrypts.
import { closeSync, openSync, readSync } from "node:fs";

const PIECE_BYTES = 262_144;

/** A file's bytes, read when they are taken; each piece is shown before. */
export function streamOf(path: string, show: (piece: Uint8Array) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  const file = openSync(path, "r");
  const end = () => closeSync(file);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const piece = new Uint8Array(PIECE_BYTES);
        const count = readSync(file, piece, 0, piece.length, null);
        if (count === 0) {
          end();
          controller.close();
          return;
        }
        show(piece.subarray(0, count));
        controller.enqueue(piece.subarray(0, count));
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
