// Vesting schedules in words: understood to the letter, or told once, with a sheet of terms to finish.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { termsCsv } from "../../../../src/exchange/spreadsheet/file/terms-file.ts";
import { readSchedule } from "../../../../src/exchange/spreadsheet/mapping/schedules.ts";
import { CSV_DEFAULTS } from "../../../../src/kernel/files/csv.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import type { Texts } from "../kit.ts";
import { type Company, imported, mappingOf, shown } from "../mapped.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** Months, cliff, frequency; or VESTED, or UNKNOWN. */
function read(text: string): string {
  const { kind, ...more } = readSchedule(text);
  if (!("schedule" in more)) return kind;
  const { months, cliffMonths, frequency } = more.schedule;
  return `${months} ${cliffMonths} ${frequency}`;
}

describe("a schedule in words", () => {
  test.each([
    ["1/48 monthly, 1 year cliff", "48 12 MONTHLY"],
    ["25% at 1 yr, 1/48 monthly thereafter", "48 12 MONTHLY"],
    ["4 yr/1 yr cliff", "48 12 MONTHLY"],
    ["4 Years, with a 1 Year cliff, vesting monthly", "48 12 MONTHLY"],
    ["48 months / 12 mo cliff quarterly", "48 12 QUARTERLY"],
    ["3 yrs 1 yr cliff annually", "36 12 ANNUALLY"],
    ["2 years 0 months cliff yearly", "24 0 ANNUALLY"],
    ["1/16 quarterly", "48 0 QUARTERLY"],
    ["1/4 yearly", "48 0 ANNUALLY"],
    ["20% after 12 months 1/60 monthly", "60 12 MONTHLY"],
    ["12.5% at 6 mo 1/48 monthly thereafter", "48 6 MONTHLY"],
    ["10 yr/1 yr cliff", "120 12 MONTHLY"],
    ["1 yr/1 yr cliff", "12 12 MONTHLY"],
    ["Fully vested", "VESTED"],
    ["immediate vesting", "VESTED"],
  ])("%p is understood", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    "30% at 1 yr, 1/48 monthly",
    "per board",
    "4 years",
    "4 yr over 1 yr cliff",
    "4.5 yr/1 yr cliff",
    "11 yr/1 yr cliff",
    "1 yr/2 yr cliff",
    "0 mo/0 mo cliff",
    "4 yr/1 mo cliff quarterly",
    "50 months/12 months cliff quarterly",
    "1/0 monthly",
    "2/48 monthly",
    "1/48",
    "33.33% at 1 yr, 1/36 monthly",
    "25% at 1 yr, 1/48 monthly thereafter, double trigger",
    "48 mos/12 mos cliff",
    "not fully vested",
    "4 yr/1 yr cliff (see side letter)",
    "",
  ])("%p is not", (text) => {
    expect(read(text)).toBe("UNKNOWN");
  });
});

const HEAD = ["No", "Who", "When", "Issued", "Left", "Terms"];
const grants = (...terms: readonly string[]): Texts => ({
  Grants: [HEAD, ...terms.map((text, at) => [`ES-${at + 1}`, "Ada", "2025-11-22", "48", "48", text])],
});
const mapping = mappingOf();
const NONE = () => ({});

test("words that are understood make terms of that name, told once for each text", async () => {
  const file = grants("4 yr/1 yr cliff", "4 YR/1 yr  cliff", "1/48 monthly", "immediate", "");
  const look = (company: Company) => ({
    terms: company.rows("select name from vesting_terms where orgId = ? order by seq"),
    vested: [1, 2, 3, 4, 5].map((n) => company.vested(`ES-${n}`, "2026-11-22")),
  });
  const { reports, seen } = await imported(place, [file, file], { mapping }, look);
  const read = (at: number) => reports[at]?.warnings.filter(({ code }) => code === "schedule-read") ?? [];
  expect(reports.map(({ problems }) => problems)).toEqual([[], []]);
  expect(shown(read(0))).toEqual(["schedule-read Grants!F2", "schedule-read Grants!F4"]);
  expect(read(0)[0]?.detail).toBe("was read as 48 months, cliff 12 months, monthly");
  expect([shown(read(1)), reports[1]?.counts.options]).toEqual([
    [],
    { create: 0, unchanged: 5, differs: 0, leftOut: 0 },
  ]);
  expect(seen).toEqual({
    terms: [{ name: "4 yr/1 yr cliff" }, { name: "1/48 monthly" }],
    vested: ["12", "12", "12", "48", "48"],
  });
});

describe("words that are not understood", () => {
  const file = grants("per board", "30% at 1 yr, 1/48 monthly", "Per  Board", "per board");

  test("are a problem, once for each text with its rows", async () => {
    const { reports } = await imported(place, [file], { mapping }, NONE);
    expect(shown(reports[0]?.problems ?? [])).toEqual([
      "schedule-not-understood Grants!F2",
      "schedule-not-understood Grants!F3",
    ]);
    expect(reports[0]?.problems[0]?.detail).toContain("Grants!2, Grants!4, Grants!5");
    expect(reports[0]?.warnings.map(({ code }) => code)).not.toContain("schedule-not-understood");
  });

  test("are told in a sheet of terms, which finished makes them", async () => {
    const { reports } = await imported(place, [file], { mapping }, NONE);
    expect(termsCsv(reports[0]?.schedules ?? [], CSV_DEFAULTS)).toBe(
      "\uFEFFTerms*,Months*,Cliff months*,Frequency*,Allocation,Description\r\n" +
        "per board,,,,,Needs a look\r\n" +
        '"30% at 1 yr, 1/48 monthly",48,,Monthly,,Needs a look\r\n',
    );
    const finished: Texts = {
      "Vesting terms": [
        ["Terms*", "Months*", "Cliff months*", "Frequency*", "Allocation", "Description"],
        ["per board", "12", "0", "Monthly", "", "As the board said"],
        ["30% at 1 yr, 1/48 monthly", "48", "12", "Monthly", "", ""],
      ],
    };
    const look = (company: Company) => ({ vested: [1, 2, 3].map((n) => company.vested(`ES-${n}`, "2026-05-22")) });
    const first = await imported(place, [finished], {}, NONE);
    expect(first.reports[0]?.problems).toEqual([]);
    const both = await imported(place, [{ ...finished, ...file }], { mapping: withTerms() }, look);
    expect([both.reports[0]?.problems, both.seen]).toEqual([[], { vested: ["24", "0", "24"] }]);
  });

  test("count as vested with vesting=AS_VESTED, and go to the comments; the start is kept", async () => {
    const columns = { ...mapping.tables[0]?.columns, Start: "vestingStart", Note: "comments" };
    const noted: Texts = {
      Grants: [
        [...HEAD, "Start", "Note"],
        ["ES-1", "Ada", "2025-11-22", "48", "40", "per board", "2025-12-01", "Mind"],
        ["ES-2", "Ada", "2025-11-22", "30", "30", "per board", "", ""],
      ],
    };
    const look = (company: Company) => ({
      vested: [1, 2].map((n) => company.vested(`ES-${n}`, "2026-11-22")),
      kept: company.rows(
        "select vestingStartDate, comments, vestingTermsId from securities where orgId = ? order by seq",
      ),
    });
    const options = { mapping: mappingOf({ columns }), vesting: "AS_VESTED" } as const;
    const { reports, seen } = await imported(place, [noted, noted], options, look);
    const told = reports[0]?.warnings.filter(({ code }) => code === "schedule-not-understood") ?? [];
    expect([reports[0]?.problems, told.length, told[0]?.detail]).toEqual([[], 1, expect.stringContaining("70 shares")]);
    expect(seen).toEqual({
      vested: ["40", "30"],
      kept: [
        { vestingStartDate: "2025-12-01", comments: "Mind\nVesting: per board", vestingTermsId: null },
        { vestingStartDate: "2025-11-22", comments: "Vesting: per board", vestingTermsId: null },
      ],
    });
    expect(reports[1]?.counts.options).toMatchObject({ create: 0, unchanged: 2, differs: 0 });
  });
});

/** The mapping of grants with a sheet of terms besides, as the template has it. */
function withTerms() {
  const columns = { Terms: "terms", Months: "months", "Cliff months": "cliffMonths", Frequency: "frequency" };
  const table = {
    sheet: ["Vesting terms"],
    to: "vesting-terms" as const,
    headerHas: ["Months"],
    columns,
    ignore: "*" as const,
  };
  return { ...mapping, tables: [...mapping.tables, table] };
}
