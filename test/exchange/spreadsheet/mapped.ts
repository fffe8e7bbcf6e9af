// What tests of mapped tables share: a mapping of one table, its file, and how the securities that came in vest.

import { type MappedTable, type Mapping, readMapping } from "../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { importSheets } from "../../../src/exchange/spreadsheet/record/import.ts";
import type { ImportOptions, ImportReport } from "../../../src/exchange/spreadsheet/record/importing.ts";
import type { Call } from "../../../src/kernel/call.ts";
import { formatDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { sharesIn } from "../../../src/ledger/vested/vesting-account.ts";
import { loadVesting } from "../../../src/ledger/vested/vesting-store.ts";
import { vestedBy } from "../../../src/ledger/vesting/parcels.ts";
import { openOf } from "../../../src/ledger/vesting/schedule.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import type { Place } from "../../property/place.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "./kit.ts";

/** A mapping of one table of options on the sheet Grants, but for what is said otherwise. */
export function mappingOf(table: Partial<MappedTable> = {}, more: Partial<Mapping> = {}): Mapping {
  const own: Partial<MappedTable> = {
    sheet: ["Grants"],
    headerHas: ["No"],
    to: "options",
    columns: {
      No: "certificate",
      Who: "holder",
      When: "issueDate",
      Issued: "quantity",
      Left: "outstanding",
      Terms: "terms",
      Vested: "vested",
    },
    constants: { plan: "Plan", class: "Common", optionType: "NSO", exercisePrice: "1" },
    ...table,
  };
  return readMapping(JSON.stringify({ captableMapping: 1, name: "Mine", mode: "OUTSTANDING", ...more, tables: [own] }));
}

/** What is known of a company after an import. */
export interface Company {
  /** How many shares of a number have vested by a day. */
  vested(certificate: string, day: string): string;
  rows(sql: string): readonly unknown[];
}

/** Imports the files one after the other into a new organization; `look` is asked at the end. */
export function imported<T extends object>(
  place: Place,
  files: readonly Texts[],
  options: Partial<ImportOptions>,
  look: (company: Company) => T,
): Promise<{ readonly reports: readonly ImportReport[]; readonly seen: T }> {
  return inOrganization(place, (tx, call) => {
    const reports = files.map((file) => importSheets(tx, call, sheets(file), { ...OPTIONS, ...options }));
    return { reports, seen: look(companyIn(tx, call)) };
  });
}

function companyIn(tx: Tx, { orgId }: Call): Company {
  return {
    vested(certificate, day) {
      const row = tx.sqlite
        .prepare("select * from securities where orgId = ? and certificateId = ?")
        .get(orgId, certificate);
      return formatDecimal(vestedBy(openOf(sharesIn(loadVesting(tx, orgId, row as never))), day));
    },
    rows: (sql) => tx.sqlite.prepare(sql).all(orgId),
  };
}

/** Problems, or warnings, each by its code and place. */
export function shown(list: ImportReport["problems"]): readonly string[] {
  return list.map(({ code, sheet, cell, row }) => `${code} ${sheet}!${cell ?? row ?? ""}`);
}
