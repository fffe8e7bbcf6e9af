// Consideration: the amount paid for a recorded security, as stated, else its price times the issued shares, counted on
// that day with its corrections. Only a stated amount is stored as such; the rest follows from the ledger.

import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { LedgerEvent } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import type { CorrectedPrice } from "../replay/state.ts";
import { Story } from "../replay/story.ts";
import { listLineEntries } from "../vested/vesting-store.ts";
import { editedDifference } from "./charges.ts";
import { differingTotal, paidShares, totalPrice } from "./paid.ts";

type Security = Row<"securities">;

/** A security's issuance: its shares then, with corrections, and the price of one. */
interface Issued {
  readonly quantity: Decimal;
  readonly pricePerShare: string | null;
}

/** Finds it in the ledger; null for a security without an entry. */
function issuedAs(db: Reader, row: Security): Issued | null {
  const state = new FamilyState();
  let [quantity, pricePerShare]: [Decimal | null, string | null] = [null, null];
  const story = new Story(state);
  for (const event of listLineEntries(db, row.orgId, row)) {
    const made = story.take(event) ? state.securities.get(row.id) : undefined;
    if (!made) continue;
    if (quantity === null) {
      const isItself = event.kind === "issued" && event.entry.securityId === row.id;
      quantity = isItself ? made.quantity : paidShares(event.entry);
      pricePerShare = made.pricePerShare;
    } else if (isCorrectionOf(event, row)) quantity += editedDifference(event.said) ?? ZERO;
  }
  const corrected: CorrectedPrice | null = JSON.parse(row.correctedPrice ?? "null");
  if (corrected !== null && row.type === "STOCK") pricePerShare = corrected.asMade;
  return quantity === null ? null : { quantity, pricePerShare };
}

/** Whether an entry corrects the issuance; one that only reverses an earlier edit does not. */
function isCorrectionOf({ entry, said }: LedgerEvent, { id }: Security): boolean {
  return entry.securityId === id && said.isCorrection && said.takesBack === null;
}

/** The `purchasePrice` of a row whose price, or stated amount, has changed. */
export function purchasePriceOf(db: Reader, row: Security): string | null {
  if (row.statedConsideration !== null) return row.statedConsideration;
  const issued = issuedAs(db, row);
  return issued && totalPrice(issued.pricePerShare, issued.quantity);
}

/** The same of a security as it is recorded. */
export function considerationWarnings(db: Reader, row: Security): readonly Warning[] {
  if (row.statedConsideration === null || row.pricePerShare === null) return [];
  const issued = issuedAs(db, row);
  return issued === null ? [] : differingTotal(row.statedConsideration, issued.pricePerShare, issued.quantity);
}
