// The file of a report that `--out` names: written whole or not at all, with the summary that `--json` prints.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { isCalendarDate } from "../../src/kernel/date.ts";
import { giveToOwnerWithin } from "../../src/kernel/files/ownership.ts";
import { readInstant } from "../../src/kernel/instant.ts";
import { END_OF_TIME, systemRuntime, toUtcDate } from "../../src/kernel/runtime.ts";
import type { FileReply } from "../../src/resources/route.ts";
import { flushToDisk } from "../../src/storage/data-dir/durable-files.ts";
import type { Exported } from "../../src/storage/database/log/audit.ts";
import type { Reader, Row } from "../../src/storage/database/sql.ts";
import { beginningWarnings } from "../../src/views/cap-table/beginning.ts";
import type { Asked } from "../../src/views/reports/report-company.ts";
import { CommandError, type CommonOptions, configOf, say } from "../command.ts";
import { chooseOrganization, withRecords } from "../data.ts";
import { outFile } from "../files/out-file.ts";
import { printBeside, refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "../standard-output.ts";
import { recordExportIn } from "./exported.ts";

/** The options of every report. */
export interface ReportOptions extends CommonOptions {
  readonly org?: string;
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly basis?: string;
  readonly out: string;
}

/** What a report is made from. */
export interface From {
  readonly db: Reader;
  readonly organization: Row<"organizations">;
  readonly asked: Asked;
  readonly of: Asked & { readonly database: string; readonly orgId: string };
}

/** Adds the options that say where a report goes, and of when it is. */
export function withReportOptions(command: Command): Command {
  return command
    .requiredOption("--out <file>", "the file to write, - for standard output; a file that is there is replaced")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--as-of <day>", "as of that day, for instance 2026-01-31 (default: today in UTC)")
    .option("--known-at <time>", "by what was recorded until then, for instance 2026-01-31T12:00:00Z (default: now)");
}

function askedBy({ asOf, knownAt }: ReportOptions): Asked {
  if (asOf !== undefined && !isCalendarDate(asOf)) {
    throw new CommandError(`--as-of ${asOf}: write a day, for instance 2026-01-31`, 2);
  }
  const instant = knownAt === undefined ? null : readInstant(knownAt);
  if (knownAt !== undefined && instant === null) {
    throw new CommandError(`--known-at ${knownAt}: write a time, for instance 2026-01-31T12:00:00Z`, 2);
  }
  return { asOf: asOf ?? toUtcDate(systemRuntime.nowMs()), knownAt: instant };
}

/** What is written, in words; and what the log says of it, where it holds many records. */
interface Report {
  readonly words: string;
  readonly exports?: Pick<Exported, "route" | "format">;
}

/** Makes a report and writes it, and says of what; makes and migrates nothing, and writes at most that into the log. */
export async function writeReport(
  options: ReportOptions,
  { words, exports }: Report,
  make: (from: From) => Promise<FileReply> | FileReply,
) {
  const config = configOf(options);
  const asked = askedBy(options);
  const isSent = options.out === STANDARD_OUTPUT;
  if (isSent) refuseTerminal();
  const out = isSent ? STANDARD_OUTPUT : outFile(options.out, config.dataDir);
  await withRecords(config, async (db) => {
    const organization = chooseOrganization(db, options.org);
    const of = { database: db.sqlite.name, orgId: organization.id, ...asked };
    const file = await make({ db, organization, asked, of });
    const moment = { asOf: options.asOf ?? null, knownAt: asked.knownAt };
    const record = async (bytes: number | null) => {
      if (exports) await recordExportIn(config.dataDir, organization.id, { ...exports, bytes, ...moment });
    };
    // What is sent while it is made has no length yet.
    if (isSent) await record(null);
    const give = (path: string) => giveToOwnerWithin(config.dataDir, path);
    const { bytes, sha256 } = isSent
      ? await sent(piecesOf(file))
      : await writeWhole(out, piecesOf(file), { give, onMade: record });
    const [sequence = "0", headHash = ""] = (file.headers?.["x-captable-head"] ?? "").split(" ");
    const warnings = [...beginningIn(db, of), ...warningsOf(file)];
    for (const warning of warnings) say(`WARNING: ${warning}`);
    const json = {
      file: options.out,
      bytes,
      sha256,
      asOf: asked.asOf,
      headSequence: Number(sequence),
      headHash,
      warnings,
    };
    const line = `Wrote the ${words} of ${organization.legalName} to ${isSent ? "standard output" : options.out} (${bytes} bytes).`;
    printBeside(options.out, options, json, line);
  });
}

/** What a report of a day before the ledger begins says of it. */
function beginningIn(db: Reader, { orgId, asOf, knownAt }: From["of"]): readonly string[] {
  return beginningWarnings(db, orgId, { asOf, knownAt: knownAt ?? END_OF_TIME }).map(({ detail }) => detail);
}

function warningsOf(file: FileReply): readonly string[] {
  const missing = file.trailers?.()["x-captable-missing-glyphs"];
  return missing === undefined ? [] : [`no font has ${missing}: these letters stand as their numbers`];
}

/** Writes bytes that come in pieces to the file that `--out` names, and says so. */
export async function writePieces(
  options: CommonOptions & { readonly out: string },
  content: AsyncIterable<Uint8Array>,
  dataDir: string,
  words: (bytes: number) => string,
): Promise<void> {
  const isSent = options.out === STANDARD_OUTPUT;
  if (isSent) refuseTerminal();
  const { bytes, sha256 } = isSent ? await sent(content) : await writeWhole(outFile(options.out, dataDir), content, {});
  printBeside(options.out, options, { file: options.out, bytes, sha256 }, words(bytes));
}

async function* piecesOf({ content }: FileReply): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
}

async function sent(content: AsyncIterable<Uint8Array>) {
  const hash = new Bun.CryptoHasher("sha256");
  async function* hashed() {
    for await (const piece of content) {
      hash.update(piece);
      yield piece;
    }
  }
  const bytes = await writeToStandardOutput(hashed());
  return { bytes, sha256: hash.digest("hex") };
}

/** What happens while a file is written: before anything is in it, and when it is whole but does not have its name yet. */
interface Writing {
  readonly give?: (path: string) => void;
  readonly onMade?: (bytes: number) => Promise<void>;
}

/** Writes a file for its owner alone, whole or not at all. */
export async function writeWhole(file: string, content: AsyncIterable<Uint8Array>, { give, onMade }: Writing) {
  const unfinished = `${file}.${process.pid}.part`;
  const handle = openSync(unfinished, "w", 0o600);
  give?.(unfinished);
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  try {
    try {
      for await (const piece of content) {
        writeFileSync(handle, piece);
        hash.update(piece);
        bytes += piece.length;
      }
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    await onMade?.(bytes);
    renameSync(unfinished, file);
    flushToDisk(dirname(file));
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
