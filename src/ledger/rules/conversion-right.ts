// Conversion by right: the shares that preferred stock becomes, its number times the class's ratio as of a day, rounded
// by the right's rule. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Conversions, TermsEntry } from "../terms-records.ts";
import {
  type ConversionRight,
  convertedByRight,
  countingRight,
  oldestCommon,
  rightsOf,
  timesRatio,
  toldClassTerms,
} from "./class-terms.ts";

/** A conversion of stock of one class into another, on a day. */
export interface ConversionOfStock {
  readonly fromClassId: string | null;
  readonly toClassId: string;
  readonly quantity: Decimal;
  readonly date: CalendarDate;
}

/** The shares by the effective right of the stock's class; null if that class has no such right into the other one. */
export function sharesByRight(
  { classes, entries }: Conversions,
  { fromClassId, toClassId, quantity, date }: ConversionOfStock,
): Decimal | null {
  const row = classes.find(({ id }) => id === fromClassId);
  if (row?.classType !== "PREFERRED") return null;
  const right = countingRight(rightsOf(row), classes);
  if ((right.stockClassId ?? oldestCommon(classes)) !== toClassId) return null;
  return convertedByRight(rightOn(right, row.id, { entries, date }), quantity);
}

/**
 * The right as of a day. A split counts whatever its day: once it is recorded, the stock is counted in shares after it,
 * and so must be the ratio.
 */
function rightOn(
  right: ConversionRight,
  classId: string,
  { entries, date }: { readonly entries: readonly TermsEntry[]; readonly date: CalendarDate },
): Pick<ConversionRight, "ratio" | "rounding"> {
  const told = entries.flatMap(({ type, effectiveDate, metadata }) =>
    toldClassTerms(metadata === null ? {} : JSON.parse(metadata))
      .filter(({ stockClassId }) => stockClassId === classId)
      .map(({ before, after }) => ({ before, after, isSplit: type === "STOCK_SPLIT", effectiveDate })),
  );
  const [first] = told;
  if (!first) return right;
  let { ratio, rounding = right.rounding } = first.before;
  for (const { before, after, isSplit, effectiveDate } of told) {
    if (isSplit) ratio = multiplied(ratio, before.ratio, after.ratio);
    else if (effectiveDate <= date) {
      ratio = after.ratio;
      rounding = after.rounding ?? rounding;
    }
  }
  return { ratio, rounding };
}

type Ratio = ConversionRight["ratio"];

/** A ratio changed as a split changed another one. */
function multiplied(ratio: Ratio, before: Ratio, after: Ratio): Ratio {
  const [numerator, denominator] = [
    parseDecimal(after.numerator) * parseDecimal(before.denominator),
    parseDecimal(after.denominator) * parseDecimal(before.numerator),
  ];
  return denominator === ZERO ? ratio : timesRatio(ratio, numerator, denominator);
}
