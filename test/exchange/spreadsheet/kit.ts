// What tests of spreadsheets share: an organization of their own, and sheets of text cells.

import { Cells, type Grid } from "../../../src/exchange/spreadsheet/file/grid.ts";
import type { ImportOptions } from "../../../src/exchange/spreadsheet/record/importing.ts";
import type { Call } from "../../../src/kernel/call.ts";
import { insertOrganization } from "../../../src/resources/organization/store.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { newCall } from "../../property/company.ts";
import type { Place } from "../../property/place.ts";

export const OPTIONS: ImportOptions = {
  decimal: "POINT",
  dateOrder: null,
  existing: "MUST_EQUAL",
  currency: "USD",
  importId: "import-1",
};

export type Texts = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Sheets of text cells; rows without any are none, as in a file. */
export function sheets(texts: Texts): Grid[] {
  return Object.entries(texts).map(([name, rows]) => ({
    name,
    merged: [],
    isHidden: false,
    rows: rows.flatMap((row, at) => {
      const filled = row.flatMap((text, column) =>
        text === "" ? [] : [[column, { kind: "text", text } as const] as const],
      );
      return filled.length === 0 ? [] : [{ number: at + 1, cells: new Cells(filled) }];
    }),
  }));
}

/** Works with a new organization, in a transaction. */
export function inOrganization<T extends object>(place: Place, work: (tx: Tx, call: Call) => T): Promise<T> {
  return place.writer.submit((tx) => {
    const call = { ...newCall(Bun.randomUUIDv7(), "POST /"), today: "2026-11-22" };
    insertOrganization(tx, call, { legalName: "Imported, Inc.", isNamed: 1 });
    return work(tx, call);
  });
}
