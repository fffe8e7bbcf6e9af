// The preview of a row: the values that it made if it made a record, else its own as understood; and the cells that
// read otherwise. Pure.
import type { Action } from "../record/importing.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { Recorded, Shown } from "./made.ts";

/** A record's values in the columns of its row, if they differ from the row's own. */
export function shownOf(row: SheetRow, recorded: Recorded): Shown {
  const shown = new Map<string, string>();
  for (const field of new Set([...row.fields.keys(), ...(row.columns?.keys() ?? [])])) {
    const said = recorded[field];
    if (said === undefined) continue;
    const text = said?.text ?? "";
    if (text !== (row.fields.get(field)?.value ?? "")) shown.set(field, text);
  }
  return shown;
}

/** The shown value of a field. */
export function valueIn({ row, shown }: Pick<Action, "row" | "shown">, field: string): string {
  return shown?.get(field) ?? row.fields.get(field)?.value ?? "";
}

/** The shown fields of a row. */
export function fieldsIn({ row, shown }: Pick<Action, "row" | "shown">): readonly string[] {
  return [...new Set([...row.fields.keys(), ...(shown?.keys() ?? [])])];
}

/** The cells that differ from the shown value, as `Quantity: 1.250`, joined by `; `. */
export function writtenIn(action: Pick<Action, "row" | "shown">): string {
  const cells = [...action.row.fields].flatMap(([field, { place }]) => {
    const { header = field, value } = place;
    if (value === undefined || value.trim() === "" || isRead(value, valueIn(action, field))) return [];
    return [`${header.replace(/(?<!\s)\s*\*$/, "")}: ${value}`];
  });
  return cells.join("; ");
}

/** Whether a cell reads as the value: the same text, or the same word such as `Actual/365` for `ACTUAL_365`. */
function isRead(cell: string, value: string): boolean {
  const text = cell.trim();
  if (text === value) return true;
  if (/^\d/.test(value)) return false;
  return wordOf(text) === wordOf(value);
}

const YES_NO: Readonly<Record<string, string>> = { YES: "TRUE", NO: "FALSE", Y: "TRUE", N: "FALSE" };

function wordOf(text: string): string {
  const word = text
    .toUpperCase()
    .replace(/[\s_/-]+/g, "_")
    .replace(/_?;_?/g, ";");
  return YES_NO[word] ?? word;
}
