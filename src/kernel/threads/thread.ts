// Threads: one is started, is asked and asks (peer.ts), and is ended; or it fails once, by an error or by its own end.
import { type Answering, type NoQuestions, Peer, type Send, type Sending, type Sent } from "./peer.ts";

/** The other end of a thread, or of what does its work in a test. */
export interface ThreadLine {
  readonly send: Send;
  /** Ends it, whatever it is doing. */
  end(): void;
}

/** Starts a thread: what it sends goes to `take`, and `fail` is called where it ends by itself. */
export type StartThread = (take: (sent: Sent) => void, fail: (error: Error) => void) => ThreadLine;

/** How to start a worker as a thread. `name` names it in errors, such as "the writing thread". */
export function startsWorker(name: string, makeWorker: () => Worker): StartThread {
  return (take, fail) => {
    const worker = makeWorker();
    worker.onmessage = ({ data }: MessageEvent<Sent>) => take(data);
    worker.onerror = ({ message }) => fail(new Error(`${name} fails: ${message}`));
    worker.addEventListener("close", () => fail(new Error(`${name} has stopped`)));
    return { send: (sent, moved) => worker.postMessage(sent, moved), end: () => worker.terminate() };
  };
}

/** What a worker that answers questions, and asks `Theirs`, is made of. */
export type ThreadWork<Theirs, Own> = (asker: Pick<Peer<Theirs, Own>, "ask" | "tell">) => Answering<Own>;

/** Has the worker that this runs in do this work for the thread that started it. */
export function serveThread<Theirs, Own>(
  worker: Pick<Worker, "postMessage" | "onmessage">,
  work: ThreadWork<Theirs, Own>,
  sending: Sending = {},
): void {
  const peer = Peer.answering<Theirs, Own>((sent, moved) => worker.postMessage(sent, moved), work, sending);
  worker.onmessage = ({ data }: MessageEvent<Sent>) => peer.take(data);
}

/** How long a question may take, and what it rejects with then, as the thread is ended. */
export interface Deadline {
  readonly ms: number;
  readonly late: () => Error;
}

/** What a thread is begun with. */
export interface ThreadParts<Own> {
  readonly start: StartThread;
  /** What answers the thread's own questions. */
  readonly own: Answering<Own>;
  readonly sending?: Sending;
  /** Called once where it ends by itself. */
  readonly onLost?: (error: Error) => void;
}

/** A thread that this one has begun: it asks `Theirs`, and is asked `Own`. */
export class Thread<Theirs, Own = NoQuestions> {
  readonly #peer: Peer<Theirs, Own>;
  readonly #line: ThreadLine;
  #rest: Timer | null = null;
  #isOver = false;

  constructor({ start, own, sending, onLost }: ThreadParts<Own>) {
    const send: Send = (sent, moved) => {
      if (!this.#isOver) this.#line.send(sent, moved);
    };
    this.#peer = new Peer<Theirs, Own>(send, own, sending);
    this.#line = start(
      (sent) => {
        if (!this.#isOver) this.#peer.take(sent);
      },
      (error) => {
        if (this.#isOver) return;
        this.end(error);
        onLost?.(error);
      },
    );
  }

  /** Whether it has ended, by itself or on request. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Asks; `moved` are buffers that the question gives away. Rejects as the thread throws, and where it ends. */
  ask: Peer<Theirs, Own>["ask"] = (name, question, moved) => {
    this.#awake();
    return this.#peer.ask(name, question, moved);
  };

  /** Says something that wants no answer. */
  tell: Peer<Theirs, Own>["tell"] = (name, question) => {
    this.#awake();
    this.#peer.tell(name, question);
  };

  /** Has an answer come in time, or ends the thread. */
  async within<A>({ ms, late }: Deadline, answer: Promise<A>): Promise<A> {
    if (ms === Number.POSITIVE_INFINITY) return answer;
    const timer = setTimeout(() => this.end(late()), ms);
    return answer.finally(() => clearTimeout(timer));
  }

  /** Sends what was gathered to be sent together. */
  flush(): void {
    this.#peer.flush();
  }

  /** Ends it after so long without anything said to it; `onEnd` is called then. */
  restAfter(ms: number, onEnd: () => void = () => undefined): void {
    this.#awake();
    this.#rest = setTimeout(() => {
      this.end(new Error("the thread had nothing to do"));
      onEnd();
    }, ms);
    this.#rest.unref();
  }

  /** Ends it, whatever it is doing; its questions reject with the reason. */
  end(why = new Error("the thread was ended")): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#awake();
    this.#peer.fail(why);
    this.#line.end();
  }

  #awake(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = null;
  }
}
