// What tests of spreadsheets share: an organization of their own, and sheets of text cells.
import type { Tx } from "../../src/database/sql.ts";
import type { Call } from "../../src/kernel/call.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import type { Grid } from "../../src/spreadsheet/grid.ts";
import type { ImportOptions } from "../../src/spreadsheet/importing.ts";
import { newCall } from "../property/company.ts";
import type { Place } from "../property/place.ts";

export const OPTIONS: ImportOptions = {
  decimal: "POINT",
  dateOrder: null,
  existing: "MUST_EQUAL",
  currency: "USD",
  importId: "import-1",
};

export type Cells = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Sheets of text cells. */
export function sheets(cells: Cells): Grid[] {
  return Object.entries(cells).map(([name, rows]) => ({
    name,
    merged: [],
    isHidden: false,
    rows: rows.map((row, at) => ({
      number: at + 1,
      cells: new Map(row.flatMap((text, column) => (text === "" ? [] : [[column, { kind: "text", text } as const]]))),
    })),
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
