// The follow thread: has its followers work, so that nothing outside delays a request. It is an entry point of its own:
// `Bun.build` must be given this file beside the program's.

import { serveThread } from "../../../kernel/threads/thread.ts";
import { following } from "./following.ts";

declare const self: Worker;

serveThread(self, following().work);
