import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  divideHalfEven,
  floorDivide,
  formatDecimal,
  isDecimalText,
  multiply,
  parseDecimal,
  scale,
  sum,
} from "../../../src/kernel/numbers/decimal.ts";

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const decimalText = fc
  .tuple(digits(30), fc.option(digits(10), { nil: undefined }))
  .map(([whole, places]) => (places === undefined ? whole : `${whole}.${places}`));
const decimal = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

describe("decimals", () => {
  test("are written without leading or trailing zeros and read back the same", () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const text = formatDecimal(value);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(parseDecimal(text)).toBe(value);
      }),
    );
  });

  test("read any form of a number to the same value", () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        expect(parseDecimal(`000${text}`)).toBe(parseDecimal(text));
        expect(parseDecimal(formatDecimal(parseDecimal(text)))).toBe(parseDecimal(text));
      }),
    );
  });

  test("add and subtract exactly", () => {
    fc.assert(fc.property(decimal, decimal, (a, b) => sum([a, b, -b]) === a));
  });

  test.each([
    ["1500.00", "1500"],
    ["0.2500000000", "0.25"],
    ["000", "0"],
    ["-3.10", "-3.1"],
    ["999999999999999.9999999999", "999999999999999.9999999999"],
  ])("%s is %s", (text, canonical) => expect(formatDecimal(parseDecimal(text))).toBe(canonical));

  test.each(["", ".5", "5.", "1e3", "0x10", " 1", "1 ", "１", "1,000", "NaN", "1.12345678901", "--1"])(
    "%p is not a decimal",
    (text) => {
      expect(isDecimalText(text)).toBe(false);
      expect(() => parseDecimal(text)).toThrow();
    },
  );

  test.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [10n, 4n, 2n],
    [11n, 4n, 3n],
  ])("%p ÷ %p rounds half to even: %p", (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient);
  });

  test("division never strays by more than a half", () => {
    fc.assert(
      fc.property(decimal, fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
        const error = 2n * (numerator - divideHalfEven(numerator, denominator) * denominator);
        expect(error <= denominator && error >= -denominator).toBe(true);
        const floor = floorDivide(numerator, denominator);
        expect(floor * denominator <= numerator && numerator < (floor + 1n) * denominator).toBe(true);
      }),
    );
  });

  test("a price times a quantity is exact where ten places hold it", () => {
    expect(formatDecimal(multiply(parseDecimal("0.0001"), parseDecimal("12345678.9")))).toBe("1234.56789");
    expect(formatDecimal(scale(parseDecimal("1"), 1n, 3n))).toBe("0.3333333333");
  });
});
