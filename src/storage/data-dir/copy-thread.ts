// A thread that copies a database once. It is an entry point of its own: `Bun.build` must be given this file beside the
// program's.
import { serveThread } from "../../kernel/threads/thread.ts";
import type { CopyQuestions } from "./copy-aside.ts";
import { copyDatabase } from "./copy-store.ts";

declare const self: Worker;

serveThread<unknown, CopyQuestions>(self, () => ({ copy: ({ file, into }) => copyDatabase(file, into, false) }));
