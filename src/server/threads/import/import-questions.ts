// Questions to the importing thread, and what it asks of the thread of the requests.
import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { WaitingImport } from "./next.ts";
import type { FileOfImport } from "./perform.ts";

/** What the thread is begun with. */
export interface ImportCircumstances {
  /** The database's file. */
  readonly database: string;
  /** Shared memory: not 0 once the thread is to stop. */
  readonly stop: Int32Array;
}

/** To the thread: `open` comes first. */
export interface ImportQuestions {
  open(circumstances: ImportCircumstances): void;
  /** The thread before it ended in the midst of this import, which it gives up. */
  recover(lost: WaitingImport): void;
  /** Answered when nothing is left to do. */
  look(nothing: null): void;
  /** Lines of the file that is being read; answered when they were taken. */
  piece(bytes: Uint8Array): void;
}

/** From the thread. */
export interface ImportAsks {
  /** Comes before each import, and wants no answer. */
  begins(begun: WaitingImport): void;
  /** Wants no answer, either. */
  trouble(trouble: { readonly message: string; readonly error: ToldError }): void;
  /** Reads a file, one at a time, and gives its lines as pieces; answered when all were taken. */
  read(file: FileOfImport): void;
}
