// captable report: the cap table as files for people: a workbook, CSV, and paper. Needs no server.
import { type Command, Option } from "commander";
import type { DocumentKind } from "../../src/views/reports/documents/document-model.ts";
import { BASES, type Basis, isSheetKey, SHEET_KEYS, WORKBOOK_KEYS } from "../../src/views/reports/keys.ts";
import { CommandError, configOf, newCommand, withDataDir, withExamples } from "../command.ts";
import { type CsvGiven, csvOptionsOf, withCsvOptions } from "../csv-options.ts";
import { holderNamed } from "./holder-name.ts";
import { type From, type ReportOptions, withReportOptions, writeReport } from "./report-file.ts";

/** Declares `captable report`. */
export function reportCommand(): Command {
  return newCommand("report", "Write reports: a workbook, CSV, certificates, statements.")
    .addCommand(workbookCommand())
    .addCommand(csvCommand())
    .addCommand(summaryCommand())
    .addCommand(certificateCommand())
    .addCommand(statementCommand());
}

const PAPERS: Readonly<Record<DocumentKind, string>> = {
  C: "certificate",
  H: "holder statement",
  S: "cap table summary",
};

const WORKBOOK = { route: "captable report workbook", format: "XLSX" } as const;

/** Makes a document of a subject; `find` says its id. */
function writeDocument(options: ReportOptions, kind: DocumentKind, find: (from: From) => Promise<string> | string) {
  // A paper of one security or one holder is no export.
  const exports = kind === "S" ? ({ exports: { route: "captable report summary", format: "PDF" } } as const) : {};
  return writeReport(options, { words: PAPERS[kind], ...exports }, async (from) => {
    const { documentFile } = await import("../../src/views/reports/documents/document-file.ts");
    const { database, orgId, knownAt, asOf } = from.of;
    const day = options.asOf === undefined ? null : asOf;
    const asked = {
      kind,
      orgId,
      subjectId: await find(from),
      asOf: day,
      today: asOf,
      knownAt,
      basis: basisOf(options),
    };
    return documentFile(database, asked, configOf(options).fontDir);
  });
}

function summaryCommand(): Command {
  const command = newCommand("summary", "Write the cap table on one page (PDF).");
  withDataDir(withBasis(withReportOptions(command)));
  withExamples(command, "captable report summary --out acme.pdf");
  return command.action((options: ReportOptions) => writeDocument(options, "S", ({ organization }) => organization.id));
}

function certificateCommand(): Command {
  const command = newCommand("certificate", "Write the certificate or statement of one security (PDF).").argument(
    "<security>",
    "its id, or the certificate number where only one has it",
  );
  withDataDir(withReportOptions(command));
  withExamples(command, "captable report certificate CS-1 --out cs-1.pdf");
  return command.action((security: string, options: ReportOptions) =>
    writeDocument(options, "C", async ({ db, organization }) => {
      const { findVestingOf, listByCertificate } = await import("../../src/views/reports/store.ts");
      const orgId = organization.id;
      if (findVestingOf(db, { orgId, id: security })) return security;
      const found = listByCertificate(db, { orgId, certificateId: security });
      const [only, other] = found;
      if (only && !other) return only.id;
      const ids = found.map(({ id }) => id).join(", ");
      throw new CommandError(
        only ? `several securities bear ${security}: name one by its id (${ids})` : `there is no security ${security}`,
        2,
      );
    }),
  );
}

function statementCommand(): Command {
  const command = newCommand("statement", "Write what one holder has (PDF).").argument(
    "<name or id>",
    "the stakeholder",
  );
  withDataDir(withReportOptions(command));
  withExamples(command, 'captable report statement "Ada Lovelace" --out a.pdf');
  return command.action((name: string, options: ReportOptions) =>
    writeDocument(options, "H", ({ db, organization }) => holderNamed(db, organization.id, name)),
  );
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
    `comma-separated sheets: ${WORKBOOK_KEYS.join(", ")} (default all; notes always come along)`,
  );
  withDataDir(withBasis(withReportOptions(command)));
  withExamples(command, "captable report workbook --out acme.xlsx --as-of 2026-01-31");
  return command.action((options: ReportOptions & { readonly sheets?: string }) =>
    writeReport(options, { words: "workbook", exports: WORKBOOK }, async ({ of }) => {
      const [{ workbookFile }, { readSheets }] = await Promise.all([
        import("../../src/views/reports/report-file.ts"),
        import("../../src/views/reports/query.ts"),
      ]);
      return workbookFile(of, readSheets(options.sheets), basisOf(options));
    }),
  );
}

interface CsvCommandOptions extends ReportOptions, CsvGiven {
  /** False by `--no-bom` and `--no-guard`. */
  readonly bom: boolean;
  readonly guard: boolean;
}

function csvCommand(): Command {
  const command = newCommand("csv", "Write one sheet of the workbook as CSV.")
    .argument("<report>", `the sheet: ${SHEET_KEYS.join(", ")}`)
    .option("--no-bom", "without the mark by which Excel knows UTF-8")
    .option("--no-guard", "without an apostrophe before text that a spreadsheet would compute");
  withDataDir(withBasis(withReportOptions(withCsvOptions(command))));
  withExamples(command, "captable report csv stock-ledger --out stock.csv");
  return command.action((report: string, options: CsvCommandOptions) => {
    if (!isSheetKey(report)) throw new CommandError(`${report}: name one of ${SHEET_KEYS.join(", ")}`, 2);
    const exports = { route: `captable report csv ${report}`, format: "CSV" } as const;
    return writeReport(options, { words: `sheet ${report}`, exports }, async ({ of }) => {
      const { sheetFile } = await import("../../src/views/reports/report-file.ts");
      return sheetFile(of, report, basisOf(options), csvOptionsOf(options, options));
    });
  });
}
