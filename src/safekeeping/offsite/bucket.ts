// A bucket of a server that speaks S3: putting, reading, listing and removing objects under one prefix, each ended where
// nothing moves any more. Only for a process without variables S3_… and AWS_…: the client takes credentials from them.
import type { S3Client } from "bun";
import { KeyFileError, readPrivateFile } from "../../kernel/files/private-file.ts";
import { OffsiteError } from "./offsite-errors.ts";

const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const RETRIES = 2;
/** Before a server that has too much to do is asked again; the next time twice as long. */
const PAUSE_MS = 500;
const STALL_MS = 120_000;
const OBJECTS_MAX = 100_000;
/** What a connection is that the other side has closed. */
const CLOSED = /^(?:ConnectionClosed|ConnectionReset|ECONNRESET|EPIPE)$/;
/** The words of a server that asks for the same again, a little later. */
const BUSY = /^(?:InternalError|ServiceUnavailable|SlowDown)$/;

/** Where the copies are. */
export interface BucketSettings {
  readonly bucket: string;
  /** The server's address, null for that of AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** What the name of every object begins with. */
  readonly prefix: string;
  /** Whether the bucket stands in the path or in the name of the host. */
  readonly style: "path" | "host";
  /** The file with the key's id and secret, a line each. */
  readonly keyFile: string;
}

/** An object in the bucket; its name is without the prefix. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** The objects under one prefix. Every method throws {@link OffsiteError}. */
export class Bucket {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #stallMs: number;
  readonly #pauseMs: number;

  private constructor(client: S3Client, prefix: string, stallMs: number, pauseMs: number) {
    this.#client = client;
    this.#prefix = prefix;
    this.#stallMs = stallMs;
    this.#pauseMs = pauseMs;
  }

  /** Opens it with the key in its file; asks the server nothing. Throws `KeyFileError`. */
  static open(settings: BucketSettings, stallMs: number = STALL_MS, pauseMs: number = PAUSE_MS): Bucket {
    const { bucket, region, prefix, style, keyFile } = settings;
    const { accessKeyId, secretAccessKey } = readBucketKey(keyFile);
    const virtualHostedStyle = style === "host";
    const endpoint = endpointOf(settings);
    const options = { bucket, endpoint, region, accessKeyId, secretAccessKey, virtualHostedStyle, retry: RETRIES };
    return new Bucket(new Bun.S3Client(options), prefix, stallMs, pauseMs);
  }

  /** Puts an object of any length, in parts of 8 MiB of which two are on their way at a time. */
  async put(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const options = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE, retry: RETRIES };
    const writer = this.#client.file(this.#prefix + name, options).writer(options);
    let waiting = 0;
    for await (const piece of pieces) {
      await this.#asked("put", name, Promise.resolve(writer.write(piece)));
      waiting += piece.length;
      if (waiting < PARTS_AT_ONCE * PART_BYTES) continue;
      await this.#asked("put", name, Promise.resolve(writer.flush()));
      waiting = 0;
    }
    await this.#asked("put", name, Promise.resolve(writer.end()));
  }

  /** Gives an object's bytes, piece by piece. More than `bytesMax` are refused as soon as they come. */
  async read(name: string, bytesMax: number, take: (piece: Uint8Array) => void): Promise<void> {
    let bytes = 0;
    const takeCounted = (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes > bytesMax) throw new OffsiteError(`${name}: the server sends more than ${bytesMax} bytes`);
      take(piece);
    };
    await this.#again(
      () => this.#readOnce(name, takeCounted),
      () => bytes === 0,
    );
  }

  async #readOnce(name: string, take: (piece: Uint8Array) => void): Promise<void> {
    const reader = this.#client
      .file(this.#prefix + name)
      .stream()
      .getReader();
    try {
      for (;;) {
        const { done, value } = await this.#asked("read", name, reader.read());
        if (done) return;
        // What is done with a piece fails for reasons of its own, such as a full disk.
        take(value);
      }
    } finally {
      // Not waited for: a server that stalls does not answer that either.
      reader.cancel().catch(() => undefined);
    }
  }

  /** A small object as text; null for a missing one. */
  async readText(name: string, bytesMax: number): Promise<string | null> {
    const pieces: Uint8Array[] = [];
    try {
      await this.read(name, bytesMax, (piece) => pieces.push(Uint8Array.from(piece)));
    } catch (failure) {
      if (failure instanceof OffsiteError && isMissing(failure.code)) return null;
      throw failure;
    }
    return Buffer.concat(pieces).toString("utf8");
  }

  /** Every object, by name. */
  async list(): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    let startAfter: string | undefined;
    for (;;) {
      const page = await this.#list(startAfter);
      const contents = page.contents ?? [];
      for (const { key, size = 0 } of contents) {
        if (key.startsWith(this.#prefix)) found.push({ name: key.slice(this.#prefix.length), bytes: Number(size) });
      }
      const last = contents.at(-1)?.key;
      if (page.isTruncated !== true || last === undefined) break;
      if (startAfter !== undefined && Buffer.compare(Buffer.from(last), Buffer.from(startAfter)) <= 0) {
        throw new OffsiteError("the server lists the same objects again and again");
      }
      if (found.length > OBJECTS_MAX) throw new OffsiteError(`the server lists more than ${OBJECTS_MAX} objects`);
      startAfter = last;
    }
    return found.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  }

  #list(startAfter: string | undefined) {
    const input = { prefix: this.#prefix, ...(startAfter !== undefined && { startAfter }) };
    return this.#again(() => this.#asked("list", "the bucket", this.#client.list(input)));
  }

  /** Removes an object. */
  async remove(name: string): Promise<void> {
    await this.#again(() => this.#asked("remove", name, this.#client.delete(this.#prefix + name)));
  }

  /**
   * What a step gives that may be repeated: a connection that the server has closed meanwhile is told only when it is
   * used again, and a server that has too much to do asks for it later. (The client itself repeats what is put, and
   * nothing else.)
   */
  async #again<T>(step: () => Promise<T>, isAsBefore = () => true): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await step();
      } catch (failure) {
        const code = failure instanceof OffsiteError ? (failure.code ?? "") : "";
        const isBusy = BUSY.test(code);
        if (!(isBusy || CLOSED.test(code)) || tries >= RETRIES || !isAsBefore()) throw failure;
        if (isBusy) await Bun.sleep(this.#pauseMs * 2 ** tries);
      }
    }
  }

  /** What the client gives; throws {@link OffsiteError} for its failures, and where it takes longer than nothing may move. */
  async #asked<T>(doing: string, name: string, step: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new OffsiteError(`could not ${doing} ${name}: nothing moved for ${this.#stallMs / 1000} s`)),
      this.#stallMs,
    );
    try {
      return await Promise.race([step, promise]);
    } catch (failure) {
      throw refusalOf(doing, name, failure);
    } finally {
      clearTimeout(timer);
      // The step that lost may yet fail.
      step.catch(() => undefined);
    }
  }
}

/** The key in a private file: two lines, its id and its secret. Throws `KeyFileError`, which shows neither. */
export function readBucketKey(path: string): { readonly accessKeyId: string; readonly secretAccessKey: string } {
  const lines = readPrivateFile(path).split(/\r?\n/);
  const [accessKeyId = "", secretAccessKey = ""] = lines.map((line) => line.trim());
  if (lines.length !== 2 || accessKeyId === "" || secretAccessKey === "") {
    throw new KeyFileError(`${path} must hold two lines: the id of the bucket's key, and its secret`);
  }
  return { accessKeyId, secretAccessKey };
}

function endpointOf({ bucket, endpoint, region, style }: BucketSettings): string {
  const address = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (style === "host") address.hostname = `${bucket}.${address.hostname}`;
  return address.href.replace(/\/$/, "");
}

function isMissing(code: string | null): boolean {
  return code === "NoSuchKey" || code === "NotFound" || code === "ERR_S3_FILE_NOT_FOUND";
}

function refusalOf(doing: string, name: string, failure: unknown): OffsiteError {
  if (failure instanceof OffsiteError) return failure;
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : null;
  const said = failure instanceof Error ? failure.message : String(failure);
  return new OffsiteError(`could not ${doing} ${name}: ${code === null ? said : `${code}: ${said}`}`, code);
}
