// Spreadsheets that say more shares than there are, or other amounts, without looking wrong: sums under the holders,
// old copies, second currencies, numbers whose zeros a format adds. Nothing of them is recorded unseen.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SheetProblems } from "../../../src/exchange/spreadsheet/file/cell-problem.ts";
import { readCsv } from "../../../src/exchange/spreadsheet/file/csv-read.ts";
import { Meter } from "../../../src/exchange/spreadsheet/file/grid.ts";
import { shownByCode, shownPadded } from "../../../src/exchange/spreadsheet/file/number-formats.ts";
import { tellRepeated, tellSimilarNumbers, withoutSums } from "../../../src/exchange/spreadsheet/mapping/doubtful.ts";
import type { SheetRow } from "../../../src/exchange/spreadsheet/rows/understand.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { recorded, refused } from "./office.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const others = (warnings: readonly string[]) => warnings.filter((each) => !each.startsWith("assumed"));
const stock = { to: "stock", fallback: { certificate: "NEXT" } };
const constants = { class: "Common", issueDate: "2024-01-02" };

test("a register with a merged title, sums by formulas, names on two lines and numbers as their format shows them", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Stockholder"], to: "stock", constants: { class: "Common" } },
    columns: {
      ...{ "No.": "certificate", Stockholder: "holder", "Issued on": "issueDate", Shares: "outstanding" },
      ...{ Price: "price", Paid: "consideration" },
    },
    skipRows: ["*Certificate*"],
  };
  const { lines, totals, read, warnings } = await recorded(server, "register-with-formats.xlsx", { table });
  expect(lines).toEqual([
    "CS-001 | Ada Okafor | Common | 4000000 | 0.0001 | 2023-01-15",
    "CS-002 | The Ruiz Family Trust u/a/d 3 May 2019 | Common | 2500000 | 0.0001 | 2023-01-15",
    "CS-003 | Cy Lind | Common | 5000 | 0.05 | 2024-02-01",
  ]);
  expect([totals.outstanding, read.closed]).toEqual(["6505000", 1]);
  expect(others(warnings)).toEqual(["line-left-out B8", "line-left-out B11"]);
});

test("lines of sums that differ from the rows above are refused; rows that are as much as those above are told", async () => {
  const table = {
    ...{ ...stock, sheet: ["*"], headerHas: ["Holder"], constants: { issueDate: "2024-01-02" } },
    columns: { Holder: "holder", Class: "class", Shares: "quantity" },
  };
  expect(await refused(server, "sums-that-differ.csv", { table })).toEqual(["looks-like-total A4", "missing-value B4"]);
});

test("a hidden old copy beside the table is told row by row", async () => {
  const table = {
    ...{ ...stock, sheet: ["Cap table*"], headerHas: ["Holder"], constants },
    columns: { Holder: "holder", Class: "class", Shares: "quantity" },
  };
  const { lines, warnings } = await recorded(server, "old-copy-hidden.xlsx", { table });
  expect(lines.length).toBe(4);
  expect(others(warnings)).toEqual(["hidden-cells A1", "same-row C2"]);
});

test("amounts of a second currency, by a column that nothing reads or by the header, are refused at their cells", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Ref"], to: "convertibles", constants: { kind: "SAFE" } },
    columns: {
      Ref: "certificate",
      Investor: "holder",
      Signed: "issueDate",
      Amount: "quantity",
      "Cap (€)": "valuationCap",
    },
  };
  expect([...(await refused(server, "two-currencies.csv", { table }))].sort()).toEqual([
    "foreign-currency E3",
    "foreign-currency F1",
  ]);
});

test("a register typed by hand: each wrong cell at its place, and what is right as it reads", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert"], to: "stock", constants: { class: "Common" } },
    columns: { Cert: "certificate", Holder: "holder", Date: "issueDate", Shares: "quantity", Price: "price" },
  };
  expect([...(await refused(server, "typed-by-hand.csv", { table }))].sort()).toEqual([
    ...["bad-date C2", "bad-date C3", "bad-date C4", "bad-date C5", "bad-date C7", "bad-date C8"],
    ...["bad-number D8", "bad-number E8", "missing-value A6", "missing-value C6", "missing-value D6", "negative D4"],
  ]);
});

test("numbers that differ in zeros alone are told, also on a file that lost them; parts of a grant are not", async () => {
  const table = {
    ...{ sheet: ["*"], headerHas: ["Cert"], to: "stock", constants: { class: "Common" } },
    columns: { Cert: "certificate", Holder: "holder", Date: "issueDate", Shares: "quantity" },
  };
  const { warnings } = await recorded(server, "numbers-without-zeros.csv", { table });
  expect(others(warnings)).toEqual(["similar-number A4"]);
  const found = new SheetProblems();
  tellSimilarNumbers([row({ certificate: "CS-7" }), row({ certificate: "CS-8" })], ["CS-007", "CS-8"], found);
  expect(found.warnings.map(({ detail }) => detail)).toEqual(["CS-7 and CS-007 are two numbers, and easily confused"]);
});

let line = 0;
function row(texts: Readonly<Record<string, string>>): SheetRow {
  const place = { sheet: "Stock", row: ++line };
  const fields = new Map(Object.entries(texts).map(([field, value]) => [field, { value, place }]));
  return { to: "stock", place, fields, isWrong: false };
}

describe("a line of sums", () => {
  const held = (holder: string, quantity: string, certificate = "NEXT") => row({ holder, quantity, certificate });
  const look = (rows: readonly SheetRow[], known: readonly string[] = []) => {
    const found = new SheetProblems();
    const kept = withoutSums(rows, found, (each) => known.includes(each.fields.get("holder")?.value ?? ""));
    return {
      kept: kept.map(({ fields, isWrong }) => `${fields.get("holder")?.value}${isWrong ? "!" : ""}`),
      told: [...found.problems, ...found.warnings].map(({ code }) => code),
    };
  };

  test.each([
    "Total",
    "TOTALS:",
    "Grand Total",
    "Sub-total",
    "Subtotal Series A",
    "Total common",
    "Summe",
    "Gesamtsumme",
    "Sum of the above",
  ])("%p is one", (label) => {
    const told = look([held("Ann", "5"), held("Bob", "7"), held(label, "12")]);
    expect(told).toEqual({ kept: ["Ann", "Bob"], told: ["line-left-out"] });
    expect(look([held("Ann", "5"), held("Bob", "7"), held(label, "11")]).told).toEqual(["looks-like-total"]);
  });

  test.each(["TotalEnergies SE", "Summers", "Sum Ventures", "Gesamthand GbR", "Totally Inc."])(
    "%p is not one",
    (name) => {
      expect(look([held("Ann", "5"), held("Bob", "7"), held(name, "13")])).toEqual({
        kept: ["Ann", "Bob", name],
        told: [],
      });
    },
  );

  test("does not count with a number of its own, or where a holder has the name", () => {
    expect(look([held("Ann", "5"), held("Total SA", "5", "CS-9")]).kept).toEqual(["Ann", "Total SA"]);
    expect(look([held("Ann", "5"), held("Total SA", "5")], ["Total SA"]).kept).toEqual(["Ann", "Total SA"]);
  });

  test("counts the rows since the last one, and in the end all", () => {
    const rows = [held("A", "5"), held("B", "7"), held("Subtotal", "12"), held("C", "1"), held("D", "2")];
    const ends = [held("Subtotal", "3"), held("Total", "15")];
    expect(look([...rows, ...ends])).toEqual({
      kept: ["A", "B", "C", "D"],
      told: ["line-left-out", "line-left-out", "line-left-out"],
    });
  });

  test("without its word is only warned of", () => {
    expect(look([held("Ann", "5"), held("Bob", "7"), held("Outstanding", "12")])).toEqual({
      kept: ["Ann", "Bob", "Outstanding"],
      told: ["looks-like-total"],
    });
  });
});

test("equal rows without numbers are told, once each", () => {
  const found = new SheetProblems();
  const held = (certificate: string, quantity = "5") => row({ holder: "Ann", quantity, certificate });
  const given = (each: SheetRow): SheetRow => ({ ...each, isNumbered: true });
  const rows = [given(held("CS-1")), given(held("CS-2")), given(held("CS-3", "6")), given(held("CS-4")), held("CS-5")];
  tellRepeated(rows, found);
  expect(found.warnings.map(({ row: at }) => at)).toEqual([rows[1]?.place.row ?? 0, rows[3]?.place.row ?? 0]);
});

test.each([
  ['"CS-"000', "7", "CS-007"],
  ["\\C\\S\\-00", "7", "CS-07"],
  ["000", "7", "007"],
  ["000", "1234", "1234"],
  ["0", "7", undefined],
  ["#,##0", "7", undefined],
  ["0.00", "7", undefined],
  ["000", "7.5", undefined],
  ['"CS-"0;"-"0', "7", "CS-7"],
])("the format %p shows %s as %p", (code, value, shown) => {
  expect(shownPadded(value, shownByCode(code).padded)).toBe(shown);
});

test("the first line by which Excel says what parts fields is no row", () => {
  const read = (text: string) =>
    readCsv(Buffer.from(text), "Stock", new Meter()).rows.map(({ number, cells }) => [
      number,
      cells.values().map(({ text: each }) => each),
    ]);
  const rows = [
    [1, ["No", "Who"]],
    [2, ["CS-1", "Ann, Trustee"]],
  ];
  expect(read("sep=;\r\nNo;Who\r\nCS-1;Ann, Trustee\r\n")).toEqual(rows);
  expect(read("\uFEFFSEP=|\nNo|Who\nCS-1|Ann, Trustee\n")).toEqual(rows);
  expect(read("separate;Who\nCS-1;Ann\n")[0]).toEqual([1, ["separate", "Who"]]);
});
