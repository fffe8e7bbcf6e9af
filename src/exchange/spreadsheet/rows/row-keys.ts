// Keys of rows without a number, by which later imports recognize them. Pure.
import { formatDecimal, isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { digestJson } from "../../../ledger/hash.ts";
import { said } from "./read-field.ts";
import { soughtIn } from "./row.ts";
import { foldEmail } from "./row-holders.ts";
import type { SheetRow } from "./understand.ts";

/** The records that a row of a security names. */
export interface Named {
  readonly holderId: string;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
}

/** The key of a row without a number: all fields by which rows with one are compared. */
export function keyWithoutNumber(row: SheetRow, { holderId, ...of }: Named): string {
  return rowDigest(row, holderId, of);
}

/** A digest of all fields by which a row is compared, with the holder as `holder` states it. */
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
 * The holder's part of a row's entry: a digest of the row with the holder's name, and, if the row has a number or
 * e-mail, after a blank one with these as well.
 */
export function namedAs(row: SheetRow, of: Omit<Named, "holderId">): string {
  const { name, number = null, email } = soughtIn(row);
  const byName = rowDigest(row, foldName(name), of);
  if (number === null && email === undefined) return byName;
  return `${byName} ${rowDigest(row, [foldName(name), number, email === undefined ? null : foldEmail(email)], of)}`;
}
