// Compares a row with the existing record: differences are reported, and the record stays.

import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { listText, type RecordTable, recordColumns } from "../codec/record-columns.ts";
import { WORD_LISTS } from "../file/template.ts";
import type { Importing } from "../record/importing.ts";
import type { Directory } from "../rows/directory.ts";
import type { Meant } from "../rows/row-holders.ts";
import type { SheetRow } from "../rows/understand.ts";

/** A record's values by the fields of the row; several if each is as good. Null: it has no value. */
export type Recorded = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>;

/** A record's values by the fields of its row, without those by which it was found. */
function recordedOf(table: RecordTable, record: Row<RecordTable>): Recorded {
  const columns = Object.entries(recordColumns(table)).filter(([, { isKey }]) => isKey !== true);
  const values = columns.map(([field, { recorded }]) => [field, recorded(record)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Warns of each field in which the row differs from the record with this id; returns whether there is any. */
export function tellDiffering(
  importing: Importing,
  row: SheetRow,
  { table, id }: { readonly table: RecordTable; readonly id: string },
): boolean {
  const record = findAny(importing.tx, table, importing.orgId, id);
  // The same file has the record that it just made once more.
  if (record === null) return false;
  return tellOthers(importing, row, recordedOf(table, record));
}

/** Lists of names of records, each with the look-up of a name. */
const LISTED: Readonly<Record<string, (directory: Directory, name: string) => string>> = {
  classes: (directory, name) => idOf(directory.stockClass(name)) ?? name,
  legends: (directory, name) => directory.legend(name) ?? name,
};

const asWritten = (_directory: Directory, word: string) => word;

function idOf(meant: Meant): string | null {
  return typeof meant === "object" ? meant.id : null;
}

/** Warns of each field that is recorded otherwise, with both values; returns whether there is any. */
export function tellOthers({ directory, options, found }: Importing, row: SheetRow, recorded: Recorded): boolean {
  let isAny = false;
  for (const [field, was] of Object.entries(recorded)) {
    const here = row.fields.get(field);
    if (!here) continue;
    const all = Array.isArray(was) ? was : [was];
    const look = LISTED[field] ?? (WORD_LISTS.has(field) ? asWritten : undefined);
    const value = look ? listText(here.value.split(";").map((name) => look(directory, name))) : here.value;
    if (all.some((each) => each != null && isSame(each, value))) continue;
    const shown = all[0] == null ? null : look ? namesOf(directory, all[0]) : directory.nameOf(all[0]);
    const recordedAs = shown === null || shown === "" ? "is not recorded yet" : `is recorded as ${shown}`;
    const detail = `${here.value} ${recordedAs}${options.existing === "SKIP" ? "; it stays" : ""}`;
    const fix = "The record is not changed. Edit it if the file is right.";
    found.warning("differs", here.place, detail, fix);
    isAny = true;
  }
  return isAny;
}

function namesOf(directory: Directory, list: string): string {
  return list
    .split(";")
    .map((id) => directory.nameOf(id))
    .join(", ");
}

function isSame(recorded: string, value: string): boolean {
  return isSameFigure(recorded, value) || foldName(recorded) === foldName(value);
}
