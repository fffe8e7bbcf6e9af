// A price by splits, against one that is reckoned in whole numbers of another kind.
import { expect, test } from "bun:test";
import { addDays } from "../../../src/kernel/date.ts";
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { type DatedSplit, priceInSharesOn } from "../../../src/ledger/splits/dated-splits.ts";
import { firstSeed, seedCount } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";

const RATIOS = [
  [10n, 1n],
  [2n, 1n],
  [1n, 2n],
  [1n, 5n],
] as const;

function splitOf(stockClassId: string, date: string, [numerator, denominator]: readonly [bigint, bigint]): DatedSplit {
  const none = { inferredSecurityIds: [], equityPlanIds: [], isStockOnly: false, rounding: "HALF_EVEN" };
  return { ...none, stockClassId, date, numerator, denominator } as unknown as DatedSplit;
}

/** A valuation, splits around it in two classes, and the day on which its price is asked for. */
function caseOf(seed: number) {
  const random = new Random(seed);
  const dayOf = () => addDays("2026-01-01", random.below(12));
  const splits = Array.from({ length: random.below(6) }, () =>
    splitOf(random.below(3) === 0 ? "other" : "common", dayOf(), RATIOS[random.below(RATIOS.length)] ?? [2n, 1n]),
  );
  const valuation = { stockClassId: "common", effectiveDate: dayOf(), pricePerShare: String(1 + random.below(9000)) };
  return { splits, valuation, on: dayOf() };
}

type Case = ReturnType<typeof caseOf>;
type Price = typeof priceInSharesOn;

/** Price × all numerators = shares of old × all denominators, in whole numbers; a reason where that is not so. */
function fault({ splits, valuation, on }: Case, price: Price): string | null {
  const between = splits.filter(
    (each) => each.stockClassId === "common" && each.date > valuation.effectiveDate && each.date <= on,
  );
  const times = (name: "numerator" | "denominator") => between.reduce((all, each) => all * each[name], 1n);
  const shown = price(on, valuation, splits);
  const isRight =
    parseDecimal(shown) * times("numerator") === parseDecimal(valuation.pricePerShare) * times("denominator");
  return isRight ? null : `${valuation.pricePerShare} became ${shown} after ${between.length} splits`;
}

const firstFault = (price: Price) => {
  for (let seed = firstSeed(); seed < firstSeed() + seedCount(63, 5000); seed++) {
    const found = fault(caseOf(seed), price);
    if (found !== null) return `seed ${seed}: ${found}`;
  }
  return null;
};

test("a price in shares of a day counts each split of its class since the valuation, up to that day", () => {
  expect(firstFault(priceInSharesOn)).toBeNull();
});

test("a price that counts splits of later days, or of other classes, is found", () => {
  expect(firstFault((_, ...others) => priceInSharesOn("9999-12-31", ...others))).toMatch(/^seed /);
  const isCommon = (split: DatedSplit) => ({ ...split, stockClassId: "common" });
  expect(firstFault((on, valuation, splits) => priceInSharesOn(on, valuation, splits.map(isCommon)))).toMatch(/^seed /);
});
