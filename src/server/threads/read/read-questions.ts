// Questions to a reading thread.
import type { Sending } from "../../../kernel/threads/peer.ts";
import type { ReadTask } from "../../../resources/route.ts";

/** What the threads of one service have in common. */
export interface Circumstances {
  /** The database's file. */
  readonly database: string;
  /** Every how many hours the server makes backups; null if it makes none. */
  readonly backupEveryHours: number | null;
  /** Every how many hours it asks for time stamps of checkpoints; null if it asks for none. */
  readonly timestampEveryHours: number | null;
  /** A folder with more fonts for documents; null without one. */
  readonly fontDir: string | null;
}

/** One read at a time: `open` comes first; `next` and `close` are about the file of the last answer. */
export interface ReadQuestions {
  open(circumstances: Circumstances): void;
  read(task: ReadTask): ReadAnswer;
  next(nothing: null): Piece;
  close(nothing: null): void;
}

/** What was read: bytes, plain text, or a file. */
export type ReadAnswer =
  | { readonly plain: string }
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: true }
  | {
      readonly fileName: string;
      readonly contentType: string;
      /** Null where its pieces follow. */
      readonly content: Uint8Array | null;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A piece of a file. */
export interface Piece {
  /** Null at the end. */
  readonly bytes: Uint8Array | null;
  /** At the end: headers that are known only then. */
  readonly trailers?: Readonly<Record<string, string>>;
}

/** An answer of a large company is megabytes: its buffer is moved, not copied twice on the way. */
export const READ_SENDING: Sending = {
  moved(answer) {
    const read = answer as ReadAnswer | Piece | null;
    return read !== null && "isWhole" in read ? [read.bytes.buffer] : [];
  },
};
