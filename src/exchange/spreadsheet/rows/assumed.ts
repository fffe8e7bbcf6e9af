// Assumed rows: a row that the file does not have and that other rows need, reported with all its assumptions.

import type { SheetProblems } from "../file/cell-problem.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Schedules } from "../mapping/schedule-rows.ts";
import type { Directory } from "./directory.ts";
import type { Field } from "./fields.ts";
import type { Total } from "./stated-totals.ts";
import type { SheetRow } from "./understand.ts";

/** What completing rows needs. */
export interface Completing {
  readonly mapping: Mapping;
  readonly directory: Directory;
  readonly found: SheetProblems;
  readonly skipUnsupported: boolean;
  act(row: SheetRow, what: "leftOut" | "closed"): void;
  readonly totals: Total[];
  readonly schedules: Schedules;
}

/** An assumed row, at the place of the row that needs it. */
export function assumed(
  { found }: Pick<Completing, "found">,
  to: SheetRow["to"],
  of: SheetRow,
  values: Readonly<Record<string, string | undefined>>,
): SheetRow {
  const fields = new Map<string, Field>();
  for (const [field, value] of Object.entries(values))
    if (value !== undefined) fields.set(field, { value, place: of.fields.get(field)?.place ?? of.place });
  const figures = [...fields].map(([field, { value }]) => `${field} ${value}`).join(", ");
  found.warning(
    "assumed",
    of.place,
    `the file does not describe it: ${figures}`,
    "Correct it afterwards, or record it first.",
  );
  return { to, place: of.place, fields, isWrong: false };
}
