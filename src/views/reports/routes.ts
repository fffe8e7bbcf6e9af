// Reports over HTTP: the workbook, and each of its sheets as CSV. They are made in a thread of their own.

import { body } from "../../kernel/fields.ts";
import { XLSX_TYPE } from "../../kernel/files/media-types.ts";
import { type Expense, later, type ReadRoute } from "../../resources/route.ts";
import { KEYS_WITH_BASIS, SHEET_KEYS, type SheetKey } from "./keys.ts";
import { BASIS, CSV, MOMENT, readAsked, readBasis, readCsvOptions, readSheets, SHEETS } from "./query.ts";

const reportFiles = () => import("./report-file.ts");

/** What every report has in common. */
export const REPORT = {
  method: "GET",
  tag: "Reports",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  hasHead: true,
  expense: (): Expense => "report",
} as const;

const workbook: ReadRoute = {
  ...REPORT,
  path: "/api/v1/reports/cap-table.xlsx",
  operationId: "getCapTableWorkbook",
  summary: "Get the cap table as a workbook",
  description:
    "Sheets for classes, holders, the registers, plans and the ledger. What follows from other figures is a formula " +
    "with its value; figures of more than 15 digits are text. Figures are those of `GET /cap-table` for the same moment.",
  fileType: XLSX_TYPE,
  exports: "XLSX",
  query: body({ ...MOMENT, ...BASIS, ...SHEETS }),
  run: later(reportFiles, ({ workbookFile }) => (db, { orgId, query, nowMs }) => {
    const of = { database: db.sqlite.name, orgId, ...readAsked(query, nowMs) };
    return { status: 200, file: workbookFile(of, readSheets(query.sheets), readBasis(query)) };
  }),
};

/** `stock-ledger` is `StockLedger`. */
function pascal(key: string): string {
  return key.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function sheetRoute(key: SheetKey): ReadRoute {
  const name = key.replaceAll("-", " ");
  return {
    ...REPORT,
    path: `/api/v1/reports/${key}.csv`,
    operationId: `get${pascal(key)}Report`,
    summary: `Get the workbook's sheet ${name} as CSV`,
    description: "One header record, then the sheet's rows, figures as the API writes them and nothing cut.",
    fileType: "text/csv",
    exports: "CSV",
    query: body({ ...MOMENT, ...(KEYS_WITH_BASIS.has(key) ? BASIS : {}), ...CSV }),
    run: later(reportFiles, ({ sheetFile }) => (db, { orgId, query, nowMs }) => {
      const of = { database: db.sqlite.name, orgId, ...readAsked(query, nowMs) };
      return { status: 200, file: sheetFile(of, key, readBasis(query), readCsvOptions(query)) };
    }),
  };
}

/** The routes of reports that are sheets. */
export const sheetRoutes: readonly ReadRoute[] = [workbook, ...SHEET_KEYS.map(sheetRoute)];
