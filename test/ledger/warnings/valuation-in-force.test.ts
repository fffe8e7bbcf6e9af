// Which 409A is in force on a day, at the edges of its term; and what a class needs to have authorized.
import { describe, expect, test } from "bun:test";
import { formatDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { sharesNeeded } from "../../../src/ledger/rules/required-authorization.ts";
import { lastDayOf, Valuations409A } from "../../../src/ledger/warnings/valuation-in-force.ts";

const VALUATION = {
  type: "409A",
  status: "APPROVED",
  stockClassId: "common",
  effectiveDate: "2024-02-29",
  expirationDate: null,
} as const;

describe("the 409A in force", () => {
  test.each([
    ["the day before it", {}, "2024-02-28", false],
    ["its first day", {}, "2024-02-29", true],
    ["twelve months later, clamped to the month", {}, "2025-02-28", true],
    ["a day after that", {}, "2025-03-01", false],
    ["its expiration", { expirationDate: "2024-06-30" }, "2024-06-30", true],
    ["the day after its expiration", { expirationDate: "2024-06-30" }, "2024-07-01", false],
    ["an expiration later than twelve months", { expirationDate: "2026-01-01" }, "2025-03-01", false],
    ["EXPIRED by status, as it was in force then", { status: "EXPIRED" }, "2024-05-01", true],
    ["a draft", { status: "DRAFT" }, "2024-05-01", false],
    ["one that waits for approval", { status: "PENDING_APPROVAL" }, "2024-05-01", false],
    ["another kind", { type: "FINANCING" }, "2024-05-01", false],
    ["another class", { stockClassId: "other" }, "2024-05-01", false],
    ["no class", { stockClassId: null }, "2024-05-01", false],
  ] as const)("%s", (_what, given, day, isInForce) => {
    const valuation = { ...VALUATION, ...given };
    expect(new Valuations409A([valuation]).inForce("common", day)).toEqual(isInForce ? valuation : null);
  });

  test("of several the latest, and of one day the last made; nothing without a class", () => {
    const [first, again] = [
      { ...VALUATION, id: 1 },
      { ...VALUATION, id: 2 },
    ];
    const later = { ...VALUATION, id: 3, effectiveDate: "2024-08-01" };
    const all = new Valuations409A([later, first, again]);
    expect(all.inForce("common", "2024-07-31")?.id).toBe(2);
    expect(all.inForce("common", "2024-08-01")?.id).toBe(3);
    expect(all.inForce(null, "2024-08-01")).toBeNull();
    expect(lastDayOf(later)).toBe("2025-08-01");
  });
});

describe("what a class needs", () => {
  const none = { openOptions: "0", openWarrants: "0", conversionRights: "[]" } as const;
  const common = { ...none, id: "common", classType: "COMMON", issued: "100" } as const;
  const younger = { ...none, id: "younger", classType: "COMMON", issued: "7" } as const;
  const preferred = { ...none, id: "preferred", classType: "PREFERRED", issued: "30" } as const;
  const classes = [preferred, common, younger];
  const plan = (id: string, stockClassIds: readonly string[], currentSharesReserved: string, openOptions = "0") => {
    return { id, stockClassIds: JSON.stringify(stockClassIds), currentSharesReserved, openOptions };
  };
  type Given = Parameters<typeof sharesNeeded>;
  const figures = (rows: Given[0], plans: Given[1], openOptions = "0") =>
    Object.fromEntries([...sharesNeeded(rows, plans, openOptions)].map(([id, needed]) => [id, formatDecimal(needed)]));

  test("what is outstanding, and preferred stock as the oldest common class", () => {
    expect(figures(classes, [])).toEqual({ preferred: "30", common: "130", younger: "7" });
  });

  test("open options and warrants: of their class, their plan's first, else the oldest common one", () => {
    const rows = [{ ...preferred, openOptions: "64", openWarrants: "16" }, common, { ...younger, openOptions: "1" }];
    const plans = [plan("p", ["younger", "common"], "0", "2"), plan("any", [], "0", "4")];
    expect(figures(rows, plans, "8")).toEqual({ preferred: "110", common: "222", younger: "10" });
  });

  test("what converts counts by the right that counts: its class, its ratio and its rounding", () => {
    const right = (numerator: string, rounding: string, stockClassId: string | null = null) =>
      JSON.stringify([{ stockClassId, ratio: { numerator, denominator: "4" }, conversionPrice: null, rounding }]);
    const needed = (conversionRights: string) => {
      return figures([common, younger, { ...preferred, openWarrants: "2", conversionRights }], []);
    };
    expect(needed(right("5", "FLOOR"))).toEqual({ preferred: "32", common: "139", younger: "7" });
    expect(needed(right("5", "CEILING"))).toEqual({ preferred: "32", common: "141", younger: "7" });
    expect(needed(right("5", "NORMAL", "younger"))).toEqual({ preferred: "32", common: "100", younger: "48" });
    expect(needed(right("0", "FLOOR"))).toEqual({ preferred: "32", common: "100", younger: "7" });
  });

  test("available reserves, of which an overdrawn one takes nothing from others", () => {
    const plans = [plan("p", ["younger", "common"], "10"), plan("any", [], "20"), plan("over", ["common"], "-5")];
    expect(figures(classes, plans)).toEqual({ preferred: "30", common: "150", younger: "17" });
  });
});
