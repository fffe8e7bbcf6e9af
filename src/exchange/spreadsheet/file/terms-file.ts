// Writes the schedules that were not understood as a sheet of the template: completed and imported, they are terms of
// those names, and the file that named them can be imported. Pure.
import { type CsvOptions, csvText, type Field, figureField, textField } from "../../../kernel/files/csv.ts";
import type { UnreadSchedule } from "../mapping/schedule-rows.ts";
import { templateSheet } from "./template.ts";

const SHEET = "Vesting terms";
const DESCRIPTION = "Needs a look";

/** The sheet *Vesting terms* as CSV, a row for each text, with the parts of it that could be read. */
export function termsCsv(unread: readonly UnreadSchedule[], options: CsvOptions): string {
  return csvText(records(unread), options);
}

function* records(unread: readonly UnreadSchedule[]): Generator<readonly Field[]> {
  const columns = templateSheet(SHEET)?.columns ?? [];
  yield columns.map(({ header, required }) => textField(required ? `${header}*` : header));
  for (const { text, months, cliffMonths, frequency } of unread) {
    const said: Readonly<Record<string, string | number | undefined>> = {
      ...{ terms: text, months, cliffMonths, description: DESCRIPTION },
      frequency: frequency && `${frequency.slice(0, 1)}${frequency.slice(1).toLowerCase()}`,
    };
    yield columns.map(({ field, kind }) => (kind === "integer" ? figureField : textField)(String(said[field] ?? "")));
  }
}
