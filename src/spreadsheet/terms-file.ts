// The schedules that were not understood as a sheet of the template: finished by hand and imported, they are terms of
// those names, and the file that named them can be imported. Pure.
import { csvPieces, type Field } from "../reports/csv.ts";
import type { UnreadSchedule } from "./schedule-rows.ts";
import { templateSheet } from "./template.ts";

const SHEET = "Vesting terms";
const DESCRIPTION = "Needs a look";

/** The sheet *Vesting terms* as CSV, a row for each text, with what of it could be read. */
export function termsCsv(unread: readonly UnreadSchedule[]): string {
  return [...csvPieces(records(unread), { bom: true, guard: true })].join("");
}

function* records(unread: readonly UnreadSchedule[]): Generator<readonly Field[]> {
  const columns = templateSheet(SHEET)?.columns ?? [];
  yield columns.map(({ header, required }) => ({ text: required ? `${header}*` : header, isText: true }));
  for (const { text, months, cliffMonths, frequency } of unread) {
    const said: Readonly<Record<string, string | number | undefined>> = {
      ...{ terms: text, months, cliffMonths, description: DESCRIPTION },
      frequency: frequency && `${frequency.slice(0, 1)}${frequency.slice(1).toLowerCase()}`,
    };
    yield columns.map(({ field, kind }) => ({ text: String(said[field] ?? ""), isText: kind !== "integer" }));
  }
}
