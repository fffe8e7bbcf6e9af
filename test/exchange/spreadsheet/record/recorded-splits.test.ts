// Splits that are recorded already: what a file counts in shares of before them comes in as it would have at once, or
// is refused at its cell.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import type { Call } from "../../../../src/kernel/call.ts";
import type { Tx } from "../../../../src/storage/database/sql.ts";
import { capTableAsOf } from "../../../../src/views/cap-table/as-of-route.ts";
import { jsonOf } from "../../../kit/reply.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "../kit.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const STOCK = [
  "Certificate",
  "Holder",
  "Class",
  "Issue date",
  "Quantity",
  "Price per share",
  "How issued",
  "From certificate",
];
const OPTIONS_HEAD = ["Grant", "Holder", "Plan", "Type", "Grant date", "Quantity", "Exercise price"];
const EVENTS = [
  "Date",
  "Event",
  "Number",
  "Class",
  "Plan",
  "Quantity",
  "Price",
  "Reason",
  "New shares",
  "For old shares",
];
const FIRST = ["CS-1", "Ann", "Common", "2024-01-01", "1000", "0.001"];
const SPLIT = ["2025-01-01", "Split", "", "Common", "", "", "", "", "2", "1"];

function company({
  stock = [FIRST],
  events = [SPLIT],
  options = [],
}: Partial<Record<"stock" | "events" | "options", readonly (readonly string[])[]>>) {
  const cells: Texts = {
    Stakeholders: [
      ["Holder", "Type"],
      ["Ann", "Individual"],
      ["Bob", "Individual"],
    ],
    "Share classes": [
      ["Class", "Kind", "Prefix", "Authorized", "Votes per share", "Seniority"],
      ["Common", "Common", "CS-", "100000", "1", "1"],
    ],
    "Equity plans": [
      ["Plan", "Reserved", "Classes"],
      ["Plan", "500", "Common"],
    ],
    Stock: [STOCK, ...stock],
    Options: [OPTIONS_HEAD, ...options],
    Events: [EVENTS, ...events],
  };
  return sheets(cells);
}

/** What each file was told, one after the other, and who holds what in the end. */
function imported(...files: ReturnType<typeof company>[]) {
  return inOrganization(place, (tx, call) => {
    const told = files.map((grids) =>
      importSheets(tx, call, grids, OPTIONS).problems.map(
        ({ code, sheet, cell, row }) => `${code} ${sheet}!${cell ?? row}`,
      ),
    );
    return { told: told.at(-1), held: heldIn(tx, call) };
  });
}

function heldIn(tx: Tx, call: Call): readonly string[] {
  const request = { orgId: call.orgId, params: {}, query: { asOf: "2026-11-22" }, nowMs: Date.UTC(2026, 10, 22) };
  const { data } = jsonOf(capTableAsOf.run(tx, request));
  return data.stakeholders.map(
    (each: { displayName: string; fullyDiluted: string }) => `${each.displayName} ${each.fullyDiluted}`,
  );
}

const LATE = ["CS-9", "Bob", "Common", "2024-06-01", "50", "1"];

test("a certificate of before a split is split where both come at once, and refused once the split is recorded", async () => {
  expect(await imported(company({ stock: [FIRST, LATE] }))).toEqual({ told: [], held: ["Ann 2000", "Bob 100"] });
  expect((await imported(company({}), company({ stock: [FIRST, LATE] }))).told).toEqual(["before-split Stock!E3"]);
  // The day of the split belongs to before it: issuances come first on a day.
  const sameDay = [...LATE.slice(0, 3), "2025-01-01", ...LATE.slice(4)];
  expect((await imported(company({}), company({ stock: [sameDay], events: [] }))).told).toEqual([
    "before-split Stock!E2",
  ]);
});

test("what is dated after the split comes in as it stands", async () => {
  const after = [...LATE.slice(0, 3), "2025-01-02", ...LATE.slice(4)];
  expect(await imported(company({}), company({ stock: [FIRST, after] }))).toEqual({
    told: [],
    held: ["Ann 2000", "Bob 50"],
  });
});

test("grants, transfers and events of before a recorded split are refused at their quantity", async () => {
  const grant = ["ES-1", "Bob", "Plan", "NSO", "2024-06-01", "40", "0.1"];
  const transfer = ["CS-2", "Bob", "Common", "2024-06-01", "100", "", "Transfer", "CS-1"];
  const cancel = ["2024-06-01", "Cancel", "CS-1", "", "", "10", "", "Forfeiture"];
  const reserve = ["2024-06-01", "Adjust reserve", "", "", "Plan", "900"];
  const later = company({ stock: [FIRST, transfer], options: [grant], events: [SPLIT, cancel, reserve] });
  expect((await imported(company({}), later)).told?.toSorted()).toEqual([
    "before-split Events!F3",
    "before-split Events!F4",
    "before-split Options!F2",
    "before-split Stock!E3",
  ]);
  expect((await imported(later)).told).toEqual([]);
});

describe("what is issued on the day of a split that comes with it", () => {
  const warned = (grids: ReturnType<typeof company>, ...before: ReturnType<typeof company>[]) =>
    inOrganization(place, (tx, call) => {
      for (const each of before) importSheets(tx, call, each, OPTIONS);
      const { problems, warnings } = importSheets(tx, call, grids, OPTIONS);
      const told = warnings.filter(({ code }) => code === "same-day-as-split");
      return { problems, told: told.map(({ sheet, cell, detail }) => `${sheet}!${cell} ${detail}`) };
    });
  const says = (before: string, after: string, ratio = "2:1") =>
    `is the day of the split ${ratio}: it is issued before the split, so its ${before} become ${after}`;
  const sameDay = LATE.with(3, "2025-01-01");
  const grant = ["ES-1", "Bob", "Plan", "NSO", "2025-01-01", "40", "0.1"];

  test("is split, and reported at its day", async () => {
    const file = company({ stock: [FIRST, sameDay], options: [grant] });
    expect(await warned(file)).toEqual({
      problems: [],
      told: [`Stock!D3 ${says("50", "100")}`, `Options!E2 ${says("40", "80")}`],
    });
    expect((await imported(file)).held).toEqual(["Ann 2000", "Bob 180"]);
  });

  test("is told what two splits make of it, and what rounding does", async () => {
    const second = SPLIT.with(8, "1").with(9, "3");
    const file = company({ stock: [FIRST, sameDay], events: [SPLIT, second] });
    expect((await warned(file)).told).toEqual([`Stock!D3 ${says("50", "33", "2:1 and 1:3")}`]);
    expect((await imported(file)).held).toEqual(["Ann 666", "Bob 33"]);
  });

  test("is not told where it is recorded already, or was issued on another day", async () => {
    const file = company({ stock: [FIRST, sameDay] });
    expect(await warned(file, file)).toEqual({ problems: [], told: [] });
    expect(await warned(company({ stock: [FIRST, LATE] }))).toEqual({ problems: [], told: [] });
  });
});

test("an event on the day of a split counts in the shares of its place in the file", async () => {
  const cancel = ["2025-01-01", "Cancel", "CS-1", "", "", "10", "", "Forfeiture"];
  const [at, later] = [company({ events: [SPLIT, cancel] }), company({ events: [cancel, SPLIT] })];
  expect(await imported(company({}), at)).toEqual({ told: [], held: ["Ann 1990"] });
  expect(await imported(at)).toEqual({ told: [], held: ["Ann 1990"] });
  expect((await imported(company({}), later)).told).toEqual(["before-split Events!F2"]);
  expect(await imported(later)).toEqual({ told: [], held: ["Ann 1980"] });
});

test("a split of before what is recorded already is refused: it would split that, too", async () => {
  const after = ["CS-2", "Bob", "Common", "2025-06-01", "50", "1"];
  expect(await imported(company({ stock: [FIRST, after] }))).toEqual({ told: [], held: ["Ann 2000", "Bob 50"] });
  const both = [company({ stock: [FIRST, after], events: [] }), company({ stock: [FIRST, after] })];
  expect((await imported(...both)).told).toEqual(["before-recorded Events!A2"]);
});

describe("a preferred class", () => {
  const SERIES = ["Series A", "Preferred", "SA-", "100000", "1", "2"];
  const made = (stock: readonly (readonly string[])[], approved = "") =>
    inOrganization(place, (tx, call) => {
      const classes = [
        ["Class", "Kind", "Prefix", "Authorized", "Votes per share", "Seniority", "Board approval"],
        ["Common", "Common", "CS-", "100000", "1", "1", ""],
        [...SERIES, approved],
      ];
      const grids = company({ stock: [FIRST, ...stock] }).filter(({ name }) => name !== "Share classes");
      const report = importSheets(tx, call, [...grids, ...sheets({ "Share classes": classes })], OPTIONS);
      const rights = tx.sqlite.prepare(
        "select conversionRights from share_classes where orgId = ? and name = 'Series A'",
      );
      const told = rights.pluck().get(call.orgId) as string;
      return {
        problems: report.problems,
        warnings: report.warnings.map(({ code, cell }) => `${code} ${cell}`),
        ratio: (JSON.parse(told) as { ratio: object }[])[0]?.ratio ?? null,
      };
    });
  const split = { numerator: "2", denominator: "1" };

  test("that came after a split is not split with the common stock that it converts into", async () => {
    const after = [["SA-1", "Bob", "Series A", "2026-01-01", "500", "1"]];
    expect(await made(after)).toEqual({ problems: [], warnings: [], ratio: null });
    expect(await made([], "2025-06-01")).toEqual({ problems: [], warnings: [], ratio: null });
  });

  test("that was there before is, by its shares or by when it was approved", async () => {
    const before = [["SA-1", "Bob", "Series A", "2024-02-01", "500", "1"]];
    expect(await made(before)).toEqual({ problems: [], warnings: [], ratio: split });
    const after = [["SA-1", "Bob", "Series A", "2026-01-01", "500", "1"]];
    expect(await made(after, "2024-02-01")).toEqual({ problems: [], warnings: [], ratio: split });
  });

  test("of which the file says no day is warned of", async () => {
    expect(await made([])).toEqual({ problems: [], warnings: ["assumed A3"], ratio: split });
  });
});
