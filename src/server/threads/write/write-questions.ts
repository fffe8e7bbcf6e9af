// Questions to the writing thread, and what it says by itself.

import type { ImportNews } from "../../../exchange/ocf/import/under-way.ts";
import type { Message } from "../../../kernel/threads/peer.ts";
import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { KeyEnvironment } from "../../../resources/api-keys/key.ts";
import type { WriterStatistics } from "../../../storage/database/writer.ts";
import type { WireAnswer } from "../../changes/answer.ts";
import type {
  CommandTask,
  ExportTask,
  FollowTaskData,
  SeriesTask,
  UploadTask,
  Use,
  WriteTask,
} from "../../changes/task.ts";
import type { Config } from "../../config.ts";

/** What the thread is begun with. */
export interface WriteCircumstances {
  readonly config: Config;
  readonly environment: KeyEnvironment;
  /** The URL that links are made with. */
  readonly publicUrl: string;
  /** Shared memory: when a request last came, in milliseconds since `timeOrigin`. */
  readonly lastRequest: Float64Array;
  readonly timeOrigin: number;
}

/** To the thread: `open` comes first, `stop` last. */
export interface WriteQuestions {
  open(circumstances: WriteCircumstances): void;
  write(task: WriteTask): WireAnswer;
  command(task: CommandTask): WireAnswer;
  export(task: ExportTask): void;
  follow(task: FollowTaskData): unknown;
  try(nothing: null): void;
  /** Wants no answer. */
  use(used: { readonly use: Use; readonly at: string }): void;
  upload(task: UploadTask): WireAnswer;
  /** Answered when all is done; its pieces follow under the same number, and then how they ended. */
  series(begun: { readonly of: number; readonly task: Omit<SeriesTask, "pieces"> }): WireAnswer;
  /** Answered when it was taken. */
  piece(piece: { readonly of: number; readonly bytes: Uint8Array }): void;
  endPieces(end: { readonly of: number; readonly isWhole: boolean }): void;
  /** Answered when all that it was given is done. */
  stop(nothing: null): void;
}

/** From the thread, each without an answer. */
export interface WriteNews {
  /** Comes with the answers of a commit. */
  statistics(statistics: WriterStatistics): void;
  /** An unreliable disk. */
  broken(error: ToldError): void;
  import(news: ImportNews): void;
  /** What the background work waits for. */
  trouble(trouble: { readonly line: TroubleLine; readonly error: ToldError }): void;
}

/** A line of the log. */
export interface TroubleLine {
  readonly time: string;
  readonly message: string;
}

const GATHERED: ReadonlySet<string> = new Set<keyof WriteQuestions>([
  "write",
  "command",
  "export",
  "follow",
  "try",
  "use",
]);

/** Whether a question goes with others of one turn of the event loop. */
export function isGatheredQuestion(message: Message): boolean {
  return "ask" in message && GATHERED.has(message.ask);
}
