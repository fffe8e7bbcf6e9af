// Worker thread of the embedded chain, so that executing a transaction never delays a request. It is a separate entry
// point: `Bun.build` needs this file besides the program's.
import { present } from "../../../kernel/assert.ts";
import { systemRuntime } from "../../../kernel/runtime.ts";
import { serveThread } from "../../../kernel/threads/thread.ts";
import { NodeRefusal, openEmbeddedNode } from "./node.ts";
import type { ChainQuestions } from "./node-questions.ts";

declare const self: Worker;

let node: Awaited<ReturnType<typeof openEmbeddedNode>> | null = null;

const opened = () => present(node, "an embedded chain that is open");

serveThread<unknown, ChainQuestions>(self, () => ({
  async open(path) {
    node = await openEmbeddedNode(path, systemRuntime);
  },
  async request({ method, params }) {
    try {
      return { result: await opened().request(method, params) };
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const { code, message, data } = error;
      return { refusal: { code, message, data } };
    }
  },
  async close() {
    await opened().close();
    node = null;
  },
}));
