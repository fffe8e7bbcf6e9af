// What terminate-service asks of what a leaving concerns: options and stock as they stand on the day, until when what has
// vested of options may be exercised, exercises that stand in the way, and what of all that is odd. Pure.
import { present } from "../../kernel/assert.ts";
import { addDays, addMonths, type CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, min, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Finding } from "../../kernel/problem.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Described, Facts } from "../operation.ts";
import type { SecurityState } from "../types.ts";
import { stoppedOn } from "../vested/vesting-stops.ts";
import { countOf } from "../vesting/parcels.ts";
import { openShares, unvestedOn } from "./vesting-parts.ts";

/** An open security that the leaving concerns, as it stands on the day. */
export interface Concerned {
  readonly state: SecurityState;
  readonly vested: Decimal;
  readonly unvested: Decimal;
  /** The day on which its vesting has stopped before; null where it has not. */
  readonly stoppedOn: CalendarDate | null;
}

/** An open option of them. */
export interface Option extends Concerned {
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

/** What the leaving concerns: what the leaver holds, and the rest of the families that were first issued to the leaver. */
function idsOf({ holder }: Facts): readonly string[] {
  return holder === null ? [] : [...holder.holds, ...holder.elsewhere];
}

/** What is wrong with the securities that are to go on: each must be one that the leaving concerns. */
export function continuesFindings(facts: Facts, { continues }: Leaving): Finding[] {
  const ids = new Set(idsOf(facts));
  return (continues ?? []).flatMap((id, i): Finding[] =>
    ids.has(id)
      ? []
      : [[`#/continues/${i}`, "is no open security of the leaver, or of a grant that was first the leaver's"]],
  );
}

/** The options and the stock that the leaving concerns, but for what goes on. */
export function concernedOn(facts: Facts, { effectiveDate, continues }: Leaving) {
  const spared = new Set(continues);
  const states = idsOf(facts).flatMap((id) => (spared.has(id) ? [] : [facts.state.security(id)]));
  const on = (state: SecurityState): Concerned => {
    const unvested = min(unvestedOn(facts, state, effectiveDate), state.quantity);
    const vesting = facts.vesting.get(state.id);
    return { state, unvested, vested: state.quantity - unvested, stoppedOn: vesting ? stoppedOn(vesting) : null };
  };
  const options = states.filter(({ type }) => type === "STOCK_OPTION");
  return {
    options: options.map((state): Option => {
      const { grantDate, expirationDate, optionType } = present(facts.securities.get(state.id), "the option's row");
      return { ...on(state), grantDate, expirationDate, optionType };
    }),
    stock: states.filter(({ type }) => type === "STOCK").map(on),
  };
}

/** The stock of which something vests after the day, and has not stopped before. */
export function stoppable(facts: Facts, stock: readonly Concerned[]): Concerned[] {
  return stock.flatMap((each) => {
    const stopped = countOf(openShares(facts, each.state).filter((parcel) => parcel.stopped));
    const unvested = each.unvested - stopped;
    return unvested > ZERO ? [{ ...each, unvested }] : [];
  });
}

/** When somebody leaves, and for how long after. */
interface Leaving {
  readonly effectiveDate: CalendarDate;
  readonly exerciseWithinDays?: number | null;
  /** What goes on as it is. */
  readonly continues?: readonly string[] | null;
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
export function unvestedStock(stock: readonly Concerned[]): object[] {
  return stock.flatMap(({ state, unvested }) => {
    if (unvested === ZERO) return [];
    const { id: securityId, stakeholderId, pricePerShare } = state;
    return [{ securityId, stakeholderId, quantity: formatDecimal(unvested), pricePerShare }];
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

/** Without days the option keeps its expiration, which for somebody who left is seldom meant. */
export function noWindowWarning({ state, until }: Kept, { exerciseWithinDays = null }: Leaving): Warning[] {
  if (exerciseWithinDays !== null) return [];
  const end = until === null ? "has no last day" : `may be exercised until ${until}, its expiration`;
  return [{ code: "no-window", detail: `No window was given: what has vested of the option ${state.id} ${end}.` }];
}

/** What the leaver has of somebody else's grant ends here too, though it is the other's service that it was for. */
export function vestsByAnother({ holder }: Facts, ended: readonly Concerned[]): Warning[] {
  return ended.flatMap(({ state, unvested }): Warning[] => {
    if (!holder?.ofOthers.has(state.id)) return [];
    const what = `${formatDecimal(unvested)} unvested shares of ${state.id}`;
    const detail = `${what} came of a grant to somebody else, and end with this service; name it in \`continues\` where they go on.`;
    return [{ code: "vests-by-another", detail }];
  });
}
