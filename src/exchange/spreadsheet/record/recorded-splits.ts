// Splits that were recorded before an import began. A row counts shares as they were on its day, and records made after
// a split count shares of after it: so a row of an earlier day is reported, and never recorded as a wrong count.

import { dayOf, said } from "../rows/read-field.ts";
import { tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SecurityThere } from "../store.ts";
import type { Importing } from "./importing.ts";
import type { Counted } from "./splits-before.ts";

/** What an operation on a security counts. */
export function countedOf({ type, stockClassId, equityPlanId }: SecurityThere): Counted {
  return { type, classId: stockClassId, planId: equityPlanId };
}

/** Whether the row may be recorded with its figures; otherwise reports the split that they do not include. */
export function knowsSplits(importing: Importing, row: SheetRow, counted: Counted): boolean {
  const day = dayOf(row) ?? "";
  const split = importing.splits.since(day, counted);
  if (split === undefined) return true;
  const ratio = `${split.numerator}:${split.denominator}`;
  const detail = `counts shares of before the split ${ratio} of ${split.date}, which is recorded already: it would not be split`;
  tell(importing, row, "before-split", row.fields.has("quantity") ? "quantity" : "certificate", detail);
  return false;
}

/** Whether a new split of a class comes after all its records; otherwise reports the later ones. */
export function isLatestOf(importing: Importing, row: SheetRow, classId: string): boolean {
  const day = said(row, "date") ?? "";
  const newest = importing.splits.newestDay(classId) ?? "";
  if (newest <= day) return true;
  const detail = `is a split before ${newest}, of which securities of the class are recorded already: they would be split, too`;
  tell(importing, row, "before-recorded", "date", detail);
  return false;
}
