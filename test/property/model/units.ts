// Exact counts for the second cap table: units of 10^-10 of a share, with no code of the service.

/** A count of shares or a price: units of 10^-10. */
export type Units = bigint;

/** One share. */
export const ONE = 10_000_000_000n;

/** Reads a decimal string. */
export function units(text: string): Units {
  const isNegative = text.startsWith("-");
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole) * ONE + BigInt(fraction.padEnd(10, "0"));
  return isNegative ? -value : value;
}

/** Writes a decimal string. */
export function show(value: Units): string {
  if (value < 0n) return `-${show(-value)}`;
  const fraction = (value % ONE).toString().padStart(10, "0").replace(/0+$/, "");
  return `${value / ONE}${fraction === "" ? "" : `.${fraction}`}`;
}

/** `numerator` over `denominator`, to the nearest, halves to the even neighbour. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

export type Rounding = "DOWN" | "UP" | "NEAREST" | "FRACTIONAL";

/** `numerator` over `denominator`, in whole shares, or to 10 places. */
export function roundShares(numerator: bigint, denominator: bigint, rounding: Rounding): Units {
  const whole = denominator * ONE;
  if (rounding === "FRACTIONAL") return halfEven(numerator, denominator);
  if (rounding === "DOWN") return (numerator / whole) * ONE;
  if (rounding === "UP") return ((numerator + whole - 1n) / whole) * ONE;
  return ((2n * numerator + whole) / (2n * whole)) * ONE;
}

/** The sum of some counts. */
export function total(counts: Iterable<Units>): Units {
  let sum = 0n;
  for (const count of counts) sum += count;
  return sum;
}
