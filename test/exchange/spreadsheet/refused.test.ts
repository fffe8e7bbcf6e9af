// What a typed route refuses, told at the cell that it is about: also where that cell is empty, and in a sentence.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { importSheets } from "../../../src/exchange/spreadsheet/record/import.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "./kit.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const BASE: Texts = {
  Stakeholders: [
    ["Holder*", "Type*"],
    ["Ada", "Individual"],
  ],
  "Share classes": [
    ["Class*", "Kind*", "Prefix*", "Authorized*", "Votes per share*", "Seniority*"],
    ["Common", "Common", "CS-", "100000", "1", "1"],
  ],
  "Equity plans": [
    ["Plan*", "Reserved*", "Classes*"],
    ["Plan", "1000", "Common"],
  ],
  Stock: [
    ["Certificate*", "Holder*", "Class*", "Issue date*", "Quantity*"],
    ["CS-1", "Ada", "Common", "2024-01-02", "1498"],
  ],
  Options: [
    ["Grant*", "Holder*", "Plan*", "Type*", "Grant date*", "Quantity*", "Exercise price*"],
    ["ES-1", "Ada", "Plan", "NSO", "2024-01-02", "100", "0.5"],
  ],
};

async function told(texts: Texts) {
  const { problems } = await inOrganization(place, (tx, call) => importSheets(tx, call, sheets(texts), OPTIONS));
  return problems.map(({ code, sheet, cell, row, header, detail }) => [
    `${code} ${sheet}!${cell ?? row}`,
    header,
    detail,
  ]);
}

describe("an event", () => {
  const HEAD = ["Date", "Event", "Number", "Quantity", "Reason", "Price", "Class", "Plan"];
  const cases: readonly (readonly [what: string, row: readonly string[], cell: string, detail: string])[] = [
    ["without its price", ["Repurchase", "CS-1", "1"], "F2", "Price is required"],
    ["without its reason", ["Cancel", "CS-1", "1"], "E2", "Reason is required"],
    ["without its quantity", ["Cancel", "CS-1", "", "Forfeiture"], "D2", "Quantity is required"],
    ["at another strike", ["Exercise", "ES-1", "1", "", "5"], "F2", "Price must be the strike price, 0.5"],
    [
      "of more than there is",
      ["Cancel", "CS-1", "1499", "Forfeiture"],
      "D2",
      "Quantity is more than the 1498 that the security holds",
    ],
    ["without a new figure", ["Adjust authorized", "", "", "", "", "Common"], "D2", "Quantity is required"],
    ["without a new reserve", ["Adjust reserve", "", "", "", "", "", "Plan"], "D2", "Quantity is required"],
    ["of no security", ["Retract", "", "", "wrong"], "C2", "Number is empty"],
  ];
  test.each(cases)("%s is told at its column", async (_what, row, cell, detail) => {
    const [problem, ...others] = await told({ ...BASE, Events: [HEAD, ["2026-02-01", ...row]] });
    expect(others).toEqual([]);
    expect(problem?.[0]?.split(" ")[1]).toBe(`Events!${cell}`);
    expect(problem?.slice(1)).toEqual([HEAD["ABCDEFGH".indexOf(cell.slice(0, 1))] ?? "", detail]);
  });

  test("is told at its row where the file has no such column", async () => {
    const events = [HEAD.slice(0, 4), ["2026-02-01", "Repurchase", "CS-1", "1"]];
    expect(await told({ ...BASE, Events: events })).toEqual([
      ["validation-failed Events!2", null, "Price is required"],
    ]);
  });
});

test("a column that is missing is told once, and at no row", async () => {
  const stock = (BASE.Stock ?? []).map((row) => row.slice(0, 4));
  const more = ["CS-2", "Zed Zander", "Common", "2024-01-02"];
  expect(await told({ ...BASE, Stock: [...stock, more] })).toEqual([
    ["missing-column Stock!1", "Quantity", "the column Quantity is missing"],
    ["unknown-holder Stock!B3", "Holder*", "Zed Zander is not known"],
  ]);
});

test("an award of a kind that is not kept is told at the cell that says so", async () => {
  const awards = [
    ["Award ID", "Name", "Equity Plan Name", "Type", "Grant Date", "Quantity", "Exercise Price"],
    ["RS-1", "Ada", "Plan", "RSU", "1/2/2024", "10", ""],
  ];
  expect(await told({ "Equity Plan Awards": [["Fill in"], ...awards] })).toEqual([
    ["unsupported-award Equity Plan Awards!D3", "Type", "is of a kind that is not kept"],
  ]);
});

describe("a row of another program's workbook", () => {
  const HEAD = ["Name", "Holder Type", "Share Class", "Quantity", "Price Per Share", "Issue Date"];
  const carta = (...rows: readonly (readonly string[])[]) => ({ "Common Certificates": [["Fill in"], HEAD, ...rows] });

  test("that does not say its day is told, and not left out", async () => {
    const row = ["Ada", "Individual", "Common", "10", "1", ""];
    expect(await told(carta(row))).toEqual([
      ["missing-value Common Certificates!F3", "Issue Date", "Issue Date is empty"],
    ]);
  });

  test("that names neither a holder nor a day is one of totals, which is said and no problem", async () => {
    expect(
      await told(carta(["Ada", "Individual", "Common", "10", "1", "1/2/2024"], ["", "", "", "10", "", ""])),
    ).toEqual([]);
  });

  test("that has a number of its own is not one of totals", async () => {
    const numbered = [["Fill in"], ["Certificate ID", ...HEAD], ["CS-2", "", "", "Common", "10", "1", ""]];
    const problems = await told({ "Common Certificates": numbered });
    expect(problems.map(([where]) => where)).toEqual([
      "missing-value Common Certificates!B3",
      "missing-value Common Certificates!G3",
    ]);
  });

  test("is reported with all missing fields, besides the wrong ones", async () => {
    const problems = await told(carta(["", "Individual", "Common", "x", "1", "1/2/2024"]));
    expect(problems.map(([where]) => where)).toEqual([
      "bad-number Common Certificates!D3",
      "missing-value Common Certificates!A3",
    ]);
  });
});
