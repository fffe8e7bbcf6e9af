// Questions to the embedded chain's worker.
import type { NodeError } from "../node-error.ts";

/** To the worker: `open` comes first, `close` last. */
export interface ChainQuestions {
  /** Opens the chain in a file. */
  open(path: string): void;
  /** A JSON-RPC request: the node's result, or its refusal. */
  request(asked: { readonly method: string; readonly params: readonly unknown[] }): NodeAnswer;
  /** Closes the file, after the requests that have arrived. */
  close(nothing: null): void;
}

export type NodeAnswer = { readonly result: unknown } | { readonly refusal: NodeError };
