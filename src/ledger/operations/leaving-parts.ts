// What terminate-service asks of what a leaver holds: options as they stand on the day, until when what has vested of
// them may be exercised, exercises that stand in the way, and stock that has not vested. Pure.
import { present } from "../../kernel/assert.ts";
import { addDays, addMonths, type CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, min, ZERO } from "../../kernel/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Described, Facts } from "../operation.ts";
import type { SecurityState } from "../types.ts";
import { unvestedOn } from "./vesting-parts.ts";

/** An open option of the leaver, as it stands on the day. */
export interface Option {
  readonly state: SecurityState;
  readonly vested: Decimal;
  readonly unvested: Decimal;
  readonly grantDate: CalendarDate;
  readonly expirationDate: CalendarDate | null;
  readonly optionType: string | null;
}

/** An option of which something has vested, and until when that may be exercised. */
export interface Kept extends Option {
  readonly until: CalendarDate | null;
}

/** The first exercise of the leaver's options that is dated after a day. */
export function lateExercise({ holder }: Facts, effectiveDate: CalendarDate) {
  return holder?.exercises.find((exercise) => exercise.effectiveDate > effectiveDate);
}

function heldAs({ state, holder }: Facts, type: SecurityState["type"]): SecurityState[] {
  return (holder?.holds ?? []).map((securityId) => state.security(securityId)).filter((each) => each.type === type);
}

/** The open options on a day. */
export function optionsOn(facts: Facts, day: CalendarDate): Option[] {
  return heldAs(facts, "STOCK_OPTION").map((state) => {
    const unvested = min(unvestedOn(facts, state, day), state.quantity);
    const { grantDate, expirationDate, optionType } = present(facts.securities.get(state.id), "the option's row");
    return { state, unvested, vested: state.quantity - unvested, grantDate, expirationDate, optionType };
  });
}

/** When somebody leaves, and for how long after. */
interface Leaving {
  readonly effectiveDate: CalendarDate;
  readonly exerciseWithinDays?: number | null;
}

/** What vested may be exercised until its expiration, or the window's end where that is earlier. */
export function inWindow(option: Option, { effectiveDate, exerciseWithinDays = null }: Leaving): Kept {
  const { expirationDate } = option;
  const end = exerciseWithinDays === null ? null : addDays(effectiveDate, exerciseWithinDays);
  const isEarlier = end !== null && (expirationDate === null || end < expirationDate);
  return { ...option, until: isEarlier ? end : expirationDate };
}

/** The first option whose expiration would change though it was granted after a day: no window of that day is its own. */
export function lateGrant(kept: readonly Kept[], effectiveDate: CalendarDate): Kept | undefined {
  return kept.find(({ grantDate, expirationDate, until }) => until !== expirationDate && grantDate > effectiveDate);
}

/** The described change of an option's expiration; none where it stays. */
export function newExpiration({ state, expirationDate: before, until: after }: Kept): Described[] {
  if (before === after) return [];
  return [{ resourceType: "security", id: state.id, field: "expirationDate", before, after }];
}

/** Stock that has not vested, as the answer lists it. */
export function unvestedStock(facts: Facts, day: CalendarDate): object[] {
  return heldAs(facts, "STOCK").flatMap((state) => {
    const unvested = min(unvestedOn(facts, state, day), state.quantity);
    if (unvested === ZERO) return [];
    return [{ securityId: state.id, quantity: formatDecimal(unvested), pricePerShare: state.pricePerShare }];
  });
}

const ISO_MONTHS = 3;

/** What is exercised later than three months after the employment is no ISO any more (section 422 of the US tax code). */
export function isoWarning({ state, optionType, until }: Kept, effectiveDate: CalendarDate): Warning[] {
  const last = addMonths(effectiveDate, ISO_MONTHS);
  if (optionType !== "ISO" || (until !== null && until <= last)) return [];
  const end = until === null ? "at any time" : `until ${until}`;
  const detail = `The ISO ${state.id} may be exercised ${end}; after ${last} it is taxed as an NSO.`;
  return [{ code: "iso-window", detail }];
}
