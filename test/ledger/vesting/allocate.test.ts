// The seven allocation methods, by OCF's own examples and by hand.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AllocationMethod } from "../../../src/kernel/allocation-method.ts";
import { formatDecimal, parseDecimal, sum } from "../../../src/kernel/numbers/decimal.ts";
import { allocate } from "../../../src/ledger/vesting/allocate.ts";
import { RELEASE } from "../../kit/release.ts";
import { METHODS } from "./support.ts";

function shared(method: AllocationMethod, quantity: string, portions: readonly number[], whole: number): string {
  const shares = allocate(method, parseDecimal(quantity), portions.map(BigInt), BigInt(whole));
  return shares.map(formatDecimal).join(" ");
}

test.each([
  ["CUMULATIVE_ROUNDING", "5 4 5 4"],
  ["CUMULATIVE_ROUND_DOWN", "4 5 4 5"],
  ["FRONT_LOADED", "5 5 4 4"],
  ["BACK_LOADED", "4 4 5 5"],
  ["FRONT_LOADED_TO_SINGLE_TRANCHE", "6 4 4 4"],
  ["BACK_LOADED_TO_SINGLE_TRANCHE", "4 4 4 6"],
  ["FRACTIONAL", "4.5 4.5 4.5 4.5"],
] as const)("18 shares in 4 by %s are %s", (method, expected) => {
  expect(shared(method, "18", [1, 1, 1, 1], 4)).toBe(expected);
});

test.each([
  ["CUMULATIVE_ROUNDING", "5 4 5 4.5"],
  ["CUMULATIVE_ROUND_DOWN", "4 5 4 5.5"],
  ["FRONT_LOADED", "5 5 4.5 4"],
  ["BACK_LOADED", "4 4.5 5 5"],
  ["FRONT_LOADED_TO_SINGLE_TRANCHE", "6.5 4 4 4"],
  ["BACK_LOADED_TO_SINGLE_TRANCHE", "4 4 4 6.5"],
  ["FRACTIONAL", "4.625 4.625 4.625 4.625"],
] as const)("a fraction of a share is not lost: 18.5 in 4 by %s are %s", (method, expected) => {
  // The running totals 4.625, 9.25, 13.875 become 5, 9, 14, or 4, 9, 13.
  expect(shared(method, "18.5", [1, 1, 1, 1], 4)).toBe(expected);
});

test("FRACTIONAL rounds to 10 places and the last event takes the rest", () => {
  expect(shared("FRACTIONAL", "1", [1, 1, 1], 3)).toBe("0.3333333333 0.3333333333 0.3333333334");
});

test("a remainder never falls on an event that vests nothing", () => {
  expect(shared("FRONT_LOADED", "7", [0, 1, 1], 2)).toBe("0 4 3");
  expect(shared("BACK_LOADED_TO_SINGLE_TRANCHE", "7", [1, 1, 0], 2)).toBe("3 4 0");
  expect(shared("FRACTIONAL", "0.0000000001", [1, 1, 0], 2)).toBe("0 0.0000000001 0");
});

test("portions short of the whole give their part, rounded as the method rounds", () => {
  expect(shared("CUMULATIVE_ROUNDING", "10", [1, 1], 4)).toBe("3 2");
  expect(shared("CUMULATIVE_ROUND_DOWN", "10", [1, 1, 1], 4)).toBe("2 3 2");
  expect(shared("FRONT_LOADED", "10", [1, 1, 1], 4)).toBe("3 2 2");
});

test("portions beyond the whole get nothing", () => {
  expect(shared("FRONT_LOADED", "10", [3, 3], 4)).toBe("8 2");
});

test("every method gives the whole away exactly, and never a negative number of shares", () => {
  const portions = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...METHODS), fc.bigInt(0n, 10n ** 14n), portions, (method, quantity, list) => {
      const whole = list.reduce((a, b) => a + b, 0);
      fc.pre(whole > 0);
      const shares = allocate(method, quantity, list.map(BigInt), BigInt(whole));
      expect(sum(shares)).toBe(quantity);
      expect(shares.every((share) => share >= 0n)).toBe(true);
    }),
    { numRuns: RELEASE ? 2_000 : 200 },
  );
});
