// What an import tells besides what is wrong with a cell, and what it leaves to others: each at its place.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Grid, UnreadableFile } from "../../../src/exchange/spreadsheet/file/grid.ts";
import { readSpreadsheet } from "../../../src/exchange/spreadsheet/file/read-spreadsheet.ts";
import { readMapping } from "../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { readOptions, WrongOptions } from "../../../src/exchange/spreadsheet/options.ts";
import { importSheets } from "../../../src/exchange/spreadsheet/record/import.ts";
import type { ImportOptions } from "../../../src/exchange/spreadsheet/record/importing.ts";
import { runCommand } from "../../kit/command.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "./kit.ts";
import { cell, workbook } from "./workbook.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const CLASSES = [
  ["Class", "Kind", "Prefix", "Authorized", "Votes per share", "Seniority"],
  ["Common", "Common", "CS-", "1000", "1", "1"],
];
const BASE: Texts = {
  Stakeholders: [
    ["Holder", "Type", "Email"],
    ["Ada", "Individual", "ada@example.com"],
    ["Ben", "Individual", ""],
  ],
  "Share classes": CLASSES,
  Stock: [
    ["Certificate", "Holder", "Class", "Issue date", "Quantity", "Price per share"],
    ["CS-1", "Ada", "Common", "2026-01-02", "10", "1.25"],
  ],
};

/** What imports of these files, one after the other, report. */
function imported(files: readonly (readonly Grid[])[], options: Partial<ImportOptions> = {}) {
  return inOrganization(place, (tx, call) => ({
    reports: files.map((grids) => importSheets(tx, call, grids, { ...OPTIONS, ...options })),
    statuses: tx.sqlite
      .prepare("select isImported, tokenizationStatus from share_classes where orgId = ?")
      .all(call.orgId),
    told: tx.sqlite.prepare("select count(*) as n from outbox where orgId = ?").get(call.orgId),
  }));
}

const shown = (list: readonly { code: string; sheet: string | null; cell: string | null; row: number | null }[]) =>
  list.map(({ code, sheet, cell: at, row }) => `${code} ${sheet}!${at ?? row}`);

test("a class that an import makes gets no token until a user asks", async () => {
  const { statuses, told } = await imported([sheets(BASE)]);
  expect(statuses).toEqual([{ isImported: 1, tokenizationStatus: "NOT_STARTED" }]);
  expect(told).toEqual({ n: 0 });
});

test("a comment that is too long hides nothing else that is wrong with its row", async () => {
  const [headers = [], row = []] = BASE.Stock ?? [];
  const stock = [
    [...headers, "Comments"],
    [...row.with(3, "2100-01-01"), "x".repeat(2001)],
  ];
  const { reports } = await imported([sheets({ ...BASE, Stock: stock })]);
  expect(shown(reports[0]?.problems ?? [])).toEqual(["validation-failed Stock!G2"]);
  expect(shown(reports[0]?.warnings ?? [])).toEqual(["dated-ahead Stock!D2"]);
  const warrants = [
    ["Warrant", "Holder", "Class", "Issue date", "Quantity", "Exercise price", "Comments"],
    ["W-1", "Ada", "Common", "2100-01-01", "10", "1", "x".repeat(2001)],
  ];
  const { reports: other } = await imported([sheets({ ...BASE, Warrants: warrants })]);
  expect(shown(other[0]?.problems ?? []).sort()).toEqual([
    "validation-failed Warrants!D2",
    "validation-failed Warrants!G2",
  ]);
});

describe("a percentage", () => {
  const STYLES = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0%"/></numFmts><cellXfs>
    <xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/></cellXfs></styleSheet>`;
  const HEADERS = ["Convertible", "Holder", "Kind", "Issue date", "Principal", "Discount %"];
  test.each([
    ["shown as 20 %", '<c r="F2" s="1"><v>0.2</v></c>', "20"],
    ["shown as 12.5 %", '<c r="F2" s="2"><v>0.125</v></c>', "12.5"],
    ["shown as a number", '<c r="F2" s="0"><v>20</v></c>', "20"],
    ["that is text", cell("F2", "7.5 %"), "7.5"],
  ])("%s is what is shown", async (_what, xml, percent) => {
    const row = ["SAFE-1", "Ada", "SAFE", "2026-01-02", "1000"];
    const rows = `<row r="1">${HEADERS.map((text, at) => cell(`${"ABCDEF"[at]}1`, text)).join("")}</row>
      <row r="2">${row.map((text, at) => cell(`${"ABCDEF"[at]}2`, text)).join("")}${xml}</row>`;
    const grids = await readSpreadsheet(workbook(rows, { "xl/styles.xml": STYLES }, "Convertibles"), "x.xlsx");
    const { reports } = await imported([[...sheets({ Stakeholders: BASE.Stakeholders ?? [] }), ...grids]]);
    expect(reports[0]?.problems).toEqual([]);
    const made = reports[0]?.actions.find(({ row: { to } }) => to === "convertibles");
    expect(made?.row.fields.get("discount")?.value).toBe(percent);
  });
});

test("a discount of less than one per cent is warned of, unless it says that it is", async () => {
  const headers = ["Convertible", "Holder", "Kind", "Issue date", "Principal", "Discount %"];
  const told = async (discount: string) => {
    const row = ["SAFE-1", "Ada", "SAFE", "2026-01-02", "1000", discount];
    const { reports } = await imported([sheets({ ...BASE, Convertibles: [headers, row] })]);
    return [reports[0]?.problems, shown(reports[0]?.warnings ?? [])];
  };
  expect(await told("0.2")).toEqual([[], ["small-percent Convertibles!F2"]]);
  for (const clear of ["20", "20%", "0.2%", "0", "1"]) expect(await told(clear)).toEqual([[], []]);
});

test("an event that was edited since it came in is warned of, for it comes in besides", async () => {
  const headers = ["Date", "Event", "Number", "Quantity", "Reason"];
  const events = (...rows: readonly (readonly string[])[]) => sheets({ ...BASE, Events: [headers, ...rows] });
  const first = ["2026-02-01", "Cancel", "CS-1", "4", "Forfeiture"];
  const told = async (...rows: readonly (readonly string[])[]) => {
    const { reports } = await imported([events(first), events(...rows)]);
    return [reports[1]?.problems, shown(reports[1]?.warnings ?? []), reports[1]?.counts.events?.create];
  };
  expect(await told(["2026-02-01", "Cancel", "CS-1", "5", "Forfeiture"])).toEqual([[], ["like-existing Events!A2"], 1]);
  expect(await told(["2026-02-02", "Cancel", "CS-1", "4", "Forfeiture"])).toEqual([[], ["like-existing Events!A2"], 1]);
  expect(await told(first)).toEqual([[], [], 0]);
  expect(await told(first, ["2026-02-01", "Cancel", "CS-1", "5", "Forfeiture"])).toEqual([[], [], 1]);
  expect(await told(["2026-03-01", "Cancel", "CS-1", "1", "Forfeiture"])).toEqual([[], [], 1]);
});

test("a name is the same with invisible characters in it", async () => {
  const stock = [BASE.Stock?.[0] ?? [], ["CS-1", "A\u200bda\u00a0", "COMMON", "2026-01-02", "10", ""]];
  const { reports } = await imported([sheets({ ...BASE, Stock: stock })]);
  expect(reports[0]?.problems).toEqual([]);
});

describe("the format", () => {
  test("of a table that fits nothing is not taken for the template", () => {
    expect(imported([sheets({ Anything: [["Colour"], ["red"]] })])).rejects.toThrow(UnreadableFile);
  });

  test("is not the template's because a sheet is called as one of its", async () => {
    const carta: Texts = {
      "Common Certificates": [
        ["Fill in"],
        ["Name", "Email", "Holder Type", "Share Class", "Quantity", "Price Per Share", "Issue Date"],
        ["Ada", "ada@example.com", "Individual", "Common", "10", "1", "1/2/2024"],
      ],
      "Equity Plan Awards": [["Fill in"], ["Award ID", "Name", "Equity Plan Name", "Type", "Grant Date", "Quantity"]],
      Options: [["Choices"], ["Individual"]],
    };
    expect((await imported([sheets(carta)])).reports[0]?.format).toBe("CARTA_TEMPLATE");
  });

  test("of a file that can be of two is asked for, naming both", () => {
    const pulley: Texts = { ...BASE, Summary: [["x", "y", "Class", "Authorized", "Issued and Outstanding"]] };
    expect(imported([sheets(pulley)])).rejects.toThrow(/CAPTABLE, PULLEY/);
  });
});

describe("what is recorded already", () => {
  test("is compared with what the file says, and stays", async () => {
    const other: Texts = {
      Stakeholders: [
        ["Holder", "Type", "Status"],
        ["Ada", "Institution", "Current"],
      ],
      "Share classes": [CLASSES[0] ?? [], ["Common", "Common", "CX-", "2000", "1", "1"]],
    };
    const { reports } = await imported([sheets(BASE), sheets(other)]);
    expect(reports[1]?.problems).toEqual([]);
    const codes = shown(reports[1]?.warnings ?? []);
    expect(codes).toEqual(["differs Stakeholders!B2", "differs Share classes!C2", "differs Share classes!D2"]);
    expect(shown((await imported([sheets(BASE), sheets(BASE)])).reports[1]?.warnings ?? [])).toEqual([]);
  });

  test("at another price, or with another holder, is told with both by name", async () => {
    const [header = [], row = []] = BASE.Stock ?? [];
    const stock = (...changed: readonly string[]) => sheets({ ...BASE, Stock: [header, changed] });
    const { reports } = await imported([
      sheets(BASE),
      stock(...row.slice(0, 5), "1.5"),
      stock("CS-1", "Ben", ...row.slice(2)),
      stock(...row.slice(0, 5), "1.250"),
    ]);
    const [, price, holder, same] = reports;
    expect(price?.problems.map(({ code, cell: at, detail }) => [code, at, detail])).toEqual([
      ["different-existing", "F2", "CS-1 is recorded with 1.25, and here stands 1.5"],
    ]);
    expect(holder?.problems.map(({ cell: at, detail }) => [at, detail])).toEqual([
      ["B2", "CS-1 is recorded with Ada, and here stands Ben"],
    ]);
    expect([same?.problems, same?.counts.stock]).toEqual([[], { create: 0, unchanged: 1, differs: 0, leftOut: 0 }]);
  });

  test("has the same plan while nothing changes, and another one then", async () => {
    const more: Texts = {
      ...BASE,
      Stock: [...(BASE.Stock ?? []), ["CS-2", "Ben", "Common", "2026-01-02", "10", "1.25"]],
    };
    const one = (await imported([sheets(BASE)])).reports[0]?.planHash;
    expect((await imported([sheets(BASE)])).reports[0]?.planHash).toBe(one ?? "");
    expect((await imported([sheets(BASE), sheets(BASE)])).reports[1]?.planHash).not.toBe(one ?? "");
    expect((await imported([sheets(more)])).reports[0]?.planHash).not.toBe(one ?? "");
  });
});

describe("the layout", () => {
  test("of a table is told at its cells, and what is beside it is not", async () => {
    const [holders, ...others] = sheets(BASE);
    if (!holders) throw new Error("there is a sheet");
    const merged = ["A1:B1", "K1:L9", "A3:C3", "A20:B21"];
    const grids = [
      {
        ...holders,
        merged,
        hiddenRows: [2, 3],
        hiddenColumns: [
          { first: 2, last: 2 },
          { first: 7, last: 7 },
        ],
      },
      ...others,
    ];
    const { reports } = await imported([grids]);
    expect(shown(reports[0]?.warnings ?? [])).toEqual([
      "hidden-cells Stakeholders!A2",
      "hidden-cells Stakeholders!C1",
      "merged-cells Stakeholders!A1",
      "merged-cells Stakeholders!A3",
    ]);
  });

  test("is read from a workbook", async () => {
    const rows = `<cols><col min="2" max="3" hidden="1"/></cols>`;
    const sheet = `<row r="1">${cell("A1", "x")}</row><row r="2" hidden="1">${cell("A2", "y")}</row><row r="3" hidden="1"/>`;
    const part = `<worksheet>${rows}<sheetData>${sheet}</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`;
    const [grid] = await readSpreadsheet(workbook("", { "xl/worksheets/sheet1.xml": part }), "x.xlsx");
    expect([grid?.hiddenRows, grid?.hiddenColumns, grid?.merged]).toEqual([[2], [{ first: 1, last: 2 }], ["A1:B2"]]);
  });
});

describe("sums that the file states", () => {
  const mapping = readMapping(
    JSON.stringify({
      captableMapping: 1,
      name: "Mine",
      mode: "OUTSTANDING",
      asOf: { sheet: "Plans", rows: "1-2", text: "As of *" },
      tables: [
        {
          sheet: ["Grants"],
          headerHas: ["No"],
          to: "options",
          columns: {
            No: "certificate",
            Who: "holder",
            When: "issueDate",
            Left: "quantity",
            Plan: "plan",
            Strike: "exercisePrice",
          },
          constants: { class: "Common", optionType: "NSO" },
        },
        {
          sheet: ["Plans"],
          headerHas: ["Plan name"],
          to: "equity-plans",
          columns: { "Plan name": "plan", Out: "outstandingTotal" },
        },
      ],
    }),
  );
  const file = (out: string): Texts => ({
    Plans: [["As of 2026-03-04"], ["Plan name", "Out"], ["2024 Plan", out]],
    Grants: [
      ["No", "Who", "When", "Left", "Plan", "Strike"],
      ["ES-1", "Ada", "2026-01-02", "30", "2024 Plan", "1"],
      ["ES-2", "Ada", "2026-01-02", "12", "2024 Plan", "1"],
    ],
  });

  test("are of plans, too, and one that differs is told at its cell", async () => {
    const { reports } = await imported([sheets(file("42"))], { mapping });
    expect([reports[0]?.asOf, reports[0]?.totals]).toEqual([
      "2026-03-04",
      [{ name: "2024 Plan", file: "42", computed: "42", equal: true }],
    ]);
    const wrong = await imported([sheets(file("40"))], { mapping });
    expect(shown(wrong.reports[0]?.problems ?? [])).toEqual(["total-mismatch Plans!B3"]);
  });
});

describe("a row that is wrong", () => {
  test("is reported with all its faults, and the record that it would have made is no other fault", async () => {
    const [header = []] = BASE.Stock ?? [];
    const file = sheets({
      Stakeholders: [
        ["Holder", "Type"],
        ["Ada", "Robot"],
      ],
      "Share classes": CLASSES,
      Stock: [
        [...header, "How issued", "From certificate"],
        ["CS-1", "Ada", "Common", "2026-01-02", "10"],
        ["CS-2", "Zed Zander", "Rare", "soon", "-1"],
        ["CS-3", "Ada", "Common", "2026-02-02", "10", "", "Transfer", "CS-2"],
      ],
    });
    const { reports } = await imported([file]);
    const told = ["bad-date Stock!D3", "negative Stock!E3", "unknown-holder Stock!B3", "unknown-class Stock!C3"];
    expect(shown(reports[0]?.problems ?? [])).toEqual(["unknown-word Stakeholders!B2", ...told]);
  });
});

describe("options", () => {
  test("are read as the API takes them", () => {
    expect(readOptions(["dateOrder=DMY", "strict=true", "asOf=2026-01-02"])).toEqual({
      dateOrder: "DMY",
      strict: true,
      asOf: "2026-01-02",
    });
    for (const wrong of ["dateOrder=YMD", "colour=red", "strict", "asOf=soon"]) {
      expect(() => readOptions([wrong])).toThrow(WrongOptions);
    }
  });

  test("strict makes a problem of each warning", async () => {
    const strange = sheets({ ...BASE, Remarks: [["x"]] });
    expect(shown((await imported([strange])).reports[0]?.problems ?? [])).toEqual([]);
    const { reports } = await imported([strange], { strict: true });
    expect(reports[0]?.problems.map(({ code }) => code)).toEqual(["unknown-sheet"]);
  });
});

test("a day after tomorrow is reported", async () => {
  const ahead = ["CS-2", "Ben", "Common", "2099-02-01", "20", "1.25"];
  const { reports } = await imported([sheets({ ...BASE, Stock: [...(BASE.Stock ?? []), ahead] })]);
  expect(reports.map(({ problems, warnings }) => [problems, shown(warnings)])).toEqual([
    [[], ["dated-ahead Stock!D3"]],
  ]);
});

test("a day in a year like 0026 is reported at its cell", async () => {
  const slip = ["CS-2", "Ben", "Common", "0026-02-01", "20", "1.25"];
  const { reports } = await imported([sheets({ ...BASE, Stock: [...(BASE.Stock ?? []), slip] })]);
  expect(reports.map(({ problems, warnings }) => [problems, shown(warnings)])).toEqual([
    [[], ["dated-long-ago Stock!D3"]],
  ]);
});

test("the command refuses a mapping and a format together", async () => {
  const args = ["import", "spreadsheet", "any.xlsx", "--mapping", "mine.json", "--format", "OCX"];
  const { status, stderr } = await runCommand(args);
  expect(status).toBe(2);
  expect(stderr).toMatch(/--mapping.*--format/);
});

describe("what a row passes on of its operation", () => {
  const shownBy = async (texts: Texts, isNamed: 0 | 1 = 1) => {
    const { report } = await inOrganization(place, (tx, call) => {
      tx.sqlite.prepare("update organizations set isNamed = ? where id = ?").run(isNamed, call.orgId);
      return { report: importSheets(tx, call, sheets(texts), OPTIONS) };
    });
    expect(report.problems).toEqual([]);
    return report.warnings.map(({ code, sheet, cell: at }) => `${code} ${sheet}!${at}`);
  };
  const STOCK = BASE.Stock?.[0] ?? [];

  test("quantity and price in each other's place, at the quantity", async () => {
    const rows = [["CS-1", "Ada", "Common", "2026-01-02", "1.25", "1000"]];
    expect(await shownBy({ ...BASE, Stock: [STOCK, ...rows] })).toEqual(["price-and-quantity-swapped Stock!E2"]);
    expect(await shownBy(BASE)).toEqual([]);
  });

  test("an option that expires before its grant, at its expiration", async () => {
    const plans = [
      ["Plan", "Reserved", "Classes"],
      ["2026 Plan", "100", "Common"],
    ];
    const options = [
      ["Grant", "Holder", "Plan", "Type", "Grant date", "Exercise price", "Quantity", "Expires"],
      ["ES-1", "Ada", "2026 Plan", "NSO", "2026-01-02", "1", "10", "2026-01-01"],
    ];
    expect(await shownBy({ ...BASE, "Equity plans": plans, Options: options })).toEqual([
      "expires-before-grant Options!H2",
    ]);
  });

  test("an organization without a name, for the file as a whole", async () => {
    expect(await shownBy(BASE, 0)).toEqual(["organization-unnamed Stakeholders!null"]);
  });
});
