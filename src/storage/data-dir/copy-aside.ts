// A copy of a database that is soon removed, made by a thread of its own.
import { type ToldError, toldError } from "../../kernel/threads/serialized-error.ts";
import { startsWorker } from "../../kernel/threads/thread.ts";

/** To the thread: what is to be copied where. */
export interface ToCopyThread {
  readonly file: string;
  readonly into: string;
}

/** From it, at the end. */
export interface FromCopyThread {
  readonly error: ToldError | null;
}

const startThread = startsWorker<ToCopyThread, FromCopyThread>(
  "the copying thread",
  () => new Worker(new URL("./copy-thread.ts", import.meta.url).href, { smol: true }),
);

/** Copies the database `file` into the new file `into`, which is not flushed to disk. The asking thread goes on meanwhile. */
export async function copyAside(file: string, into: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const line = startThread(({ error }) => (error === null ? resolve() : reject(toldError(error))), reject);
  try {
    line.send({ file, into });
    await promise;
  } finally {
    line.end();
  }
}
