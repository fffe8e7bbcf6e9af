// Messages between the thread of the requests and the one that writes. Plain data, so that they can be copied.

import type { ImportNews } from "../../../exchange/ocf/import/under-way.ts";
import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { KeyEnvironment } from "../../../resources/api-keys/key.ts";
import type { WriterStatistics } from "../../../storage/database/writer.ts";
import type { WireAnswer } from "../../changes/answer.ts";
import type { CommandTask, ExportTask, SeriesTask, UploadTask, Use, WriteTask } from "../../changes/task.ts";
import type { Config } from "../../config.ts";

/** One order; all but `use` are answered under their number. */
export type Order =
  | { readonly id: number; readonly kind: "write"; readonly task: WriteTask }
  | { readonly id: number; readonly kind: "command"; readonly task: CommandTask }
  | { readonly id: number; readonly kind: "export"; readonly task: ExportTask }
  | { readonly id: number; readonly kind: "try" }
  | { readonly kind: "use"; readonly use: Use; readonly at: string };

/** To the thread: `open` comes first, `stop` last. */
export type ToThread =
  | {
      readonly kind: "open";
      readonly config: Config;
      readonly environment: KeyEnvironment;
      /** The URL that links are made with. */
      readonly publicUrl: string;
      /** Shared memory: when a request last came, in milliseconds since `timeOrigin`. */
      readonly lastRequest: Float64Array;
      readonly timeOrigin: number;
    }
  /** JSON text of orders: copying a text takes a third of the time that copying objects takes. */
  | { readonly kind: "orders"; readonly orders: string }
  | { readonly kind: "upload"; readonly id: number; readonly task: UploadTask }
  /** Answered when all is done; the pieces follow, each answered when it was taken, and then how they ended. */
  | { readonly kind: "series"; readonly id: number; readonly task: Omit<SeriesTask, "pieces"> }
  | { readonly kind: "piece"; readonly id: number; readonly of: number; readonly bytes: Uint8Array }
  | { readonly kind: "pieces-end"; readonly of: number; readonly isWhole: boolean }
  | { readonly kind: "stop" };

/** The outcome of an order. */
export type Outcome =
  | { readonly id: number; readonly answer: WireAnswer | null }
  | { readonly id: number; readonly error: ToldError };

/** The outcomes of orders that were committed together. */
export interface Outcomes {
  readonly outcomes: readonly Outcome[];
  readonly statistics: WriterStatistics;
}

/** From the thread. `broken` reports an unreliable disk, `trouble` what the background work waits for. */
export type FromThread =
  /** JSON text of {@link Outcomes}. */
  | { readonly kind: "outcomes"; readonly outcomes: string }
  | { readonly kind: "broken"; readonly error: ToldError }
  | { readonly kind: "import"; readonly news: ImportNews }
  | {
      readonly kind: "trouble";
      readonly line: { readonly time: string; readonly message: string };
      readonly error: ToldError;
    }
  | { readonly kind: "stopped" };
