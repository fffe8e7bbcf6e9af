// Splits an answer's pieces, which end anywhere, into lines, and reads its end.
import { Problem } from "../../kernel/problem.ts";
import { toldError } from "../../kernel/threads/serialized-error.ts";
import { TOO_MUCH } from "../../kernel/too-complex.ts";
import { type FileLine, LINE_BYTES_MAX } from "./reading-protocol.ts";

const LINE_BREAK = 0x0a;
const GATHERED_BYTES = 256 * 1024;

/** The file is not of the expected kind: one line says why. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** What takes the lines of an answer, but for those that say how it ended. */
export type TakeLine = (line: FileLine) => void;

/** Takes pieces, and gives their lines on. */
export class LineReader {
  readonly #take: TakeLine;
  readonly #decoder = new TextDecoder();
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #end: Extract<FileLine, { end: unknown } | { refused: unknown } | { unreadable: unknown }> | null = null;

  constructor(take: TakeLine) {
    this.#take = take;
  }

  /** Takes a piece. Throws `file-too-complex` where a line is longer than one may be. */
  push(piece: Uint8Array): void {
    const end = piece.lastIndexOf(LINE_BREAK);
    if (end !== -1) this.#takeLines(piece.subarray(0, end));
    if (end + 1 === piece.length) return;
    this.#restBytes += piece.length - end - 1;
    if (this.#restBytes > LINE_BYTES_MAX) throw new Problem("file-too-complex", TOO_MUCH);
    this.#rest.push(piece.subarray(end + 1));
  }

  /**
   * How many objects there were, once all pieces were taken. Throws what the reading was refused for, and
   * {@link UnreadableAnswer}.
   */
  end(): number {
    const end = this.#end;
    if (end === null) throw new Error("an answer has no end");
    if ("refused" in end) throw toldError(end.refused);
    if ("unreadable" in end) throw new UnreadableAnswer(end.unreadable);
    return end.end.objects;
  }

  /** Takes what was left over and these bytes, which end with a line: lines are small, so all are decoded together. */
  #takeLines(last: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restBytes = 0;
    for (const text of this.#decoder.decode(bytes).split("\n")) {
      const line = JSON.parse(text) as FileLine;
      if ("end" in line || "refused" in line || "unreadable" in line) this.#end = line;
      else this.#take(line);
    }
  }
}

/** Takes all lines of an answer; resolves and rejects as {@link LineReader.end}. */
export async function takeLines(pieces: AsyncIterable<Uint8Array>, take: TakeLine): Promise<number> {
  const reader = new LineReader(take);
  for await (const piece of pieces) reader.push(piece);
  return reader.end();
}

/** The same pieces, small ones joined: their receiver acknowledges each. */
export async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < GATHERED_BYTES) continue;
    yield Uint8Array.from(Buffer.concat(held));
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Uint8Array.from(Buffer.concat(held));
}

/** Whether what was thrown is a refusal of the file for what it takes to read it. */
export function isTooComplex(thrown: unknown): thrown is Problem {
  return thrown instanceof Problem && thrown.slug === "file-too-complex";
}

/** The code of the cause, where the reading process ended although it was within its limits. */
export const READER_ENDED = "READER_ENDED";

/** Whether a file was refused because the reading process ended by itself. */
export function hasReaderEnded({ cause }: Problem): boolean {
  return cause instanceof Error && "code" in cause && cause.code === READER_ENDED;
}
