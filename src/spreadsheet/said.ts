// Asking a row for its fields. Pure.
import type { SheetRow } from "./understand.ts";

/** The value of a field. */
export function said(row: SheetRow, field: string): string | undefined {
  return row.fields.get(field)?.value;
}

/** The parts of a list. */
export function listed(row: SheetRow, field: string): readonly string[] {
  const value = said(row, field);
  return value === undefined ? [] : value.split(";");
}

/** A whole number. */
export function numbered(row: SheetRow, field: string): number | undefined {
  const value = said(row, field);
  return value === undefined ? undefined : Number(value);
}

/** Yes or no. */
export function isSaid(row: SheetRow, field: string): boolean | undefined {
  const value = said(row, field);
  return value === undefined ? undefined : value === "true";
}

/** Where a row stands, such as `Stock!12`. */
export function placeOf({ place }: SheetRow): string {
  return `${place.sheet}!${place.row}`;
}

/** The day on which a row happened; undefined for one that says none. */
export function dayOf(row: SheetRow): string | undefined {
  if (row.to === "events") return said(row, "date");
  return said(row, row.to === "valuations" ? "effective" : "issueDate");
}
