// Texts of the spreadsheet import: file, format, preview, report.
import type { ImportCreate } from "../api/values.ts";
import { bytesText, plural } from "../locale.ts";
import type { Labels } from "./common.ts";

/** What stands for an option that is left open. */
const LEFT = [""] as const;
const OPEN = { "": "As the column says" };

export const IMPORTS = {
  title: "Import a spreadsheet",
  words:
    "Import an XLSX workbook, a CSV or a zip of CSVs: our template, or an export from Carta, Pulley or OCX. You see a " +
    "preview first. The import then records everything or nothing.",
  template: "Template",
  example: "Filled-in example",
  drop: "Drop a workbook or CSV here",
  choose: "Choose a file",
  file: "Spreadsheet",
  tooLarge: (size: number) => `This file has ${bytesText(size)}. The limit is 25 MiB.`,
  how: "File format",
  format: "Format",
  formats: {
    AUTO: "Detect automatically",
    CAPTABLE: "Template",
    CARTA_TEMPLATE: "Carta’s import template",
    CARTA_LEDGERS: "Carta, cap table with ledgers",
    OCX: "OCX",
    PULLEY: "Pulley",
    MAPPING: "Custom mapping",
  } satisfies Labels<typeof ImportCreate.format>,
  mapping: "Mapping",
  mappingHint: "JSON. To start from an existing mapping, run: captable import mapping PULLEY",
  mappingFault: "The mapping is not a JSON object. Check for a missing comma or bracket.",
  mappingFile: "Choose a mapping file",
  dateOrder: "1/2/2026 is",
  dateOrders: { ...OPEN, MDY: "January 2", DMY: "February 1" } satisfies Labels<
    (typeof ImportCreate)["options.dateOrder"] | typeof LEFT
  >,
  decimal: "Decimal separator",
  decimals: { ...OPEN, POINT: "a point", COMMA: "a comma" } satisfies Labels<
    (typeof ImportCreate)["options.decimal"] | typeof LEFT
  >,
  unsupported: "Unsupported awards, such as RSUs",
  unsupporteds: { "": "Report as problems", true: "Skip" },
  vesting: "Unrecognized vesting schedules",
  /** TERMS is how an import reads schedules that is asked for no other way. */
  vestings: { "": "Report as problems", AS_VESTED: "Count as vested" } satisfies Readonly<
    Record<"" | Exclude<(typeof ImportCreate)["options.vesting"][number], "TERMS">, string>
  >,
  steps: { CHOOSE: "File", READING: "Check", PREVIEWED: "Preview", COMMITTING: "Import", COMMITTED: "Report" },
  reading: "Reading the file. You can leave this page; the import continues.",
  committing: "Recording the import, all or nothing. You can leave this page; the import continues.",
  found: (format: string, rows: number) => `${format}, ${plural(rows, "row", "rows")}.`,
  asOf: "As of",
  clean: "No problems found.",
  problems: (count: number) => plural(count, "problem", "problems"),
  warnings: (count: number) => plural(count, "warning", "warnings"),
  mustMend: "Fix these problems in the file, then choose it again. The list is complete.",
  where: "Where",
  finding: "Finding and fix",
  more: "The CSV lists all of them.",
  problemsCsv: "Problems as CSV",
  previewCsv: "Rows as CSV",
  termsCsv: "Vesting terms as CSV",
  termsWords:
    "Vesting terms as CSV lists each unrecognized schedule. Complete its rows, import it, then import this file " +
    "again.",
  preview: "What the import will record",
  kind: "Kind",
  create: "New",
  unchanged: "Unchanged",
  differs: "Differs from the record",
  leftOut: "Left out",
  closed: (count: number) => `Closed: ${count}`,
  kinds: {
    stakeholders: "Stakeholders",
    "share-classes": "Share classes",
    "equity-plans": "Equity plans",
    "vesting-terms": "Vesting terms",
    stock: "Stock",
    options: "Options",
    warrants: "Warrants",
    convertibles: "Convertibles",
    valuations: "Valuations",
    events: "Events",
  } as Readonly<Record<string, string>>,
  totals: "Totals in the file",
  ofWhat: "Of",
  inFile: "In the file",
  computed: "Sum of its rows",
  commit: "Import now",
  discard: "Discard",
  another: "Choose another file",
  done: "Spreadsheet imported",
  doneWords: (first: number | null, last: number | null) =>
    first === null ? "The file had nothing new." : `Recorded as ledger entries ${first} to ${last}.`,
  toLedger: "Open ledger",
} as const;
