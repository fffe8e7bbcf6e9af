// Display of as-converted figures: holders sorted by size, and one line that lists preferred stock with a ratio other
// than 1. Pure.
import { isSameFigure, parseDecimal } from "../../../kernel/numbers/decimal.ts";

/** A class, and how it converts as answers show it; null for common stock. */
export interface ConvertingClass {
  readonly name: string;
  readonly conversion: { readonly numerator: string; readonly denominator: string } | null;
}

/** The classes that convert at a ratio other than 1, each with it: `Series A 3:2`. */
export function ratiosOf(classes: readonly ConvertingClass[]): readonly string[] {
  return classes.flatMap(({ name, conversion }) => {
    if (conversion === null || isSameFigure(conversion.numerator, conversion.denominator)) return [];
    return [`${name} ${conversion.numerator}:${conversion.denominator}`];
  });
}

/** The label before them. */
export const RATIOS_LABEL = "Preferred counts as converted";

/** The line; null if every class converts one for one. */
export function ratioLine(classes: readonly ConvertingClass[]): string | null {
  const ratios = ratiosOf(classes);
  return ratios.length === 0 ? null : `${RATIOS_LABEL}: ${ratios.join(", ")}`;
}

/** Holders by their as-converted shares, the largest first; ties keep their order. */
export function largestFirst<H extends { readonly asConverted: string }>(holders: readonly H[]): readonly H[] {
  const sizes = new Map(holders.map((holder) => [holder, parseDecimal(holder.asConverted)]));
  return holders.toSorted((a, b) => {
    const [one, other] = [sizes.get(a) ?? 0n, sizes.get(b) ?? 0n];
    return one === other ? 0 : one > other ? -1 : 1;
  });
}
