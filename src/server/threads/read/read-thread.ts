// A reading thread: computes long reads, so that they never delay a request. It is an entry point of its own: `Bun.build`
// must be given this file beside the program's.

import type { ToThread } from "./read-protocol.ts";
import { reader } from "./reading.ts";

declare const self: Worker;

const { take } = reader();

self.onmessage = async ({ data: message }: MessageEvent<ToThread>) => {
  const reply = await take(message);
  // An answer of a large company is megabytes: its buffer is moved, not copied twice on the way.
  if (reply !== null)
    self.postMessage(reply, reply.kind === "reply" && reply.file === undefined ? [reply.bytes.buffer] : []);
};
