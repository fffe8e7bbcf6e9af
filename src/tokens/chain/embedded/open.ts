// Client of the embedded development chain on the main thread: sends requests to the worker. The chain is one file,
// `chain.db`, in the data directory; other processes may read it, or copy it with SQLite's backup, at any time.

import { startsWorker, Thread } from "../../../kernel/threads/thread.ts";
import { embeddedChainFile } from "../../../storage/data-dir/chain-files.ts";
import { evmChain } from "../evm.ts";
import { isKnownTransaction, nodeError, quote } from "../node-error.ts";
import { type Chain, ChainError } from "../port.ts";
import type { ChainQuestions, NodeAnswer } from "./node-questions.ts";

const startThread = startsWorker("its thread", () => new Worker(new URL("./worker.ts", import.meta.url).href));

/**
 * Opens the embedded chain of a data directory; creates it if it does not exist. Rejects with `embedded-chain-down`.
 */
export async function openEmbeddedChain(dataDir: string): Promise<Chain> {
  const thread = new Thread<ChainQuestions>({ start: startThread, own: {} });
  const answered = <A>(answer: Promise<A>) => answer.catch(({ message }: Error) => Promise.reject(down(message)));
  await answered(thread.ask("open", embeddedChainFile(dataDir))).catch((error: unknown) => {
    thread.end();
    throw error;
  });
  const request = (method: string, params: readonly unknown[]): Promise<NodeAnswer> =>
    answered(thread.ask("request", { method, params }));
  return evmChain({
    embedded: true,
    async request(method, params) {
      const answer = await request(method, params);
      if ("refusal" in answer) throw nodeError(answer.refusal);
      return answer.result;
    },
    async send(raw) {
      const answer = await request("eth_sendRawTransaction", [raw]);
      if ("refusal" in answer && !isKnownTransaction(answer.refusal)) throw nodeError(answer.refusal);
    },
    async close() {
      await answered(thread.ask("close", null));
      thread.end(new Error("it is closed"));
    },
  });
}

function down(reason: string): ChainError {
  return new ChainError("embedded-chain-down", `the embedded chain fails: ${quote(reason, [])}`);
}
