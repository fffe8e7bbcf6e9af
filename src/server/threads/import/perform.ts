// Imports: previews one on a copy of the database, so that no request waits for writes that are undone; and commits it,
// in one transaction, if that still does what the preview showed.

import { hasReaderEnded, isTooComplex, UnreadableAnswer } from "../../../exchange/reading/answer-lines.ts";
import { NotAsWritten } from "../../../exchange/spreadsheet/compare/read-back.ts";
import { type Grid, UnreadableFile } from "../../../exchange/spreadsheet/file/grid.ts";
import { filesOf } from "../../../exchange/spreadsheet/file/import-files.ts";
import { changeImport, countAttempt, findImport, putPieces } from "../../../exchange/spreadsheet/imports-store.ts";
import type { Mapping } from "../../../exchange/spreadsheet/mapping/mapping.ts";
import { completeOptions } from "../../../exchange/spreadsheet/options.ts";
import { importSheets } from "../../../exchange/spreadsheet/record/import.ts";
import type { ImportOptions, ImportReport } from "../../../exchange/spreadsheet/record/importing.ts";
import type { Call, Principal } from "../../../kernel/call.ts";
import { type Runtime, toTimestamp, toUtcDate } from "../../../kernel/runtime.ts";
import { DEFAULT_CURRENCY } from "../../../kernel/text/currency.ts";
import { findHead } from "../../../ledger/store.ts";
import { findContent } from "../../../resources/documents/store.ts";
import { findOrganization } from "../../../resources/organization/store.ts";
import { getRecord } from "../../../storage/database/records.ts";
import { submitHopefully } from "../../../storage/database/savepoint.ts";
import type { Reader, Row, Tx } from "../../../storage/database/sql.ts";
import type { ImportFailureCode, ImportsTable } from "../../../storage/database/tables/imports-schema.ts";
import type { Writer } from "../../../storage/database/writer.ts";
import { previewSheets } from "./preview.ts";

/** What executing an import needs. */
export interface Bench {
  readonly writer: Writer;
  readonly runtime: Runtime;
  /** Called at each row; an error that it throws ends the work. */
  readonly pulse: () => void;
  /** Reads a spreadsheet elsewhere. Rejects with {@link UnreadableAnswer} and as a `FileReader` does. */
  readonly read: (file: FileOfImport) => Promise<readonly Grid[]>;
}

/** The file of an import. */
export interface FileOfImport extends ImportKey {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Which import. */
export interface ImportKey {
  readonly orgId: string;
  readonly id: string;
}

const SHOWN_MAX = 1000;
const CHANGED = "The records changed since the preview, so nothing was written. Check the new preview.";

/** Thrown to undo a commit that would differ from the preview. */
class PlanChanged extends Error {
  constructor(readonly report: ImportReport) {
    super(CHANGED);
  }
}

/** A report, as columns of the import. */
export function columnsOf(report: ImportReport) {
  const { format, mode, asOf, rows, counts, problems, warnings, totals, planHash, closed, schedules } = report;
  return {
    ...{ format, mode, asOf, rows, planHash, problemCount: problems.length, warningCount: warnings.length },
    ...{ counts: JSON.stringify(counts), closed, schedules: JSON.stringify(schedules) },
    problems: JSON.stringify(problems.slice(0, SHOWN_MAX)),
    warnings: JSON.stringify(warnings.slice(0, SHOWN_MAX)),
    totals: JSON.stringify(totals),
  };
}

/**
 * Reads an import that is `READING`: it is then `PREVIEWED`, or `FAILED` if its file cannot be read, or recorded as it
 * reads.
 */
export async function readImport(bench: Bench, key: ImportKey): Promise<void> {
  const { writer, runtime } = bench;
  const row = findImport(writer.db, key);
  if (row?.state !== "READING") return;
  const outcome = await previewOf(bench, row).catch(refusal);
  const at = toTimestamp(runtime.nowMs());
  await writer.submit((tx) => {
    // The user deleted it meanwhile, so there is nothing to record.
    if (findImport(tx, key)?.state !== "READING") return;
    if ("failure" in outcome) return fail(tx, key, at, outcome);
    changeImport(tx, key, { state: "PREVIEWED", updatedAt: at, ...columnsOf(outcome) });
    putPieces(tx, key, filesOf(outcome));
  });
}

/** Why an import fails, and the code of that if reading its file takes too much. */
export interface Failure {
  readonly failure: string;
  readonly failureCode?: ImportFailureCode;
}

/** The user's message of an error that is about the file; others are thrown again. */
function refusal(error: unknown): Failure {
  if (error instanceof UnreadableFile || error instanceof UnreadableAnswer || error instanceof NotAsWritten) {
    return { failure: error.message };
  }
  const tooComplex = tooComplexOf(error);
  if (tooComplex === null) throw error;
  return tooComplex;
}

/** The message of a file that takes too much to read, or that ended its reader; null for another error. */
function tooComplexOf(error: unknown): Failure | null {
  if (!isTooComplex(error)) return null;
  return { failure: error.detail, failureCode: hasReaderEnded(error) ? "reader-ended" : "file-too-complex" };
}

/** Records why a file cannot be read, or recorded as it reads. */
export function fail(tx: Tx, key: ImportKey, updatedAt: string, { failure, failureCode }: Failure): void {
  changeImport(tx, key, { state: "FAILED", updatedAt, failure, failureCode: failureCode ?? null });
}

async function previewOf(bench: Bench, row: Row<"imports">): Promise<ImportReport> {
  const { writer, runtime, pulse } = bench;
  const grids = await gridsOf(bench, row);
  return previewSheets(writer.db, callOf(row, runtime), grids, optionsOf(writer.db, row, pulse));
}

/**
 * Reads the file of an import, which is counted before: a file that ends the server must not end each start after it.
 * Rejects with {@link UnreadableFile} and as {@link Bench.read}.
 */
async function gridsOf({ writer, read }: Bench, row: Row<"imports">): Promise<readonly Grid[]> {
  const { orgId, id, documentId, sha256 } = row;
  await writer.submit((tx) => countAttempt(tx, { orgId, id, by: 1 }));
  const content = findContent(writer.db, { orgId, documentId });
  const digest = content && new Bun.CryptoHasher("sha256").update(content).digest("hex");
  if (content === null || digest !== sha256) {
    throw new UnreadableFile("The document has another content than when the import was asked for. Import it anew.");
  }
  // The document's name stands for the only table of a CSV.
  const { path, title } = getRecord<Row<"documents">>(writer.db, "documents", orgId, documentId);
  return read({ orgId, id, name: (path ?? title ?? documentId).replace(/^.*\//, ""), content });
}

function optionsOf(db: Reader, row: Row<"imports">, pulse: () => void): ImportOptions {
  const { orgId, id, documentId, format, mapping, options } = row;
  const currency = findOrganization(db, orgId)?.currency ?? DEFAULT_CURRENCY;
  return {
    ...completeOptions(JSON.parse(options)),
    ...{ importId: id, sourceDocumentId: documentId, currency, format, pulse },
    mapping: mapping === null ? null : (JSON.parse(mapping) as Mapping),
  };
}

/** The call of the writes: in the name of the user who asked for the commit, at the moment of writing. */
function callOf({ orgId, committer }: Row<"imports">, runtime: Runtime): Call {
  const nowMs = runtime.nowMs();
  const noCaller = { actor: "job", apiKeyId: null, accountId: null, actorName: null, sessionId: null } as const;
  const asked = { ...noCaller, requestId: null, method: null, path: null };
  const said =
    committer === null ? asked : (JSON.parse(committer) as Principal & Pick<Call, "requestId" | "method" | "path">);
  return { ...said, orgId, at: toTimestamp(nowMs), today: toUtcDate(nowMs), newId: () => runtime.newId() };
}

/** Commits an import that is `COMMITTING`: all of it, or nothing, and then it is `PREVIEWED` anew and says why. */
export async function commitImport(bench: Bench, key: ImportKey): Promise<void> {
  const { writer, runtime, pulse } = bench;
  const row = findImport(writer.db, key);
  if (row?.state !== "COMMITTING") return;
  try {
    const grids = await gridsOf(bench, row);
    await submitHopefully(writer, (tx, usesSavepoints) => commitIn(tx, row, grids, { runtime, pulse, usesSavepoints }));
  } catch (error) {
    const failure = error instanceof NotAsWritten ? { failure: error.message } : tooComplexOf(error);
    if (failure !== null) {
      await writer.submit((tx) => fail(tx, key, toTimestamp(runtime.nowMs()), failure));
      return;
    }
    const isOfFile = error instanceof UnreadableFile || error instanceof UnreadableAnswer;
    if (!(error instanceof PlanChanged) && !isOfFile) throw error;
    const report = error instanceof PlanChanged ? error.report : null;
    await takeBack({ writer, runtime }, key, { failure: error.message, report });
  }
}

function commitIn(
  tx: Tx,
  row: Row<"imports">,
  grids: readonly Grid[],
  { runtime, pulse, usesSavepoints }: Pick<Bench, "runtime" | "pulse"> & { readonly usesSavepoints: boolean },
): void {
  const { orgId, id } = row;
  const call = callOf(row, runtime);
  const before = findHead(tx, orgId).sequence;
  const report = importSheets(tx, call, grids, { ...optionsOf(tx, row, pulse), usesSavepoints });
  if (report.planHash !== row.planHash || report.problems.length > 0) throw new PlanChanged(report);
  changeImport(tx, { orgId, id }, { ...committedColumns(tx, orgId, before), committedAt: call.at, updatedAt: call.at });
  putPieces(tx, { orgId, id }, filesOf(report));
}

/** Records that an import is committed, and which entries it made. */
export function committedColumns(tx: Tx, orgId: string, before: number) {
  const { sequence } = findHead(tx, orgId);
  const made = sequence > before ? { firstSequence: before + 1, lastSequence: sequence } : {};
  return { state: "COMMITTED", failure: null, ...made } as const satisfies Partial<ImportsTable>;
}

/** Sets an import back to `PREVIEWED`, with the result of making its plan anew, if there is one. */
export async function takeBack(
  { writer, runtime }: Pick<Bench, "writer" | "runtime">,
  key: ImportKey,
  { failure, report }: { readonly failure: string; readonly report: ImportReport | null },
): Promise<void> {
  const anew = report === null ? {} : columnsOf(report);
  await writer.submit((tx) => {
    if (findImport(tx, key)?.state !== "COMMITTING") return;
    changeImport(tx, key, { ...anew, state: "PREVIEWED", updatedAt: toTimestamp(runtime.nowMs()), failure });
    if (report !== null) putPieces(tx, key, filesOf(report));
  });
}
