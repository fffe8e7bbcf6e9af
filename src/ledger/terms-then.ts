// The terms of classes at a moment: those on record, or where an entry that does not count then changed them, those of
// before it (MODELLING section 2). Models and reports ask here. Pure.
import { type ToldClassTerms, tellsClassTerms, toldClassTerms } from "./class-terms.ts";
import { membersOf } from "./members.ts";
import type { TermsEntry } from "./terms-records.ts";
import type { Metadata } from "./types.ts";

/** Whether entries count at a moment. */
export type CountsThen = (entry: Omit<TermsEntry, "metadata">) => boolean;

/** Terms of an earlier day; a price only where an entry changed it, for a correction of it is one of all days. */
export interface EarlierTerms extends Pick<ToldClassTerms["before"], "ratio" | "conversionPrice" | "rounding"> {
  price?: string | null;
}

/** The terms of before the earliest entry that does not count, by class. `entries` are oldest first. */
export function earlierTerms(entries: readonly TermsEntry[], counts: CountsThen): ReadonlyMap<string, EarlierTerms> {
  const terms = new Map<string, EarlierTerms>();
  for (const entry of entries) {
    if (counts(entry)) continue;
    for (const { stockClassId, before, after } of toldClassTerms(metadataOf(entry))) {
      const { ratio, conversionPrice, rounding, pricePerShare } = before;
      const first: EarlierTerms = { ratio, conversionPrice, ...(rounding === undefined ? {} : { rounding }) };
      const earlier = terms.get(stockClassId) ?? first;
      if (earlier.price === undefined && pricePerShare !== after.pricePerShare) earlier.price = pricePerShare;
      terms.set(stockClassId, earlier);
    }
  }
  return terms;
}

/** The ratios that entries tell of, of before and after each. */
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

/** A class's price per share at the moment that its earlier terms are of. */
export function priceThen(onRecord: string | null, earlier: EarlierTerms | undefined): string | null {
  return earlier?.price === undefined ? onRecord : earlier.price;
}

/**
 * The classes whose price on record was passed by by a split that counts, as those of before terms were told did. Of an
 * imported split, which has several entries, the first tells them.
 */
export function passedBySplits(entries: readonly TermsEntry[], counts: CountsThen): ReadonlySet<string> {
  const splits = entries
    .filter(({ type }) => type === "STOCK_SPLIT")
    .map((entry) => {
      const metadata = metadataOf(entry);
      return { entry, said: membersOf({ metadata }), isTold: tellsClassTerms(metadata) };
    });
  const told = new Set(splits.filter(({ isTold }) => isTold).map(({ said }) => said.imported.objectId));
  const passed = splits.filter(({ entry, said, isTold }) => {
    const { isLate, objectId } = said.imported;
    if (isTold || isLate || !counts(entry)) return false;
    return objectId === null || !told.has(objectId);
  });
  return new Set(passed.flatMap(({ said }) => said.stockClassId ?? []));
}
