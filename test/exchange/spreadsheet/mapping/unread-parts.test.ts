// Warnings about unread parts of a workbook: sheets, columns, and ledgers of other securities than stock.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImportOptions } from "../../../../src/exchange/spreadsheet/record/importing.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import type { Texts } from "../kit.ts";
import { type Company, imported, mappingOf, shown } from "../mapped.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const STOCK = {
  to: "stock",
  columns: { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity" },
  constants: { class: "Common" },
} as const;
const HEAD = ["No", "Who", "When", "Issued"];
const ROW = ["CS-1", "Ada", "2025-01-02", "10"];

async function told(file: Texts, options: Partial<ImportOptions>, look: (company: Company) => object = () => ({})) {
  const { reports, seen } = await imported(place, [file], options, look);
  const report = reports[0];
  if (!report) throw new Error("there is a report");
  return { report, seen, warnings: shown(report.warnings).filter((each) => !each.startsWith("assumed")) };
}

describe("a sheet that no table takes", () => {
  const file: Texts = { Grants: [HEAD, ROW], Remarks: [["a"], ["b"]], "Old grants": [HEAD, ROW], Empty: [] };

  test("is told with its rows, unless it is ignored or empty", async () => {
    const { report, warnings } = await told(file, { mapping: mappingOf(STOCK) });
    expect([report.problems, warnings]).toEqual([[], ["unknown-sheet Remarks!", "unknown-sheet Old grants!"]]);
    expect(report.warnings.find(({ sheet }) => sheet === "Remarks")?.detail).toMatch(/^has 2 rows/);
    const ignoring = mappingOf(STOCK, { ignoreSheets: ["Rem*", "old grants"] });
    expect((await told(file, { mapping: ignoring })).warnings).toEqual([]);
  });

  test("is told in the formats of vendors and the template, too", async () => {
    const carta: Texts = {
      "Summary Cap Table": [["As of 11/22/2026"], ["", "Shares Authorized"], ["Common", "100"]],
      "Intermediate Cap Table": [
        ["Holder", "Common"],
        ["Ada", "10"],
      ],
    };
    expect((await told(carta, { format: "CARTA_LEDGERS" })).warnings).toEqual([
      "unknown-sheet Intermediate Cap Table!",
    ]);
    const template: Texts = {
      Stakeholders: [
        ["Holder", "Type"],
        ["Ada", "Individual"],
      ],
      Extra: [["a"], ["b"], ["c"]],
    };
    const { report, warnings } = await told(template, {});
    expect(warnings).toEqual(["unknown-sheet Extra!"]);
    expect(report.warnings[0]?.detail).toMatch(/^has 3 rows/);
  });
});

test("columns that a mapping uses otherwise are not unknown", async () => {
  const mapping = mappingOf({
    ...STOCK,
    columns: { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity" },
    derive: { class: { column: "Kind", match: { "P*": "Preferred" }, else: "Common" } },
    constants: {},
    minus: { forfeited: ["Gone"] },
    closedWhen: ["Closed"],
    section: { column: "Part", is: "Stock" },
    unsupported: { Award: ["RSU"] },
    skipWhere: { Skip: ["x"] },
  });
  const head = [...HEAD, "Kind", "Gone", "Closed", "Part", "Award", "Skip", "Other"];
  const { warnings } = await told({ Grants: [head, [...ROW, "C", "", "", "Stock", "", "", "z"]] }, { mapping });
  expect(warnings).toEqual(["unknown-column Grants!K1"]);
});

describe("a table of stock with columns of options", () => {
  const of = (header: string, value: string): Texts => ({
    Grants: [
      [...HEAD, header],
      [...ROW, value],
    ],
  });

  test.each(["Exercise Price", "Strike", "strike price", "Expiration Date", "Expires"])(
    "such as %s is unclear",
    async (header) => {
      for (const ignore of ["*", undefined] as const) {
        const mapping = mappingOf({ ...STOCK, ...(ignore ? { ignore } : {}) });
        expect(shown((await told(of(header, "1"), { mapping })).report.problems)).toEqual(["unclear-ledger Grants!E1"]);
        expect((await told(of(header, ""), { mapping })).report.problems).toEqual([]);
      }
      const named = mappingOf({ ...STOCK, ignore: [header] });
      expect((await told(of(header, "1"), { mapping: named })).report.problems).toEqual([]);
    },
  );
});

describe("Carta's warrants", () => {
  const summary = [["As of 11/22/2026"], ["", "Shares Authorized"], ["Common", "1,000"]];
  const head = [
    "Security ID",
    "Stakeholder Name",
    "Quantity Issued",
    "Issue Date",
    "Exercise Price",
    "Expiration Date",
  ];
  const row = ["CW-1", "Bank", "100", "01/02/2024", "$1.50", "01/02/2034"];

  test("are warrants, and no shares of a class of that name", async () => {
    const file: Texts = {
      "Summary Cap Table": summary,
      "Warrant Ledger": [
        [...head, "Quantity Exercised"],
        [...row, "40"],
      ],
    };
    const look = ({ rows }: Company) => ({
      made: rows(
        "select type, certificateId, quantity, exercisePrice, expirationDate, stockClassId from securities where orgId = ?",
      ),
      classes: rows("select name from share_classes where orgId = ?"),
    });
    const { report, seen } = await told(file, {}, look);
    expect([report.format, report.problems]).toEqual(["CARTA_LEDGERS", []]);
    expect(seen).toEqual({
      made: [
        {
          ...{ type: "WARRANT", certificateId: "CW-1", quantity: "60", exercisePrice: "1.5" },
          ...{ expirationDate: "2034-01-02", stockClassId: null },
        },
      ],
      classes: [{ name: "Common" }],
    });
  });

  test("on a ledger called otherwise are unclear", async () => {
    const file: Texts = { "Summary Cap Table": summary, "Lender Ledger": [head, row] };
    const { report } = await told(file, {});
    const told2 = shown(report.problems);
    expect(told2).toEqual(["unclear-ledger Lender Ledger!E1", "unclear-ledger Lender Ledger!F1"]);
  });
});
