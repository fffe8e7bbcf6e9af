// Terms of classes at a moment, by what entries tell.
import { describe, expect, test } from "bun:test";
import { earlierTerms, priceThen } from "../../../src/ledger/replay/terms-then.ts";
import type { TermsEntry } from "../../../src/ledger/terms-records.ts";

const RATIO = { numerator: "1", denominator: "1" };
const terms = (pricePerShare: string) => ({ pricePerShare, conversionPrice: null, ratio: RATIO });
const told = (before: string, after: string) => ({
  classTerms: [{ stockClassId: "pref", before: terms(before), after: terms(after) }],
});

let sequence = 0;
function split(effectiveDate: string, more: object = {}): TermsEntry {
  const metadata = JSON.stringify({ stockClassId: "pref", numerator: 2, denominator: 1, ...more });
  return { type: "STOCK_SPLIT", sequence: ++sequence, effectiveDate, createdAt: "2026-01-01T00:00:00.000Z", metadata };
}

const by =
  (day: string) =>
  ({ effectiveDate }: Pick<TermsEntry, "effectiveDate">) =>
    effectiveDate <= day;

describe("a price", () => {
  const entries = [split("2026-02-01", told("4", "2")), split("2026-03-01", told("2", "1"))];

  test.each([
    ["2026-01-31", "4"],
    ["2026-02-01", "2"],
    ["2026-03-01", "1"],
  ])("on %s is %s", (day, price) => {
    expect(priceThen("1", earlierTerms(entries, by(day)).get("pref"))).toBe(price);
  });

  test.each([
    ["2026-01-31", "12"],
    ["2026-02-01", "6"],
    ["2026-03-01", "3"],
  ])("that was corrected after both splits is on %s %s", (day, price) => {
    expect(priceThen("3", earlierTerms(entries, by(day)).get("pref"))).toBe(price);
  });

  test("that was corrected between the splits holds before the first, too", () => {
    const between = [split("2026-02-01", told("4", "2")), split("2026-03-01", told("5", "2.5"))];
    const on = (day: string) => priceThen("2.5", earlierTerms(between, by(day)).get("pref"));
    expect([on("2026-01-31"), on("2026-02-01"), on("2026-03-01")]).toEqual(["10", "5", "2.5"]);
  });

  test("of a class that no entry tells of is that on record", () => {
    expect(priceThen("7", earlierTerms(entries, by("2026-01-31")).get("other"))).toBe("7");
    expect(priceThen("7", earlierTerms([split("2026-02-01")], by("2026-01-31")).get("pref"))).toBe("7");
  });
});
