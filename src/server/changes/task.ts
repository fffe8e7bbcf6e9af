// What is asked of whoever changes the database, as plain data: so that it can be another thread.

import type { Principal } from "../../kernel/call.ts";
import type { Visitor } from "../../people/call.ts";
import type { PathParams, Query } from "../../resources/route.ts";
import type { Exported } from "../../storage/database/log/audit.ts";
import type { WriterStatistics } from "../../storage/database/writer.ts";
import type { WireAnswer } from "./answer.ts";

/** Who asks for a change, and by which request: what the log tells of it. */
export interface Asked extends Principal {
  readonly orgId: string;
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
  readonly query?: Query;
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

/** Several transactions, from a package that is read elsewhere. */
export interface SeriesTask {
  readonly operationId: string;
  readonly asked: Asked;
  readonly query: Query;
  /** The lines of the package, in pieces that end anywhere; where they fail, nothing is done. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A change of accounts by its name (people/orders.ts), and from where it is asked for. */
export interface OrderTask {
  readonly name: string;
  readonly visitor: Visitor;
  readonly data: unknown;
}

/** A file of many records that is about to be sent, and to whom. */
export interface ExportTask {
  readonly asked: Asked;
  readonly exported: Exported;
}

/** A key or a session that was used. */
export interface Use {
  /** The key's organization; null for a session. */
  readonly orgId: string | null;
  readonly id: string;
  /** From where a key was used; null for a session, which keeps where it began. */
  readonly address: string | null;
}

/** Changes the database. What is asked settles when it is on disk, and rejects with the `Problem` in its way. */
export interface Changes {
  write(task: WriteTask): Promise<WireAnswer>;
  upload(task: UploadTask): Promise<WireAnswer>;
  series(task: SeriesTask): Promise<WireAnswer>;
  /** Carries out a change of accounts; the body of what it answers is the order's result as JSON. */
  order(task: OrderTask): Promise<WireAnswer>;
  /** Records an export in the organization's log. */
  recordExport(task: ExportTask): Promise<void>;
  /** Notes when a key or a session was last used. Nobody waits for it. */
  noteUse(use: Use, at: string): void;
  /** Whether a write gets to the disk. */
  tryToWrite(): Promise<void>;
  /** What happened in the commits so far. */
  readonly statistics: Readonly<WriterStatistics>;
}
