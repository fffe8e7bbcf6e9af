// The import thread: reads and commits spreadsheets, so that no request waits for one. It is an entry point of its own:
// `Bun.build` must be given this file beside the program's.

import { serveThread } from "../../../kernel/threads/thread.ts";
import { importing } from "./importing.ts";

declare const self: Worker;

serveThread(self, importing().work);
