// Issuances in shares and prices as of the issue: followed entry by entry, so that no figure is a rounded one
// multiplied back. A correction of the quantity counts on all days, and so does a retraction: what it takes was never
// issued. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { splitPrice } from "../../../kernel/numbers/split-figures.ts";
import type { IssuedEvent, LedgerEvent, SplitEvent } from "../../../ledger/replay/event.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import type { Listener } from "../../../ledger/replay/story.ts";
import { correctionOf } from "../../../ledger/rules/charges.ts";
import type { Split } from "../../../ledger/splits/stock-split.ts";
import { add, type Fraction, fraction, ofDecimal, roundTo, times, WHOLE } from "../fraction.ts";

interface Issue {
  quantity: Fraction;
  /** How many shares as issued one of today's is. */
  factor: Fraction;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  /** Those that changed the security. */
  readonly splits: Split[];
}

/** What each issuance of stock and options issued. */
export class Issues implements Listener {
  readonly #issues = new Map<string, Issue>();

  follow(event: LedgerEvent, state: LedgerState): void {
    if (event.kind === "split") this.#followSplit(event, state);
    else if (event.kind === "issued") this.#open(event);
    else this.#correct(event);
  }

  /** A correction that is dated later holds from the issue on all the same. */
  skip(event: LedgerEvent, { securities }: LedgerState): void {
    if (event.kind !== "split") {
      this.#correct(event);
      return;
    }
    const { stockClassId, numerator, denominator } = event.split;
    for (const [id, issue] of this.#issues) {
      if (securities.get(id)?.stockClassId !== stockClassId) continue;
      issue.factor = times(issue.factor, fraction(denominator, numerator));
    }
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

  #open({ how: type, entry: { securityId, quantity }, said }: IssuedEvent): void {
    if ((type !== "STOCK" && type !== "STOCK_OPTION") || securityId === null || quantity === null) return;
    const { pricePerShare, exercisePrice } = said;
    this.#issues.set(securityId, {
      quantity: ofDecimal(parseDecimal(quantity)),
      factor: WHOLE,
      pricePerShare,
      exercisePrice,
      splits: [],
    });
  }

  #correct(event: LedgerEvent): void {
    const issue = this.#issues.get(event.entry.securityId ?? "");
    const correction = issue === undefined ? null : correctionOf(event);
    if (issue && correction !== null) issue.quantity = add(issue.quantity, times(ofDecimal(correction), issue.factor));
  }

  #followSplit({ split, concerns }: SplitEvent, { before, securities }: LedgerState): void {
    for (const [id, was] of before.securities) {
      const [issue, now] = [this.#issues.get(id), securities.get(id)];
      if (!issue || !was || !now || !concerns(was)) continue;
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
