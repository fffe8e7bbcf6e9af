// Format of figures, amounts and names on paper. Pure.
import { isDecimalText } from "../../../kernel/numbers/decimal.ts";
import type { Row } from "../../../storage/database/sql.ts";

/** A figure with its thousands set apart; a word as it is. */
export function grouped(figure: string): string {
  if (!isDecimalText(figure)) return figure;
  const [whole = "", places] = figure.split(".");
  const apart = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  return places === undefined ? apart : `${apart}.${places}`;
}

/** An amount with its currency. */
export function amount(figure: string | null | undefined, currency: string): string | null {
  return figure === null || figure === undefined ? null : `${grouped(figure)} ${currency}`;
}

/** Percentages on paper: two places, and never nothing for something. */
export function percentText(part: bigint, whole: bigint): string {
  if (whole === 0n || part === 0n) return "0.00%";
  const hundredths = (part * 1_000_000n) / whole;
  const rounded = (hundredths + 50n) / 100n;
  if (rounded === 0n) return "<0.01%";
  const text = rounded.toString().padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}%`;
}

/** A stakeholder's legal name, as it is stored. */
export function legalNameOf({ name }: Pick<Row<"stakeholders">, "name">): string {
  return (JSON.parse(name) as { readonly legalName: string }).legalName;
}
