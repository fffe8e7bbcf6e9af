// A thread that walks beside the one that verifies. It is an entry point of its own: `Bun.build` must be given this file
// beside the program's.
import { serveThread } from "../../kernel/threads/thread.ts";
import { walking } from "./walking.ts";

declare const self: Worker;

serveThread(self, walking);
