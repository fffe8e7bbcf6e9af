// The import thread: reads and commits spreadsheets, so that no request waits for one. It is an entry point of its own:
// `Bun.build` must be given this file beside the program's.

import type { FromThread, ToThread } from "./import-protocol.ts";
import { importing } from "./importing.ts";

declare const self: Worker;

const { take } = importing((message: FromThread) => self.postMessage(message));

self.onmessage = ({ data: message }: MessageEvent<ToThread>) => take(message);
