// Warning of preferred stock that no longer converts one for one: allowed, and reported by the operation that causes
// it.

import { differingPrice, differingWords } from "../../kernel/numbers/conversion-price.ts";
import { convertedBy } from "../../kernel/numbers/converted.ts";
import { formatDecimal, parseDecimal, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { countingRight, rightsOf, toldClassTerms } from "../rules/class-terms.ts";
import { type Conversion, conversionsOf, isOneForOne } from "../rules/conversion.ts";
import type { EntryDraft } from "../types.ts";
import { type ClassRow, listClassesFor, listOpenStockOf } from "./warning-store.ts";

/** How the classes convert by the records; `rows` must not have deleted ones. */
export function conversionsNow(rows: readonly ClassRow[]): ReadonlyMap<string, Conversion> {
  const kept = rows.map((row) => ({ ...row, deletedAt: null }));
  return conversionsOf(kept, () => true, { entries: [], counts: () => true });
}

/** A warning for each of some classes with shares outstanding that converts at another ratio than 1. */
export function ratioWarnings(db: Reader, orgId: string, stockClassIds: readonly string[]): readonly Warning[] {
  if (stockClassIds.length === 0) return [];
  const rows = listClassesFor(db, { orgId });
  const conversions = conversionsNow(rows);
  return rows.flatMap(({ id, name, issued }) => {
    const conversion = conversions.get(id);
    if (!stockClassIds.includes(id) || !conversion || isOneForOne(conversion) || parseDecimal(issued) === ZERO)
      return [];
    const { numerator, denominator } = conversion.told;
    const open = listOpenStockOf(db, { orgId, stockClassId: id });
    const converted = sum(open.map(({ quantity }) => convertedBy(parseDecimal(quantity), conversion)));
    const detail =
      `${name} converts ${numerator}:${denominator}: its ${issued} shares count as ${formatDecimal(converted)}, ` +
      "wherever figures are fully diluted.";
    return [{ code: "ratio-not-one" as const, detail }];
  });
}

/** The warning of a class on record; null without a price, or if its effective right names no price. */
export function conversionPriceWarnings(db: Reader, row: Row<"share_classes">): readonly Warning[] {
  const { ratio, conversionPrice } = countingRight(rightsOf(row), listClassesFor(db, { orgId: row.orgId }));
  if (row.classType !== "PREFERRED" || row.pricePerShare === null || conversionPrice === null) return [];
  const right = {
    price: parseDecimal(row.pricePerShare),
    ratio: { numerator: parseDecimal(ratio.numerator), denominator: parseDecimal(ratio.denominator) },
    conversionPrice: parseDecimal(conversionPrice),
  };
  const exact = differingPrice(right);
  return exact === null ? [] : [{ code: "conversion-price-differs", detail: differingWords(row.name, right, exact) }];
}

/** The classes of which entries tell how they convert from now on. */
export function toldClassIds(entries: readonly Pick<EntryDraft, "metadata">[]): readonly string[] {
  return entries.flatMap(({ metadata }) => toldClassTerms(metadata).map(({ stockClassId }) => stockClassId));
}

/** The warning of a class without recorded voting basis, if the basis makes a difference. */
export function votesBasisWarnings(db: Reader, row: Row<"share_classes">): readonly Warning[] {
  const conversion = conversionsNow(listClassesFor(db, { orgId: row.orgId })).get(row.id);
  if (!conversion || isOneForOne(conversion)) return [];
  return [{ code: "votes-basis-assumed", detail: votesBasisAssumed(row, conversion.told) }];
}

/** The warning's text. */
export function votesBasisAssumed(
  { name, votesBasis }: Pick<Row<"share_classes">, "name" | "votesBasis">,
  { numerator, denominator }: Conversion["told"],
): string {
  const votes = votesBasis === "AS_CONVERTED" ? "as converted" : "share by share";
  return `${name} converts ${numerator}:${denominator}, and its voting basis is not on record: it votes ${votes}.`;
}
