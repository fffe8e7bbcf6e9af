// Consideration of securities, one by one and summed by class. Pure.
import {
  type Decimal,
  formatDecimal,
  isDecimalText,
  multiply,
  parseDecimal,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import type { SecurityState } from "../../ledger/types.ts";
import type { Flow } from "./flows.ts";
import { inCurrency } from "./money.ts";
import type { SecurityRow } from "./store.ts";

/**
 * What was paid for a security: the recorded total, else price × quantity at issuance to 10 places half even. Null
 * where that is not known, and where a transfer or a conversion made it.
 */
export function considerationOf(flow: Flow, row: SecurityRow | undefined): string | null {
  if (flow.how === "Transfer" || flow.how === "Conversion" || !row) return null;
  if (row.statedConsideration !== null) return row.statedConsideration;
  // An exercise is paid for more shares than a net one makes.
  if (flow.how === "Exercise") return row.purchasePrice;
  if (row.type !== "STOCK" || flow.price === null || !isDecimalText(flow.price)) return null;
  return formatDecimal(multiply(parseDecimal(flow.price), flow.issued));
}

/** What was paid for securities, and what of it cannot be told. */
export interface Amounts {
  /**
   * What each class brought in cash, by its id: issuances into it, and exercises paid in cash, retracted ones apart. A
   * figure of what was paid in the company's currency; a word where all of it was paid in one other.
   */
  readonly raised: ReadonlyMap<string, string>;
  /** How many have a consideration that is not known. */
  readonly unknown: number;
  /** How many have amounts in another currency. */
  readonly inOther: number;
}

/** Adds up what was paid, security by security. */
export class PaidSums {
  readonly #currency: string;
  /** By class, then by currency. */
  readonly #raised = new Map<string, Map<string, Decimal>>();
  #unknown = 0;
  #inOther = 0;

  /** `currency`: the company's. */
  constructor(currency: string) {
    this.#currency = currency;
  }

  /** Adds a security. */
  add(flow: Flow, { type, stockClassId }: SecurityState, row: SecurityRow): void {
    const currency = row.currency ?? this.#currency;
    if (currency !== this.#currency) this.#inOther++;
    if (type !== "STOCK" && type !== "WARRANT") return;
    const paid = considerationOf(flow, row);
    if (paid === null && flow.how !== "Transfer" && flow.how !== "Conversion") this.#unknown++;
    if (type !== "STOCK" || stockClassId === null || !flow.isPaid || flow.closedAs === "RETRACTED") return;
    if (paid === null || !isDecimalText(paid)) return;
    const byCurrency = this.#raised.get(stockClassId) ?? new Map<string, Decimal>();
    this.#raised.set(stockClassId, byCurrency.set(currency, (byCurrency.get(currency) ?? ZERO) + parseDecimal(paid)));
  }

  /** What all of them come to. */
  amounts(): Amounts {
    const raised = new Map([...this.#raised].map(([id, byCurrency]) => [id, this.#raisedIn(byCurrency)]));
    return { raised, unknown: this.#unknown, inOther: this.#inOther };
  }

  #raisedIn(byCurrency: ReadonlyMap<string, Decimal>): string {
    const [first, ...more] = byCurrency;
    if (first && more.length === 0) return inCurrency(formatDecimal(first[1]), first[0], this.#currency);
    return formatDecimal(byCurrency.get(this.#currency) ?? ZERO);
  }
}
