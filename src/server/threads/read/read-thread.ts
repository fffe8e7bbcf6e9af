// A reading thread: computes long reads, so that they never delay a request. It is an entry point of its own: `Bun.build`
// must be given this file beside the program's.

import { serveThread } from "../../../kernel/threads/thread.ts";
import { READ_SENDING } from "./read-questions.ts";
import { reader } from "./reading.ts";

declare const self: Worker;

serveThread(self, reader().work, READ_SENDING);
