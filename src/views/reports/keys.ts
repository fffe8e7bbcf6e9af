// Words of reports: the keys of the workbook's sheets, in its order (the notes are always included), and the wholes.
export const SHEET_KEYS = [
  "summary",
  "cap-table",
  "stock-ledger",
  "option-ledger",
  "warrants",
  "convertibles",
  "pool",
  "pool-history",
  "authorized",
  "valuations",
  "transactions",
  "stakeholders",
] as const;
export type SheetKey = (typeof SHEET_KEYS)[number];

/** The keys that a workbook can be asked for by: the notes, which have no CSV, can be named although they come along. */
export const WORKBOOK_KEYS = [...SHEET_KEYS, "notes"] as const;

/** The sheets that `basis` changes. */
export const KEYS_WITH_BASIS: ReadonlySet<SheetKey> = new Set(["summary", "cap-table"]);

export function isSheetKey(text: string): text is SheetKey {
  return (SHEET_KEYS as readonly string[]).includes(text);
}

/** The whole that the second percentage is of. */
export const BASES = ["FULLY_DILUTED", "GRANTED", "OUTSTANDING"] as const;
export type Basis = (typeof BASES)[number];
