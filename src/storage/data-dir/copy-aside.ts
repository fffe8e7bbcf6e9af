// A copy of a database that is soon removed, made by a thread of its own.
import { startsWorker, Thread } from "../../kernel/threads/thread.ts";

/** To the thread. */
export interface CopyQuestions {
  /** Copies one file into another. */
  copy(what: { readonly file: string; readonly into: string }): void;
}

const startThread = startsWorker(
  "the copying thread",
  () => new Worker(new URL("./copy-thread.ts", import.meta.url).href, { smol: true }),
);

/** Copies the database `file` into the new file `into`, which is not flushed to disk. The asking thread goes on meanwhile. */
export async function copyAside(file: string, into: string): Promise<void> {
  const thread = new Thread<CopyQuestions>({ start: startThread, own: {} });
  try {
    await thread.ask("copy", { file, into });
  } finally {
    thread.end();
  }
}
