// Figures that can be read two ways are told: a number of shares is a problem, a price is read by the point.
import { describe, expect, test } from "bun:test";
import { columnWays, figureIn, percentIn, type Ways } from "../../src/spreadsheet/values.ts";

const OPEN: Ways = { decimal: "POINT", isDecimalAssumed: true, dateOrder: null, currency: "USD" };

/** What is understood of a text, or the code of what is wrong with it. */
function read(text: string, ways: Ways = OPEN, isMoney = false): string {
  const found = figureIn({ kind: "text", text }, ways, isMoney);
  return "fault" in found ? found.fault.code : found.value;
}

describe("where nobody said what parts decimals", () => {
  test.each([
    ["1.000", "ambiguous-number"],
    ["12.500", "ambiguous-number"],
    ["0.125", "0.125"],
    ["1.5", "1.5"],
    ["1.2345", "1.2345"],
    ["1,000", "1000"],
    ["1,000.500", "1000.5"],
    ["1000.500", "1000.5"],
    ["1.000.000", "bad-number"],
  ])("%s is %s", (text, meant) => {
    expect(read(text)).toBe(meant);
  });

  test("a number that a cell holds is no text, and percentages are not in thousands", () => {
    expect(figureIn({ kind: "number", text: "1.000" }, OPEN, false)).toEqual({ value: "1" });
    expect(percentIn({ kind: "text", text: "12.500%" }, OPEN)).toEqual({ value: "12.5" });
  });

  test("an amount of money is read by the point, and told of", () => {
    const found = figureIn({ kind: "text", text: "$1.250" }, OPEN, true);
    expect(found).toMatchObject({ value: "1.25", warning: { code: "ambiguous-number" } });
  });

  test.each([["2.5"], ["1,000,000"], ["0.001"], ["$1,234.50"], ["1000.500"]])(
    "%s elsewhere in the column settles it",
    (other) => {
      expect(read("1.000", columnWays(["1.000", other], OPEN))).toBe("1");
    },
  );

  test.each([["1.000"], ["1,000"], ["7"], [""]])("%s elsewhere does not", (other) => {
    expect(read("1.000", columnWays(["1.000", other], OPEN))).toBe("ambiguous-number");
  });
});

test("where somebody said so, it is read so", () => {
  expect(read("1.000", { ...OPEN, isDecimalAssumed: false })).toBe("1");
  expect(read("1.000", { ...OPEN, isDecimalAssumed: false, decimal: "COMMA" })).toBe("1000");
});
