// Messages between the thread that answers requests and those that read for it. Plain data, so that they can be copied.

import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { ReadTask } from "../../../resources/route.ts";

/** What the threads of one service have in common. */
export interface Circumstances {
  /** The database's file. */
  readonly database: string;
  /** Every how many hours the server makes backups; null if it makes none. */
  readonly backupEveryHours: number | null;
  /** A folder with more fonts for documents; null without one. */
  readonly fontDir: string | null;
}

/** To a thread, one read at a time: `open` comes first; `next` and `close` are about the file of the last reply. */
export type ToThread =
  | { readonly kind: "open"; readonly circumstances: Circumstances }
  | { readonly kind: "read"; readonly task: ReadTask }
  | { readonly kind: "next" }
  | { readonly kind: "close" };

/** A file that a thread replies: its bytes, or null where they follow piece by piece. */
interface ToldFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** From a thread. */
export type FromThread =
  | { readonly kind: "reply"; readonly status: 200; readonly bytes: Uint8Array<ArrayBuffer>; readonly file?: undefined }
  | { readonly kind: "reply"; readonly status: 200; readonly file: ToldFile }
  | {
      readonly kind: "piece";
      /** Null at the end. */
      readonly bytes: Uint8Array | null;
      /** At the end: headers that are known only then. */
      readonly trailers?: Readonly<Record<string, string>>;
    }
  | ToldError;
