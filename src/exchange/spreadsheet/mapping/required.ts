// Required fields of a mapped row. Fields that the typed routes would miss are reported there; a row without its day
// would never reach one.

import type { SheetProblems } from "../file/cell-problem.ts";
import { TEMPLATE } from "../file/template.ts";
import { headerOf, placeIn, said } from "../rows/read-field.ts";
import type { MappedRow } from "./map-tables.ts";
import { NEXT } from "./mapping.ts";

/** Kinds of rows that a mapping only has to name: missing fields are assumed. */
const COMPLETED: ReadonlySet<string> = new Set(["stakeholders", "share-classes", "equity-plans"]);
/** Values that a route takes as missing. */
const LEFT_OPEN: ReadonlySet<string> = new Set(["kind"]);

/** Whether a line has no security number: an empty cell, or one word such as `Total`. */
function isNoNumber(number: string | undefined): boolean {
  return number === undefined || number === NEXT || /^[\p{L}\s:]+$/u.test(number);
}

/**
 * Reports each required field that a row lacks, except those whose cells were reported. A line that names neither
 * holder nor day is not a security: many files end with their totals.
 */
export function withRequired(row: MappedRow, found: SheetProblems): MappedRow {
  if (COMPLETED.has(row.to)) return row;
  const columns = TEMPLATE.find(({ to }) => to === row.to)?.columns ?? [];
  const missing = columns.filter(({ field, required }) => {
    if (!required || LEFT_OPEN.has(field) || row.faulty.has(field)) return false;
    return said(row, field) === undefined;
  });
  const isMissing = (name: string) => missing.some(({ field }) => field === name);
  if (isMissing("holder") && isMissing("issueDate") && isNoNumber(said(row, "certificate"))) {
    const detail = "the line names neither a holder nor a day, and is left out, as one of totals is";
    found.warning("line-left-out", row.place, detail, "Name both, if it is a security.");
    return row;
  }
  const { unsaidAt } = row;
  if (unsaidAt !== null) {
    found.problem("missing-value", unsaidAt, "does not say what is outstanding", "Write the number; 0 if nothing is.");
  }
  for (const { field } of missing) {
    if (field === "quantity" && unsaidAt !== null) continue;
    found.problem("missing-value", placeIn(row, field), `${headerOf(row, field)} is empty`, "Fill it in.");
  }
  return missing.length === 0 && unsaidAt === null ? row : { ...row, isWrong: true };
}
