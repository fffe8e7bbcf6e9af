// Readers of a row's fields. Pure.
import type { SheetPlace } from "../file/cell-problem.ts";
import { TEMPLATE } from "../file/template.ts";
import type { SheetRow } from "./understand.ts";

/** The value of a field. */
export function said(row: SheetRow, field: string): string | undefined {
  return row.fields.get(field)?.value;
}

/** The place of a field; if its cell is empty, that cell, and the row if the file has no column for it. */
export function placeIn(row: SheetRow, field: string): SheetPlace {
  const filled = row.fields.get(field)?.place;
  if (filled) return filled;
  const column = row.columns?.get(field);
  return column ? { ...row.place, column: column.at, header: column.shown, value: "" } : row.place;
}

/** The name of a field: its column in the file, else in the template. */
export function headerOf(row: SheetRow, field: string): string {
  const shown = row.columns?.get(field)?.shown.replace(/(?<!\s)\s*\*$/, "");
  const sheet = TEMPLATE.find(({ to }) => to === row.to);
  return shown ?? sheet?.columns.find((column) => column.field === field)?.header ?? field;
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

/** The day of a row; undefined without one. */
export function dayOf(row: SheetRow): string | undefined {
  if (row.to === "events") return said(row, "date");
  return said(row, row.to === "valuations" ? "effective" : "issueDate");
}
