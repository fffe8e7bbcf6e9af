// The import thread's client, in the thread of the requests: starts the thread when an import waits, and ends it when
// it has been idle for a while.
import { gathered } from "../../../exchange/reading/answer-lines.ts";
import type { FileReader } from "../../../exchange/reading/reading-protocol.ts";
import { toldError } from "../../../kernel/threads/serialized-error.ts";
import { type StartThread, startsWorker, Thread } from "../../../kernel/threads/thread.ts";
import type { ImportAsks, ImportQuestions } from "./import-questions.ts";
import type { WaitingImport } from "./next.ts";
import type { FileOfImport } from "./perform.ts";

const IDLE_MS = 60_000;
const STOP_MS = 10_000;

const startThread = startsWorker(
  "the importing thread",
  () => new Worker(new URL("./import-thread.ts", import.meta.url).href),
);

/** What the client needs. */
export interface ImportThreadParts {
  /** The database's file. */
  readonly database: string;
  /** Reads the files of imports. */
  readonly files: FileReader;
  /** Called with failures that the imports themselves do not report. */
  readonly onTrouble: (message: string, thrown: unknown) => void;
  /** Starts what does them, instead of a thread. */
  readonly start?: StartThread | undefined;
}

type Importing = Thread<ImportQuestions, ImportAsks>;

/** Has imports executed. */
export class ImportThread {
  readonly #parts: ImportThreadParts;
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #thread: Importing | null = null;
  /** How many times the thread still looks for imports. */
  #looks = 0;
  #isStopped = false;
  #settled: (() => void) | null = null;
  /** The import under way, or the one at which the thread was lost. */
  #begun: WaitingImport | null = null;
  /** Aborts the reading of a file. */
  #reading: AbortController | null = null;

  constructor(parts: ImportThreadParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread. */
  get isBegun(): boolean {
    return this.#thread !== null;
  }

  /** Makes the thread look for imports that wait. */
  look(): void {
    if (this.#isStopped) return;
    const thread = this.#thread ?? this.#begin();
    this.#looks++;
    thread.ask("look", null).then(
      () => this.#rest(thread),
      () => undefined,
    );
  }

  /** Stops the thread; a commit under way is undone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#thread === null) return;
    Atomics.store(this.#stop, 0, 1);
    this.#reading?.abort();
    if (this.#looks > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#settled = resolve;
      const patience = setTimeout(resolve, STOP_MS);
      await promise;
      clearTimeout(patience);
    }
    this.#thread?.end();
    this.#forget();
  }

  #begin(): Importing {
    const { start = startThread, database, onTrouble } = this.#parts;
    const thread: Importing = new Thread<ImportQuestions, ImportAsks>({
      start,
      own: {
        begins: (begun) => {
          this.#begun = begun;
        },
        trouble: ({ message, error }) => onTrouble(message, toldError(error)),
        read: (file) => this.#read(thread, file),
      },
      onLost: (error) => this.#lose(error),
    });
    this.#thread = thread;
    thread.tell("open", { database, stop: this.#stop });
    if (this.#begun !== null) thread.tell("recover", this.#begun);
    this.#begun = null;
    return thread;
  }

  /** Nothing is left to do, unless it was asked once more meanwhile. */
  #rest(thread: Importing): void {
    this.#begun = null;
    if (--this.#looks > 0) return;
    this.#settled?.();
    if (!this.#isStopped) thread.restAfter(IDLE_MS, () => this.#forget());
  }

  /** Reads a file for the thread, as fast as it takes the lines. */
  async #read(thread: Importing, { orgId, id, name, content }: FileOfImport): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    const request = { form: "spreadsheet", gives: "rows", bounds: "served", name } as const;
    const asked = { asker: { orgId, callerId: id }, signal: reading.signal };
    try {
      const pieces = this.#parts.files.read(request, [{ name, bytes: content }], asked);
      for await (const bytes of gathered(pieces)) await thread.ask("piece", bytes);
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  /** The thread ended by itself: another one gives up its import, and continues with the rest. */
  #lose(error: Error): void {
    const wasWorking = this.#looks > 0;
    this.#forget();
    this.#settled?.();
    this.#parts.onTrouble(error.message, error);
    if (wasWorking) this.look();
  }

  #forget(): void {
    this.#thread = null;
    this.#looks = 0;
    this.#reading?.abort();
  }
}
