// Corrected prices: entries do not move a price, so a correction by `PATCH` counts from the day on which the security
// was created, and on every later day. Splits continue from it.

import { formatDecimal, isSameFigure, parseDecimal, scale } from "../../kernel/numbers/decimal.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import { ofOrganization, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import type { SecurityState } from "../types.ts";
import { listLineEntries } from "../vested/vesting-store.ts";
import { FamilyState } from "./family-state.ts";
import { listLaterCorrections } from "./replay-store.ts";
import type { CorrectedPrice, CorrectedPrices, LedgerState } from "./state.ts";
import { Story } from "./story.ts";

const corrected = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select(["id", "correctedPrice"]).where("correctedPrice", "is not", null),
);

/** The corrected prices, by security, as known at an instant; without one: as known now. */
export function listCorrectedPrices(db: Reader, orgId: string, knownAt?: Timestamp): CorrectedPrices {
  const rows = corrected.all(db, { orgId });
  const prices = new Map<string, CorrectedPrice>(
    rows.map(({ id, correctedPrice }) => [id, JSON.parse(correctedPrice ?? "null")]),
  );
  if (knownAt === undefined) return prices;
  for (const { securityId, metadata } of listLaterCorrections(db, { orgId, knownAt })) {
    const { priceBefore } = membersOf({ metadata: JSON.parse(metadata ?? "{}") });
    // A price corrected without any split before keeps the issuance's price as the earlier one.
    if (securityId !== null && priceBefore !== undefined) prices.set(securityId, { asMade: priceBefore, after: null });
  }
  return prices;
}

/** The price of a priced security, or the strike of an exercisable one. */
function priceOf({ type, pricePerShare, exercisePrice }: SecurityState): string | null {
  return type === "STOCK" ? pricePerShare : exercisePrice;
}

/**
 * The value of `correctedPrice` for a security whose price, or strike, is to be `price` now: null if the ledger gives
 * that price anyway, or an imported repricing has set one since; else the price at creation, before the splits.
 */
export function correctedPriceOf(db: Reader, row: Row<"securities">, price: string | null): string | null {
  const state: LedgerState = new FamilyState();
  let [numerator, denominator, splits, isRepriced] = [1n, 1n, 0, false];
  const story = new Story(state);
  for (const event of listLineEntries(db, row.orgId, row)) {
    if (!story.take(event)) continue;
    const held = state.securityBefore(row.id);
    // A security split by an imported package keeps its price.
    if (event.kind === "split" && held && !event.split.isStockOnly && event.concerns(held)) {
      numerator *= event.split.numerator;
      denominator *= event.split.denominator;
      splits++;
    }
    if (event.entry.securityId === row.id && event.said.imported.exercisePrice !== null) isRepriced = true;
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
