// A copy of a database that is soon removed, made by a thread of its own.
import { type ToldError, toldError } from "../../kernel/threads/serialized-error.ts";

/** To the thread: what is to be copied where. */
export interface ToCopyThread {
  readonly file: string;
  readonly into: string;
}

/** From it, at the end. */
export interface FromCopyThread {
  readonly error: ToldError | null;
}

/** Copies the database `file` into the new file `into`, which is not flushed to disk. The asking thread goes on meanwhile. */
export async function copyAside(file: string, into: string): Promise<void> {
  const worker = new Worker(new URL("./copy-thread.ts", import.meta.url).href, { smol: true });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.onmessage = ({ data: { error } }: MessageEvent<FromCopyThread>) =>
      error === null ? resolve() : reject(toldError(error));
    worker.onerror = ({ message }) => reject(new Error(`the copying thread fails: ${message}`));
    worker.addEventListener("close", () => reject(new Error("the copying thread has stopped")));
    worker.postMessage({ file, into } satisfies ToCopyThread);
    await promise;
  } finally {
    worker.terminate();
  }
}
