// The reading process: the file comes by standard input, the lines of the answer leave by standard output, as fast as
// they are taken. Once it has begun to read, it opens no path and no socket.
import { readSync, writeSync } from "node:fs";
import { loadReader } from "./read-file.ts";
import { type FilePart, type FileRequest, kindIn } from "./reading-protocol.ts";

const [STDIN, STDOUT] = [0, 1];
const LINE_BREAK = 0x0a;
const BUFFER_BYTES = 64 * 1024;

/** What comes before a part's bytes. */
export type PartHead = { readonly name: string; readonly length: number } | Extract<FilePart, { finding: unknown }>;

/** Reads one file of the kind that the words say, and ends. */
export async function readFileByPipes(words: readonly string[]): Promise<void> {
  const linesOf = await loadReader(kindIn(words));
  const input = new Input();
  const head = input.line();
  if (head === null) throw new Error("nothing was asked");
  const request = JSON.parse(head) as FileRequest;
  const parts: FilePart[] = [];
  for (let line = input.line(); line !== null; line = input.line()) {
    const part = JSON.parse(line) as PartHead;
    parts.push("finding" in part ? part : { name: part.name, bytes: input.bytes(part.length) });
  }
  for await (const lines of linesOf(request, parts)) write(lines);
}

/** A non-blocking pipe reports so when it has nothing or is full. */
const PAUSE_MS = 1;
const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Retries until the pipe is ready. */
function patiently(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

/** Standard input, read as it is needed. */
class Input {
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #from = 0;
  #to = 0;

  /** The next line without its break; null at the end. */
  line(): string | null {
    const bytes: number[] = [];
    for (;;) {
      if (this.#from === this.#to && !this.#fill()) return bytes.length === 0 ? null : textOf(bytes);
      const byte = this.#buffer[this.#from++] as number;
      if (byte === LINE_BREAK) return textOf(bytes);
      bytes.push(byte);
    }
  }

  /** The next so many bytes. */
  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    const there = Math.min(length, this.#to - this.#from);
    bytes.set(this.#buffer.subarray(this.#from, this.#from + there));
    this.#from += there;
    for (let at = there; at < length; ) {
      const read = patiently(() => readSync(STDIN, bytes, at, length - at, null));
      if (read === 0) throw new Error("the file was cut short");
      at += read;
    }
    return bytes;
  }

  #fill(): boolean {
    this.#from = 0;
    this.#to = patiently(() => readSync(STDIN, this.#buffer, 0, BUFFER_BYTES, null));
    return this.#to > 0;
  }
}

function textOf(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Writes to standard output; a full pipe delays it. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(STDOUT, bytes, at));
}
