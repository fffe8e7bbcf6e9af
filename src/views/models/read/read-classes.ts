// Classes as models count them at a moment: the terms on record, or where a later entry changed them those before that
// entry. Pure.

import { type Decimal, isDecimalText, ONE, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import { type CountsThen, type EarlierTerms, earlierTerms, priceThen } from "../../../ledger/replay/terms-then.ts";
import { type Conversion, conversionsOf, usedClasses } from "../../../ledger/rules/conversion.ts";
import type { TermsEntry } from "../../../ledger/terms-records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { ModelClass } from "../model-company.ts";

/** The classes, oldest first; deleted ones where something of them is outstanding. */
export function modelClasses(
  rows: readonly Row<"share_classes">[],
  state: LedgerState,
  entries: readonly TermsEntry[],
  counts: CountsThen,
): readonly ModelClass[] {
  const isIssued = (id: string) => (state.classes.get(id)?.issued ?? 0n) !== 0n;
  const used = usedClasses(rows, isIssued);
  const earlier = earlierTerms(entries, counts);
  const conversions = conversionsOf(rows, isIssued, { entries, counts });
  return used.map((row) => {
    return modelClass(row, { state, conversion: conversions.get(row.id), earlier: earlier.get(row.id) });
  });
}

interface ClassContext {
  readonly state: LedgerState;
  readonly conversion: Conversion | undefined;
  readonly earlier: EarlierTerms | undefined;
}

function modelClass(row: Row<"share_classes">, { state, conversion, earlier }: ClassContext): ModelClass {
  const cap = row.participationCapMultiple;
  return {
    key: row.id,
    id: row.id,
    name: row.name,
    classType: row.classType === "PREFERRED" ? "PREFERRED" : "COMMON",
    seniority: row.seniority,
    price: decimalOrNull(priceThen(row.pricePerShare, earlier)),
    preferenceMultiple: decimalOrNull(row.liquidationPreferenceMultiple) ?? ONE,
    isParticipating: row.isParticipating === 1,
    participationCapMultiple: decimalOrNull(cap),
    participationCapBasis: row.participationCapBasis,
    antiDilution: row.antiDilution,
    antiDilutionCounts: row.antiDilutionCounts,
    dividend:
      row.dividendType === "CUMULATIVE" && row.dividendRatePercent !== null
        ? { ratePercent: parseDecimal(row.dividendRatePercent), compounding: row.dividendCompounding ?? "SIMPLE" }
        : null,
    ratio: conversion?.ratio ?? { numerator: ONE, denominator: ONE },
    rounding: conversion?.rounding ?? "FLOOR",
    rightPrice: decimalOrNull(conversion?.conversionPrice ?? null),
    intoKey: conversion?.intoId ?? null,
    authorized: state.classes.get(row.id)?.authorized ?? null,
  };
}

function decimalOrNull(text: string | null): Decimal | null {
  return text !== null && isDecimalText(text) ? parseDecimal(text) : null;
}
