// What rows without a number are known by in later imports. Pure.
import { formatDecimal, isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { digestJson } from "../../../ledger/hash.ts";
import { said } from "./read-field.ts";
import { soughtIn } from "./row.ts";
import { foldEmail } from "./row-holders.ts";
import type { SheetRow } from "./understand.ts";

/** Whom and what a row of a security names. */
export interface Named {
  readonly holderId: string;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
}

/** What a row without a number is known by in later imports: all by which rows with one are compared. */
export function keyWithoutNumber(row: SheetRow, { holderId, ...of }: Named): string {
  return rowDigest(row, holderId, of);
}

/** A digest of all by which a row is compared, with the holder as `holder` says it. */
function rowDigest(
  row: SheetRow,
  holder: string | readonly (string | null)[],
  { classId, planId }: Omit<Named, "holderId">,
): string {
  const figures = [row.issued ?? said(row, "quantity"), said(row, row.to === "stock" ? "price" : "exercisePrice")];
  const day = said(row, "issueDate") ?? null;
  return digestJson([row.to, holder, classId ?? null, planId ?? null, day, ...figures.map(figure)]);
}

function figure(text: string | undefined): string | null {
  if (text === undefined) return null;
  return isDecimalText(text) ? formatDecimal(parseDecimal(text)) : text;
}

/**
 * What the entry of a row keeps of its holder: a digest of the row with the holder's name, and, where the row says a
 * number or e-mail, behind a blank one with these as well.
 */
export function namedAs(row: SheetRow, of: Omit<Named, "holderId">): string {
  const { name, number = null, email } = soughtIn(row);
  const byName = rowDigest(row, foldName(name), of);
  if (number === null && email === undefined) return byName;
  return `${byName} ${rowDigest(row, [foldName(name), number, email === undefined ? null : foldEmail(email)], of)}`;
}
