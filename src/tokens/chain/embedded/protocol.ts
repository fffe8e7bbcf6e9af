// Messages between the main thread and the embedded chain's worker. Plain data, so that they can be copied.
import type { NodeError } from "../node-error.ts";

/** To the worker. `open` comes first, `close` last. */
export type ToWorker =
  | { readonly id: number; readonly kind: "open"; readonly path: string }
  | { readonly id: number; readonly kind: "request"; readonly method: string; readonly params: readonly unknown[] }
  | { readonly id: number; readonly kind: "close" };

/**
 * From the worker: the answer to the message with the same id. `failure` is a failure of the worker, not the node's
 * answer.
 */
export type FromWorker =
  | { readonly id: number; readonly kind: "result"; readonly result: unknown }
  | { readonly id: number; readonly kind: "refusal"; readonly error: NodeError }
  | { readonly id: number; readonly kind: "failure"; readonly reason: string };
