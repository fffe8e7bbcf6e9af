// Classes as models count them at a moment: the terms on record, or where a later entry changed them those of before it
// (MODELLING section 2). Pure.
import type { Row } from "../../database/sql.ts";
import { type Decimal, isDecimalText, ONE, parseDecimal } from "../../kernel/decimal.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import {
  countingPlace,
  countingRight,
  oldestCommon,
  rightsOf,
  type ToldClassTerms,
  toldClassTerms,
} from "../../ledger/class-terms.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Metadata } from "../../ledger/types.ts";
import type { ModelClass, ModelWarning } from "../company.ts";

/** An entry that may tell of terms. */
export interface TermsEntry {
  readonly type: string;
  readonly sequence: number;
  readonly effectiveDate: string;
  readonly createdAt: Timestamp;
  readonly metadata: string | null;
}

/** Whether entries count at a moment. */
type Counts = (entry: TermsEntry) => boolean;

/** Terms of an earlier day; a price only where an entry changed it, for a correction of it is one of all days. */
interface EarlierTerms extends Pick<ToldClassTerms["before"], "ratio" | "conversionPrice"> {
  price?: string | null;
}

/** The terms of before the earliest entry that does not count, by class. */
function earlierTerms(entries: readonly TermsEntry[], counts: Counts): ReadonlyMap<string, EarlierTerms> {
  const terms = new Map<string, EarlierTerms>();
  for (const entry of entries) {
    if (counts(entry)) continue;
    for (const { stockClassId, before, after } of toldClassTerms(metadataOf(entry))) {
      const { ratio, conversionPrice, pricePerShare } = before;
      const earlier = terms.get(stockClassId) ?? { ratio, conversionPrice };
      if (earlier.price === undefined && pricePerShare !== after.pricePerShare) earlier.price = pricePerShare;
      terms.set(stockClassId, earlier);
    }
  }
  return terms;
}

function metadataOf({ metadata }: TermsEntry): Metadata {
  return metadata === null ? {} : JSON.parse(metadata);
}

/** The classes, oldest first; deleted ones where something of them is outstanding. */
export function modelClasses(
  rows: readonly Row<"share_classes">[],
  state: LedgerState,
  entries: readonly TermsEntry[],
  counts: Counts,
): { readonly classes: readonly ModelClass[]; readonly warnings: readonly ModelWarning[] } {
  const used = rows.filter(({ id, deletedAt }) => deletedAt === null || (state.classes.get(id)?.issued ?? 0n) !== 0n);
  const earlier = earlierTerms(entries, counts);
  const common = oldestCommon(used);
  const classes = used.map((row) => modelClass(row, used, { state, common, earlier: earlier.get(row.id) }));
  return { classes, warnings: pricesBeforeSplits(used, entries, counts) };
}

interface ClassContext {
  readonly state: LedgerState;
  readonly common: string | null;
  readonly earlier: EarlierTerms | undefined;
}

function modelClass(
  row: Row<"share_classes">,
  all: readonly Row<"share_classes">[],
  { state, common, earlier }: ClassContext,
): ModelClass {
  const isPreferred = row.classType === "PREFERRED";
  const rights = rightsOf(row);
  const right = {
    ...countingRight(rights, all),
    ...(earlier ? { ratio: earlier.ratio, conversionPrice: earlier.conversionPrice } : {}),
  };
  const price = earlier?.price === undefined ? row.pricePerShare : earlier.price;
  const cap = row.participationCapMultiple;
  return {
    key: row.id,
    id: row.id,
    name: row.name,
    classType: row.classType === "PREFERRED" ? "PREFERRED" : "COMMON",
    seniority: row.seniority,
    price: decimalOrNull(price),
    preferenceMultiple: decimalOrNull(row.liquidationPreferenceMultiple) ?? ONE,
    isParticipating: row.isParticipating === 1,
    participationCapMultiple: decimalOrNull(cap),
    participationCapBasis: row.participationCapBasis,
    antiDilution: row.antiDilution,
    dividend:
      row.dividendType === "CUMULATIVE" && row.dividendRatePercent !== null
        ? { ratePercent: parseDecimal(row.dividendRatePercent), compounding: row.dividendCompounding ?? "SIMPLE" }
        : null,
    ratio: isPreferred
      ? { numerator: parseDecimal(right.ratio.numerator), denominator: parseDecimal(right.ratio.denominator) }
      : { numerator: ONE, denominator: ONE },
    rounding: right.rounding,
    rightPrice: isPreferred ? decimalOrNull(right.conversionPrice) : null,
    intoKey: isPreferred ? (countingPlace(rights, all) === -1 ? common : (right.stockClassId ?? common)) : null,
    authorized: state.classes.get(row.id)?.authorized ?? null,
  };
}

function decimalOrNull(text: string | null): Decimal | null {
  return text !== null && isDecimalText(text) ? parseDecimal(text) : null;
}

/** Splits of before terms were told changed no price: those on record are used. */
function pricesBeforeSplits(
  rows: readonly Row<"share_classes">[],
  entries: readonly TermsEntry[],
  counts: Counts,
): readonly ModelWarning[] {
  const split = new Set(
    entries.flatMap((entry) => {
      const metadata = metadataOf(entry);
      return entry.type === "STOCK_SPLIT" && counts(entry) && metadata.classTerms === undefined
        ? [metadata.stockClassId]
        : [];
    }),
  );
  return rows
    .filter(({ id, pricePerShare, classType }) => split.has(id) && pricePerShare !== null && classType === "PREFERRED")
    .map(({ name }) => ({
      code: "price-before-split" as const,
      detail: `${name} was split by an entry that tells no prices; its price is used as it is on record.`,
      securityId: null,
    }));
}
