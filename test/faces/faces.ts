// Every place that shows figures of the cap table, read as figures by name.

import { END_OF_TIME } from "../../src/kernel/runtime.ts";
import { NO_HOLDER, POOL } from "../../src/views/cap-table/layout/by-holder.ts";
import { classRecords, holderRecords } from "../../src/views/cap-table/layout/layout-csv.ts";
import { layOutTable } from "../../src/views/cap-table/table.ts";
import { readView } from "../../src/views/cap-table/view.ts";
import { runModel } from "../../src/views/models/model.ts";
import { readPortal } from "../../src/views/portal/holdings.ts";
import { Own } from "../../src/views/portal/own.ts";
import { makeDocument } from "../../src/views/reports/documents/make.ts";
import { layOutSheet } from "../../src/views/reports/sheets/all.ts";
import type { Company } from "../property/company.ts";
import { LAST_DAY, TODAY } from "../property/model/dates.ts";
import { companyOf, recordsOf } from "../views/reports/made.ts";
import { CLASS_FIGURES, CONVERTED, Collected, type Figures, HOLDER_FIGURES, type Table } from "./figures.ts";

/** A company on a day, with what `GET /cap-table` says of it. */
export interface Looked {
  readonly company: Company;
  readonly day: string;
  readonly table: Table;
}

/** A place that shows figures. */
export interface Face {
  readonly name: string;
  /** The kinds of figures that it tells all of. */
  readonly kinds: readonly string[];
  /** Days on which it can be asked; left out: any. */
  readonly isAskedOn?: (day: string) => boolean;
  read(looked: Looked): Figures;
}

const ofHolder = (names: readonly string[]) => names.map((name) => `holder|${name}`);
const ofClass = (names: readonly string[]) => names.map((name) => `class|${name}`);
const ofTotal = (names: readonly string[]) => names.map((name) => `total|${name}`);
const nowMs = Date.parse(`${TODAY}T12:00:00Z`);

type Row = Readonly<Record<string, string>>;

/** `GET /stakeholders/{id}/position` of each holder, and the sums of its securities. */
const positions: Face = {
  name: "position",
  kinds: [...ofHolder([...HOLDER_FIGURES, ...CONVERTED]), "holder|class"],
  read({ company, day }) {
    const all = new Collected();
    for (const id of company.ids.holders) {
      const { totals, byClass } = company.read("/stakeholders/:id/position", { asOf: day }, id) as {
        readonly totals: Row;
        readonly byClass: readonly Row[];
      };
      for (const name of [...HOLDER_FIGURES, ...CONVERTED]) all.add(["holder", id, name], totals[name]);
      for (const each of byClass) all.add(["holder", id, "class", each.stockClassId ?? null], each.outstanding);
    }
    return all.figures;
  },
};

const TYPES: Readonly<Record<string, string>> = {
  STOCK: "outstanding",
  STOCK_OPTION: "options",
  WARRANT: "warrants",
};

/** The securities that the position lists, added up. */
const securities: Face = {
  name: "securities of the position",
  kinds: ofHolder(["outstanding", "options", "warrants", "unvested"]),
  read({ company, day }) {
    const all = new Collected();
    for (const id of company.ids.holders) {
      const held = company.read("/stakeholders/:id/position", { asOf: day }, id) as {
        readonly securities: readonly Row[];
      };
      for (const { type = "", quantity, unvested } of held.securities) {
        all.add(["holder", id, TYPES[type] ?? type], quantity);
        all.add(["holder", id, "unvested"], unvested);
      }
    }
    return all.figures;
  },
};

/** What each holder sees in the portal. */
const portal: Face = {
  name: "portal",
  kinds: ofHolder([...HOLDER_FIGURES, ...CONVERTED]),
  isAskedOn: (day) => day === TODAY,
  read({ company: { tx, orgId, ids }, day }) {
    const all = new Collected();
    for (const id of ids.holders) {
      const totals = readPortal(tx, new Own(orgId, [id]), day).totals as unknown as Row;
      for (const name of [...HOLDER_FIGURES, ...CONVERTED]) all.add(["holder", id, name], totals[name]);
    }
    return all.figures;
  },
};

/** The point of `GET /cap-table/history` that holds on the day. */
const history: Face = {
  name: "history",
  kinds: [...ofClass(["issued"]), ...ofTotal(["options", "warrants", "pool", "asConverted"])],
  isAskedOn: (day) => day <= TODAY,
  read({ company, day }) {
    const all = new Collected();
    const { data } = company.read("/cap-table/history") as { readonly data: { readonly points: readonly Point[] } };
    const point = data.points.findLast(({ date }) => date <= day);
    for (const { id, issued } of point?.classes ?? []) all.add(["class", id, "issued"], issued);
    all.add(["total", "options"], point?.options);
    all.add(["total", "warrants"], point?.warrants);
    all.add(["total", "pool"], point?.poolAvailable);
    all.add(["total", "asConverted"], point?.asConverted);
    return all.figures;
  },
};

interface Point {
  readonly date: string;
  readonly classes: readonly { readonly id: string; readonly issued: string }[];
  readonly options: string;
  readonly warrants: string;
  readonly poolAvailable: string;
  readonly asConverted: string;
}

function sheetOf({ company, day }: Looked, key: Parameters<typeof layOutSheet>[1]): readonly Row[] {
  const made = companyOf(company.tx, company, { asOf: day });
  return recordsOf(layOutSheet(made, key, "FULLY_DILUTED")) as readonly Row[];
}

/** The workbook's sheet Cap table, and its CSV. */
const capTableSheet: Face = {
  name: "sheet Cap table",
  kinds: [
    ...ofHolder(["outstanding", "options", "warrants", "asConverted", "class"]),
    ...ofTotal(["pool", "asConverted"]),
  ],
  read(looked) {
    const all = new Collected();
    for (const row of sheetOf(looked, "cap-table")) {
      all.add(["total", "asConverted"], row.fullyDiluted);
      if (row.id === null) {
        if (row.holder?.startsWith("Available: ")) all.add(["total", "pool"], row.fullyDiluted);
        continue;
      }
      const id = row.id ?? null;
      all.add(["holder", id, "outstanding"], row.outstanding);
      all.add(["holder", id, "warrants"], row.warrants);
      all.add(["holder", id, "asConverted"], row.fullyDiluted);
      all.add(["holder", id, "options"], row.options);
      for (const [key, figure] of Object.entries(row)) {
        if (key.startsWith("plan ")) all.add(["holder", id, "options"], figure);
        if (key.startsWith("class ")) all.add(["holder", id, "class", key.slice("class ".length)], figure);
      }
    }
    return all.figures;
  },
};

/** The workbook's sheet Summary. */
const summarySheet: Face = {
  name: "sheet Summary",
  kinds: [...ofClass(CLASS_FIGURES), ...ofTotal(["outstanding", "options", "warrants", "pool", "asConverted"])],
  read(looked) {
    const all = new Collected();
    const ids = new Map(looked.table.shareClasses.map(({ id, name }) => [name, id]));
    for (const row of sheetOf(looked, "summary")) {
      const id = ids.get(row.class ?? "") ?? null;
      const isPool = row.class?.startsWith("Available: ") === true;
      for (const name of CLASS_FIGURES) {
        if (!isPool) all.add(["class", id, name], row[name === "asConverted" ? "fullyDiluted" : name]);
      }
      for (const name of ["outstanding", "options", "warrants", "pool"]) all.add(["total", name], row[name]);
      all.add(["total", "asConverted"], row.fullyDiluted);
    }
    return all.figures;
  },
};

const REGISTERS = [
  ["stock-ledger", "outstanding"],
  ["option-ledger", "options"],
  ["warrants", "warrants"],
] as const;

/** The workbook's ledgers, a row a security. */
const registers: Face = {
  name: "sheets of the ledgers",
  kinds: ofHolder(["outstanding", "options", "warrants", "unvested"]),
  read(looked) {
    const all = new Collected();
    for (const [key, name] of REGISTERS) {
      for (const { holderId = null, outstanding, unvested } of sheetOf(looked, key)) {
        all.add(["holder", holderId, name], outstanding);
        all.add(["holder", holderId, "unvested"], unvested);
      }
    }
    return all.figures;
  },
};

function statementOf({ company: { tx, orgId }, day }: Looked, kind: "H" | "S", subjectId: string) {
  const asked = { kind, orgId, subjectId, asOf: day, today: TODAY, knownAt: null, basis: "FULLY_DILUTED" } as const;
  return makeDocument(tx, asked).facts.statement;
}

const PAPER_TABLES: Readonly<Record<string, string>> = {
  "Stock: Outstanding": "outstanding",
  "Options: Outstanding": "options",
  "Warrants: Outstanding": "warrants",
};

/** The facts of each holder's statement. Its tables end with their totals. */
const statements: Face = {
  name: "holder's statement",
  kinds: ofHolder(["outstanding", "options", "warrants", "asConverted"]),
  read(looked) {
    const all = new Collected();
    for (const id of looked.company.ids.holders) {
      const lines = statementOf(looked, "H", id);
      for (const [label, name] of Object.entries(PAPER_TABLES)) {
        const figures = lines.filter(([each]) => each === label).map(([, value]) => value);
        for (const value of figures.slice(0, -1)) all.add(["holder", id, name], value);
      }
      all.add(["holder", id, "asConverted"], lines.find(([label]) => label === "Fully diluted")?.[1]);
    }
    return all.figures;
  },
};

const SUMMARY_TOTALS: Readonly<Record<string, string>> = {
  "Outstanding stock": "outstanding",
  Options: "options",
  Warrants: "warrants",
  "Pool available": "pool",
  "Fully diluted": "asConverted",
};

/** The facts of the summary on paper: its totals, and its table of holders. */
const summaryPaper: Face = {
  name: "summary on paper",
  kinds: [...ofHolder(["outstanding", "asConverted"]), ...ofTotal(Object.values(SUMMARY_TOTALS))],
  read(looked) {
    const all = new Collected();
    const { company, table } = looked;
    const lines = statementOf(looked, "S", company.orgId);
    for (const [label, name] of Object.entries(SUMMARY_TOTALS)) {
      all.add(["total", name], lines.find(([each]) => each === label)?.[1]);
    }
    const names = new Map(table.stakeholders.map(({ id, displayName }) => [String(displayName ?? NO_HOLDER), id]));
    let holder: string | null = null;
    for (const [label, value] of lines) {
      if (label === "Holders: Holder") holder = names.get(value) ?? null;
      if (label === "Holders: Outstanding") all.add(["holder", holder, "outstanding"], value);
      if (label === "Holders: Fully diluted") all.add(["holder", holder, "asConverted"], value);
    }
    return all.figures;
  },
};

/** Rows of a command's CSV by its headings; the last stands for the whole. */
function byHeading([heading = [], ...rows]: ReturnType<typeof holderRecords>): Row[] {
  return rows.map((row) => Object.fromEntries(row.map(({ text }, at) => [heading[at]?.text, text])));
}

const HEADINGS: Readonly<Record<string, string>> = {
  Outstanding: "outstanding",
  Options: "options",
  Warrants: "warrants",
  Vested: "vested",
  Unvested: "unvested",
  "Fully diluted": "asConverted",
};

/** `captable cap-table --csv`, a row a holder, and a row a class; by holder it is the file of the page, too. */
const command: Face = {
  name: "command",
  kinds: [
    ...ofHolder(HOLDER_FIGURES),
    ...ofClass(CLASS_FIGURES),
    ...ofTotal(["outstanding", "options", "asConverted"]),
  ],
  read({ company: { tx, orgId }, day }) {
    const all = new Collected();
    const view = readView(tx, orgId, { asOf: day, knownAt: END_OF_TIME });
    const source = { table: layOutTable(view), ranks: view.names.classes };
    const holders = byHeading(holderRecords(source));
    const total = holders.pop();
    for (const row of holders.filter(({ Holder }) => Holder !== POOL)) {
      const id = row["Stakeholder id"] || null;
      for (const [heading, name] of Object.entries(HEADINGS)) all.add(["holder", id, name], row[heading]);
    }
    for (const name of ["Outstanding", "Options", "Fully diluted"]) {
      all.add(["total", HEADINGS[name] ?? name], total?.[name]);
    }
    const classes = byHeading(classRecords(source)).slice(0, -1);
    for (const row of classes.filter(({ Class }) => Class?.startsWith("Available: ") !== true)) {
      const id = row.Id === "" ? null : (row.Id ?? null);
      for (const [heading, name] of Object.entries({ ...HEADINGS, Votes: "votes" })) {
        if (name !== "vested" && name !== "unvested") all.add(["class", id, name], row[heading]);
      }
    }
    return all.figures;
  },
};

interface Model {
  readonly holders: readonly ({ readonly stakeholderId: string | null } & Readonly<Record<string, unknown>>)[];
  readonly totals: Row;
}

/** `before` of `POST /models/cap-table`, whose stock and warrants are as converted. */
const model: Face = {
  name: "model",
  kinds: [
    ...ofHolder(["options", "asConverted", ...CONVERTED]),
    ...ofTotal(["options", "pool", "asConverted", ...CONVERTED]),
  ],
  read({ company: { tx, orgId }, day }) {
    const all = new Collected();
    const asked = { orgId, model: "CAP_TABLE", body: { asOf: day }, nowMs } as const;
    const { before } = runModel(tx, asked) as unknown as { readonly before: Model };
    const add = (of: readonly (string | null)[], { outstanding, options, warrants, fullyDiluted }: Row) => {
      all.add([...of, "outstandingAsConverted"], outstanding);
      all.add([...of, "warrantsAsConverted"], warrants);
      all.add([...of, "options"], options);
      all.add([...of, "asConverted"], fullyDiluted);
    };
    for (const { stakeholderId, ...figures } of before.holders) add(["holder", stakeholderId], figures as Row);
    add(["total"], before.totals);
    all.add(["total", "pool"], before.totals.poolAvailable);
    return all.figures;
  },
};

/** `GET /cap-table/summary`: the record as it stands, with all that is dated ahead. */
const summary: Face = {
  name: "summary",
  kinds: ofTotal(["outstanding"]),
  isAskedOn: (day) => day === LAST_DAY,
  read({ company }) {
    const all = new Collected();
    const { data } = company.read("/cap-table/summary") as { readonly data: Row };
    all.add(["total", "outstanding"], data.totalIssued);
    return all.figures;
  },
};

/** Every place. */
export const FACES: readonly Face[] = [
  ...[positions, securities, portal, history, capTableSheet, summarySheet, registers, statements, summaryPaper],
  ...[command, model, summary],
];
