// What the thread of the requests and the one that imports say to each other. Plain data, so that it can be copied.
import type { ToldError } from "../threads/told-error.ts";
import type { WaitingImport } from "./next.ts";

/** To the thread: `open` comes first; `recover` where the thread before it ended in the midst of an import, which it gives up. */
export type ToThread =
  | {
      readonly kind: "open";
      /** The database's file. */
      readonly database: string;
      /** Shared memory: not 0 once the thread is to leave off. */
      readonly stop: Int32Array;
    }
  | { readonly kind: "recover"; readonly import: WaitingImport }
  | { readonly kind: "look" };

/** From the thread: `begins` before each import; `idle` is the answer to `look`, when nothing is left to do. */
export type FromThread =
  | { readonly kind: "begins"; readonly import: WaitingImport }
  | { readonly kind: "idle" }
  | { readonly kind: "trouble"; readonly message: string; readonly error: ToldError };
