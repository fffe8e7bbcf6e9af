// Reads uploaded files for a service: in a process of their own, small packages in a reading thread; one of each at a time.
import { ReaderEnded, readApart } from "../../exchange/reading/reading-process.ts";
import type {
  Asked,
  FilePart,
  FileReader,
  FileRequest,
  Parts,
  Pieces,
} from "../../exchange/reading/reading-protocol.ts";
import { ReadingQueue } from "../../exchange/reading/reading-queue.ts";
import { READ_FILE_OPERATION, type ReadFileBody } from "../../exchange/reading/thread-route.ts";
import { present } from "../../kernel/assert.ts";
import type { ReadElsewhere } from "../../resources/route.ts";

/** JSON up to this number of bytes is read in a thread. */
const SMALL_BYTES = 1024 ** 2;

/** What the file reader needs. */
export interface FileReaderParts {
  /** The command that starts this program once more; null reads all files in threads, as some tests do. */
  readonly program: readonly string[] | null;
  readonly threads: ReadElsewhere;
  /** Called with the reason why a reading process ended early. */
  readonly onEnded: (error: ReaderEnded) => void;
}

/** Reads uploaded files. */
export class ServiceFileReader implements FileReader {
  readonly #parts: FileReaderParts;
  readonly #queue = new ReadingQueue();
  /** Small ones wait for small ones alone, and never for a process. */
  readonly #smallQueue = new ReadingQueue();

  constructor(parts: FileReaderParts) {
    this.#parts = parts;
  }

  async *read(request: FileRequest, parts: Parts, { asker, signal, patienceMs: ms }: Asked): Pieces {
    const { program, onEnded } = this.#parts;
    const small = await smallParts(request, parts, program === null);
    if (small !== null || program === null) {
      const endSmall = await this.#smallQueue.take(asker, { ms, signal });
      try {
        yield* this.#inThread({ request, parts: small ?? [] }, signal);
      } finally {
        endSmall();
      }
      return;
    }
    const end = await this.#queue.take(asker, { ms, signal });
    try {
      yield* readApart({ program, request, parts, signal });
    } catch (error) {
      if (error instanceof ReaderEnded) onEnded(error);
      throw error;
    } finally {
      end();
    }
  }

  async *#inThread(body: ReadFileBody, signal: AbortSignal | undefined): Pieces {
    const task = { operationId: READ_FILE_OPERATION, orgId: "", params: {}, query: {}, nowMs: 0, body };
    const { file } = await this.#parts.threads.read(task, signal);
    const { content } = present(file, "the lines of a file");
    if (content instanceof Uint8Array) yield content;
    else yield* content;
  }
}

/** The parts of a file that a thread may read; null if it needs a process. */
async function smallParts({ form }: FileRequest, parts: Parts, isAll: boolean): Promise<readonly FilePart[] | null> {
  if (!isAll && form !== "body") return null;
  const all: FilePart[] = [];
  for await (const part of parts) {
    if (!isAll && "bytes" in part && part.bytes.length > SMALL_BYTES) return null;
    all.push(part);
  }
  return all;
}
