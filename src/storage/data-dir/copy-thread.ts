// A thread that copies a database once. It is an entry point of its own: `Bun.build` must be given this file beside the
// program's.
import { type ToldError, tellError } from "../../kernel/threads/serialized-error.ts";
import type { FromCopyThread, ToCopyThread } from "./copy-aside.ts";
import { copyDatabase } from "./copy-store.ts";

declare const self: Worker;

self.onmessage = ({ data: { file, into } }: MessageEvent<ToCopyThread>) => {
  let error: ToldError | null = null;
  try {
    copyDatabase(file, into, false);
  } catch (thrown) {
    error = tellError(thrown);
  }
  self.postMessage({ error } satisfies FromCopyThread);
};
