// Figures of a stock split: a count of shares, a price per share and a charge after it. Pure.
import { type Decimal, floorDivide, formatDecimal, isDecimalText, ONE, parseDecimal, scale } from "./decimal.ts";

/** How a split makes whole shares: towards zero, away from it, to the nearest with halves up, or 10 places half even. */
export const ROUNDINGS = ["DOWN", "UP", "NEAREST", "FRACTIONAL"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** Every `denominator` shares become `numerator`. */
export interface SplitRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly rounding: Rounding;
}

/** A count of shares after the split. */
export function splitQuantity(quantity: Decimal, { numerator, denominator, rounding }: SplitRatio): Decimal {
  const [shares, whole] = [quantity * numerator, denominator * ONE];
  switch (rounding) {
    case "DOWN":
      return floorDivide(shares, whole) * ONE;
    case "UP":
      return -floorDivide(-shares, whole) * ONE;
    case "NEAREST":
      return floorDivide(2n * shares + whole, 2n * whole) * ONE;
    case "FRACTIONAL":
      return scale(quantity, numerator, denominator);
  }
}

/** A price per share after the split, to 10 places half even; an equal number keeps its text. */
export function splitPrice(price: string | null, { numerator, denominator }: SplitRatio): string | null {
  if (price === null) return null;
  const before = parseDecimal(price);
  const after = scale(before, denominator, numerator);
  return after === before ? price : formatDecimal(after);
}

/** A charge, or a plan's available reserve, after the split: cut off at 10 places. */
export function splitCharge(charge: Decimal, { numerator, denominator }: SplitRatio): Decimal {
  return floorDivide(charge * numerator, denominator);
}

/** The word of a rounding; DOWN for any other text. */
export function roundingOf(word: unknown): Rounding {
  return ROUNDINGS.find((each) => each === word) ?? "DOWN";
}

type Told = readonly [numerator: string, denominator: string, rounding: string];

function ratioOf([numerator, denominator, rounding]: Told): SplitRatio {
  return { numerator: BigInt(numerator), denominator: BigInt(denominator), rounding: roundingOf(rounding) };
}

/** The same figures of texts, as SQL calls them: an equal number keeps its text, and what is no number stays. */
export const SPLIT_FUNCTIONS = {
  split_quantity: (text: string, ...told: Told) => changed(text, (figure) => splitQuantity(figure, ratioOf(told))),
  split_charge: (text: string | null, ...told: Told) => changed(text, (figure) => splitCharge(figure, ratioOf(told))),
  split_price: (text: string | null, ...told: Told) =>
    text === null || isDecimalText(text) ? splitPrice(text, ratioOf(told)) : text,
} as const;

function changed(text: string | null, splitOf: (figure: Decimal) => Decimal): string | null {
  if (text === null || !isDecimalText(text)) return text;
  const before = parseDecimal(text);
  const after = splitOf(before);
  return after === before ? text : formatDecimal(after);
}
