// Worker thread of the embedded chain, so that executing a transaction never delays a request. It is a separate entry
// point: `Bun.build` needs this file besides the program's.
import { systemRuntime } from "../../../kernel/runtime.ts";
import { NodeRefusal, openEmbeddedNode } from "./node.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

declare const self: Worker;

let node: Awaited<ReturnType<typeof openEmbeddedNode>> | null = null;

async function answer(message: ToWorker): Promise<unknown> {
  if (message.kind === "open") {
    node = await openEmbeddedNode(message.path, systemRuntime);
    return null;
  }
  if (node === null) throw new Error("the embedded chain is not open");
  if (message.kind === "request") return node.request(message.method, message.params);
  await node.close();
  node = null;
  return null;
}

self.onmessage = async ({ data: message }: MessageEvent<ToWorker>) => {
  const { id } = message;
  let reply: FromWorker;
  try {
    reply = { id, kind: "result", result: await answer(message) };
  } catch (error) {
    if (error instanceof NodeRefusal) {
      const { code, message: words, data } = error;
      reply = { id, kind: "refusal", error: { code, message: words, data } };
    } else {
      reply = { id, kind: "failure", reason: error instanceof Error ? error.message : String(error) };
    }
  }
  self.postMessage(reply);
};
