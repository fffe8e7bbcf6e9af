// The arithmetic of a split, against fractions that are never rounded.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ONE } from "../../src/kernel/numbers/decimal.ts";
import { type ROUNDINGS, splitPrice, splitQuantity } from "../../src/kernel/numbers/split-figures.ts";
import { readSplit, splitFilter } from "../../src/ledger/splits/stock-split.ts";

const ratio = fc.record({ numerator: fc.bigInt(1n, 10n ** 6n), denominator: fc.bigInt(1n, 10n ** 6n) });
const quantity = fc.bigInt(0n, 10n ** 22n);

test("DOWN is the last whole share not above, UP the first not below, NEAREST the nearer of the two, halves up", () => {
  fc.assert(
    fc.property(quantity, ratio, (held, { numerator, denominator }) => {
      const after = (rounding: (typeof ROUNDINGS)[number]) => splitQuantity(held, { numerator, denominator, rounding });
      const [down, up, nearest] = [after("DOWN"), after("UP"), after("NEAREST")];
      const exact = held * numerator;
      for (const whole of [down, up, nearest]) expect(whole % ONE).toBe(0n);
      expect(down * denominator <= exact && exact < (down + ONE) * denominator).toBe(true);
      expect((up - ONE) * denominator < exact && exact <= up * denominator).toBe(true);
      const isUpper = exact - down * denominator >= up * denominator - exact;
      expect(nearest).toBe(isUpper ? up : down);
    }),
  );
});

test("FRACTIONAL is within half a unit of the tenth place", () => {
  fc.assert(
    fc.property(quantity, ratio, (held, { numerator, denominator }) => {
      const after = splitQuantity(held, { numerator, denominator, rounding: "FRACTIONAL" });
      const off = 2n * (after * denominator - held * numerator);
      expect(off <= denominator && -off <= denominator).toBe(true);
    }),
  );
});

test("a split and its inverse give the price back where ten places hold it", () => {
  const there = { numerator: 4n, denominator: 1n, rounding: "DOWN" } as const;
  const back = { numerator: 1n, denominator: 4n, rounding: "DOWN" } as const;
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), (cents) => {
      const price = `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
      const returned = splitPrice(splitPrice(price, there), back);
      expect(Number(returned)).toBe(Number(price));
    }),
  );
});

test("an imported split concerns the class's stock only", () => {
  const metadata = { stockClassId: "c", numerator: 2, denominator: 1 };
  const held = { id: "s", status: "ACTIVE", quantity: ONE, stockClassId: "c" } as const;
  const concerned = (isStockOnly: boolean) =>
    (["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"] as const).filter((type) =>
      splitFilter(readSplit({ ...metadata, isStockOnly }))({ ...held, type }),
    );
  expect([concerned(true), concerned(false)]).toEqual([["STOCK"], ["STOCK", "STOCK_OPTION", "WARRANT"]]);
});
