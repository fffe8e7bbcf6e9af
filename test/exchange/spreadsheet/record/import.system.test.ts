// Spreadsheets in: the example, what is wrong told at its cell, all or nothing, and the same file twice.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readSpreadsheet } from "../../../../src/exchange/spreadsheet/file/read-spreadsheet.ts";
import { templateBytes } from "../../../../src/exchange/spreadsheet/file/template-file.ts";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import type { ImportOptions } from "../../../../src/exchange/spreadsheet/record/importing.ts";
import { verifyDatabase } from "../../../../src/safekeeping/verify/verify.ts";
import { capTableAsOf } from "../../../../src/views/cap-table/as-of-route.ts";
import { jsonOf } from "../../../kit/reply.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import { whole } from "../../../views/reports/made.ts";
import { convert, OFFICE } from "../../../views/reports/office.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "../kit.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const example = async () => readSpreadsheet(await whole(templateBytes(true)), "template.xlsx");

const BASE: Texts = {
  Stakeholders: [
    ["Holder*", "Type*", "Email"],
    ["Ada", "Individual", "ada@example.com"],
    ["Ben", "Individual", ""],
  ],
  "Share classes": [
    ["Class", "Kind", "Prefix", "Authorized", "Votes per share", "Seniority"],
    ["Common", "Common", "CS-", "1,000,000", "1", "1"],
  ],
};

const STOCK = ["Certificate", "Holder", "Class", "Issue date", "Quantity", "Price per share", "Plan"];

test("a plan that an import overdraws is a note of verifying, not a difference for good", async () => {
  const texts = {
    ...BASE,
    "Equity plans": [
      ["Plan", "Reserved", "Classes"],
      ["Plan", "100", "Common"],
    ],
    Options: [
      ["Grant", "Holder", "Plan", "Type", "Grant date", "Quantity", "Exercise price"],
      ["ES-1", "Ada", "Plan", "NSO", "2024-01-02", "200", "0.5"],
    ],
  };
  const told = await inOrganization(place, (tx, call) => {
    const report = importSheets(tx, call, sheets(texts), OPTIONS);
    const { differences, notes } = verifyDatabase(tx, call.orgId);
    return { warnings: report.warnings.map(({ code }) => code), differences, notes: notes.map(({ code }) => code) };
  });
  expect(told).toEqual({ warnings: ["overdrawn"], differences: [], notes: ["pool-exceeded"] });
});

describe("the example", () => {
  test("imports without a problem, to a ledger that verifies", async () => {
    const grids = await example();
    const { report, orgId, table } = await inOrganization(place, (tx, call) => {
      const made = importSheets(tx, call, grids, OPTIONS);
      const request = { orgId: call.orgId, params: {}, query: { asOf: "2026-11-22" }, nowMs: Date.UTC(2026, 10, 22) };
      return { report: made, orgId: call.orgId, table: jsonOf(capTableAsOf.run(tx, request)).data };
    });
    expect(report.problems).toEqual([]);
    expect(report.counts.stock).toEqual({ create: 5, unchanged: 0, differs: 0, leftOut: 0 });
    expect(table.totals).toMatchObject({ outstanding: "4855000", options: "31000", warrants: "10000" });
    expect(verifyDatabase(place.db, orgId).differences).toEqual([]);
  });

  test("imported again adds nothing", async () => {
    const grids = await example();
    const { first, second } = await inOrganization(place, (tx, call) => ({
      first: importSheets(tx, call, grids, OPTIONS),
      second: importSheets(tx, call, grids, { ...OPTIONS, importId: "import-2" }),
    }));
    expect(first.problems).toEqual([]);
    expect(second.problems).toEqual([]);
    for (const { create } of Object.values(second.counts)) expect(create).toBe(0);
  });

  test.skipIf(!OFFICE)("saved by LibreOffice imports to the same", async () => {
    const saved = await convert(new Map([["example", await whole(templateBytes(true))]]), "xlsx");
    const grids = await readSpreadsheet(saved.get("example") ?? new Uint8Array(), "example.xlsx");
    const { counts, problems } = await inOrganization(place, (tx, call) => importSheets(tx, call, grids, OPTIONS));
    expect(problems).toEqual([]);
    expect(counts.events).toEqual({ create: 2, unchanged: 0, differs: 0, leftOut: 0 });
  });

  test("leaves in each entry which row it came from", async () => {
    const grids = await example();
    const { rows } = await inOrganization(place, (tx, call) => {
      importSheets(tx, call, grids, OPTIONS);
      const found = tx.sqlite.prepare("select metadata from transactions where orgId = ? order by sequence");
      return { rows: found.all(call.orgId) as { readonly metadata: string }[] };
    });
    const told = rows.map(({ metadata }) => JSON.parse(metadata));
    expect(told[0]).toMatchObject({ importId: "import-1", importRow: "Stock!2" });
    expect(told.filter(({ importKey }) => importKey !== undefined)).toHaveLength(2);
  });
});

/** What a file with these rows of Stock is told, as `code at cell`. */
async function toldOf(rows: readonly (readonly string[])[], more: Texts = {}, options: Partial<ImportOptions> = {}) {
  const grids = sheets({ ...BASE, ...more, Stock: [STOCK, ...rows] });
  const report = await inOrganization(place, (tx, call) => importSheets(tx, call, grids, { ...OPTIONS, ...options }));
  const shown = ({ code, sheet, cell, row }: (typeof report.problems)[number]) => `${code} ${sheet}!${cell ?? row}`;
  return { problems: report.problems.map(shown), warnings: report.warnings.map(shown), report };
}

describe("what is wrong", () => {
  const GOOD = ["CS-1", "Ada", "Common", "2026-01-02", "100", "1.25"];
  const faults: readonly (readonly [code: string, row: readonly string[], cell: string])[] = [
    ["missing-value", ["", "Ada", "Common", "2026-01-02", "100"], "A2"],
    ["unknown-holder", ["CS-1", "Zed Zander", "Common", "2026-01-02", "100"], "B2"],
    ["unknown-class", ["CS-1", "Ada", "Rare", "2026-01-02", "100"], "C2"],
    ["ambiguous-date", ["CS-1", "Ada", "Common", "3/4/2026", "100"], "D2"],
    ["bad-date", ["CS-1", "Ada", "Common", "2026-02-30", "100"], "D2"],
    ["bad-date", ["CS-1", "Ada", "Common", "1/2/26", "100"], "D2"],
    ["bad-number", ["CS-1", "Ada", "Common", "2026-01-02", "1,23"], "E2"],
    ["bad-number", ["CS-1", "Ada", "Common", "2026-01-02", "ten"], "E2"],
    ["negative", ["CS-1", "Ada", "Common", "2026-01-02", "(100)"], "E2"],
    ["too-many-digits", ["CS-1", "Ada", "Common", "2026-01-02", "1234567890123456"], "E2"],
    ["foreign-currency", ["CS-1", "Ada", "Common", "2026-01-02", "100", "€1.25"], "F2"],
    ["unknown-plan", ["CS-1", "Ada", "Common", "2026-01-02", "100", "", "No plan"], "G2"],
    ["validation-failed", ["CS-1", "Ada", "Common", "2026-01-02", "0"], "E2"],
    ["validation-failed", ["x".repeat(60), "Ada", "Common", "2026-01-02", "5"], "A2"],
  ];
  test.each(faults)("is told as %s of %p at its cell", async (code, row, cell) => {
    expect((await toldOf([row])).problems).toEqual([`${code} Stock!${cell}`]);
  });

  test("is all told in one reading", async () => {
    const own = faults.map(([, row], at) => (row[0] === "CS-1" ? [`CS-${at + 10}`, ...row.slice(1)] : row));
    // Days whose order another one would say stand in a file of their own.
    const { problems } = await toldOf([...own, GOOD]);
    const codes = problems.map((problem) => problem.split(" ")[0]);
    for (const [code] of faults) expect(codes).toContain(code);
  });

  test("in the columns is told at the headers", async () => {
    const bad = {
      Stakeholders: [
        ["Holder", "Holder", "Colour"],
        ["Ada", "Ada", "red"],
      ],
    };
    const { problems, warnings } = await toldOf([], { ...bad, Remarks: [["x"]] });
    expect(problems).toContain("repeated-header Stakeholders!B1");
    expect(problems).toContain("missing-column Stakeholders!1");
    expect(warnings).toContain("unknown-column Stakeholders!C1");
    expect(warnings.some((warning) => warning.startsWith("unknown-sheet Remarks"))).toBe(true);
  });

  test("with certificates is told", async () => {
    const twice = await toldOf([GOOD, [...GOOD.slice(0, 4), "5"]]);
    expect(twice.problems).toEqual(["duplicate-certificate-id Stock!A3"]);
    const [wrong, unknown] = [[...GOOD.slice(0, 4), "x"], GOOD.with(1, "Zed Zander")];
    const duplicate = "duplicate-certificate-id Stock!A3";
    expect((await toldOf([wrong, GOOD])).problems).toEqual(["bad-number Stock!E2", duplicate]);
    expect((await toldOf([GOOD, wrong])).problems).toEqual(["bad-number Stock!E3", duplicate]);
    expect((await toldOf([wrong, wrong])).problems).toEqual(["bad-number Stock!E2", "bad-number Stock!E3", duplicate]);
    expect((await toldOf([GOOD, unknown])).problems).toEqual([duplicate, "unknown-holder Stock!B3"]);
    const warrant = {
      Warrants: [
        ["Warrant", "Holder", "Issue date", "Quantity", "Exercise price"],
        ["CS-1", "Ada", "2025-01-02", "5", "x"],
      ],
    };
    expect((await toldOf([GOOD], warrant)).problems).toEqual([
      "bad-number Warrants!E2",
      "duplicate-certificate-id Stock!A2",
    ]);
    const grids = (quantity: string) => sheets({ ...BASE, Stock: [STOCK, [...GOOD.slice(0, 4), quantity]] });
    const { again, skipped } = await inOrganization(place, (tx, call) => {
      importSheets(tx, call, grids("100"), OPTIONS);
      const other = importSheets(tx, call, grids("101"), OPTIONS);
      return { again: other, skipped: importSheets(tx, call, grids("101"), { ...OPTIONS, existing: "SKIP" }) };
    });
    expect(again.problems.map(({ code, cell }) => [code, cell])).toEqual([["different-existing", "E2"]]);
    expect(skipped.counts.stock).toEqual({ create: 0, unchanged: 0, differs: 0, leftOut: 1 });
  });

  test("more than is authorized is a warning", async () => {
    const { problems, warnings } = await toldOf([["CS-1", "Ada", "Common", "2026-01-02", "2000000"]]);
    expect([problems, warnings]).toEqual([[], ["over-issued Share classes!null"]]);
  });
});

describe("what people write", () => {
  test.each([
    ["2 Jan 2026", "1,000", {}],
    ["Jan 2, 2026", "1000.00", {}],
    ["Friday, January 2, 2026", "1 000", {}],
    ["2026/1/2", "1'000", {}],
    ["01/02/2026", "1,000", { dateOrder: "MDY" }],
    ["02.01.2026", "1.000", { decimal: "COMMA", dateOrder: "DMY" }],
  ] as const)("%s and %s are understood", async (date, quantity, options) => {
    const base =
      options && "decimal" in options
        ? { "Share classes": [BASE["Share classes"]?.[0] ?? [], ["Common", "Common", "CS-", "1.000.000", "1", "1"]] }
        : {};
    const { report } = await toldOf([["CS-1", "Ada", "Common", date, quantity]], base, options);
    expect(report.problems).toEqual([]);
    expect(report.counts.stock?.create).toBe(1);
  });

  test("another day of the column says which part is the month", async () => {
    const rows = [
      ["CS-1", "Ada", "Common", "3/4/2026", "5"],
      ["CS-2", "Ada", "Common", "25/4/2026", "5"],
    ];
    expect((await toldOf(rows)).problems).toEqual([]);
    const contradicting = [...rows, ["CS-3", "Ada", "Common", "4/25/2026", "5"]];
    expect((await toldOf(contradicting)).problems).toEqual([
      "bad-date Stock!D2",
      "bad-date Stock!D3",
      "bad-date Stock!D4",
    ]);
  });
});
