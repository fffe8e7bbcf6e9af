// The import thread's client, in the thread of the requests: starts the thread when an import waits, and ends it when
// it has been idle for a while.
import { gathered } from "../../../exchange/reading/answer-lines.ts";
import type { FileReader } from "../../../exchange/reading/reading-protocol.ts";
import { tellError, toldError } from "../../../kernel/threads/serialized-error.ts";
import { type StartThread, startsWorker, type ThreadLine } from "../../../kernel/threads/thread.ts";
import type { FromThread, ToThread } from "./import-protocol.ts";
import type { WaitingImport } from "./next.ts";
import type { FileOfImport } from "./perform.ts";

const IDLE_MS = 60_000;
const STOP_MS = 10_000;

/** Starts what does the imports, usually a thread. */
export type StartImporting = StartThread<ToThread, FromThread>;

const startThread: StartImporting = startsWorker(
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
  readonly start?: StartImporting | undefined;
}

/** Has imports executed. */
export class ImportThread {
  readonly #parts: ImportThreadParts;
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #line: ThreadLine<ToThread> | null = null;
  /** How many `look` messages are unanswered. */
  #looks = 0;
  #idle: Timer | null = null;
  #isStopped = false;
  #settled: (() => void) | null = null;
  /** The import under way, or the one at which the thread was lost. */
  #begun: WaitingImport | null = null;
  /** Aborts the reading of a file. */
  #reading: AbortController | null = null;
  #taken: (() => void) | null = null;

  constructor(parts: ImportThreadParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread. */
  get isBegun(): boolean {
    return this.#line !== null;
  }

  /** Makes the thread look for imports that wait. */
  look(): void {
    if (this.#isStopped) return;
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    const line = this.#line ?? this.#begin();
    this.#looks++;
    line.send({ kind: "look" });
  }

  /** Stops the thread; a commit under way is undone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#idle) clearTimeout(this.#idle);
    if (this.#line === null) return;
    Atomics.store(this.#stop, 0, 1);
    this.#reading?.abort();
    if (this.#looks > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#settled = resolve;
      const patience = setTimeout(resolve, STOP_MS);
      await promise;
      clearTimeout(patience);
    }
    this.#end();
  }

  #begin(): ThreadLine<ToThread> {
    const { start = startThread, database } = this.#parts;
    const line: ThreadLine<ToThread> = start(
      (message) => this.#take(message),
      (error) => this.#lose(line, error),
    );
    this.#line = line;
    line.send({ kind: "open", database, stop: this.#stop });
    if (this.#begun !== null) line.send({ kind: "recover", import: this.#begun });
    this.#begun = null;
    return line;
  }

  #take(message: FromThread): void {
    if (message.kind === "trouble") {
      this.#parts.onTrouble(message.message, toldError(message.error));
      return;
    }
    if (message.kind === "begins") {
      this.#begun = message.import;
      return;
    }
    if (message.kind === "taken") {
      this.#taken?.();
      return;
    }
    if (message.kind === "read") {
      void this.#read(message.file);
      return;
    }
    this.#begun = null;
    if (--this.#looks > 0) return;
    this.#settled?.();
    if (this.#isStopped) return;
    this.#idle = setTimeout(() => this.#end(), IDLE_MS);
    this.#idle.unref();
  }

  /** Reads a file for the thread, as fast as it takes the lines. */
  async #read({ orgId, id, name, content }: FileOfImport): Promise<void> {
    const line = this.#line;
    const reading = new AbortController();
    this.#reading = reading;
    const tell = (message: ToThread) => {
      if (line === this.#line) line?.send(message);
    };
    const request = { form: "spreadsheet", gives: "rows", bounds: "served", name } as const;
    const asked = { asker: { orgId, callerId: id }, signal: reading.signal };
    try {
      for await (const bytes of gathered(this.#parts.files.read(request, [{ name, bytes: content }], asked))) {
        const taken = Promise.withResolvers<void>();
        this.#taken = taken.resolve;
        tell({ kind: "piece", bytes });
        await taken.promise;
      }
      tell({ kind: "pieces-end", error: null });
    } catch (error) {
      tell({ kind: "pieces-end", error: tellError(error) });
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  /** The thread ended by itself: another one gives up its import, and continues with the rest. */
  #lose(line: ThreadLine<ToThread>, error: Error): void {
    if (this.#line !== line) return;
    const wasWorking = this.#looks > 0;
    this.#end();
    this.#settled?.();
    this.#parts.onTrouble(error.message, error);
    if (wasWorking) this.look();
  }

  #end(): void {
    const line = this.#line;
    this.#line = null;
    this.#looks = 0;
    this.#reading?.abort();
    this.#taken?.();
    line?.end();
  }
}
