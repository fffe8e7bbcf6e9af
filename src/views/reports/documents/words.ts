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

/** A stakeholder's legal name, as it is stored. */
export function legalNameOf({ name }: Pick<Row<"stakeholders">, "name">): string {
  return (JSON.parse(name) as { readonly legalName: string }).legalName;
}
