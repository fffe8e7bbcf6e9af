// Faults of figures, days and addresses of wallets, found in the browser before anything is sent.
export const FIGURE_FAULTS = {
  type: (number: string) => `Type ${number}`,
  decimal: (example: string) => `Enter digits, with fractions as in ${example}`,
  digits: "Enter at most 15 digits, and 10 of a fraction",
  date: "Enter a day that exists, such as 2026-01-31",
  whole: "Enter a whole number, such as 12",
  positive: "Enter more than 0",
  wallet: "Enter an address: 0x and 40 digits or letters from a to f",
} as const;
