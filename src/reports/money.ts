// Amounts of securities in the company's currency; one in another currency is a word, which is in no total. Pure.
import { type Decimal, formatDecimal, isDecimalText, multiply, parseDecimal } from "../kernel/decimal.ts";
import type { Company } from "./company.ts";
import type { Flow } from "./flows.ts";
import type { SecurityRow } from "./store.ts";

/** An amount as a cell: a figure in the company's currency, else `{amount} {code}`. */
export function amountIn(company: Company, amount: string | null, currency: string | null): string | null {
  if (amount === null || currency === null || currency === company.currency) return amount;
  return `${amount} ${currency}`;
}

/**
 * What was paid for a security: the recorded total, else price × quantity at issuance to 10 places half even. Null
 * where that is not known, and where a transfer or a conversion made it.
 */
export function considerationOf(flow: Flow, row: SecurityRow | undefined): string | null {
  if (flow.how === "Transfer" || flow.how === "Conversion" || !row) return null;
  if (row.purchasePrice !== null) return row.purchasePrice;
  if (row.type !== "STOCK" || flow.price === null || !isDecimalText(flow.price)) return null;
  return formatDecimal(multiply(parseDecimal(flow.price), flow.issued));
}

/**
 * What a class brought in cash: issuances into it, and exercises paid in cash, retracted ones apart. By class: a figure
 * of what was paid in the company's currency; a word where all of it was paid in one other.
 */
export function cashRaised(company: Company): ReadonlyMap<string, string> {
  const raised = new Map<string, Map<string, Decimal>>();
  for (const flow of company.flows.securities.values()) {
    const state = company.view.state.securities.get(flow.id);
    const row = company.descriptions.get(flow.id);
    if (state?.type !== "STOCK" || state.stockClassId === null) continue;
    if (!flow.isPaid || flow.closedAs === "RETRACTED") continue;
    const paid = considerationOf(flow, row);
    if (paid === null || !isDecimalText(paid)) continue;
    const byCurrency = raised.get(state.stockClassId) ?? new Map<string, Decimal>();
    const currency = row?.currency ?? company.currency;
    raised.set(state.stockClassId, byCurrency.set(currency, (byCurrency.get(currency) ?? 0n) + parseDecimal(paid)));
  }
  return new Map([...raised].map(([id, byCurrency]) => [id, raisedIn(company, byCurrency)]));
}

function raisedIn(company: Company, byCurrency: ReadonlyMap<string, Decimal>): string {
  const [first, ...more] = byCurrency;
  if (first && more.length === 0) return amountIn(company, formatDecimal(first[1]), first[0]) ?? "0";
  return formatDecimal(byCurrency.get(company.currency) ?? 0n);
}
