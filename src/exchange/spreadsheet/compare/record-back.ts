// Reads back the records and events that rows made, right after their steps, as read-back.ts does for securities.

import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { getRecord } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { recordedEvent } from "../codec/event-columns.ts";
import { type RecordColumn, type RecordTable, recordColumns } from "../codec/record-columns.ts";
import { WORD_LISTS } from "../file/template.ts";
import type { Importing } from "../record/importing.ts";
import { said } from "../rows/read-field.ts";
import { tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import { findLastEntry } from "../store.ts";
import { meansOf, type Names, plain, type Recorded, type Said } from "./made.ts";
import { NotAsWritten } from "./read-back.ts";

/** A record that a row made: its table and id, and the ids that the row's names stand for. */
export interface RecordMade {
  readonly table: RecordTable;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads back a record. Throws {@link NotAsWritten} if it differs from its row. */
export function readBackRecord(importing: Importing, row: SheetRow, { table, id, body }: RecordMade): Recorded {
  const { tx, orgId, names } = importing;
  const record = getRecord<Row<RecordTable>>(tx, table, orgId, id);
  const columns = recordColumns(table);
  const recorded = Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const made = shownBy(column, record, names);
      return made === undefined ? [] : [[field, made] as const];
    }),
  );
  for (const field of row.fields.keys()) {
    const [column, made] = [columns[field], recorded[field]];
    const written = (column && namedBy(column, body)) ?? said(row, field);
    if (made === undefined || written === undefined || (made && isAlike(field, made.means, written))) continue;
    throw new NotAsWritten(row, field, made?.text ?? "nothing");
  }
  return recorded;
}

type Column = RecordColumn<Row<RecordTable>>;

/** What a record has in a column; null: nothing. Undefined: the column does not say. */
function shownBy({ recorded, shown }: Column, record: Row<RecordTable>, names: Names): Said | null | undefined {
  if (shown) return shown(record, names);
  const value = recorded(record);
  const [first] = Array.isArray(value) ? (value as readonly (string | null)[]) : [value as string | null | undefined];
  return first === undefined ? undefined : plain(first);
}

/** Lists are kept in an order of their own, and some texts, such as e-mail addresses, without capitals. */
function isAlike(field: string, made: string, written: string): boolean {
  if (WORD_LISTS.has(field)) return meansOf(made.split(";")) === meansOf(written.split(";"));
  return isSameFigure(made, written) || foldName(made) === foldName(written);
}

/** The ids that the names in a column stand for; undefined if they are no names. */
function namedBy({ member, isReference }: Column, body: RecordMade["body"]): string | undefined {
  const value = isReference && member !== null ? body[member] : undefined;
  return Array.isArray(value) ? meansOf(value as string[]) : value === undefined ? undefined : String(value);
}

/** The fields of an event that must equal its row; those that its operation does not take are not recorded. */
const HELD = ["date", "quantity", "price", "numerator", "denominator"] as const;

/**
 * Reads back the entry of an event; null after reporting a figure that the event makes otherwise, because its operation
 * does not take it: a retraction's is the whole. Throws {@link NotAsWritten} if a requested value is not recorded.
 */
export function readBackEvent(
  importing: Importing,
  row: SheetRow,
  body: Readonly<Record<string, unknown>>,
): Recorded | null {
  const { tx, orgId, names } = importing;
  const entry = findLastEntry(tx, { orgId });
  const recorded = recordedEvent({ entry, names, has: (field) => row.fields.has(field) });
  for (const field of HELD) {
    const [made, written] = [recorded[field], said(row, field)];
    if (!made || written === undefined || isSameFigure(made.means, written)) continue;
    if (Object.values(body).some((asked) => String(asked) === written)) throw new NotAsWritten(row, field, made.text);
    tell(importing, row, "differs-from-source", field, `the row says ${written}; its event makes ${made.text}`);
    return null;
  }
  return recorded;
}
