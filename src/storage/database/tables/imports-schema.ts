// The tables of spreadsheet imports as Kysely sees them.
import type { Generated } from "kysely";
import type { Json } from "../../records/columns.ts";

export interface ImportsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly state: ImportState;
  readonly documentId: string;
  /** Of the document when the import was requested: different content is a different file. */
  readonly sha256: string;
  readonly format: string;
  readonly mode: "FULL" | "OUTSTANDING" | null;
  readonly mapping: Json | null;
  readonly options: Json;
  readonly asOf: string | null;
  readonly counts: Json;
  readonly rows: number;
  readonly problemCount: number;
  readonly warningCount: number;
  readonly problems: Json;
  readonly warnings: Json;
  readonly totals: Json;
  /** The number of rows without any remaining shares. */
  readonly closed: Generated<number>;
  /** Vesting schedules that were not understood, with the readable parts of each. */
  readonly schedules: Generated<Json>;
  readonly failure: string | null;
  /** Whether it failed because its file is too costly to read. */
  readonly failureCode: Generated<ImportFailureCode | null>;
  /** The attempts to read its file since the request, or to commit it. */
  readonly attempts: Generated<number>;
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  readonly committedAt: string | null;
  /** SHA-256 of the planned import; null until it is known. */
  readonly planHash: string | null;
  /** The caller and the request of the commit, as the log shows them. */
  readonly committer: Json | null;
}

export type ImportState = "READING" | "PREVIEWED" | "COMMITTING" | "COMMITTED" | "FAILED";

/** The file is too complex: reading it was refused, or the process that read it was ended. */
export type ImportFailureCode = "file-too-complex" | "reader-ended";

/** A piece of a file that an import produced, deflated. */
export interface ImportPiecesTable {
  readonly orgId: string;
  readonly importId: string;
  readonly file: "problems" | "preview";
  readonly number: number;
  readonly content: Uint8Array;
}
