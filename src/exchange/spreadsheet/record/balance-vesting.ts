// Vesting of a security that is imported with its rest: its schedule over the quantity issued, less the endings.
// Exercised shares went first, forfeited ones last, and a transfer took of each part.

import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ONE, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { readRules } from "../../../ledger/vested/vesting-store.ts";
import * as lists from "../../../ledger/vesting/parcels.ts";
import { tellParcels } from "../../../ledger/vesting/parcels-json.ts";
import { openOf, sharesOf } from "../../../ledger/vesting/schedule.ts";
import type { VestingRules } from "../../../ledger/vesting/vesting-types.ts";
import { findAny } from "../../../storage/database/records.ts";
import { said } from "../rows/read-field.ts";
import { tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { Balance } from "./balance.ts";
import type { Importing } from "./importing.ts";

/** The parcels of a security that a row brings in, as its column `vestings` holds them; undefined where its terms say all. */
export function vestingsOf(importing: Importing, row: SheetRow, termsId: string | undefined): string | undefined {
  const rules = rulesOf(importing, termsId);
  const left = leftOf(row, rules);
  tellVested(importing, row, left);
  const { balance = null } = row;
  if (rules === null || balance === null) return undefined;
  return JSON.stringify(tellParcels(left));
}

function rulesOf({ tx, orgId }: Importing, termsId: string | undefined): VestingRules | null {
  const terms = termsId === undefined ? null : findAny(tx, "vesting_terms", orgId, termsId);
  return terms && readRules(terms);
}

/** The rest of a row's security, by the days on which it vests. */
export function leftOf(row: SheetRow, rules: VestingRules | null): lists.Parcels {
  const [quantity, day] = [said(row, "quantity") ?? "0", said(row, "issueDate") ?? ""];
  const { issued, exercised, forfeited, transferred } = row.balance ?? untouched(quantity);
  const history = {
    grantDate: day,
    vestingStartDate: said(row, "vestingStart") ?? day,
    entries: [{ kind: "ISSUED", date: day, quantity: parseDecimal(issued) }] as const,
    milestones: [],
  };
  const open = openOf(sharesOf(rules, history, day));
  const unexercised = lists.takeFirst(open, parseDecimal(exercised)).left;
  const kept = lists.takeLast(unexercised, parseDecimal(forfeited), null).left;
  const moved = parseDecimal(transferred);
  return moved === ZERO ? kept : lists.divide(kept, moved, day, null).left;
}

function untouched(issued: string): Balance {
  return { issued, exercised: "0", forfeited: "0", transferred: "0" };
}

/** Reports a vested quantity by the file's day that differs: of the rest, or of the rest and the exercised shares. */
function tellVested(importing: Importing, row: SheetRow, left: lists.Parcels): void {
  const stated = said(row, "vested");
  if (stated === undefined || row.isAsVested === true) return;
  const { vested, withExercised } = vestedOn(row, left, importing.asOf);
  const file = parseDecimal(stated);
  if (isNear(file, vested) || isNear(file, withExercised)) return;
  const either = vested === withExercised ? "" : `, or ${formatDecimal(withExercised)} with what was exercised`;
  const detail = `${stated} have vested by ${importing.asOf} as the file says; by its schedule ${formatDecimal(vested)}${either}`;
  tell(importing, row, "vested-differs", "vested", detail);
}

/** The vested shares of the rest by a day, and with the exercised ones. */
export function vestedOn(row: SheetRow, left: lists.Parcels, day: CalendarDate) {
  const vested = lists.vestedBy(left, day);
  return { vested, withExercised: vested + parseDecimal(row.balance?.exercised ?? "0") };
}

/** To one share. */
export function isNear(one: Decimal, other: Decimal): boolean {
  return one - other <= ONE && other - one <= ONE;
}
