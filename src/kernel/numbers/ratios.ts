// How figures as converted are shown: the largest holder first, and in one line which preferred stock does not count one
// for one. Pure.
import { isSameFigure, parseDecimal } from "./decimal.ts";

/** A class, and how it converts as answers show it; null for common stock. */
export interface ConvertingClass {
  readonly name: string;
  readonly conversion: { readonly numerator: string; readonly denominator: string } | null;
}

/** The classes that count at another ratio than 1, each with its ratio: `Series A 3:2`. */
export function ratiosOf(classes: readonly ConvertingClass[]): readonly string[] {
  return classes.flatMap(({ name, conversion }) => {
    if (conversion === null || isSameFigure(conversion.numerator, conversion.denominator)) return [];
    return [`${name} ${conversion.numerator}:${conversion.denominator}`];
  });
}

/** What stands before them. */
export const RATIOS_LABEL = "Preferred counts as converted";

/** The line; null where every class counts one for one. */
export function ratioLine(classes: readonly ConvertingClass[]): string | null {
  const ratios = ratiosOf(classes);
  return ratios.length === 0 ? null : `${RATIOS_LABEL}: ${ratios.join(", ")}`;
}

/** Holders by what they have as converted, the largest first; ties stay as they were. */
export function largestFirst<H extends { readonly asConverted: string }>(holders: readonly H[]): readonly H[] {
  const sizes = new Map(holders.map((holder) => [holder, parseDecimal(holder.asConverted)]));
  return holders.toSorted((a, b) => {
    const [one, other] = [sizes.get(a) ?? 0n, sizes.get(b) ?? 0n];
    return one === other ? 0 : one > other ? -1 : 1;
  });
}
