// A sheet of the workbook as the records of a CSV file (kernel/files/csv.ts).

import { type Field, figureField, textField } from "../../kernel/files/csv.ts";
import { formatPercent } from "../cap-table/layout/percents.ts";
import type { Kind, Sheet, Value } from "./sheet.ts";

/** A sheet's headers and rows. */
export function* sheetRecords({ columns, rows }: Sheet): Generator<readonly Field[]> {
  yield columns.map(({ header }) => textField(header));
  for (const row of rows()) yield columns.map((column) => fieldOf(column.kind, column.value(row)));
}

function fieldOf(kind: Kind, value: Value): Field {
  if (value === null) return figureField("");
  if (typeof value === "object") return figureField(value.percent ?? formatPercent(value.part, value.whole));
  return kind === "text" ? textField(value) : figureField(value);
}
