// Prices that were corrected by `PATCH`: a price is no figure that entries move, so a correction is one of the day on
// which the security was made, and holds on every day since. Splits go on from it.

import { formatDecimal, isSameFigure, parseDecimal, scale } from "../../kernel/numbers/decimal.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import { ofOrganization, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { applyEntry } from "../registry.ts";
import { readSplit, splitFilter } from "../splits/stock-split.ts";
import type { SecurityState } from "../types.ts";
import { listLineEntries } from "../vested/vesting-store.ts";
import { FamilyState } from "./family-state.ts";
import { listLaterCorrections } from "./replay-store.ts";
import type { CorrectedPrice, CorrectedPrices, LedgerState } from "./state.ts";

const corrected = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select(["id", "correctedPrice"]).where("correctedPrice", "is not", null),
);

/** The prices that were corrected, by security, as they were known at an instant; left out: as they are known now. */
export function listCorrectedPrices(db: Reader, orgId: string, knownAt?: Timestamp): CorrectedPrices {
  const rows = corrected.all(db, { orgId });
  const prices = new Map<string, CorrectedPrice>(
    rows.map(({ id, correctedPrice }) => [id, JSON.parse(correctedPrice ?? "null")]),
  );
  if (knownAt === undefined) return prices;
  for (const { securityId, metadata } of listLaterCorrections(db, { orgId, knownAt })) {
    const { priceBefore } = membersOf({ metadata: JSON.parse(metadata ?? "{}") });
    // What was corrected went through no split, so that the price before is the one of the issuance.
    if (securityId !== null && priceBefore !== undefined) prices.set(securityId, { asMade: priceBefore, after: null });
  }
  return prices;
}

/** The price of a security that is issued at one, or the strike of one that is exercised. */
function priceOf({ type, pricePerShare, exercisePrice }: SecurityState): string | null {
  return type === "STOCK" ? pricePerShare : exercisePrice;
}

/**
 * What `correctedPrice` holds where a security is to have the price, or strike, `price` now: null where the ledger
 * comes to that by itself, or an imported repricing has set one since; else what it was made at, before the splits.
 */
export function correctedPriceOf(db: Reader, row: Row<"securities">, price: string | null): string | null {
  const state: LedgerState = new FamilyState();
  let [numerator, denominator, splits, isRepriced] = [1n, 1n, 0, false];
  for (const { entry } of listLineEntries(db, row.orgId, row)) {
    const held = state.securities.get(row.id);
    if (entry.type === "STOCK_SPLIT" && held) {
      const split = readSplit(entry.metadata);
      // What a package of OCF splits keeps its price.
      if (!split.isStockOnly && splitFilter(split)(held)) {
        numerator *= split.numerator;
        denominator *= split.denominator;
        splits++;
      }
    }
    if (entry.securityId === row.id && membersOf(entry).imported.exercisePrice !== null) isRepriced = true;
    applyEntry(state, entry);
  }
  const made = state.securities.get(row.id);
  if (!made || isRepriced || isSamePrice(priceOf(made), price)) return null;
  const asMade = price && formatDecimal(scale(parseDecimal(price), numerator, denominator));
  const after = price === null || splits === 0 ? null : { splits, price };
  return JSON.stringify({ asMade, after } satisfies CorrectedPrice);
}

function isSamePrice(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : isSameFigure(a, b);
}
