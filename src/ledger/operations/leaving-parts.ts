// Parts of terminate-service: options and stock on the day, exercise windows of vested options, later exercises that
// prevent it, and warnings. Pure.
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

/** An open security that the leaving concerns, in its state on the day. */
export interface Concerned {
  readonly state: SecurityState;
  readonly vested: Decimal;
  readonly unvested: Decimal;
  /** The day on which its vesting stopped earlier; null if it did not. */
  readonly stoppedOn: CalendarDate | null;
}

/** An open option of them. */
export interface Option extends Concerned {
  readonly grantDate: CalendarDate;
  readonly expirationDate: CalendarDate | null;
  readonly optionType: string | null;
}

/** An option with vested shares, and the last day to exercise them. */
export interface Kept extends Option {
  readonly until: CalendarDate | null;
}

/** The first exercise of the leaver's options that is dated after a day. */
export function lateExercise({ holder }: Facts, effectiveDate: CalendarDate) {
  return holder?.exercises.find((exercise) => exercise.effectiveDate > effectiveDate);
}

/**
 * The securities concerned: the leaver's holdings, and the rest of the families that were first issued to the leaver.
 */
function idsOf({ holder }: Facts): readonly string[] {
  return holder === null ? [] : [...holder.holds, ...holder.elsewhere];
}

/** Faults of the securities that are to continue: each must be concerned by the leaving. */
export function continuesFindings(facts: Facts, { continues }: Leaving): Finding[] {
  const ids = new Set(idsOf(facts));
  return (continues ?? []).flatMap((id, i): Finding[] =>
    ids.has(id)
      ? []
      : [[`#/continues/${i}`, "is no open security of the leaver, or of a grant that was first the leaver's"]],
  );
}

/** The options and the stock that the leaving ends. */
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

/** The stock with shares that vest after the day, and whose vesting has not stopped before. */
export function stoppable(facts: Facts, stock: readonly Concerned[]): Concerned[] {
  return stock.flatMap((each) => {
    const stopped = countOf(openShares(facts, each.state).filter((parcel) => parcel.stopped));
    const unvested = each.unvested - stopped;
    return unvested > ZERO ? [{ ...each, unvested }] : [];
  });
}

/** The day of leaving, and the window after it. */
interface Leaving {
  readonly effectiveDate: CalendarDate;
  readonly exerciseWithinDays?: number | null;
  /** The securities that continue unchanged. */
  readonly continues?: readonly string[] | null;
}

/** Vested shares may be exercised until the expiration, or the window's end if that is earlier. */
export function inWindow(option: Option, { effectiveDate, exerciseWithinDays = null }: Leaving): Kept {
  const { expirationDate } = option;
  const end = exerciseWithinDays === null ? null : addDays(effectiveDate, exerciseWithinDays);
  const isEarlier = end !== null && (expirationDate === null || end < expirationDate);
  return { ...option, until: isEarlier ? end : expirationDate };
}

/** The first option granted after a day whose expiration would change: the window of that day is not its own. */
export function lateGrant(kept: readonly Kept[], effectiveDate: CalendarDate): Kept | undefined {
  return kept.find(({ grantDate, expirationDate, until }) => until !== expirationDate && grantDate > effectiveDate);
}

/** The change of an option's expiration; empty if it stays. */
export function newExpiration({ state, expirationDate: before, until: after }: Kept): Described[] {
  if (before === after) return [];
  return [{ resourceType: "security", id: state.id, field: "expirationDate", before, after }];
}

/** Unvested stock, as the answer lists it. */
export function unvestedStock(stock: readonly Concerned[]): object[] {
  return stock.flatMap(({ state, unvested }) => {
    if (unvested === ZERO) return [];
    const { id: securityId, stakeholderId, pricePerShare } = state;
    return [{ securityId, stakeholderId, quantity: formatDecimal(unvested), pricePerShare }];
  });
}

const ISO_MONTHS = 3;

/** An ISO exercised later than three months after the employment counts as an NSO (section 422 of the US tax code). */
export function isoWarning({ state, optionType, until }: Kept, effectiveDate: CalendarDate): Warning[] {
  const last = addMonths(effectiveDate, ISO_MONTHS);
  if (optionType !== "ISO" || (until !== null && until <= last)) return [];
  const end = until === null ? "at any time" : `until ${until}`;
  const detail = `The ISO ${state.id} may be exercised ${end}; after ${last} it is taxed as an NSO.`;
  return [{ code: "iso-window", detail }];
}

/** Without a window the option keeps its expiration, which is seldom intended for a leaver. */
export function noWindowWarning({ state, until }: Kept, { exerciseWithinDays = null }: Leaving): Warning[] {
  if (exerciseWithinDays !== null) return [];
  const end = until === null ? "has no last day" : `may be exercised until ${until}, its expiration`;
  return [{ code: "no-window", detail: `No window was given: the vested part of the option ${state.id} ${end}.` }];
}

/** The leaver's part of another holder's grant ends here too, though the grant was for the other holder's service. */
export function vestsByAnother({ holder }: Facts, ended: readonly Concerned[]): Warning[] {
  return ended.flatMap(({ state, unvested }): Warning[] => {
    if (!holder?.ofOthers.has(state.id)) return [];
    const what = `${formatDecimal(unvested)} unvested shares of ${state.id}`;
    const detail = `${what} are of another holder's grant, ending with this service; name it in \`continues\` if they go on.`;
    return [{ code: "vests-by-another", detail }];
  });
}
