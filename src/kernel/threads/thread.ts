// Threads: one is started, takes messages, sends messages, and is ended; or it fails once, by an error or by its own end.

/** The other end of a thread, or of what does its work in a test. */
export interface ThreadLine<To> {
  /** `moved` are buffers that the message gives away, instead of copies of them. */
  send(message: To, moved?: ArrayBuffer[]): void;
  /** Ends it, whatever it is doing. */
  end(): void;
}

/** Starts a thread: its messages go to `take`, and `fail` is called where it ends by itself. */
export type StartThread<To, From> = (take: (message: From) => void, fail: (error: Error) => void) => ThreadLine<To>;

/** How to start a worker as a thread. `name` names it in errors, such as "the writing thread". */
export function startsWorker<To, From>(name: string, makeWorker: () => Worker): StartThread<To, From> {
  return (take, fail) => {
    const worker = makeWorker();
    worker.onmessage = ({ data }: MessageEvent<From>) => take(data);
    worker.onerror = ({ message }) => fail(new Error(`${name} fails: ${message}`));
    worker.addEventListener("close", () => fail(new Error(`${name} has stopped`)));
    return { send: (message, moved = []) => worker.postMessage(message, moved), end: () => worker.terminate() };
  };
}
