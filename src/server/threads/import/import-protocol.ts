// Messages between the thread of the requests and the one that imports. Plain data, so that they can be copied.
import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { WaitingImport } from "./next.ts";
import type { FileOfImport } from "./perform.ts";

/** To the thread: `open` comes first; `recover` where the thread before it ended in the midst of an import, which it gives up. */
export type ToThread =
  | {
      readonly kind: "open";
      /** The database's file. */
      readonly database: string;
      /** Shared memory: not 0 once the thread is to stop. */
      readonly stop: Int32Array;
    }
  | { readonly kind: "recover"; readonly import: WaitingImport }
  | { readonly kind: "look" }
  /** The lines of the file that is being read; each is answered by `taken`, and then comes how they ended. */
  | { readonly kind: "piece"; readonly bytes: Uint8Array }
  | { readonly kind: "pieces-end"; readonly error: ToldError | null };

/** From the thread: `begins` before each import; `idle` is the answer to `look`, when nothing is left to do. */
export type FromThread =
  | { readonly kind: "begins"; readonly import: WaitingImport }
  | { readonly kind: "idle" }
  /** Asks for a file to be read; one at a time. */
  | { readonly kind: "read"; readonly file: FileOfImport }
  | { readonly kind: "taken" }
  | { readonly kind: "trouble"; readonly message: string; readonly error: ToldError };
