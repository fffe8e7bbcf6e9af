// Every sheet by its key, in the order of the workbook.
import { type Problem, problem } from "../../../kernel/problem.ts";
import type { Basis, SheetKey } from "../keys.ts";
import { type Measured, measure } from "../measure.ts";
import type { Company } from "../report-company.ts";
import type { Sheet } from "../sheet.ts";
import { capTableSheet } from "./cap-table.ts";
import { convertiblesSheet } from "./convertibles.ts";
import { authorizedSheet, poolHistorySheet } from "./figures.ts";
import { notesSheet } from "./notes.ts";
import { optionLedgerSheet } from "./option-ledger.ts";
import { poolSheet } from "./pool.ts";
import { stakeholdersSheet, transactionsSheet, valuationsSheet } from "./record-sheets.ts";
import { stockLedgerSheet } from "./stock-ledger.ts";
import { summarySheet } from "./summary.ts";
import { warrantsSheet } from "./warrants.ts";

const LAYOUTS: Readonly<Record<SheetKey, (company: Company, basis: Basis) => Sheet>> = {
  summary: summarySheet,
  "cap-table": capTableSheet,
  "stock-ledger": stockLedgerSheet,
  "option-ledger": optionLedgerSheet,
  warrants: warrantsSheet,
  convertibles: convertiblesSheet,
  pool: poolSheet,
  "pool-history": poolHistorySheet,
  authorized: authorizedSheet,
  valuations: valuationsSheet,
  transactions: transactionsSheet,
  stakeholders: stakeholdersSheet,
};

/** As many rows as a spreadsheet has, less those above the data and the totals below. */
const ROWS_MAX = 1_048_571;

/** Lays a sheet out. */
export function layOutSheet(company: Company, key: SheetKey, basis: Basis): Sheet {
  return LAYOUTS[key](company, basis);
}

/**
 * Lays out and measures the sheets of a workbook, the notes last. Throws `422` for a sheet that has more rows than a
 * spreadsheet.
 */
export function layOutWorkbook(
  company: Company,
  keys: readonly SheetKey[],
  basis: Basis,
  rowsMax = ROWS_MAX,
): readonly Measured[] {
  const sheets = keys.map((key) => measure(layOutSheet(company, key, basis)));
  for (const { sheet, rowCount } of sheets) if (rowCount > rowsMax) throw tooLong(sheet, rowCount, rowsMax);
  return [...sheets, measure(notesSheet(company, basis, sheets))];
}

function tooLong({ key, name }: Sheet, rows: number, most: number): Problem {
  const detail = `must leave out ${key}, which has ${rows} rows, more than ${most}: take /api/v1/reports/${key}.csv`;
  return problem("validation-failed", `The sheet ${name} is too long for a workbook.`, [
    { parameter: "sheets", detail },
  ]);
}
