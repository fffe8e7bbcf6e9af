// Figures as people write them: each is read to the very number that is meant, or refused; never taken for another one.
import { describe, expect, test } from "bun:test";
import { type Cell, Meter } from "../../../../src/exchange/spreadsheet/file/grid.ts";
import { readXlsx } from "../../../../src/exchange/spreadsheet/file/xlsx-read.ts";
import { dateIn, type Understood, type Ways } from "../../../../src/exchange/spreadsheet/rows/cell-values.ts";
import { figureIn, percentIn, waysOfFile } from "../../../../src/exchange/spreadsheet/rows/figures.ts";
import { formatDecimal, parseDecimal } from "../../../../src/kernel/numbers/decimal.ts";
import { proved, seedCount } from "../../../kit/proof.ts";
import { workbook } from "../workbook.ts";

const UNSAID: Ways = { decimal: "POINT", isDecimalAssumed: true, dateOrder: null, currency: "USD" };
const POINT: Ways = { ...UNSAID, isDecimalAssumed: false };
const COMMA: Ways = { ...POINT, decimal: "COMMA" };
const text = (written: string): Cell => ({ kind: "text", text: written });
const shown = (written: string) => ({ cell: text(written), isMoney: true, isPercent: false });
const meant = (found: Understood) => ("fault" in found ? found.fault.code : found.value);
/** What is understood of a text, or the code of what is wrong with it. */
const read = (written: string, ways: Ways, isMoney = false) => meant(figureIn(text(written), ways, isMoney));

describe("a figure, if the decimal sign is not given; if the file shows the point; if it is the comma", () => {
  test.each([
    ["1,250", "ambiguous-number", "1250", "1.25"],
    ["1.250", "ambiguous-number", "1.25", "1250"],
    ["0,125", "bad-number", "bad-number", "0.125"],
    ["12,5", "bad-number", "bad-number", "12.5"],
    ["0.125", "0.125", "0.125", "bad-number"],
    [".08", "0.08", "0.08", "bad-number"],
    [",08", "bad-number", "bad-number", "0.08"],
    ["1250", "1250", "1250", "1250"],
    ["'1250", "1250", "1250", "1250"],
    ["1,250.50", "1250.5", "1250.5", "bad-number"],
    ["10,000,000", "10000000", "10000000", "bad-number"],
    ["1.250.000", "bad-number", "bad-number", "1250000"],
    ["1 250", "1250", "1250", "1250"],
    ["1'250.5", "1250.5", "1250.5", "bad-number"],
    ["0,125,000", "bad-number", "bad-number", "bad-number"],
    ["012,345", "bad-number", "bad-number", "12.345"],
    ["1,50,000", "bad-number", "bad-number", "bad-number"],
    ["$1,250", "ambiguous-number", "1250", "1.25"],
  ])("%s", (written, unsaid, point, comma) => {
    const isMoney = written.startsWith("$");
    expect([UNSAID, POINT, COMMA].map((ways) => read(written, ways, isMoney))).toEqual([unsaid, point, comma]);
  });

  test("what a comma would make of it is said, with the option", () => {
    for (const written of ["0,125", "12,5", "1.250,75"]) {
      const found = figureIn(text(written), UNSAID, false);
      expect("fault" in found && found.fault.fix).toContain("decimal=COMMA");
    }
  });
});

describe("a file shows the point", () => {
  test.each(["$1.50", "0.125", "1,250.50", "10,000,000", "1.2345", "1000.500"])("by %s", (written) => {
    expect(read("1.250", waysOfFile([shown("7"), shown(written)], UNSAID))).toBe("1.25");
  });

  test.each(["1.250", "1,250", "7", "1 250", "12,5", "€1.50", "(1.50)", "1.5e3", ""])("and not by %p", (written) => {
    expect(read("1.250", waysOfFile([shown(written)], UNSAID))).toBe("ambiguous-number");
  });

  test("not by what a cell holds as a number; a percentage has no thousands", () => {
    const held = { ...shown("0.125"), cell: { kind: "number", text: "0.125" } as const };
    expect(read("1.250", waysOfFile([held], UNSAID))).toBe("ambiguous-number");
    expect(meant(percentIn(text("12.500%"), UNSAID))).toBe("12.5");
    expect(meant(percentIn(text("12,500%"), UNSAID))).toBe("bad-number");
    expect(meant(percentIn(text("12,500%"), COMMA))).toBe("12.5");
  });
});

/** A random decimal, and the ways in which people write it, by the sign of their decimals. */
function written(random: (below: number) => number) {
  const whole = String(random(10 ** (1 + random(8))));
  const places = random(2) === 0 ? "" : String(random(10 ** (1 + random(6)))).padStart(1 + random(6), "0");
  const value = formatDecimal(parseDecimal(places === "" ? whole : `${whole}.${places}`));
  const threes = (sign: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, sign);
  const joined = (digits: string, sign: string) => (places === "" ? digits : `${digits}${sign}${places}`);
  return {
    value,
    point: [whole, ...[",", " ", "'", "’", "\u202f"].map(threes)].map((digits) => joined(digits, ".")),
    comma: [whole, ...[".", " ", "'", "’", "\u202f"].map(threes)].map((digits) => joined(digits, ",")),
  };
}

type Reader = (written: string, ways: Ways) => string;

/** Reads random numbers in each style; the texts that are taken for another number. */
function misread(count: number, reader: Reader) {
  let state = 11;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wrong: string[] = [];
  let exact = 0;
  const hold = (text: string, value: string, ways: Ways, isToBeRead: boolean) => {
    const found = reader(text, ways);
    if (found === value) exact++;
    else if (isToBeRead || !/^(?:ambiguous|bad)-number$/.test(found)) wrong.push(`${text} as ${found}`);
  };
  for (let round = 0; round < count; round++) {
    const { value, point, comma } = written(random);
    for (const each of point) hold(each, value, POINT, true);
    for (const each of comma) hold(each, value, COMMA, true);
    // Not given: the writer's decimal sign is unknown.
    for (const each of [...point, ...comma]) hold(each, value, UNSAID, false);
    const ways = waysOfFile(point.map(shown), UNSAID);
    for (const each of point) hold(each, value, ways, false);
  }
  return { wrong, exact };
}

test("random numbers in every style are read to the digit, or refused, and one that guesses is found out", () => {
  const count = seedCount(250, 200_000);
  const { wrong, exact } = misread(count, (each, ways) => read(each, ways));
  expect(wrong).toEqual([]);
  expect(exact).toBeGreaterThan(count * 12);
  // Planted: if it is not given, the comma is taken for thousands.
  expect(misread(200, (each, ways) => read(each, ways === COMMA ? COMMA : POINT)).wrong).not.toEqual([]);
  proved({ fault: "N1", what: "numbers in every style", count, seed: "11", result: "exact, or refused" });
});

describe("a day in words", () => {
  test.each([
    ["15-Jan-2024", "2024-01-15"],
    ["15 January 2024", "2024-01-15"],
    ["15/Feb/2024", "2024-02-15"],
    ["15.Mar.2024", "2024-03-15"],
    ["15. März 2024", "2024-03-15"],
    ["15 marz 2024", "2024-03-15"],
    ["15 mrt 2024", "2024-03-15"],
    ["15 mrt. 2024", "2024-03-15"],
    ["15 MAI 2024", "2024-05-15"],
    ["15 août 2024", "2024-08-15"],
    ["15 juin 2024", "2024-06-15"],
    ["15 juil. 2024", "2024-07-15"],
    ["15 enero 2024", "2024-01-15"],
    ["15-dic-2024", "2024-12-15"],
    ["15-dez-2024", "2024-12-15"],
    ["15 augustus 2024", "2024-08-15"],
    ["15 Sept. 2024", "2024-09-15"],
    ["'15-Jan-2024", "2024-01-15"],
    ["'2024-01-15", "2024-01-15"],
    ["Jan 15, 2024", "2024-01-15"],
    ["Monday, 15 January 2024", "2024-01-15"],
    ["15 jui 2024", "bad-date"],
    ["15 ju 2024", "bad-date"],
    ["15 Janvember 2024", "bad-date"],
    ["31-Feb-2024", "bad-date"],
    ["15-Jan-24", "bad-date"],
  ])("%s is %s", (written, day) => expect(meant(dateIn(text(written), null))).toBe(day));
});

test("a number that is a day counts from where its workbook does", () => {
  const of = (is1904: boolean) => dateIn({ kind: "number", text: "43982", ...(is1904 ? { is1904 } : {}) }, null);
  expect(of(false)).toMatchObject({ value: "2020-05-31", warning: { code: "number-as-date" } });
  expect(of(true)).toMatchObject({ value: "2024-06-01", warning: { code: "number-as-date" } });
});

describe("an amount whose format has a currency", () => {
  const amount = (currency: string, own: string) =>
    meant(figureIn({ kind: "number", text: "12.5", currency }, { ...POINT, currency: own }, true));
  test.each([
    ["€", "EUR", "12.5"],
    ["€", "USD", "foreign-currency"],
    ["USD", "USD", "12.5"],
    ["EUR", "USD", "foreign-currency"],
    ["$", "CAD", "12.5"],
    ["kr", "SEK", "12.5"],
    ["kr", "USD", "foreign-currency"],
    ["zł", "PLN", "12.5"],
  ])("%s in a company of %s is %s", (sign, own, found) => expect(amount(sign, own)).toBe(found));

  test("says nothing of a number of shares", () => {
    expect(meant(figureIn({ kind: "number", text: "12", currency: "€" }, POINT, false))).toBe("12");
  });
});

test("a workbook tells its cells what their formats and its first day say", () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const codes = ["[$€-407]#,##0.00", "&quot;USD&quot; #,##0.00", "[$-409]#,##0.00", "#,##0&quot; shares&quot;"];
  const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join("");
  const styles = [0, 44, 164, 165, 166, 167].map((id) => `<xf numFmtId="${id}"/>`).join("");
  const cells = [0, 1, 2, 3, 4, 5].map((style, at) => `<c r="${"ABCDEF"[at]}1" s="${style}"><v>43982</v></c>`).join("");
  const [grid] = readXlsx(
    workbook(`<row r="1">${cells}</row>`, {
      "xl/workbook.xml": `<workbook ${main} xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="Stock" r:id="r1"/></sheets></workbook>`,
      "xl/styles.xml": `<styleSheet ${main}><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
    }),
    new Meter(),
  );
  const read = grid?.rows[0]?.cells.values() ?? [];
  expect(read.map(({ currency }) => currency)).toEqual([undefined, undefined, "€", "USD", undefined, undefined]);
  expect(read.map((each) => meant(dateIn(each, null)))).toEqual(Array.from({ length: 6 }, () => "2024-06-01"));
  expect(read.map((each) => meant(figureIn(each, POINT, true)))).toEqual([
    "43982",
    "43982",
    "foreign-currency",
    "43982",
    "43982",
    "43982",
  ]);
});
