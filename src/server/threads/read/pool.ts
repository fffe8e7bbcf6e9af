// The pool of reading threads: as many as there are turns, started when first needed, and ended after a while without
// work, for each takes some of the memory of a small machine.
import { present } from "../../../kernel/assert.ts";
import { Problem } from "../../../kernel/problem.ts";
import type { NoQuestions } from "../../../kernel/threads/peer.ts";
import { type StartThread, startsWorker, Thread, type ThreadParts } from "../../../kernel/threads/thread.ts";
import type { FileReply, ReadElsewhere, ReadTask, Reply } from "../../../resources/route.ts";
import type { Circumstances, ReadQuestions } from "./read-questions.ts";

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

const startThread = startsWorker(
  "a reading thread",
  () => new Worker(new URL("./read-thread.ts", import.meta.url).href, { smol: true }),
);

/** One thread, which is asked one thing at a time. */
class ReadThread {
  readonly #thread: Thread<ReadQuestions>;
  readonly #times: PoolTimes;
  #deadline = Number.POSITIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    circumstances: Circumstances,
    times: PoolTimes,
    parts: Pick<ThreadParts<NoQuestions>, "start" | "onLost">,
  ) {
    this.#times = times;
    this.#thread = new Thread<ReadQuestions>({ ...parts, own: {} });
    this.#thread.ask("open", circumstances).catch((error: Error) => this.#thread.end(error));
  }

  /**
   * Asks, after what was asked before; rejects with the thread's refusal or failure, and with `503` if no answer comes
   * in time.
   */
  ask: Thread<ReadQuestions>["ask"] = (name, question) => {
    const answered = this.#last.then(() => {
      const now = performance.now();
      if (name === "read") this.#deadline = now + this.#times.fileMs;
      const ms = Math.min(this.#times.patienceMs, Math.max(0, this.#deadline - now));
      return this.#thread.within({ ms, late: () => tookTooLong(this.#times) }, this.#thread.ask(name, question));
    });
    this.#last = answered.catch(() => undefined);
    return answered;
  };

  /** Whether it has ended, by itself or on request. */
  get isOver(): boolean {
    return this.#thread.isOver;
  }

  /** Ends it if it is asked nothing for a while. */
  rest(onEnd: () => void): void {
    this.#thread.restAfter(this.#times.idleMs, onEnd);
  }

  end(): void {
    this.#thread.end(new Error("the reading threads are closed"));
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
  readonly #free: ReadThread[] = [];
  readonly #all = new Set<ReadThread>();
  readonly #waiting: ((thread: ReadThread) => void)[] = [];
  #isClosed = false;
  readonly #start: StartThread;

  /** `most` is how many threads there may be. */
  constructor(
    circumstances: Circumstances,
    most: number,
    given: Partial<PoolTimes> & { start?: StartThread | undefined } = {},
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
      const answer = await thread.ask("read", task);
      if ("content" in answer && answer.content === null) {
        return { status: 200, file: { ...answer, ...this.#contentFrom(thread, settle) } };
      }
      settle();
      this.#giveBack(thread);
      if ("plain" in answer) return { status: 200, plain: answer.plain };
      if ("bytes" in answer) return { status: 200, bytes: answer.bytes, isOfMoment: true };
      return { status: 200, file: { ...answer, content: present(answer.content, "the content of a whole file") } };
    } catch (error) {
      settle();
      this.#giveBack(thread);
      throw error;
    }
  }

  /** Ends all threads; their reads are rejected. */
  close(): void {
    this.#isClosed = true;
    for (const thread of this.#all) thread.end();
    this.#all.clear();
  }

  #take(): Promise<ReadThread> | ReadThread {
    if (this.#isClosed) throw new Error("the reading threads are closed");
    const free = this.#free.pop();
    if (free) return free;
    if (this.#all.size < this.#most) return this.#begin();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #begin(): ReadThread {
    const onLost = () => this.#forget(thread);
    const thread = new ReadThread(this.#circumstances, this.#times, { start: this.#start, onLost });
    this.#all.add(thread);
    return thread;
  }

  #giveBack(thread: ReadThread): void {
    if (thread.isOver) this.#all.delete(thread);
    if (this.#isClosed) return;
    const next = this.#waiting.shift();
    if (next) next(thread.isOver ? this.#begin() : thread);
    else if (!thread.isOver) {
      this.#free.push(thread);
      thread.rest(() => this.#forget(thread));
    }
  }

  #forget(thread: ReadThread): void {
    this.#all.delete(thread);
    const at = this.#free.indexOf(thread);
    if (at >= 0) this.#free.splice(at, 1);
  }

  #contentFrom(
    thread: ReadThread,
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
            const { bytes, trailers } = await thread.ask("next", null);
            if (bytes !== null) return controller.enqueue(bytes);
            known = trailers ?? {};
            letGo();
            controller.close();
          } catch (error) {
            letGo();
            controller.error(error);
          }
        },
        cancel: async () => {
          await thread.ask("close", null).catch(() => undefined);
          letGo();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: READY_BYTES_MAX }),
    );
    return { content, trailers: () => known };
  }
}
