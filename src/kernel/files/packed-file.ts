// A compressed file of a zip archive: the system's deflate packs one piece in a thread of its own while the next is
// read.
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";
import type { AsyncFlateStreamHandler, ZipInputFile } from "fflate";

/** Options of the compression. */
export interface Packing {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** The time stamp: `2026-01-15T14:30:00`, without a zone. */
  readonly modifiedAt: string;
}

/** The method of zip archives that is called deflate. */
const DEFLATE = 8;

/** One file of a `Zip`, which receives its packed pieces through `ondata`. */
export class PackedFile implements ZipInputFile {
  readonly filename: string;
  readonly mtime: string;
  readonly compression = DEFLATE;
  size = 0;
  crc = 0;
  /** Set by `Zip`: receives the packed pieces. */
  ondata?: AsyncFlateStreamHandler;
  readonly #deflate: DeflateRaw;
  #failure: Error | null = null;
  /** The previous piece, until it is packed. */
  #packing: Promise<void> = Promise.resolve();

  constructor(filename: string, { level, modifiedAt }: Packing) {
    this.filename = filename;
    this.mtime = modifiedAt;
    this.#deflate = createDeflateRaw({ level });
    this.#deflate.on("data", (packed: Uint8Array<ArrayBuffer>) => this.ondata?.(null, packed, false));
    this.#deflate.on("error", (error: Error) => {
      this.#failure = error;
    });
  }

  /** Accepts a piece; waits until the previous one is packed. */
  async push(piece: Uint8Array): Promise<void> {
    this.size += piece.length;
    this.crc = crc32(piece, this.crc);
    await this.#packing;
    this.#packing = this.#written((done) => this.#deflate.write(piece, done));
  }

  /** Packs the rest. */
  async end(): Promise<void> {
    await this.#packing;
    await new Promise<void>((resolve) => {
      this.#deflate.once("end", resolve);
      this.#deflate.once("error", () => resolve());
      this.#deflate.end();
    });
    if (this.#failure) throw this.#failure;
    this.ondata?.(null, new Uint8Array(0), true);
  }

  /** Releases the thread, also if the file was not read to its end. */
  close(): void {
    this.#deflate.destroy();
  }

  #written(write: (done: (error?: Error | null) => void) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    write((error) => (error ? reject(error) : resolve()));
    // The next call of push or end throws it.
    promise.catch(() => undefined);
    return promise;
  }
}
