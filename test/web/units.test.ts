// What the pages work out without a browser: reading numbers, sorting, shares of the whole, files, addresses.
import { describe, expect, test } from "bun:test";
import { addDays } from "../../src/kernel/date.ts";
import { formatDecimal, parseDecimal, sum } from "../../src/kernel/numbers/decimal.ts";
import { percentOf, percentText, plural, quantityText } from "../../src/web/locale.ts";
import { csvOf } from "../../src/web/pages/overview/cap-table-csv.ts";
import {
  type CapTable,
  partsByClass,
  partsByHolder,
  type RankedClass,
  seriesOf,
  valuesOf,
} from "../../src/web/pages/overview/cap-table-figures.ts";
import { sharesOf, stepsOf, yearMarks } from "../../src/web/parts/charts/geometry.ts";
import { sortRows } from "../../src/web/parts/tables/sorting.ts";
import { isWebAddress } from "../../src/web/parts/web-address.ts";

test("decimals are shown digit by digit, percentages to two places", () => {
  expect(quantityText("123456789012345.1234567891").replaceAll(/\D/g, "")).toBe("1234567890123451234567891");
  expect(quantityText("1500")).toBe((1500).toLocaleString());
  expect(percentText("12.345678")).toBe("12.35%");
  expect(percentOf("1", "3")).toBe("33.3333333333");
  expect(percentOf("1", "0")).toBeNull();
  expect([plural(1, "holder", "holders"), plural(2, "holder", "holders")]).toEqual(["1 holder", "2 holders"]);
});

test("figures sort by value, words by their letters, and nothing goes last", () => {
  const order = (rows: readonly (string | null)[], isFigure: boolean, isDescending = false) =>
    sortRows(rows, { keyOf: (row) => row, isFigure, isDescending });
  expect(order(["9", "10", null, "10.5", "0"], true)).toEqual(["0", "9", "10", "10.5", null]);
  expect(order(["9", "10", null, "10.5"], true, true)).toEqual(["10.5", "10", "9", null]);
  expect(order(["CS-10", "CS-9", "Émile", "Zoe", "ada"], false)).toEqual(["ada", "CS-9", "CS-10", "Émile", "Zoe"]);
});

test("a document's address is a link by http and https alone", () => {
  const addresses = [
    "https://a.test/deed",
    "HTTP://a.test",
    "javascript:alert(1)",
    " https://a.test",
    "data:,x",
    "ftp://a.test",
  ];
  expect(addresses.map(isWebAddress)).toEqual([true, true, false, false, false, false]);
});

const holder = (id: string, stock: string, options = "0"): CapTable["stakeholders"][number] => ({
  ...{ id, displayName: id, outstanding: stock, options, warrants: "0", vested: "0", unvested: "0" },
  fullyDiluted: formatDecimal(parseDecimal(stock) + parseDecimal(options)),
  ...{ outstandingAsConverted: stock, warrantsAsConverted: "0" },
  asConverted: formatDecimal(parseDecimal(stock) + parseDecimal(options)),
  ...{ percentOutstanding: "0", percentFullyDiluted: "0" },
  ...{ percentOutstandingAsConverted: "0", percentAsConverted: "0" },
  holdings: [{ stockClassId: "a", quantity: stock, asConverted: stock }],
});

function table(stakeholders: CapTable["stakeholders"]): CapTable {
  const totalOf = (figure: "outstanding" | "options" | "fullyDiluted") =>
    formatDecimal(sum(stakeholders.map((each) => parseDecimal(each[figure]))));
  const issued = totalOf("outstanding");
  const fullyDiluted = formatDecimal(parseDecimal(totalOf("fullyDiluted")) + parseDecimal("90"));
  return {
    ...{ asOf: "2026-01-01", knownAt: "2026-01-01T00:00:00.000Z", byClass: [], convertibles: [], stakeholders },
    warnings: [],
    shareClasses: [
      {
        ...{ id: "a", name: "Common", classType: "COMMON", authorized: "1000", issued, available: "0" },
        conversion: null,
      },
    ],
    equityPlans: [{ id: "p", name: "Plan", reserved: "100", granted: "10", exercised: "0", available: "90" }],
    totals: {
      ...{ outstanding: issued, options: totalOf("options"), warrants: "0", poolAvailable: "90" },
      ...{ fullyDiluted, asConverted: fullyDiluted, percentPoolAsConverted: "0" },
      ...{ outstandingAsConverted: issued, warrantsAsConverted: "0" },
    },
  };
}

describe("the whole", () => {
  test("divided by holder shows the six largest, the rest as one, and a seventh rather than one other", () => {
    const names = (count: number) => {
      const holders = Array.from({ length: count }, (_, index) => holder(`h${index}`, String(1000 - index)));
      return partsByHolder(table(holders), "diluted").map(({ name, quantity }) => `${name} ${quantity}`);
    };
    expect(names(7).slice(-2)).toEqual(["h6 994", "Pool available 90"]);
    expect(names(9).slice(-3)).toEqual(["h5 995", "3 other holders 2979", "Pool available 90"]);
  });

  test("divided by class adds up to the API's total, exactly", () => {
    const company = table([holder("x", "0.0000000001"), holder("y", "999999999999999.5", "10")]);
    const series = seriesOf([{ id: "a", name: "Common", classType: "COMMON", seniority: 1 }]);
    const parts = partsByClass(company, series, "diluted");
    expect(formatDecimal(sum(parts.map(({ quantity }) => parseDecimal(quantity))))).toBe(company.totals.fullyDiluted);
    expect(partsByClass(company, series, "outstanding").map(({ id }) => id)).toEqual(["a"]);
  });

  test("has colours from junior to senior, and a common one where they run out", () => {
    const ranked = (count: number) =>
      Array.from({ length: count }, (_, index): RankedClass => {
        return { id: `${index}`, name: `${index}`, classType: "PREFERRED", seniority: index + 1 };
      });
    const colors = (count: number) => seriesOf(ranked(count)).map(({ id, color }) => `${id} ${color}`);
    expect(colors(2)).toEqual(["1 c1", "0 c2", "options c4", "warrants c5", "pool c-pool"]);
    expect(colors(7).slice(3, 5)).toEqual(["3 c6", "others c7"]);
    const point = {
      ...{ date: "2026-01-01", options: "1", warrants: "2", warrantsAsConverted: "4", poolAvailable: "3" },
      ...{ asConverted: "18", classes: [{ id: "0", issued: "5", asConverted: "10" }] },
    };
    expect(valuesOf(point, seriesOf(ranked(1)))).toEqual(["10", "1", "4", "3"]);
  });
});

test("a CSV keeps every digit and starts no formula", () => {
  const answer = table([holder("=cmd", "123456789012345.1234567891")]);
  const lines = csvOf({ table: answer, ranks: [] }).split("\r\n");
  expect(lines[0]).toStartWith("\ufeffHolder,Stakeholder id,Common,Outstanding,Options,Warrants,Fully diluted");
  expect(lines[1]).toStartWith("'=cmd,'=cmd,123456789012345.1234567891,123456789012345.1234567891,0,0,");
});

test("a chart's steps go up where something changed and end on the last day", () => {
  const path = stepsOf({
    dates: ["2026-01-01", "2026-01-06"],
    tops: [
      [0, 0.5],
      [0, 1],
    ],
    ...{ layer: 0, first: "2026-01-01", last: "2026-01-11", width: 100, height: 100 },
  });
  expect(path).toBe("M0.00 53.00H50.00L50.00 6.00H100.00L100.00 100.00H50.00L50.00 100.00H0.00Z");
  expect(sharesOf(["1", "3"])).toEqual([0.25, 0.75]);
  expect(sharesOf(["0", "0"])).toEqual([0, 0]);
  expect(yearMarks("2021-03-01", "2023-06-01").map(({ year }) => year)).toEqual(["2022", "2023"]);
  expect(yearMarks("1926-01-01", addDays("2026-01-01", 300)).length).toBeLessThan(14);
});
