// captable report: the cap table as files for people: a workbook, CSV, and paper. Needs no server.
import { type Command, Option } from "commander";
import { BASES, type Basis } from "../src/reports/company.ts";
import { isSheetKey, SHEET_KEYS } from "../src/reports/keys.ts";
import { CommandError, newCommand, withDataDir, withExamples } from "./command.ts";
import { type ReportOptions, withReportOptions, writeReport } from "./report-file.ts";

/** Declares `captable report`. */
export function reportCommand(): Command {
  return newCommand("report", "Write reports: a workbook, CSV, certificates, statements.")
    .addCommand(workbookCommand())
    .addCommand(csvCommand());
}

/** The whole that the second percentage is of. */
export function withBasis(command: Command): Command {
  return command.addOption(new Option("--basis <whole>", "what the second percentage is of").choices(BASES));
}

export function basisOf({ basis }: ReportOptions): Basis {
  return BASES.find((each) => each === basis) ?? "FULLY_DILUTED";
}

function workbookCommand(): Command {
  const command = newCommand("workbook", "Write the workbook (XLSX), whose every figure can be recomputed.").option(
    "--sheets <keys>",
    `comma-separated sheets: ${SHEET_KEYS.join(", ")} (default all)`,
  );
  withDataDir(withBasis(withReportOptions(command)));
  withExamples(command, "captable report workbook --out acme.xlsx --as-of 2026-01-31");
  return command.action((options: ReportOptions & { readonly sheets?: string }) =>
    writeReport(options, async ({ of }) => {
      const [{ workbookFile }, { readSheets }] = await Promise.all([
        import("../src/reports/file.ts"),
        import("../src/reports/query.ts"),
      ]);
      return workbookFile(of, readSheets(options.sheets), basisOf(options));
    }),
  );
}

interface CsvCommandOptions extends ReportOptions {
  /** False by `--no-bom` and `--no-guard`. */
  readonly bom: boolean;
  readonly guard: boolean;
}

function csvCommand(): Command {
  const command = newCommand("csv", "Write one sheet of the workbook as CSV.")
    .argument("<report>", `the sheet: ${SHEET_KEYS.join(", ")}`)
    .option("--no-bom", "without the mark by which Excel knows UTF-8")
    .option("--no-guard", "without an apostrophe before text that a spreadsheet would compute");
  withDataDir(withBasis(withReportOptions(command)));
  withExamples(command, "captable report csv stock-ledger --out stock.csv");
  return command.action((report: string, options: CsvCommandOptions) => {
    if (!isSheetKey(report)) throw new CommandError(`${report}: name one of ${SHEET_KEYS.join(", ")}`, 2);
    return writeReport(options, async ({ of }) => {
      const { sheetFile } = await import("../src/reports/file.ts");
      return sheetFile(of, report, basisOf(options), options);
    });
  });
}
