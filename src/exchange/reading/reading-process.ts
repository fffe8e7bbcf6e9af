// The reading process as its parent sees it: begun for one file, fed, watched, and ended with it.
import { constants } from "node:os";
import { Problem } from "../../kernel/problem.ts";
import { giveWay } from "../../kernel/threads/give-way.ts";
import { type Limits, runBehindOthers, underLimit, watch } from "../../kernel/threads/limited-process.ts";
import { mebibytes, TOO_MUCH } from "../../kernel/too-complex.ts";
import { READER_ENDED } from "./answer-lines.ts";
import type { PartHead } from "./reading-child.ts";
import { ANSWER_BYTES_MAX, type FileRequest, type Parts, type Pieces, READ_FILE, wordsOf } from "./reading-protocol.ts";

const MEBIBYTE = 1024 ** 2;
/** How much of a file is given to the process at a time: other requests get their turn between two pieces. */
export const PIECE_BYTES = 256 * 1024;
const SAID_MAX = 2000;
/** Without JavaScriptCore's third compiler: it took a quarter of the processor time of a file, and made no large one faster. */
const ENVIRONMENT = { BUN_JSC_useFTLJIT: "0" } as const;

function limits(mebibytesMax: number, seconds: number): Limits {
  const bytes = mebibytesMax * MEBIBYTE;
  return { bytes, privateBytes: 2 * bytes, processorMs: seconds * 1000 };
}

/** What a reading process may take: of the service, and of a command. */
export const PROCESS_LIMITS: Readonly<Record<FileRequest["bounds"], Limits>> = {
  served: limits(768, 60),
  command: limits(4096, 600),
};

/** The reading process ended, and not because the file was read. */
export class ReaderEnded extends Problem {
  /** `why` is for the log. */
  constructor(why: string, isOverLimit: boolean) {
    const cause = Object.assign(new Error(why), { code: isOverLimit ? "" : READER_ENDED });
    super("file-too-complex", TOO_MUCH, undefined, { cause });
  }
}

/** How a reading process is begun. */
export interface ReadingProcess {
  /** The words that start this program once more. */
  readonly program: readonly string[];
  readonly request: FileRequest;
  readonly parts: Parts;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file in a process of its own: the lines of the answer. Rejects with {@link ReaderEnded}. */
export async function* readApart({ program, request, parts, signal }: ReadingProcess): Pieces {
  signal?.throwIfAborted();
  const allowed = PROCESS_LIMITS[request.bounds];
  const child = Bun.spawn(underLimit([...program, READ_FILE, ...wordsOf(request)], allowed), {
    env: ENVIRONMENT,
    cwd: "/",
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  // A file that takes much to read must hold up no request; other files wait for it all the same.
  if (request.bounds === "served") runBehindOthers(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const watched = watch(child, allowed);
  const leave = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", leave, { once: true });
  const said = new Response(child.stderr).text();
  const fed = feed(child.stdin, request, parts);
  let bytes = 0;
  try {
    for await (const piece of child.stdout) {
      bytes += piece.length;
      if (bytes > ANSWER_BYTES_MAX) {
        throw new ReaderEnded(`it answered more than ${mebibytes(ANSWER_BYTES_MAX)}`, true);
      }
      yield piece;
    }
    await fed;
    await watched.ended;
    signal?.throwIfAborted();
    const exceeded = watched.exceeded();
    if (exceeded !== null) throw new ReaderEnded(`the reading process took too much ${exceeded}`, true);
    if (child.exitCode === 0) return;
    const words = (await said).slice(-SAID_MAX).trim();
    // The system may have killed it for its memory, or its own allocation failed.
    const isOverLimit = watched.mostBytes() > allowed.bytes / 2;
    throw new ReaderEnded(`the reading process ended (${child.signalCode ?? child.exitCode}): ${words}`, isOverLimit);
  } finally {
    signal?.removeEventListener("abort", leave);
    child.kill("SIGKILL");
    await watched.ended;
  }
}

/** Writes the request and the file to the process, as fast as it takes them; one that has ended takes nothing more. */
async function feed(stdin: Bun.FileSink, request: FileRequest, parts: Parts): Promise<void> {
  const encoder = new TextEncoder();
  const put = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      stdin.write(bytes.subarray(at, at + PIECE_BYTES));
      await stdin.flush();
      // As long as the process takes them at once, waiting for them gives no other request its turn.
      await giveWay();
    }
  };
  try {
    await put(encoder.encode(`${JSON.stringify(request)}\n`));
    for await (const part of parts) {
      const head: PartHead = "finding" in part ? part : { name: part.name, length: part.bytes.length };
      await put(encoder.encode(`${JSON.stringify(head)}\n`));
      if ("bytes" in part) await put(part.bytes);
    }
    await stdin.end();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}
