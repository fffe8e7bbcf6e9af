// The lines of the chart of valuations, and how long one is in force.
import { dayNumber } from "../../../kernel/date.ts";
import { parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { components } from "../../api/types.ts";

/** A valuation as the API shows it. */
export type Valuation = components["schemas"]["Valuation"];

/** The prices that were once approved, a line for each class, the earliest first. `nameOf` names a class. */
export function linesOf(valuations: readonly Valuation[], nameOf: (classId: string | null) => string) {
  const counted = valuations.filter(({ status }) => status === "APPROVED" || status === "EXPIRED");
  const byClass = Map.groupBy(counted, ({ stockClassId }) => stockClassId);
  return [...byClass].map(([classId, each]) => ({
    id: classId ?? "",
    name: nameOf(classId),
    points: each
      .map(({ effectiveDate: date, pricePerShare: price }) => ({ date, price }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  }));
}

/** The highest of some prices; zero for an empty list. */
export function highest(prices: readonly string[]): string {
  return prices.reduce((top, price) => (parseDecimal(price) > parseDecimal(top) ? price : top), "0");
}

/** Days until a valuation expires; null where it does not, below zero once it has. */
export function daysLeft({ expirationDate }: Pick<Valuation, "expirationDate">, today: string): number | null {
  return expirationDate === null ? null : dayNumber(expirationDate) - dayNumber(today);
}
