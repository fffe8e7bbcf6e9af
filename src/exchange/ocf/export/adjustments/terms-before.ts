// Prices, rights to convert and fixed numbers of shares before the splits and adjustments that are exported beside
// them, so that a reader who applies those gets the current ones. Entries hold the figures that they found; if a figure
// was corrected since, a split is undone by its ratio. Pure.

import { formatDecimal, parseDecimal, scale } from "../../../../kernel/numbers/decimal.ts";
import { splitIn } from "../../../../ledger/replay/replay.ts";
import {
  type ConversionRight,
  countingPlace,
  oldestCommon,
  rightsOf,
  type ToldClassTerms,
  timesRatio,
  toldClassTerms,
  toldFixedQuantities,
} from "../../../../ledger/rules/class-terms.ts";
import type { Split } from "../../../../ledger/splits/stock-split.ts";
import type { Row } from "../../../../storage/database/sql.ts";
import { readTerms } from "../../../../storage/records/terms-form.ts";

/** An entry that may change terms. */
export type TermsEntry = Pick<Row<"transactions">, "sequence" | "type" | "metadata">;

/** An entry that changes terms. */
interface Told {
  readonly sequence: number;
  readonly split: Split | null;
  readonly classTerms: readonly ToldClassTerms[];
  readonly fixed: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
}

const placeOf = (securityId: string, triggerId: string) => JSON.stringify([securityId, triggerId]);

/** Undoes what entries did to terms. */
export class TermsBefore {
  /** The latest first. */
  readonly #told: readonly Told[];
  readonly #classes: readonly Row<"share_classes">[];
  readonly #common: string | null;

  /** `entries` are those that tell terms, the latest first; `classes` are all that are exported, the oldest first. */
  constructor(entries: readonly TermsEntry[], classes: readonly Row<"share_classes">[]) {
    this.#told = entries.map((entry) => {
      const { sequence, metadata } = entry;
      const told = JSON.parse(metadata ?? "{}");
      const fixed = toldFixedQuantities(told).map((each) => [placeOf(each.securityId, each.triggerId), each] as const);
      return { sequence, split: splitIn(entry), classTerms: toldClassTerms(told), fixed: new Map(fixed) };
    });
    this.#classes = classes;
    this.#common = oldestCommon(classes);
  }

  /** A class with the price and the rights that it had before all of them. */
  ofClass(row: Row<"share_classes">): Row<"share_classes"> {
    let { pricePerShare } = row;
    let rights = rightsOf(row);
    let isChanged = false;
    for (const { split, classTerms } of this.#told) {
      const told = classTerms.find(({ stockClassId }) => stockClassId === row.id);
      if (!told) continue;
      isChanged = true;
      const isOwn = split?.stockClassId === row.id;
      if (split && isOwn) pricePerShare = priceBefore(pricePerShare, told, split);
      rights = row.classType === "PREFERRED" ? this.#rightsBefore(rights, told, split, isOwn) : rights;
    }
    return isChanged ? { ...row, pricePerShare, conversionRights: JSON.stringify(rights) } : row;
  }

  #rightsBefore(
    rights: readonly ConversionRight[],
    told: ToldClassTerms,
    split: Split | null,
    isOwn: boolean,
  ): readonly ConversionRight[] {
    const place = countingPlace(rights, this.#classes);
    const undone = split ? rights.map((right) => this.#undone(right, split, isOwn)) : rights;
    const { ratio, conversionPrice, rounding } = told.before;
    const counting = rights[place];
    if (!counting) return rights;
    const isAsTold =
      Bun.deepEquals(counting.ratio, told.after.ratio) && counting.conversionPrice === told.after.conversionPrice;
    if (told.isAdded && isAsTold) return undone.filter((_, index) => index !== place);
    if (split && !isAsTold) return undone;
    const before = { ...counting, ratio, conversionPrice, rounding: rounding ?? counting.rounding };
    return undone.map((right, index) => (index === place ? before : right));
  }

  /** A right before a split of its class, or of the class that it is into. */
  #undone(right: ConversionRight, { stockClassId, numerator: n, denominator: d }: Split, isOwn: boolean) {
    if (isOwn) return { ...right, ratio: timesRatio(right.ratio, n, d) };
    if ((right.stockClassId ?? this.#common) !== stockClassId) return right;
    const conversionPrice = right.conversionPrice === null ? null : scaled(right.conversionPrice, n, d);
    return { ...right, ratio: timesRatio(right.ratio, d, n), conversionPrice };
  }

  /** A convertible with the fixed numbers of shares that it had after an entry; 0 is its issuance. */
  ofConvertible(row: Row<"securities">, sequence: number): Row<"securities"> {
    const { id, convertibleTerms } = row;
    if (convertibleTerms === null) return row;
    const later = this.#told.filter(({ sequence: place, fixed }) => place > sequence && fixed.size > 0);
    if (later.length === 0) return row;
    const terms = readTerms(convertibleTerms);
    let isChanged = false;
    const triggers = terms.triggers.map((trigger) => {
      if (trigger.mechanism.type !== "FIXED") return trigger;
      let { quantity } = trigger.mechanism;
      for (const { split, fixed } of later) {
        const told = fixed.get(placeOf(id, trigger.id));
        if (!told || !split) continue;
        isChanged = true;
        quantity = quantity === told.after ? told.before : scaled(quantity, split.denominator, split.numerator);
      }
      return { ...trigger, mechanism: { ...trigger.mechanism, quantity } };
    });
    return isChanged ? { ...row, convertibleTerms: JSON.stringify({ ...terms, triggers }) } : row;
  }
}

function scaled(text: string, numerator: bigint, denominator: bigint): string {
  return formatDecimal(scale(parseDecimal(text), numerator, denominator));
}

function priceBefore(price: string | null, told: ToldClassTerms, { numerator, denominator }: Split): string | null {
  if (price === told.after.pricePerShare) return told.before.pricePerShare;
  return price === null ? null : scaled(price, numerator, denominator);
}
