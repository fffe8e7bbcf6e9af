// The pool of reading threads: as many as there are turns, started when first needed, and ended after a while without
// work, for each takes some of the memory of a small machine.
import { Problem } from "../../../kernel/problem.ts";
import { toldError } from "../../../kernel/threads/serialized-error.ts";
import { type StartThread, startsWorker, type ThreadLine } from "../../../kernel/threads/thread.ts";
import type { FileReply, ReadElsewhere, ReadTask, Reply } from "../../../resources/route.ts";
import type { Circumstances, FromThread, ToThread } from "./read-protocol.ts";

/** How long a thread may work without a message or on one file, and how long it may be idle. */
export interface PoolTimes {
  readonly patienceMs: number;
  readonly fileMs: number;
  readonly idleMs: number;
  /** The `Retry-After` of a read that took too long. */
  readonly retrySeconds: number;
}

const TIMES: PoolTimes = {
  patienceMs: 120_000,
  fileMs: Number.POSITIVE_INFINITY,
  idleMs: 60_000,
  retrySeconds: 30,
};
/** Limits of the reading threads. */
export const REPORT_TIMES: Partial<PoolTimes> = { fileMs: 120_000, retrySeconds: 5 };
/** How much of a file may be buffered for its reader. */
const READY_BYTES_MAX = 256 * 1024;

/** Starts what computes the reads of one turn, usually a thread. */
export type StartReading = StartThread<ToThread, FromThread>;

const startThread: StartReading = startsWorker(
  "a reading thread",
  () => new Worker(new URL("./read-thread.ts", import.meta.url).href, { smol: true }),
);

interface Question {
  readonly resolve: (reply: FromThread) => void;
  readonly reject: (error: Error) => void;
}

/** One thread, which does one read at a time. */
class Thread {
  readonly #line: ThreadLine<ToThread>;
  readonly #times: PoolTimes;
  #deadline = Number.POSITIVE_INFINITY;
  #question: Question | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #end: Error | null = null;

  constructor(circumstances: Circumstances, times: PoolTimes, start: StartReading) {
    this.#times = times;
    const take = (reply: FromThread) => this.#settle(({ resolve }) => resolve(reply));
    this.#line = start(take, (error) => this.#fail(error));
    this.#tell({ kind: "open", circumstances });
  }

  /**
   * Sends a message, after those sent before; rejects with the thread's refusal or failure, and with `503` if no answer
   * comes in time.
   */
  ask(message: ToThread): Promise<FromThread> {
    const answered = this.#last.then(() => this.#askNow(message));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #askNow(message: ToThread): Promise<FromThread> {
    if (this.#end) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
    const now = performance.now();
    if (message.kind === "read") this.#deadline = now + this.#times.fileMs;
    const patienceMs = Math.min(this.#times.patienceMs, Math.max(0, this.#deadline - now));
    const timer = setTimeout(() => this.#fail(tookTooLong(this.#times)), patienceMs);
    this.#question = { resolve, reject };
    this.#tell(message);
    const reply = await promise.finally(() => clearTimeout(timer));
    if (reply.kind === "refusal" || reply.kind === "failure") throw toldError(reply);
    return reply;
  }

  /** Whether it has ended, by itself or on request. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  end(): void {
    this.#fail(new Error("the reading threads are closed"));
  }

  #tell(message: ToThread): void {
    if (!this.isOver) this.#line.send(message);
  }

  #fail(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    this.#line.end();
    this.#settle(({ reject }) => reject(error));
  }

  #settle(how: (question: Question) => void): void {
    const question = this.#question;
    this.#question = null;
    if (question) how(question);
  }
}

function tookTooLong({ retrySeconds }: PoolTimes): Problem {
  return new Problem("unavailable", "This took longer than the server allows a read to take.", undefined, {
    retryAfterSeconds: retrySeconds,
  });
}

/** Reads in threads. */
export class ReadThreads implements ReadElsewhere {
  readonly #circumstances: Circumstances;
  readonly #times: PoolTimes;
  readonly #most: number;
  readonly #free: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #waiting: ((thread: Thread) => void)[] = [];
  #rest: Timer | null = null;
  #isClosed = false;

  readonly #start: StartReading;

  /** `most` is how many threads there may be. */
  constructor(
    circumstances: Circumstances,
    most: number,
    given: Partial<PoolTimes> & { start?: StartReading | undefined } = {},
  ) {
    const { start = startThread, ...times } = given;
    this.#circumstances = circumstances;
    this.#times = { ...TIMES, ...times };
    this.#start = start;
    this.#most = most;
  }

  /** How many threads there are. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Does a read in the next free thread. Rejects as the route's `run` throws, and with `503 unavailable` if it takes
   * too long. The file of a reply keeps its thread until it was read to its end or cancelled; its thread is ended if
   * `signal` says that the client has gone.
   */
  async read(task: ReadTask, signal?: AbortSignal): Promise<Reply> {
    const thread = await this.#take();
    const leave = () => thread.end();
    signal?.addEventListener("abort", leave, { once: true });
    const settle = () => signal?.removeEventListener("abort", leave);
    try {
      const reply = await thread.ask({ kind: "read", task });
      if (reply.kind !== "reply") throw new Error(`a reading thread answered ${reply.kind} for a reply`);
      if (reply.file === undefined) {
        settle();
        this.#giveBack(thread);
        return { status: reply.status, bytes: reply.bytes, isOfMoment: true };
      }
      const { content, ...file } = reply.file;
      if (content !== null) {
        settle();
        this.#giveBack(thread);
        return { status: reply.status, file: { ...file, content } };
      }
      return { status: reply.status, file: { ...file, ...this.#contentFrom(thread, settle) } };
    } catch (error) {
      settle();
      this.#giveBack(thread);
      throw error;
    }
  }

  /** Ends all threads; their reads are rejected. */
  close(): void {
    this.#isClosed = true;
    if (this.#rest) clearTimeout(this.#rest);
    for (const thread of this.#all) thread.end();
    this.#all.clear();
  }

  #take(): Promise<Thread> | Thread {
    if (this.#isClosed) throw new Error("the reading threads are closed");
    const free = this.#free.pop();
    if (free) return free;
    if (this.#all.size < this.#most) return this.#begin();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #begin(): Thread {
    const thread = new Thread(this.#circumstances, this.#times, this.#start);
    this.#all.add(thread);
    return thread;
  }

  #giveBack(thread: Thread): void {
    if (thread.isOver) this.#all.delete(thread);
    if (this.#isClosed) return;
    const next = this.#waiting.shift();
    if (next) next(thread.isOver ? this.#begin() : thread);
    else if (!thread.isOver) this.#free.push(thread);
    if (this.#free.length === this.#all.size) this.#restLater();
  }

  /** Ends all threads if they are idle for a while. */
  #restLater(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#free.length < this.#all.size) return;
      for (const thread of this.#free.splice(0)) thread.end();
      this.#all.clear();
    }, this.#times.idleMs);
    this.#rest.unref();
  }

  #contentFrom(
    thread: Thread,
    settle: () => void,
  ): Pick<FileReply, "trailers"> & { content: ReadableStream<Uint8Array> } {
    let isHeld = true;
    let known: Readonly<Record<string, string>> = {};
    const letGo = () => {
      settle();
      if (isHeld) this.#giveBack(thread);
      isHeld = false;
    };
    const content = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const piece = await thread.ask({ kind: "next" });
            if (piece.kind === "piece" && piece.bytes !== null) return controller.enqueue(piece.bytes);
            if (piece.kind === "piece") known = piece.trailers ?? {};
            letGo();
            controller.close();
          } catch (error) {
            letGo();
            controller.error(error);
          }
        },
        cancel: async () => {
          await thread.ask({ kind: "close" }).catch(() => undefined);
          letGo();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: READY_BYTES_MAX }),
    );
    return { content, trailers: () => known };
  }
}
