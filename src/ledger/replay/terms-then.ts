// Terms of classes at a moment: those on record, or, if an entry that does not count then changed them, the earlier
// ones. Models and reports use it. Pure.
import { formatDecimal, isSameFigure, parseDecimal, scale } from "../../kernel/numbers/decimal.ts";
import { type ToldClassTerms, toldClassTerms } from "../rules/class-terms.ts";
import type { Split } from "../splits/stock-split.ts";
import type { TermsEntry } from "../terms-records.ts";
import type { Metadata } from "../types.ts";
import { splitIn } from "./replay.ts";

/** Whether entries count at a moment. */
export type CountsThen = (entry: Omit<TermsEntry, "metadata">) => boolean;

/** A split that changed a price, from one to another. */
interface PricedSplit extends Pick<Split, "numerator" | "denominator"> {
  readonly before: string | null;
  readonly after: string | null;
}

/** Terms of an earlier day, and the splits since that changed the price, oldest first. */
export interface EarlierTerms extends Pick<ToldClassTerms["before"], "ratio" | "conversionPrice" | "rounding"> {
  readonly priced: readonly PricedSplit[];
}

/** The terms before the earliest entry that does not count, by class. `entries` are oldest first. */
export function earlierTerms(entries: readonly TermsEntry[], counts: CountsThen): ReadonlyMap<string, EarlierTerms> {
  const terms = new Map<string, EarlierTerms>();
  for (const entry of entries) {
    if (counts(entry)) continue;
    const metadata = metadataOf(entry);
    for (const { stockClassId, before, after } of toldClassTerms(metadata)) {
      const { ratio, conversionPrice, rounding } = before;
      const told = rounding === undefined ? {} : { rounding };
      const earlier: EarlierTerms = terms.get(stockClassId) ?? { ratio, conversionPrice, ...told, priced: [] };
      const split = before.pricePerShare === after.pricePerShare ? null : splitIn(entry);
      const prices = { before: before.pricePerShare, after: after.pricePerShare };
      const priced = split === null ? earlier.priced : [...earlier.priced, { ...split, ...prices }];
      terms.set(stockClassId, { ...earlier, priced });
    }
  }
  return terms;
}

/** The ratios in entries, before and after each. */
export function toldRatios(entries: readonly TermsEntry[]) {
  return entries.flatMap((entry) =>
    toldClassTerms(metadataOf(entry)).map(({ stockClassId, before, after }) => {
      return { stockClassId, ratios: [before.ratio, after.ratio] };
    }),
  );
}

function metadataOf({ metadata }: Pick<TermsEntry, "metadata">): Metadata {
  return metadata === null ? {} : JSON.parse(metadata);
}

/**
 * A class's price per share at the moment of its earlier terms: the present one, divided by each split since. A price
 * that differs from the splits' result was corrected: it counts on all days, in the shares of each.
 */
export function priceThen(onRecord: string | null, earlier: EarlierTerms | undefined): string | null {
  return (earlier?.priced ?? []).reduceRight<string | null>((price, { before, after, numerator, denominator }) => {
    if (price === null) return after === null ? before : null;
    if (after !== null && isSameFigure(price, after)) return before;
    return formatDecimal(scale(parseDecimal(price), numerator, denominator));
  }, onRecord);
}
