// Issuances in shares and prices as of the issue: followed entry by entry, so that no figure is a rounded one
// multiplied back. A correction of the quantity counts on all days, and so does a retraction: what it takes was never
// issued. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../ledger/members.ts";
import type { Follower } from "../../../ledger/replay/counting.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import { correctionOf } from "../../../ledger/rules/charges.ts";
import { isIssuance } from "../../../ledger/rules/effects.ts";
import { readSplit, type Split, splitFilter, splitPrice } from "../../../ledger/splits/stock-split.ts";
import type { EntryDraft, SecurityState } from "../../../ledger/types.ts";
import type { PlacedEntry } from "../../../ledger/vested/vesting-book.ts";
import { add, type Fraction, fraction, ofDecimal, roundTo, times, WHOLE } from "../fraction.ts";

interface Issue {
  quantity: Fraction;
  /** How many shares as issued one of today's is. */
  factor: Fraction;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  /** Those that changed the security. */
  readonly splits: Split[];
  last: SecurityState;
}

/** What each issuance of stock and options issued. */
export class Issues implements Follower {
  readonly #issues = new Map<string, Issue>();

  follow({ entry }: PlacedEntry, state: LedgerState): void {
    if (entry.recordOnly) return;
    if (entry.type === "STOCK_SPLIT") {
      this.#followSplit(readSplit(entry.metadata), state);
      return;
    }
    const security = state.securities.get(entry.securityId ?? "");
    if (!security) return;
    if (isIssuance(entry)) this.#open(entry, security);
    const issue = this.#issues.get(security.id);
    if (!issue) return;
    this.#correct(issue, entry);
    issue.last = security;
  }

  /** A correction that is dated later holds from the issue on all the same. */
  skip(entry: EntryDraft): void {
    if (entry.recordOnly) return;
    if (entry.type === "STOCK_SPLIT") {
      const { stockClassId, numerator, denominator } = readSplit(entry.metadata);
      for (const issue of this.#issues.values()) {
        if (issue.last.stockClassId !== stockClassId) continue;
        issue.factor = times(issue.factor, fraction(denominator, numerator));
      }
      return;
    }
    const issue = this.#issues.get(entry.securityId ?? "");
    if (issue) this.#correct(issue, entry);
  }

  /** What a security was issued for, as corrected; null where no issuance made it. */
  quantityOf(id: string): Fraction | null {
    return this.#issues.get(id)?.quantity ?? null;
  }

  /** A number of a security's shares of today in shares as issued. */
  asIssued(id: string, quantity: Decimal): Fraction {
    return times(ofDecimal(quantity), this.#issues.get(id)?.factor ?? WHOLE);
  }

  /** The price that a security had at its issue, by the one that it has now. */
  priceOf(id: string, name: "pricePerShare" | "exercisePrice", now: string | null): Fraction | null {
    if (now === null) return null;
    const issue = this.#issues.get(id);
    const splits = issue?.splits.filter(({ isStockOnly }) => !isStockOnly) ?? [];
    return ofDecimal(priceBefore(splits, issue?.[name] ?? null, now));
  }

  #open({ quantity, metadata }: EntryDraft, security: SecurityState): void {
    if ((security.type !== "STOCK" && security.type !== "STOCK_OPTION") || quantity === null) return;
    const { pricePerShare, exercisePrice } = membersOf({ metadata });
    this.#issues.set(security.id, {
      quantity: ofDecimal(parseDecimal(quantity)),
      factor: WHOLE,
      pricePerShare,
      exercisePrice,
      splits: [],
      last: security,
    });
  }

  #correct(issue: Issue, entry: EntryDraft): void {
    const correction = correctionOf(entry);
    if (correction !== null) issue.quantity = add(issue.quantity, times(ofDecimal(correction), issue.factor));
  }

  #followSplit(split: Split, state: LedgerState): void {
    const isConcerned = splitFilter(split);
    for (const [id, issue] of this.#issues) {
      const was = issue.last;
      const now = state.security(id);
      issue.last = now;
      if (!isConcerned(was)) continue;
      issue.splits.push(split);
      if (now.quantity > ZERO) issue.factor = times(issue.factor, fraction(was.quantity, now.quantity));
    }
  }
}

/**
 * The price before splits, from the one after them: the recorded one if the splits turn it into that, else the shortest
 * that they do. A price that was corrected later has no recorded one before it, and a rounded price multiplied back
 * would be a figure that no document has.
 */
function priceBefore(splits: readonly Split[], told: string | null, now: string): Decimal {
  const becomes = (price: string) =>
    parseDecimal(splits.reduce((text, split) => splitPrice(text, split) ?? text, price)) === parseDecimal(now);
  if (told !== null && becomes(told)) return parseDecimal(told);
  const growth = splits.reduce(
    (all, { numerator, denominator }) => times(all, fraction(numerator, denominator)),
    WHOLE,
  );
  const exact = times(ofDecimal(parseDecimal(now)), growth);
  for (let places = 0; places < 10; places++) {
    const price = roundTo(exact, places);
    if (becomes(formatDecimal(price))) return price;
  }
  return roundTo(exact, 10);
}
