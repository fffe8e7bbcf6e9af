// Exact decimals. Quantities and prices are integers that count units of 10^-10, the smallest step that the API
// and OCF can write, so that addition and comparison are plain bigint operations. No float ever comes in.
import { assert } from "../assert.ts";

/** An exact number, as an integer count of 10^-10 units: `15000000000n` is 1.5. */
export type Decimal = bigint;

const PLACES = 10;
/** The number 1 as a {@link Decimal}. */
export const ONE: Decimal = 10n ** BigInt(PLACES);
/** The number 0 as a {@link Decimal}. */
export const ZERO: Decimal = 0n;

/** The decimals that the API accepts: text, since a JSON number would be read as a float. 10 places, as OCF writes. */
export const DECIMAL_PATTERN = "^[0-9]{1,15}(\\.[0-9]{1,10})?$";
/** The most digits before the point. */
export const DIGITS_MAX = 15;
/** The largest decimal that fits. */
export const LARGEST: Decimal = 10n ** BigInt(DIGITS_MAX + PLACES) - 1n;
/** The shape of most figures. */
const WHOLE = /^[0-9]{1,30}$/;
const NUMERIC = /^([+-]?)([0-9]+)(?:\.([0-9]{1,10}))?$/;

/** Whether `text` is a number that {@link parseDecimal} takes: OCF's Numeric, with any count of integer digits. */
export function isDecimalText(text: string): boolean {
  return NUMERIC.test(text);
}

/** Reads an exact number with up to 10 places and an optional sign. Throws on any other text: check at the edge. */
export function parseDecimal(text: string): Decimal {
  if (WHOLE.test(text)) return BigInt(text) * ONE;
  const match = NUMERIC.exec(text);
  assert(match, `not a decimal: ${text.slice(0, 40)}`);
  const [, sign, whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -value : value;
}

/** Whether two texts are the same figure: equal texts, or decimals of one value, such as `400` and `400.00`. */
export function isSameFigure(a: string, b: string): boolean {
  return a === b || (isDecimalText(a) && isDecimalText(b) && parseDecimal(a) === parseDecimal(b));
}

/** Writes a decimal without leading or trailing zeros: `"1500"`, `"0.25"`, `"0"`, `"-3"`. */
export function formatDecimal(value: Decimal): string {
  if (value === 0n) return "0";
  if (value % ONE === 0n) return (value / ONE).toString();
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, "0");
  const whole = digits.slice(0, -PLACES);
  const fraction = digits.slice(-PLACES).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}`;
}

/** Divides integers, rounding to the nearest, halves to the even quotient. `denominator` is positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n, "the denominator must be positive");
  const floor = floorDivide(numerator, denominator);
  const rest = numerator - floor * denominator;
  if (rest === 0n) return floor;
  const twice = 2n * rest;
  if (twice < denominator) return floor;
  if (twice > denominator) return floor + 1n;
  return floor % 2n === 0n ? floor : floor + 1n;
}

/** The greatest integer that divides both; neither is negative, and not both are zero. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [high, low] = [a, b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}

/** Divides integers towards minus infinity. `denominator` is positive. */
export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** The product of two decimals, to 10 places, half even (exact whenever 10 places can hold it). */
export function multiply(a: Decimal, b: Decimal): Decimal {
  // Shares are nearly always whole, and then need no rounding.
  if (b % ONE === 0n) return a * (b / ONE);
  return divideHalfEven(a * b, ONE);
}

/** `value × numerator ÷ denominator` to 10 places, half even. `denominator` is positive. */
export function scale(value: Decimal, numerator: bigint, denominator: bigint): Decimal {
  return divideHalfEven(value * numerator, denominator);
}

/** The sum of the given decimals. */
export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total += value;
  return total;
}

/** The exact sum of decimal texts, as one. */
export function total(figures: readonly string[]): string {
  return formatDecimal(sum(figures.map(parseDecimal)));
}

/** The smaller of two decimals. */
export function min(a: Decimal, b: Decimal): Decimal {
  return a < b ? a : b;
}

/** The absolute value. */
export function abs(value: Decimal): Decimal {
  return value < ZERO ? -value : value;
}

/** The larger of two decimals. */
export function max(a: Decimal, b: Decimal): Decimal {
  return a > b ? a : b;
}
