// Names of downloads: workbook, CSV files, statements, certificates.
import type { FilePath } from "../api/file-path.ts";

export const EXPORTS: {
  readonly [word in "export" | "making" | "whole" | "csv" | "statement" | "certificate" | "grant"]: string;
} & { readonly files: Readonly<Partial<Record<FilePath, string>>> } = {
  export: "Export",
  making: "Preparing…",
  whole: "Whole cap table",
  csv: "As CSV",
  statement: "Statement (PDF)",
  certificate: "Certificate (PDF)",
  grant: "Statement (PDF)",
  files: {
    "/api/v1/reports/cap-table.xlsx": "Workbook (Excel)",
    "/api/v1/reports/cap-table.pdf": "Summary (PDF)",
    "/api/v1/reports/summary.csv": "Classes",
    "/api/v1/reports/cap-table.csv": "Cap table",
    "/api/v1/reports/stakeholders.csv": "Holders",
    "/api/v1/reports/stock-ledger.csv": "Stock ledger",
    "/api/v1/reports/option-ledger.csv": "Option ledger",
    "/api/v1/reports/warrants.csv": "Warrants",
    "/api/v1/reports/convertibles.csv": "Convertibles",
    "/api/v1/reports/pool.csv": "Pool",
    "/api/v1/reports/pool-history.csv": "Pool history",
    "/api/v1/reports/authorized.csv": "Authorized shares",
    "/api/v1/reports/valuations.csv": "Valuations",
    "/api/v1/reports/transactions.csv": "Ledger",
  },
};
