// What single entries do to the vesting of a grant's family, for the book of service (service-book.ts). Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, min, parseDecimal, scale, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../../../ledger/replay/event.ts";
import type { EntryDraft } from "../../../ledger/types.ts";
import { sharesIn } from "../../../ledger/vested/vesting-account.ts";
import type { VestingBook } from "../../../ledger/vested/vesting-book.ts";
import type { Parcels } from "../../../ledger/vesting/parcels.ts";
import * as lists from "../../../ledger/vesting/parcels.ts";
import { openOf } from "../../../ledger/vesting/schedule.ts";
import type { SecurityStatus } from "../../../storage/database/schema.ts";

/** What part of the unvested shares an entry takes: `taken` of `all`. */
interface Part {
  readonly taken: Decimal;
  readonly all: Decimal;
}

/** The shares of a security that have not vested by a day, whatever day the entries are of. */
export function unvestedIn(book: VestingBook, id: string, date: CalendarDate): Parcels {
  const vesting = book.of(id);
  return vesting === null ? [] : lists.splitAt(openOf(sharesIn(vesting)), date)[1];
}

/** Parcels that are in one list and not in another that was made of it. */
export function without(all: Parcels, rest: Parcels): Parcels {
  const left = new Map<CalendarDate | null, Decimal>();
  for (const { date, quantity } of rest) left.set(date, (left.get(date) ?? ZERO) + quantity);
  return all.flatMap((parcel) => {
    const kept = min(parcel.quantity, left.get(parcel.date) ?? ZERO);
    left.set(parcel.date, (left.get(parcel.date) ?? ZERO) - kept);
    return kept === parcel.quantity ? [] : [{ ...parcel, quantity: parcel.quantity - kept }];
  });
}

/** Whether what the entry makes has a schedule of its own: packages tell no parcels. */
export function isPassedOn({ how, said }: LedgerEvent): boolean {
  const { imported, resultingSecurityIds, balanceSecurityId } = said;
  if (how === "exercise") return false;
  if (how === "transfer") return imported.hasEffect;
  return imported.hasEffect && (resultingSecurityIds.length > 0 || balanceSecurityId !== null);
}

/** What an edit sets a security to, by which its unvested shares are lost to its holder. */
const FORFEITING: ReadonlySet<SecurityStatus> = new Set(["CANCELLED", "REPURCHASED", "CONVERTED"]);

/** Whether an edit forfeits what had not vested: one of the status; one of the holder, class or plan takes nothing. */
export function forfeitsByEdit({ said }: LedgerEvent): boolean {
  const { status } = said.after;
  return status !== undefined && FORFEITING.has(status);
}

/** What an entry takes of its security. */
export function takenBy({ entry, said }: LedgerEvent): Decimal {
  return parseDecimal(said.imported.taken ?? entry.quantity ?? "0");
}

/** As much of a quantity as the part is; never more than there is. */
export function partOf(quantity: Decimal, { taken, all }: Part): Decimal {
  return all === ZERO ? ZERO : min(quantity, scale(quantity, taken, all));
}

/** An entry as input for the book of service. */
export interface Told {
  readonly type: EntryDraft["type"];
  readonly quantity: Decimal;
  readonly date: CalendarDate;
  readonly metadata: EntryDraft["metadata"];
}
