// Prices that were corrected by `PATCH`: a price is no figure that entries move, so a correction is one of the day on
// which the security was made, and holds on every day since. Splits go on from it.
import { ofOrganization, type Params, type Reader, type Row, statement } from "../database/sql.ts";
import { formatDecimal, isSameFigure, parseDecimal, scale } from "../kernel/decimal.ts";
import { FamilyState } from "./family-state.ts";
import { membersOf } from "./members.ts";
import { applyEntry } from "./registry.ts";
import { readSplit, splitFilter } from "./split.ts";
import type { CorrectedPrices, LedgerState } from "./state.ts";
import type { SecurityState } from "./types.ts";
import { listLineEntries } from "./vesting-store.ts";

/** What stands for a price that was taken away. */
const NO_PRICE = "none";
/** Between the price as made, what it was corrected to, and after how many splits. */
const BETWEEN = " ";

const corrected = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select(["id", "correctedPrice"]).where("correctedPrice", "is not", null),
);

/** The prices at which securities were made, by id, of those that were corrected; null where there is none. */
export function listCorrectedPrices(db: Reader, orgId: string): CorrectedPrices {
  const rows = corrected.all(db, { orgId });
  return new Map(
    rows.flatMap((row) => {
      const corrected = readCorrectedPrice(row);
      return corrected === null ? [] : [[row.id, corrected] as const];
    }),
  );
}

/** What the price, or strike, of a security was corrected to; null where nobody corrected it. */
export function readCorrectedPrice({ correctedPrice: text }: Pick<Row<"securities">, "correctedPrice">) {
  if (text === null) return null;
  const [made = "", price, splits] = text.split(BETWEEN);
  const after = price === undefined ? null : { price, splits: Number(splits) };
  return { asMade: made === NO_PRICE ? null : made, after };
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
  if (price === null) return NO_PRICE;
  const asMade = formatDecimal(scale(parseDecimal(price), numerator, denominator));
  return splits === 0 ? asMade : [asMade, price, splits].join(BETWEEN);
}

function isSamePrice(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : isSameFigure(a, b);
}
