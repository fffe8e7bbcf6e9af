// What is asked of whoever changes the database, as plain data: so that it can be another thread.
import type { WriterStatistics } from "../database/writer.ts";
import type { FieldError } from "../kernel/problem.ts";
import type { PathParams, Query } from "../route.ts";
import type { WireAnswer } from "./answer.ts";

/** Who asks for a change, and by which request: what the log tells of it. */
export interface Asked {
  readonly orgId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** One transaction, with a body that is as its route wants it. */
export interface WriteTask {
  /** Names the route. */
  readonly operationId: string;
  readonly asked: Asked;
  readonly params: PathParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** The request's idempotency key and a digest of its body; null without one. */
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
}

/** Bytes to be stored as they are. */
export interface UploadTask {
  readonly operationId: string;
  readonly asked: Asked;
  readonly params: PathParams;
  readonly content: Uint8Array;
  readonly contentType: string | null;
}

/** Several transactions, from a body that nobody has looked into yet. */
export interface SeriesTask {
  readonly operationId: string;
  readonly asked: Asked;
  readonly content: Uint8Array;
  readonly type: "json" | "zip";
  readonly query: Query;
  /** What is wrong with the request besides its body: told together with what is wrong with that. */
  readonly errors: readonly FieldError[];
}

/** Changes the database. What is asked settles when it is on disk, and rejects with the `Problem` in its way. */
export interface Changes {
  write(task: WriteTask): Promise<WireAnswer>;
  upload(task: UploadTask): Promise<WireAnswer>;
  series(task: SeriesTask): Promise<WireAnswer>;
  /** Notes when a key was last used. Nobody waits for it. */
  noteUse(key: { readonly orgId: string; readonly id: string }, at: string): void;
  /** Whether a write gets to the disk. */
  tryToWrite(): Promise<void>;
  /** What happened in the commits so far. */
  readonly statistics: Readonly<WriterStatistics>;
}
