// captable import: spreadsheets in. Preview first; nothing is written while anything is wrong, or until --commit.
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Argument, type Command, Option } from "commander";
import type { Mapping } from "../../src/exchange/spreadsheet/mapping/mapping.ts";
import {
  completeOptions,
  FORMAT_NAMES,
  type GivenOptions,
  readOptions,
  WrongOptions,
} from "../../src/exchange/spreadsheet/options.ts";
import type { ImportOptions, ImportReport } from "../../src/exchange/spreadsheet/record/importing.ts";
import { type Call, commandLineCall } from "../../src/kernel/call.ts";
import type { CsvOptions } from "../../src/kernel/files/csv.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { DEFAULT_CURRENCY } from "../../src/kernel/text/currency.ts";
import { counted } from "../../src/kernel/text/text.ts";
import type { FileToImport } from "../../src/server/threads/import/from-file.ts";
import { refuseClosed } from "../../src/storage/database/closed.ts";
import { submitHopefully } from "../../src/storage/database/savepoint.ts";
import type { Row } from "../../src/storage/database/sql.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  printText,
  withDataDir,
  withExamples,
  withoutDataDir,
} from "../command.ts";
import { writePieces, writeWhole } from "../company/report-file.ts";
import { type CsvGiven, csvOptionsOf, withCsvOptions } from "../csv-options.ts";
import { chooseOrganization, refuseNoDatabase, warnOfStorage, withData } from "../data.ts";
import { outFile } from "./out-file.ts";

/** Declares `captable import`. */
export function importCommand(): Command {
  return newCommand("import", "Spreadsheets: import, and the template.")
    .addCommand(spreadsheetCommand())
    .addCommand(templateCommand())
    .addCommand(mappingCommand());
}

interface SpreadsheetOptions extends CommonOptions, CsvGiven {
  readonly format: string;
  readonly mapping?: string;
  readonly option: readonly string[];
  readonly org?: string;
  readonly terms?: string;
  readonly commit?: boolean;
}

function spreadsheetCommand(): Command {
  const command = newCommand("spreadsheet", "Take in a workbook, CSV or zip of CSVs that follows the template.")
    .argument("<file>", "the file")
    .option("--org <id or name>", "the organization; needed only where there are several")
    .addOption(new Option("--format <name>", "the format of the file").choices(FORMAT_NAMES).default("AUTO"))
    .addOption(
      new Option("--mapping <file>", "a mapping (JSON) that says what is what, in place of a format").conflicts(
        "format",
      ),
    )
    .option(
      "--option <name=value>",
      "dateOrder (MDY, DMY), decimal (POINT, COMMA), asOf, existing (MUST_EQUAL, SKIP), vesting (TERMS, AS_VESTED), " +
        "skipUnsupported, strict (true, false); may be given several times",
      (given: string, before: readonly string[]) => [...before, given],
      [],
    )
    .option(
      "--terms <file>",
      "write the vesting schedules that are not understood, as a sheet Vesting terms (CSV) to finish and import first",
    )
    .option("--commit", "write it, where nothing is wrong; else only say what would happen");
  withExamples(
    withDataDir(withCsvOptions(command)),
    "captable import spreadsheet acme.xlsx",
    "captable import spreadsheet acme.xlsx --option dateOrder=MDY --commit",
  );
  return command.action(importSpreadsheet);
}

async function importSpreadsheet(file: string, options: SpreadsheetOptions): Promise<void> {
  // A wrong folder is reported before a long file is read.
  refuseNoDatabase(configOf(options).dataDir);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CommandError(`there is no file ${file}`, 2);
  const [{ readSheets }, { UnreadableFile }, { NotAsWritten }] = await Promise.all([
    import("./sheets-apart.ts"),
    import("../../src/exchange/spreadsheet/file/grid.ts"),
    import("../../src/exchange/spreadsheet/compare/read-back.ts"),
  ]);
  const refused = (error: unknown) => {
    const isTold = error instanceof UnreadableFile || error instanceof NotAsWritten;
    throw isTold ? new CommandError(`${file}: ${error.message}`, 1) : error;
  };
  const terms = options.terms === undefined ? null : outFile(options.terms, configOf(options).dataDir);
  const bytes = readFileSync(file);
  const grids = await readSheets(basename(file), bytes).catch(refused);
  const { previewSheets } = await import("../../src/server/threads/import/preview.ts");
  const ways = optionsOf(options.option);
  const mapping = options.mapping === undefined ? null : await readMappingFile(options.mapping);
  await withData(options, async (opened) => {
    const { db, writer } = opened;
    const organization = chooseOrganization(db, options.org);
    refuseClosed(db, organization.id);
    const given = importOptions(organization, { format: options.format, mapping, ways });
    const call = () => commandLineCall(systemRuntime, organization.id);
    const preview = await previewSheets(db, call(), grids, given).catch(refused);
    const isWrong = preview.problems.length > 0;
    const isCommitted = options.commit === true && !isWrong;
    const whole = { name: basename(file), bytes, grids, options: given, given: ways };
    const report = isCommitted ? await committed(writer, call, whole, preview.planHash).catch(refused) : preview;
    const { actions: _actions, ...shown } = report;
    if (terms !== null) await writeTerms(terms, report.schedules, csvOptionsOf(options));
    const importId = isCommitted ? given.importId : null;
    print(options, { ...shown, committed: isCommitted, importId }, wordsOf(report, isCommitted));
    if (isCommitted) warnOfStorage(opened, organization.id);
    if (isWrong) process.exitCode = 1;
  });
}

/** Writes what is missing of vesting terms as a sheet that can be imported once it is finished. */
async function writeTerms(file: string, schedules: ImportReport["schedules"], options: CsvOptions): Promise<void> {
  const { termsCsv } = await import("../../src/exchange/spreadsheet/file/terms-file.ts");
  async function* pieces() {
    yield Buffer.from(termsCsv(schedules, options));
  }
  await writeWhole(file, pieces(), {});
}

function optionsOf(texts: readonly string[]): GivenOptions {
  try {
    return readOptions(texts);
  } catch (error) {
    throw error instanceof WrongOptions ? new CommandError(error.message, 2) : error;
  }
}

async function readMappingFile(file: string): Promise<Mapping> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CommandError(`there is no file ${file}`, 2);
  const { readMapping, WrongMapping } = await import("../../src/exchange/spreadsheet/mapping/mapping.ts");
  try {
    return readMapping(readFileSync(file, "utf8"));
  } catch (error) {
    throw error instanceof WrongMapping ? new CommandError(`${file}: ${error.message}`, 2) : error;
  }
}

/** What an import into an organization is told: its format or mapping, and what was given by `--option`. */
function importOptions(
  { currency }: Row<"organizations">,
  { format, mapping, ways }: { readonly format: string; readonly mapping: Mapping | null; readonly ways: GivenOptions },
): ImportOptions {
  return {
    ...completeOptions(ways),
    format,
    mapping,
    importId: systemRuntime.newId(),
    currency: currency ?? DEFAULT_CURRENCY,
  };
}

/** Does it in one transaction, which is undone where it turns out to do something else than was shown. */
async function committed(
  writer: Writer,
  call: () => Call,
  file: FileToImport,
  planHash: string,
): Promise<ImportReport> {
  const { commitFile } = await import("../../src/server/threads/import/from-file.ts");
  return await submitHopefully(writer, (tx, usesSavepoints) => {
    const report = commitFile(tx, call(), { ...file, options: { ...file.options, usesSavepoints } });
    if (report.problems.length > 0 || report.planHash !== planHash)
      throw new CommandError("what is recorded changed meanwhile; nothing was written", 3);
    return report;
  });
}

function wordsOf({ format, rows, counts, closed, problems, warnings }: ImportReport, isCommitted: boolean): string[] {
  const told = (kind: string, list: ImportReport["problems"]) =>
    list.map(({ code, sheet, cell, row, detail, value, fix }) => {
      const place = [sheet, cell ?? (row === null ? null : `row ${row}`)].filter((part) => part !== null).join("!");
      return `${kind}: ${place}: ${code}: ${value ? `${value}: ` : ""}${detail.replace(/\.$/, "")}. ${fix}`;
    });
  const made = Object.entries(counts).map(
    ([kind, { create, unchanged, differs, leftOut }]) =>
      `${kind}: ${create} ${isCommitted ? "made" : "to make"}, ${unchanged} unchanged` +
      `${differs > 0 ? `, ${differs} recorded otherwise` : ""}${leftOut > 0 ? `, ${leftOut} left out` : ""}`,
  );
  const verdict = isCommitted ? "Imported." : "Nothing was written; --commit imports where nothing is wrong.";
  return [
    ...told("problem", problems),
    ...told("warning", warnings),
    `Format ${format}: ${counted(rows, "row")}, ${counted(problems.length, "problem")}, ${counted(warnings.length, "warning")}.`,
    ...made,
    ...(closed > 0 ? [`Closed: ${closed}`] : []),
    verdict,
  ];
}

interface TemplateOptions extends CommonOptions {
  readonly out: string;
  readonly example?: boolean;
}

function templateCommand(): Command {
  const command = newCommand("template", "Write the template (XLSX) that an import takes.")
    .requiredOption("--out <file>", "the file to write, - for standard output; a file that is there is replaced")
    .option("--example", "filled in with a small company");
  withExamples(withoutDataDir(command), "captable import template --out template.xlsx --example");
  return command.action(async (options: TemplateOptions) => {
    const { templateBytes } = await import("../../src/exchange/spreadsheet/file/template-file.ts");
    const content = templateBytes(options.example === true);
    await writePieces(
      options,
      content,
      configOf(options).dataDir,
      (bytes) => `Wrote the template to ${options.out} (${bytes} bytes).`,
    );
  });
}

function mappingCommand(): Command {
  const command = newCommand("mapping", "Print the mapping of a format, to begin one of your own from.").addArgument(
    new Argument("<format>", "the format").choices(FORMAT_NAMES.slice(2)),
  );
  withExamples(withoutDataDir(command), "captable import mapping CARTA_LEDGERS > mine.json");
  return command.action(async (format: string, options: CommonOptions) => {
    const { mappingOf } = await import("../../src/exchange/spreadsheet/mapping/mapping.ts");
    const mapping = mappingOf(format);
    printText(options, mapping, `${JSON.stringify(mapping, null, 2)}\n`);
  });
}
