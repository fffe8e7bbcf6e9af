// Threads that read for the one that answers requests: as many as there are cores, begun when they are first needed, and
// ended when they have had nothing to do for a while, for each takes some of the memory of a small machine.
import { availableParallelism } from "node:os";
import { Problem } from "../kernel/problem.ts";
import type { ReadElsewhere, ReadTask, Reply } from "../route.ts";
import { toldError } from "../threads/told-error.ts";
import type { Circumstances, FromThread, ToThread } from "./protocol.ts";

/** How long a thread may work without a word, and how long it may have nothing to do. */
export interface PoolTimes {
  readonly patienceMs: number;
  readonly idleMs: number;
}

const TIMES: PoolTimes = { patienceMs: 120_000, idleMs: 60_000 };
const RETRY_SECONDS = 30;
/** How much of a file may lie ready for whoever writes it down. */
const READY_BYTES_MAX = 256 * 1024;

interface Question {
  readonly resolve: (reply: FromThread) => void;
  readonly reject: (error: Error) => void;
}

/** One thread, which is asked one thing at a time. */
class Thread {
  readonly #worker: Worker;
  readonly #patienceMs: number;
  #question: Question | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #end: Error | null = null;

  constructor(circumstances: Circumstances, patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#worker = new Worker(new URL("./read-thread.ts", import.meta.url).href, { smol: true });
    this.#worker.onmessage = ({ data: reply }: MessageEvent<FromThread>) =>
      this.#settle(({ resolve }) => resolve(reply));
    this.#worker.onerror = ({ message }) => this.#fail(new Error(`a reading thread fails: ${message}`));
    this.#worker.addEventListener("close", () => this.#fail(new Error("a reading thread has stopped")));
    this.#tell({ kind: "open", circumstances });
  }

  /**
   * Asks, after what was asked before; rejects with the refusal or the failure that is answered, and with `503` where
   * nothing is in time.
   */
  ask(message: ToThread): Promise<FromThread> {
    const answered = this.#last.then(() => this.#askNow(message));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #askNow(message: ToThread): Promise<FromThread> {
    if (this.#end) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
    const timer = setTimeout(() => this.#fail(tookTooLong()), this.#patienceMs);
    this.#question = { resolve, reject };
    this.#tell(message);
    const reply = await promise.finally(() => clearTimeout(timer));
    if (reply.kind === "refusal" || reply.kind === "failure") throw toldError(reply);
    return reply;
  }

  /** Whether it has ended, by itself or because it was told to. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  end(): void {
    this.#fail(new Error("the reading threads are closed"));
  }

  #tell(message: ToThread): void {
    if (!this.isOver) this.#worker.postMessage(message);
  }

  #fail(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    this.#worker.terminate();
    this.#settle(({ reject }) => reject(error));
  }

  #settle(how: (question: Question) => void): void {
    const question = this.#question;
    this.#question = null;
    if (question) how(question);
  }
}

function tookTooLong(): Problem {
  return new Problem("unavailable", "This took longer than the server lets anybody read.", undefined, RETRY_SECONDS);
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

  constructor(
    circumstances: Circumstances,
    times: Partial<PoolTimes> = {},
    most = Math.max(2, availableParallelism()),
  ) {
    this.#circumstances = circumstances;
    this.#times = { ...TIMES, ...times };
    this.#most = most;
  }

  /** How many threads there are. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Does a read in the next free thread. Rejects as the route's `run` throws, and with `503 unavailable` where it takes
   * too long. The file of a reply keeps its thread until it was read to its end or cancelled.
   */
  async read(task: ReadTask): Promise<Reply> {
    const thread = await this.#take();
    try {
      const reply = await thread.ask({ kind: "read", task });
      if (reply.kind !== "reply") throw new Error(`a reading thread answered ${reply.kind} for a reply`);
      if (reply.file === undefined) {
        this.#giveBack(thread);
        return { status: reply.status, text: reply.text, isOfMoment: true };
      }
      const { content, ...file } = reply.file;
      if (content !== null) this.#giveBack(thread);
      return { status: reply.status, file: { ...file, content: content ?? this.#contentFrom(thread) } };
    } catch (error) {
      this.#giveBack(thread);
      throw error;
    }
  }

  /** Ends all threads; what they are at is rejected. */
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
    const thread = new Thread(this.#circumstances, this.#times.patienceMs);
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

  /** Ends them all where none has anything to do for a while. */
  #restLater(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#free.length < this.#all.size) return;
      for (const thread of this.#free.splice(0)) thread.end();
      this.#all.clear();
    }, this.#times.idleMs);
    this.#rest.unref();
  }

  #contentFrom(thread: Thread): ReadableStream<Uint8Array> {
    let isHeld = true;
    const letGo = () => {
      if (isHeld) this.#giveBack(thread);
      isHeld = false;
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const piece = await thread.ask({ kind: "next" });
            if (piece.kind === "piece" && piece.bytes !== null) return controller.enqueue(piece.bytes);
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
  }
}
