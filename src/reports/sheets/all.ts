// Every sheet by its key, in the order of the workbook.
import type { Basis, Company } from "../company.ts";
import type { SheetKey } from "../keys.ts";
import { type Measured, measure } from "../measure.ts";
import type { Sheet } from "../sheet.ts";
import { capTableSheet } from "./cap-table.ts";
import { convertiblesSheet } from "./convertibles.ts";
import { authorizedSheet, poolHistorySheet } from "./figures.ts";
import { notesSheet } from "./notes.ts";
import { optionLedgerSheet } from "./option-ledger.ts";
import { poolSheet } from "./pool.ts";
import { stakeholdersSheet, transactionsSheet, valuationsSheet } from "./records.ts";
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

/** Lays a sheet out. */
export function layOutSheet(company: Company, key: SheetKey, basis: Basis): Sheet {
  return LAYOUTS[key](company, basis);
}

/** Lays out and measures the sheets of a workbook, the notes last. */
export function layOutWorkbook(company: Company, keys: readonly SheetKey[], basis: Basis): readonly Measured[] {
  const sheets = keys.map((key) => measure(layOutSheet(company, key, basis)));
  return [...sheets, measure(notesSheet(company, basis, sheets))];
}
