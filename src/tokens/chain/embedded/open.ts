// Client of the embedded development chain on the main thread: sends requests to the worker. The chain is one file,
// `chain.db`, in the data directory; other processes may read it, or copy it with SQLite's backup, at any time.

import { Questions } from "../../../kernel/threads/questions.ts";
import { startsWorker } from "../../../kernel/threads/thread.ts";
import { embeddedChainFile } from "../../../storage/data-dir/chain-files.ts";
import { evmChain } from "../evm.ts";
import { isKnownTransaction, nodeError, quote } from "../node-error.ts";
import { type Chain, ChainError } from "../port.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/**
 * Opens the embedded chain of a data directory; creates it if it does not exist. Rejects with `embedded-chain-down`.
 */
export async function openEmbeddedChain(dataDir: string): Promise<Chain> {
  const worker = startChain();
  await worker.ask({ kind: "open", path: embeddedChainFile(dataDir) }).catch((error: unknown) => {
    worker.stop();
    throw error;
  });
  const request = (method: string, params: readonly unknown[]) => worker.ask({ kind: "request", method, params });
  return evmChain({
    embedded: true,
    async request(method, params) {
      const reply = await request(method, params);
      if (reply.kind === "refusal") throw nodeError(reply.error);
      return reply.result;
    },
    async send(raw) {
      const reply = await request("eth_sendRawTransaction", [raw]);
      if (reply.kind === "refusal" && !isKnownTransaction(reply.error)) throw nodeError(reply.error);
    },
    async close() {
      await worker.ask({ kind: "close" });
      worker.stop();
    },
  });
}

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
type Answered = Exclude<FromWorker, { kind: "failure" }>;
const startThread = startsWorker<ToWorker, FromWorker>(
  "its thread",
  () => new Worker(new URL("./worker.ts", import.meta.url).href),
);

/** A thread with pending requests. Once it has failed, every request fails. */
function startChain() {
  const questions = new Questions<Answered>();
  const line = startThread(
    (reply) => {
      if (reply.kind === "failure") questions.refuse(reply.id, down(reply.reason));
      else questions.answer(reply.id, reply);
    },
    ({ message }) => questions.fail(down(message)),
  );
  return {
    ask: (message: Unnumbered<ToWorker>): Promise<Answered> =>
      questions.ask((id) => line.send({ ...message, id } satisfies ToWorker)),
    stop(): void {
      questions.fail(down("it is closed"));
      line.end();
    },
  };
}

function down(reason: string): ChainError {
  return new ChainError("embedded-chain-down", `the embedded chain fails: ${quote(reason, [])}`);
}
