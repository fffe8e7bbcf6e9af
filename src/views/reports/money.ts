// Amounts in the company's currency; one in another currency is a word, which is in no total. Pure.

/** An amount as a cell: a figure in the company's currency, else `{amount} {code}`. */
export function inCurrency(amount: string, currency: string, own: string): string {
  return currency === own ? amount : `${amount} ${currency}`;
}

/** The same of an amount that may not be known, in a currency that is the company's where it is not said. */
export function amountIn(
  company: { readonly currency: string },
  amount: string | null,
  currency: string | null,
): string | null {
  return amount === null || currency === null ? amount : inCurrency(amount, currency, company.currency);
}
