// Workbooks in the formats of others: found by what is in them, and taken in with what they leave out assumed and told.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { UnreadableFile } from "../../../src/exchange/spreadsheet/file/grid.ts";
import {
  FORMATS,
  fits,
  mappingOf,
  readMapping,
  WrongMapping,
} from "../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { importSheets } from "../../../src/exchange/spreadsheet/record/import.ts";
import type { ImportOptions } from "../../../src/exchange/spreadsheet/record/importing.ts";
import type { Call } from "../../../src/kernel/call.ts";
import { insertOrganization } from "../../../src/resources/organization/store.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { capTableAsOf } from "../../../src/views/cap-table/as-of-route.ts";
import { jsonOf } from "../../kit/reply.ts";
import { newCall } from "../../property/company.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { OPTIONS, sheets, type Texts } from "./kit.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** Imports into a new organization; tells what came of it and what the cap table then is. */
async function imported(cells: Texts, options: Partial<ImportOptions> = {}) {
  const made = await place.writer.submit((tx: Tx) => {
    const call: Call = { ...newCall(Bun.randomUUIDv7(), "POST /"), today: "2026-11-22" };
    insertOrganization(tx, call, { legalName: "Moved, Inc.", isNamed: 1 });
    const report = importSheets(tx, call, sheets(cells), { ...OPTIONS, ...options });
    const request = { orgId: call.orgId, params: {}, query: { asOf: "2026-11-22" }, nowMs: Date.UTC(2026, 10, 22) };
    const table = jsonOf(capTableAsOf.run(tx, request)).data;
    const again = importSheets(tx, call, sheets(cells), { ...OPTIONS, ...options });
    return { report, table, again, orgId: call.orgId };
  });
  expect(verifyDatabase(place.db, made.orgId).differences).toEqual([]);
  return made;
}

const CARTA: Texts = {
  "Summary Cap Table": [
    ["Example, Inc."],
    ["As of 11/22/2026"],
    [],
    ["", "Shares Authorized", "Issued/Outstanding"],
    ["Common", "10,000,000", "900"],
    ["Total", "10,000,000", "900"],
  ],
  "Common Ledger": [
    ["Example, Inc. Common Ledger"],
    [],
    [],
    [],
    [
      "Security ID",
      "Stakeholder Name",
      "Quantity Issued",
      "Quantity Canceled",
      "Quantity Transferred",
      "Issue Date",
      "Vesting Schedule",
    ],
    ["CS-1", "Ada", "1,000", "0", "400", "01/02/2024", "4 years, odd"],
    ["CS-2", "Ben", "300", "", "", "02/03/2024", ""],
    ["CS-3", "Ben", "200", "200", "", "02/03/2024", ""],
  ],
  "2024 Equity Incentive Plan": [
    [
      "Security ID",
      "Stakeholder Name",
      "Award Type",
      "Issue Date",
      "Quantity Issued",
      "Quantity Outstanding",
      "Exercise Price",
    ],
    ["ES-1", "Ben", "ISO", "03/04/2024", "500", "450", "$0.10"],
  ],
  "Convertible Ledger": [
    [
      "Security ID",
      "Stakeholder Name",
      "Principal",
      "Issue Date",
      "Valuation Cap",
      "Conversion Discount",
      "Converted Date",
    ],
    ["SAFE-1", "Fund", "$50,000", "04/05/2024", "5,000,000", "0.2", ""],
    ["SAFE-2", "Fund", "$10,000", "04/05/2024", "0", "0", "06/07/2025"],
  ],
};

describe("Carta's export with ledgers", () => {
  test("comes in with what is outstanding, and twice adds nothing", async () => {
    const { report, table, again } = await imported(CARTA, { vesting: "AS_VESTED" });
    expect([report.format, report.problems]).toEqual(["CARTA_LEDGERS", []]);
    expect(table.totals).toMatchObject({ outstanding: "900", options: "450", poolAvailable: "0" });
    expect(table.convertibles.map(({ quantity }: { quantity: string }) => quantity)).toEqual(["50000"]);
    expect(report.counts.stock).toEqual({ create: 2, unchanged: 0, differs: 0, leftOut: 1 });
    expect(report.counts.convertibles).toEqual({ create: 1, unchanged: 0, differs: 0, leftOut: 1 });
    const codes = new Set(report.warnings.map(({ code }) => code));
    expect([...codes].sort()).toEqual(["assumed", "balance-unexplained", "schedule-not-understood"]);
    for (const { create } of Object.values(again.counts)) expect(create).toBe(0);
  });

  test("whose totals do not agree with its rows is told so", async () => {
    const spoiled = { ...CARTA, "Common Ledger": (CARTA["Common Ledger"] ?? []).slice(0, -2) };
    const { report } = await imported(spoiled, { vesting: "AS_VESTED" });
    expect(report.problems.map(({ code, cell }) => [code, cell])).toEqual([["total-mismatch", "C5"]]);
  });
});

describe("Carta's template", () => {
  test("comes in with numbers where it gives none, and awards of other kinds are told", async () => {
    const cells: Texts = {
      "Common Certificates": [
        ["Fill in below"],
        [
          "Name",
          "Email",
          "Holder Type",
          "Share Class",
          "Quantity",
          "Price Per Share",
          "Issue Date",
          "Vesting Schedule",
        ],
        ["Ada", "ada@example.com", "Individual", "Common", "1000", "0.001", "1/2/2024", ""],
      ],
      "Equity Plan Awards": [
        ["Fill in below"],
        ["Award ID", "Name", "Equity Plan Name", "Type", "Grant Date", "Quantity", "Exercise Price"],
        ["ES-7", "Ada", "2024 Plan", "ISO", "3/4/2024", "50", "0.1"],
        ["RS-1", "Ada", "2024 Plan", "RSU", "3/4/2024", "50", "0.1"],
      ],
    };
    const { report } = await imported(cells);
    expect(report.format).toBe("CARTA_TEMPLATE");
    expect(report.problems.map(({ code }) => code)).toContain("unsupported-award");
    const { report: skipped, table } = await imported(cells, { skipUnsupported: true });
    expect(skipped.problems.map(({ code, detail }) => [code, detail])).toEqual([]);
    expect(table.totals).toMatchObject({ outstanding: "1000", options: "50" });
  });
});

describe("OCX", () => {
  test("comes in where classes are named by their ledgers' titles", async () => {
    const { report, table } = await imported({
      Common: [
        ["Common Stock Ledger"],
        ["Cert No.*", "Stockholder*", "Issue Date", "No. Shares Issued", "No. Shares Outstanding", "Price"],
        ["CS-1", "Ada", "1/2/2024", "100", "60", "0.01"],
        ["CS-2", "Ada", "Unknown", "100", "0", "0.01"],
      ],
      SAFEs: [
        ["SAFEs"],
        ["SAFE No.", "SAFE Holder", "Issue Date", "Investment Amount", "Valuation Cap", "Conversion Date"],
        ["S-1", "Fund", "1/2/2025", "1000", "100000", ""],
      ],
    });
    expect([report.format, report.problems]).toEqual(["OCX", []]);
    expect(table.totals.outstanding).toBe("60");
    expect(table.shareClasses[0]).toMatchObject({ name: "Common Stock", classType: "COMMON", authorized: "60" });
  });
});

describe("Pulley's download", () => {
  test("comes in, and says that it is known from one source", async () => {
    const { report, table } = await imported({
      Summary: [
        ["Stock", "", "", "", ""],
        ["", "", "Class", "Authorized", "Issued and Outstanding"],
        ["Stock", "", "", "", ""],
        ["", "", "Common", "1000", "70"],
        ["Options", "", "", "", ""],
        ["", "", "2024 Plan", "500", "20"],
      ],
      CS: [
        ["CS - Common"],
        ["Certificate ID", "Stakeholder Name", "Issue Date", "Shares Issued", "Shares Outstanding", "Price Per Share"],
        ["CS-1", "Ada", "1/2/2024", "100", "70", "0.01"],
        ["Total", "", "", "100", "70", ""],
      ],
    });
    expect(report.problems).toEqual([]);
    expect(table.totals.outstanding).toBe("70");
    expect(table.shareClasses[0]).toMatchObject({ name: "Common", authorized: "1000" });
    expect(report.warnings.map(({ code }) => code)).toContain("unconfirmed");
  });
});

describe("Pulley's summary", () => {
  const HEAD = ["", "", "Class", "Authorized", "Issued and Outstanding"];
  const summary = (...above: readonly (readonly string[])[]): Texts => ({
    Summary: [...above, ["", "", "Common", "1000", "70"], ["Options"], ["", "", "2024 Plan", "500", "20"]],
    CS: [
      ["CS - Common"],
      ["Certificate ID", "Stakeholder Name", "Issue Date", "Shares Issued", "Shares Outstanding"],
      ["CS-1", "Ada", "1/2/2024", "100", "70"],
    ],
  });

  test.each([
    ["in the row of the headers", summary(["Example"], ["Stock", ...HEAD.slice(1)])],
    ["above it", summary(["Stock"], HEAD)],
    ["below it", summary(["Example"], HEAD, ["Stock"])],
    ["in the row of the first class", summary(["Example"], HEAD, ["Stock", "", "Seed", "50", "0"])],
  ])("may have Stock %s", async (_where, cells) => {
    const { report, table } = await imported(cells);
    expect([report.problems, report.totals.find(({ name }) => name === "Common")?.equal]).toEqual([[], true]);
    const common = table.shareClasses.find(({ name }: { name: string }) => name === "Common");
    expect(common).toMatchObject({ authorized: "1000" });
    expect(report.warnings.map(({ code }) => code)).not.toContain("empty-section");
  });

  test("without Stock is told to be left out", async () => {
    const { report } = await imported(summary(["Example"], HEAD));
    expect(report.warnings.map(({ code, cell }) => `${code} ${cell}`)).toContain("empty-section A2");
  });
});

describe("a mapping", () => {
  test("of one's own is taken in place of a format", async () => {
    const mapping = readMapping(
      JSON.stringify({
        captableMapping: 1,
        name: "Mine",
        mode: "OUTSTANDING",
        tables: [
          {
            sheet: ["*"],
            headerHas: ["No", "Who"],
            to: "stock",
            columns: { No: "certificate", Who: "holder", When: "issueDate", "How many": "quantity" },
            constants: { class: "Ordinary" },
          },
        ],
      }),
    );
    const cells = {
      Any: [
        ["No", "Who", "When", "How many"],
        ["1", "Ada", "2024-01-02", "10"],
      ],
    };
    const { report, table } = await imported(cells, { mapping });
    expect([report.format, report.problems, table.totals.outstanding]).toEqual(["MAPPING", [], "10"]);
  });

  test("takes no figure that it cannot read for nothing taken away", async () => {
    const columns = { No: "certificate", Who: "holder", When: "issueDate", "How many": "quantity" };
    const table = {
      sheet: ["*"],
      headerHas: ["No"],
      to: "stock",
      columns,
      minus: ["Gone"],
      constants: { class: "Any" },
    };
    const mapping = readMapping(
      JSON.stringify({ captableMapping: 1, name: "Mine", mode: "OUTSTANDING", tables: [table] }),
    );
    const head = ["No", "Who", "When", "How many", "Gone"];
    const row = ["1", "Ada", "2024-01-02", "10"];
    const with4 = await imported({ Any: [head, [...row, "4"]] }, { mapping });
    expect(with4.table.totals.outstanding).toBe("6");
    const { report } = await imported({ Any: [head, [...row, "4 (see note)"]] }, { mapping });
    expect(report.problems.map(({ code, cell }) => `${code} ${cell}`)).toEqual(["bad-number E2"]);
    const twice = await imported(
      {
        Any: [
          [...head, "How many"],
          [...row, "4", "999"],
        ],
      },
      { mapping },
    );
    expect(twice.table.totals.outstanding).toBe("6");
    expect(twice.report.warnings.map(({ code, cell }) => `${code} ${cell}`)).toContain("repeated-header F1");
  });

  test("with a word that the language does not know is refused, and each of ours is one", () => {
    for (const format of Object.keys(FORMATS)) expect(mappingOf(format).captableMapping).toBe(1);
    const table = { sheet: ["*"], to: "stock", columns: {} };
    const base = { captableMapping: 1, name: "x", mode: "FULL", tables: [table] };
    for (const wrong of [
      { ...base, more: 1 },
      { ...base, tables: [{ ...table, colour: "red" }] },
      { ...base, tables: [{ ...table, to: "shares" }] },
      { ...base, tables: [{ ...table, columns: { No: "number" } }] },
      { ...base, tables: [{ ...table, units: { price: "PER_MILLE" } }] },
      { ...base, tables: [{ ...table, fallback: { price: "holders" } }] },
      { ...base, tables: [] },
      { ...base, tables: [{ ...table, sheet: ["*".repeat(201)] }] },
      { ...base, tables: [{ ...table, skipRows: Array.from({ length: 51 }, () => "*a") }] },
      { ...base, name: "x".repeat(70_000) },
    ]) {
      expect(() => readMapping(JSON.stringify(wrong))).toThrow(WrongMapping);
    }
    expect(() => readMapping("{")).toThrow(WrongMapping);
  });

  test("that is wrong is reported at every place, each by its path", () => {
    const table = { sheet: ["S[ab]", "T*"], to: "stock", columns: { "No/Nr": "number", Who: "holder" } };
    const more = {
      constants: { colour: "red" },
      skipRows: ["{a,b}"],
      fallback: { price: "cost", certificate: "NEXT" },
    };
    const derive = { kind: { column: "Kind", match: { "[ab]*": "SAFE" }, else: "Note" } };
    const faults = (mapping: object) => {
      try {
        readMapping(JSON.stringify({ captableMapping: 1, name: "x", mode: "FULL", ...mapping }));
      } catch (error) {
        if (error instanceof WrongMapping) return error.faults.map(({ path }) => path);
      }
      return [];
    };
    expect(
      faults({
        tables: [
          { ...table, ...more },
          { sheet: ["C"], to: "convertibles", columns: {}, derive },
        ],
      }),
    ).toEqual([
      "/tables/0/columns/No~1Nr",
      "/tables/0/fallback/price",
      "/tables/0/constants/colour",
      "/tables/0/sheet/0",
      "/tables/0/skipRows/0",
      "/tables/1/derive/kind/match/[ab]*",
    ]);
    expect(faults({ tables: [{ sheet: "S", to: "shares", columns: {}, zzz: 1 }], mode: "HALF" }).sort()).toEqual([
      "/mode",
      "/tables/0/sheet",
      "/tables/0/to",
      "/tables/0/zzz",
    ]);
    expect(faults({ tables: [{ sheet: ["S?", "*T*"], to: "stock", columns: {} }] })).toEqual([]);
  });

  test("has patterns of * and ? alone, which take no longer than the text is", () => {
    const patterns: readonly (readonly [string, string, readonly string[] | null])[] = [
      ["* Ledger", "Common ledger ", ["Common"]],
      ["*data to *", "All data to 2026", ["All ", "2026"]],
      ["CS?", "cs1", []],
      ["CS?", "CS", null],
      ["a*b", "ab", [""]],
      ["a*b", "a", null],
      ["[ab]", "a", null],
      ["", "", []],
    ];
    for (const [pattern, text, stars] of patterns) expect(fits(pattern, text)).toEqual(stars);
    expect(fits("*a".repeat(100), "a".repeat(32_000))).not.toBeNull();
    expect(fits(`${"*a".repeat(100)}b`, "a".repeat(32_000))).toBeNull();
  });

  test("is needed where no format fits", () => {
    expect(imported({ A: [["x"]], B: [["y"]] })).rejects.toThrow(UnreadableFile);
  });
});
