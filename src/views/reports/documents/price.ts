// The price per share that a paper shows of stock. Pure.
import { priceNow } from "../flows.ts";
import type { Registered } from "../sheets/register-sheet.ts";

/**
 * The price per share of stock in today's shares. On the holder's own copy: that at which the holder got it, never what
 * a former holder paid; null where only that is known.
 */
export function priceOf({ company, flow, state, row }: Registered, isCopy: boolean): string | null {
  const isOwn = company.flows.prices.has(state.id) || (row?.correctedPrice ?? null) !== null;
  return isCopy && !isOwn ? null : priceNow(flow, state.pricePerShare);
}
