// The cap table as a CSV file; loaded when a person asks for it, so that the first page is not waiting for it.
import { csvText } from "../../../kernel/files/csv.ts";
import { holderRecords } from "../../../views/cap-table/layout/layout-csv.ts";
import type { Source } from "../../../views/cap-table/layout/table-answer.ts";

/** The cap table as a CSV file, with every digit. */
export function csvOf(source: Source): string {
  return csvText(holderRecords(source));
}
