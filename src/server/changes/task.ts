// Tasks for the thread that changes the database, as plain data, so that they can cross threads.

import type { Principal } from "../../kernel/call.ts";
import type { Visitor } from "../../people/call.ts";
import type { PathParams, Query } from "../../resources/route.ts";
import type { Exported } from "../../storage/database/log/audit.ts";
import type { WriterStatistics } from "../../storage/database/writer.ts";
import type { WireAnswer } from "./answer.ts";
import type { DemandedTags } from "./tags.ts";

/** The caller of a change and its request, as the log records them. */
export interface Asked extends Principal {
  readonly orgId: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** One transaction, with a body that its route's schema accepted. */
export interface WriteTask {
  /** Names the route. */
  readonly operationId: string;
  readonly asked: Asked;
  readonly params: PathParams;
  readonly query?: Query;
  readonly body: Readonly<Record<string, unknown>>;
  /** The tags of which the record must have one. */
  readonly ifMatch?: DemandedTags | undefined;
  /** The request's idempotency key and a digest of its body; null without one. */
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  /** What was worked out for it beforehand; the change rejects with `Outdated` where that no longer holds. */
  readonly plan?: unknown;
}

/** Bytes to be stored as they are. */
export interface UploadTask {
  readonly operationId: string;
  readonly asked: Asked;
  readonly params: PathParams;
  readonly ifMatch?: DemandedTags | undefined;
  readonly content: Uint8Array;
  readonly contentType: string | null;
}

/** Several transactions, from a package that a reading process reads. */
export interface SeriesTask {
  readonly operationId: string;
  readonly asked: Asked;
  readonly query: Query;
  /** The lines of the package, in pieces that end anywhere; if they fail, nothing is written. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A change of accounts by its name (people/commands.ts), and the client address that it is asked from. */
export interface CommandTask {
  readonly name: string;
  readonly visitor: Visitor;
  readonly data: unknown;
}

/** A task of the follow thread by its name (server/threads/follow/followers.ts). */
export interface FollowTaskData {
  readonly name: string;
  readonly data: unknown;
}

/** A file of many records that is about to be sent, and its recipient. */
export interface ExportTask {
  readonly asked: Asked;
  readonly exported: Exported;
}

/** The use of a key or a session. */
export interface Use {
  /** The key's organization; null for a session. */
  readonly orgId: string | null;
  readonly id: string;
  /** The client address that a key was used from; null for a session, which keeps the one where it began. */
  readonly address: string | null;
}

/**
 * Changes the database. A promise settles when the change is on disk, and rejects with the `Problem` that refuses it.
 */
export interface Changes {
  write(task: WriteTask): Promise<WireAnswer>;
  upload(task: UploadTask): Promise<WireAnswer>;
  series(task: SeriesTask): Promise<WireAnswer>;
  /** Executes a change of accounts; the body of the answer is the command's result as JSON. */
  execute(task: CommandTask): Promise<WireAnswer>;
  /** Carries out a task of the follow thread; gives its result. */
  follow(task: FollowTaskData): Promise<unknown>;
  /** Records an export in the organization's log. */
  recordExport(task: ExportTask): Promise<void>;
  /** Notes when a key or a session was last used. No caller waits for it. */
  noteUse(use: Use, at: string): void;
  /** Whether a write can reach the disk. */
  tryToWrite(): Promise<void>;
  /** Figures of the commits so far. */
  readonly statistics: Readonly<WriterStatistics>;
}
