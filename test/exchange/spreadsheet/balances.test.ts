// Balances brought from elsewhere: what is left of each security, how that vests, and what the file must agree with itself in.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { csvOfPiece, filesOf } from "../../../src/exchange/spreadsheet/file/import-files.ts";
import type { ImportOptions } from "../../../src/exchange/spreadsheet/record/importing.ts";
import { CSV_DEFAULTS } from "../../../src/kernel/files/csv.ts";
import { openPlace, type Place } from "../../property/place.ts";
import type { Texts } from "./kit.ts";
import { type Company, imported, mappingOf, shown } from "./mapped.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const HEAD = ["No", "Who", "When", "Issued", "Left", "Terms", "Exercised", "Forfeited", "Transferred", "Vested"];
const MINUS = { exercised: ["Exercised"], forfeited: ["Forfeited"], transferred: ["Transferred"] };
/** The day of the call in these tests is 2026-11-22: 24 of 48 months are past. */
const START = "2024-11-22";
const grant = (no: string, ...cells: readonly string[]) => [no, "Ada", START, ...cells];
const grants = (...rows: readonly (readonly string[])[]): Texts => ({ Grants: [HEAD, ...rows] });
const TERMS = "4 yr/1 yr cliff";

/** What comes of a file of these rows. */
async function told(
  rows: Texts,
  options: Partial<ImportOptions> = { mapping: mappingOf({ minus: MINUS, ignore: "*" }) },
  look: (company: Company) => object = () => ({}),
) {
  const { reports, seen } = await imported(place, [rows], options, look);
  return { report: reports[0], seen };
}

const ASSUMED = /^assumed/;
const warned = (list: Parameters<typeof shown>[0]) => shown(list).filter((each) => !ASSUMED.test(each));

describe("4,800 over 48 months, 24 of them past, 2,400 left", () => {
  const days = ["2026-11-22", "2026-12-22", "2027-01-22", "2028-11-22"];
  const vested = async (rows: Texts, options?: Partial<ImportOptions>): Promise<object> => {
    const look = (company: Company) => ({ vested: days.map((day) => company.vested("ES-1", day)) });
    const { report, seen } = await told(rows, options, look);
    expect(report?.problems).toEqual([]);
    return { ...seen, warnings: warned(report?.warnings ?? []) };
  };
  const READ = "schedule-read Grants!F2";

  test("of which 2,400 were exercised: nothing has vested, and 100 do from month 25 on", async () => {
    const row = grant("ES-1", "4800", "2400", TERMS, "2400", "", "", "");
    expect(await vested(grants(row))).toEqual({ vested: ["0", "100", "200", "2400"], warnings: [READ] });
  });

  test("of which 2,400 were forfeited: 2,400 have vested, and nothing is to come", async () => {
    const row = grant("ES-1", "4800", "2400", TERMS, "", "2400", "", "");
    expect(await vested(grants(row))).toEqual({ vested: ["2400", "2400", "2400", "2400"], warnings: [READ] });
  });

  test("of which 2,400 were transferred: half of each month's is left", async () => {
    const row = grant("ES-1", "4800", "2400", TERMS, "", "", "2400", "");
    expect(await vested(grants(row))).toEqual({ vested: ["1200", "1250", "1300", "2400"], warnings: [READ] });
  });

  test("by outstanding alone: as exercised, and warned of", async () => {
    const row = grant("ES-1", "4800", "2400", TERMS, "", "", "", "");
    const expected = { vested: ["0", "100", "200", "2400"], warnings: ["balance-unexplained Grants!E2", READ] };
    expect(await vested(grants(row), { mapping: mappingOf({ ignore: "*" }) })).toEqual(expected);
  });

  test("by a list of what is missing: as exercised, and warned of", async () => {
    const row = grant("ES-1", "4800", "", TERMS, "", "2400", "", "");
    const columns = Object.fromEntries(
      Object.entries(mappingOf().tables[0]?.columns ?? {}).filter(([n]) => n !== "Left"),
    );
    const mapping = mappingOf({ columns, minus: ["Exercised", "Forfeited"], ignore: "*" });
    const expected = { vested: ["0", "100", "200", "2400"], warnings: ["balance-unexplained Grants!D2", READ] };
    expect(await vested(grants(row), { mapping })).toEqual(expected);
  });

  test("with more outstanding than issued: the schedule runs over that, and it is warned of", async () => {
    const row = grant("ES-1", "2400", "4800", TERMS, "", "", "", "");
    const expected = { vested: ["2400", "2500", "2600", "4800"], warnings: ["balance-unexplained Grants!E2", READ] };
    expect(await vested(grants(row), { mapping: mappingOf({ ignore: "*" }) })).toEqual(expected);
  });
});

describe("issued less what went", () => {
  test("is what is outstanding, else both are told", async () => {
    const { report } = await told(grants(grant("ES-1", "4800", "2300", TERMS, "2000", "400", "", "")));
    expect(report?.problems.map(({ code, cell, detail }) => [code, cell, detail])).toEqual([
      [
        "balance-differs",
        "E2",
        "4800 issued less 2000 exercised less 400 forfeited make 2400, and 2300 are outstanding",
      ],
    ]);
  });

  test("is never less than nothing", async () => {
    const columns = { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity" };
    for (const minus of [MINUS, ["Exercised"]]) {
      const mapping = mappingOf({ columns, minus, ignore: "*" });
      const { report } = await told(grants(grant("ES-1", "100", "", "", "101")), { mapping });
      expect(report?.problems.map(({ code, cell }) => `${code} ${cell}`)).toEqual(["balance-differs D2"]);
    }
  });
});

describe("what the file says has vested", () => {
  const vestedOf = (vested: string) => grants(grant("ES-1", "4800", "2400", TERMS, "2400", "", "", vested));
  test.each(["0", "1", "2400", "2399", "2401"])(
    "may be %s: of what is left, or with what was exercised",
    async (vested) => {
      expect((await told(vestedOf(vested))).report?.problems).toEqual([]);
    },
  );
  test.each(["2", "1200", "2398", "2402"])("may not be %s", async (vested) => {
    expect(shown((await told(vestedOf(vested))).report?.problems ?? [])).toEqual(["vested-differs Grants!J2"]);
  });
  test("is of the file's day", async () => {
    const mapping = mappingOf({ minus: MINUS, ignore: "*" });
    const at = (asOf: string) => told(vestedOf("300"), { mapping, asOf });
    expect((await at("2027-02-22")).report?.problems).toEqual([]);
    expect(shown((await at("2027-03-22")).report?.problems ?? [])).toEqual(["vested-differs Grants!J2"]);
  });
});

describe("what is outstanding", () => {
  const LEFT = [
    ["-", "closed"],
    ["–", "closed"],
    ["—", "closed"],
    [" $ -   ", "closed"],
    ["0", "closed"],
    ["", "missing-value Grants!E2"],
    ["N/A", "missing-value Grants!E2"],
    ["Unknown", "missing-value Grants!E2"],
  ] as const;
  test.each(LEFT)("as %p is %s", async (left, expected) => {
    const mapping = mappingOf({ ignore: "*" });
    const { report } = await told(grants(grant("ES-1", "10", left)), { mapping });
    const codes = shown(report?.problems ?? []);
    const isClosed = codes.length === 0 && report?.closed === 1 && report.counts.options?.leftOut === 1;
    expect(isClosed ? ["closed"] : codes).toEqual([expected]);
  });

  test("need not be said by a line of totals, or of a row that is closed", async () => {
    const mapping = mappingOf({ ignore: "*", closedWhen: ["Vested"] });
    const total = ["Total", "", "", "20", "", "", "", "", "", ""];
    const closed = grant("ES-2", "10", "", "", "", "", "", "2025-01-01");
    const { report } = await told(grants(grant("ES-1", "10", "10"), closed, total), { mapping });
    expect([report?.problems, report?.closed]).toEqual([[], 1]);
    expect(warned(report?.warnings ?? [])).toEqual(["line-left-out Grants!4"]);
  });

  test("of nothing leaves a row out, whatever else is wrong with it, in one line", async () => {
    const mapping = mappingOf({ ignore: "*" });
    const closed = ["ES-2", "", "soon", "10", "-", "odd words"];
    const { report } = await told(grants(grant("ES-1", "10", "10"), closed, ["ES-3", "Ada", "", "5", "0"]), {
      mapping,
    });
    expect([report?.problems, report?.counts.options]).toEqual([
      [],
      { create: 1, unchanged: 0, differs: 0, leftOut: 2 },
    ]);
    if (!report) throw new Error("there is a report");
    const preview = Buffer.concat(filesOf(report).preview.map((piece) => csvOfPiece(piece, CSV_DEFAULTS))).toString();
    expect([preview.match(/Closed: 2/g)?.length, preview.includes("ES-2")]).toEqual([1, false]);
  });
});

test("a missing number continues the highest of its prefix, in the file and on record", async () => {
  const columns = { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity" };
  const mapping = mappingOf({ columns, ignore: "*", fallback: { certificate: "NEXT" } });
  const first = grants(grant("ES-10", "10"), grant("ES-2", "10"), grant("", "11"), grant("ES-1234567890", "1"));
  const second = grants(grant("", "12"), grant("ES-20", "10"), grant("", "13"));
  const look = ({ rows }: Company) => ({
    numbers: rows(
      "select certificateId from securities where orgId = ? and quantity in (11, 12, 13) order by quantity",
    ),
  });
  const { seen } = await imported(place, [first, second], { mapping }, look);
  expect(seen.numbers).toEqual([{ certificateId: "ES-11" }, { certificateId: "ES-21" }, { certificateId: "ES-22" }]);
});

describe("bands", () => {
  const band = { column: "No", field: "class" } as const;
  const columns = { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity" };
  const head = ["No", "Who", "When", "Issued"];

  test("say the class of the rows below them, and repeated headers are passed over", async () => {
    const mapping = mappingOf({ to: "stock", columns, constants: {}, band, skipRows: ["Total*"] });
    const Grants = [
      head,
      ["Common Stock"],
      ["CS-1", "Ada", START, "10"],
      ["Total Common", "", "", "10"],
      ["Series A Preferred"],
      head,
      ["PS-1", "Fund", START, "20"],
    ];
    const look = ({ rows }: Company) => ({
      held: rows(
        "select s.certificateId, c.name, c.classType from securities s join share_classes c on c.id = s.stockClassId " +
          "where s.orgId = ? order by s.certificateId",
      ),
    });
    const { report, seen } = await told({ Grants }, { mapping }, look);
    expect([report?.problems, warned(report?.warnings ?? [])]).toEqual([[], []]);
    expect(seen).toEqual({
      held: [
        { certificateId: "CS-1", name: "Common Stock", classType: "COMMON" },
        { certificateId: "PS-1", name: "Series A Preferred", classType: "PREFERRED" },
      ],
    });
  });

  test("say a kind, which has to be one that there is", async () => {
    const of = (kind: string): Texts => ({ Grants: [head, [kind], ["N-1", "Fund", START, "1000"]] });
    const mapping = mappingOf({ to: "convertibles", columns, constants: {}, band: { column: "No", field: "kind" } });
    expect((await told(of("SAFE"), { mapping })).report?.problems).toEqual([]);
    expect(shown((await told(of("Something"), { mapping })).report?.problems ?? [])).toEqual([
      "unknown-word Grants!A2",
    ]);
  });
});

describe("a file that comes again", () => {
  const [minus, ignore] = [MINUS, "*"] as const;
  const columns = {
    ...mappingOf().tables[0]?.columns,
    Note: "comments",
    Board: "boardApproval",
    Start: "vestingStart",
  };
  const mapping = mappingOf({ minus, ignore, columns });
  const head = [...HEAD, "Note", "Board", "Start"];
  const row = [...grant("ES-1", "4800", "2400", TERMS, "2400", "", "", ""), "As agreed", "2024-11-01", START];
  const file = (changed: Readonly<Record<string, string>> = {}): Texts => ({
    Grants: [head, row.map((cell, at) => changed[head[at] ?? ""] ?? cell)],
  });
  const again = async (changed: Readonly<Record<string, string>>) => {
    const { reports } = await imported(place, [file(), file(changed)], { mapping }, () => ({}));
    const { problems = [], warnings = [], counts } = reports[1] ?? {};
    return [shown(problems), warned(warnings), counts?.options];
  };
  const OPTIONS_OF = { create: 0, unchanged: 0, differs: 0, leftOut: 0 };

  test("equal in every column is unchanged", async () => {
    expect(await again({})).toEqual([[], [], { ...OPTIONS_OF, unchanged: 1 }]);
  });

  test.each([
    ["its note", { Note: "As agreed since" }, "K2"],
    ["its approval", { Board: "2024-11-02" }, "L2"],
    ["its start", { Start: "2024-12-22" }, "M2"],
    ["how it went", { Exercised: "2000", Forfeited: "400" }, "E2"],
    ["what was issued first", { Issued: "4900", Forfeited: "100" }, "E2"],
  ])("differs in %s", async (_what, changed, cell) => {
    const [problems, warnings, counts] = await again(changed);
    expect([problems, new Set(warnings as string[]), counts]).toEqual([
      [],
      new Set([`differs Grants!${cell}`]),
      { ...OPTIONS_OF, differs: 1 },
    ]);
  });
});
