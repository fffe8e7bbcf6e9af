// Messages to and from the reader of an uploaded file: plain data and lines of JSON, so that it can be a process of its
// own or another thread.

import type { Asker } from "../../kernel/fair-queue.ts";
import type { FieldError } from "../../kernel/problem.ts";
import type { ToldError } from "../../kernel/threads/serialized-error.ts";
import type { Finding } from "../ocf/finding.ts";
import type { ColumnRange } from "../spreadsheet/file/grid.ts";
import type { CellLine } from "../spreadsheet/file/sheet-lines.ts";

/** A file that is to be read, and for what. */
export interface FileRequest {
  /** What it is: a workbook or CSV; a package as a zip, as the files of a folder, or as the JSON body of a request. */
  readonly form: "spreadsheet" | "zip" | "folder" | "body";
  /** The expected content: the rows of sheets, the objects of a package, or its faults. */
  readonly gives: "rows" | "objects" | "findings";
  /** The limits that hold. */
  readonly bounds: "served" | "command";
  /** What the file is called: it names the only table of a CSV. */
  readonly name: string;
  /** Of a body: what else is wrong with its request, to be said with what is wrong with it. */
  readonly errors?: readonly FieldError[];
}

/** What decides how a file is read. */
export type FileKind = Pick<FileRequest, "form" | "gives">;

/** The first word of a reading process's arguments: no command that users type. */
export const READ_FILE = "read-file";

/** The words after it, which say what the process is to load. */
export function wordsOf({ form, gives }: FileKind): string[] {
  return [form, gives];
}

/** What such words say. */
export function kindIn([form, gives]: readonly string[]): FileKind {
  return { form, gives } as FileKind;
}

/** One file of what is to be read, or what was found while it was gathered. */
export type FilePart = { readonly name: string; readonly bytes: Uint8Array } | { readonly finding: Finding };

/** One line of the answer. The last one is `end`, `refused` or `unreadable`. */
export type FileLine =
  | { readonly sheet: { readonly name: string; readonly isHidden: boolean } }
  | { readonly row: readonly [number: number, cells: readonly CellLine[]] }
  | { readonly merged: readonly string[] }
  | { readonly hiddenRows: readonly number[] }
  | { readonly hiddenColumns: readonly ColumnRange[] }
  | { readonly manifest: { readonly name: string; readonly value: Readonly<Record<string, unknown>> | null } }
  | { readonly issuerFile: { readonly name: string; readonly issuer: Readonly<Record<string, unknown>> } }
  /** Its items follow. */
  | { readonly file: { readonly name: string; readonly fileType: string; readonly md5: string | null } }
  | { readonly item: unknown }
  | { readonly finding: Finding }
  /** What a body says besides its package. */
  | { readonly asked: { readonly dryRun: boolean } }
  | { readonly end: { readonly objects: number } }
  | { readonly refused: ToldError }
  /** The file is not of the expected kind: one line says why. */
  | { readonly unreadable: string };

/** Bytes of one line of an answer, at most. */
export const LINE_BYTES_MAX = 1024 ** 2;
/** Bytes of an answer, at most. */
export const ANSWER_BYTES_MAX = 512 * 1024 ** 2;

/**
 * The caller of a file (of an import: the import), and how long it waits for its turn: without `patienceMs` as long as
 * it takes.
 */
export interface Asked {
  readonly asker: Asker;
  readonly signal?: AbortSignal | undefined;
  readonly patienceMs?: number;
}

/**
 * Reads a file elsewhere: the lines of the answer, in pieces that may end anywhere, taken as fast as they are used.
 * Rejects with `file-too-complex` where the reader was ended, with `503 unavailable` where no turn comes in time, and
 * with what `signal` says.
 */
export interface FileReader {
  read(request: FileRequest, parts: Parts, asked: Asked): Pieces;
}

/** The parts of a file, in memory or as they are read from the disk. */
export type Parts = AsyncIterable<FilePart> | Iterable<FilePart>;
/** Bytes of lines. */
export type Pieces = AsyncIterable<Uint8Array>;
