// Shared parts of operations on vesting: a security's parcels, their division, and the conditions that a command names.
// Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { decimal, EXTENSION, optional } from "../../kernel/fields.ts";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Finding, problem } from "../../kernel/problem.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { ToldDate } from "../members.ts";
import type { Facts } from "../operation.ts";
import type { Metadata, SecurityState } from "../types.ts";
import { type SecurityVesting, sharesIn } from "../vested/vesting-account.ts";
import { resumedBy, stoppedBy, stoppedOn } from "../vested/vesting-stops.ts";
import { vestingDates } from "../vesting/history.ts";
import {
  countOf,
  type Division,
  hasVested,
  stoppedOn as lastStop,
  type Parcels,
  parcelOn,
  vestedBy,
} from "../vesting/parcels.ts";
import { tellParcels } from "../vesting/parcels-json.ts";
import { dayByTerms, exercisedOf, openOf } from "../vesting/schedule.ts";
import type { VestingEntry } from "../vesting/vesting-types.ts";

/** The member by which a command sets how many of its shares are vested ones. */
export const vestedQuantity = optional(
  decimal({ description: "How many of them are vested; by default the vesting rules decide.", ...EXTENSION }),
);

const WORDS = { TIME_BASED: "a time-based condition", EVENT_BASED: "an event-based condition" } as const;

/** The faults of naming this condition of the security's terms; it must be of the given kind. */
export function conditionFindings(
  facts: Facts,
  securityId: string,
  conditionId: string | null,
  kind: keyof typeof WORDS,
): Finding[] {
  if (conditionId === null) return [];
  const conditions = facts.vesting.get(securityId)?.rules?.vestingConditions ?? [];
  const condition = conditions.find(({ id }) => id === conditionId);
  if (!condition) return [["#/conditionId", "is not a condition of the security's vesting terms"]];
  return condition.trigger.type === kind ? [] : [["#/conditionId", `must be ${WORDS[kind]}`]];
}

/** The outstanding shares of a security, as parcels. Shares without known vesting have vested with their grant. */
export function openShares(facts: Facts, security: SecurityState): Parcels {
  const vesting = facts.vesting.get(security.id);
  return vesting ? openOf(sharesIn(vesting)) : [parcelOn(FIRST_DAY, security.quantity)];
}

const FIRST_DAY: CalendarDate = "0001-01-01";

/** The number of outstanding shares unvested on a day. */
export function unvestedOn(facts: Facts, security: SecurityState, date: CalendarDate): Decimal {
  const open = openShares(facts, security);
  return countOf(open) - vestedBy(open, date);
}

/** The finding for more shares than are unvested; empty if enough are. */
export function unvestedExcess(facts: Facts, security: SecurityState, text: string, date: CalendarDate): Finding[] {
  const unvested = unvestedOn(facts, security, date);
  if (parseDecimal(text) <= unvested) return [];
  return [["#/quantity", `is more than the ${formatDecimal(unvested)} that have not vested by ${date}`]];
}

/** A command that takes shares, and may set how many of them are vested. */
interface Taking {
  readonly quantity: string;
  readonly effectiveDate: CalendarDate;
  readonly vestedQuantity?: string | null;
}

/**
 * The warning that a command takes more than all unvested shares without naming vested ones: a user who cancels
 * unvested shares may have meant fewer.
 */
export function takesVested(facts: Facts, security: SecurityState, command: Taking): Warning[] {
  const { quantity, effectiveDate, vestedQuantity: said = null } = command;
  const unvested = unvestedOn(facts, security, effectiveDate);
  const vested = parseDecimal(quantity) - unvested;
  if (said !== null || unvested === ZERO || vested <= ZERO) return [];
  const detail = `It takes ${formatDecimal(vested)} vested shares besides all ${formatDecimal(unvested)} unvested ones.`;
  return [{ code: "takes-vested", detail }];
}

/** The faults of a command's number of vested shares. */
export function vestedFindings(facts: Facts, security: SecurityState, command: Taking): Finding[] {
  const { vestedQuantity: text = null, effectiveDate } = command;
  if (text === null) return [];
  const [vested, quantity] = [parseDecimal(text), parseDecimal(command.quantity)];
  if (vested > quantity) return [["#/vestedQuantity", "is more than the quantity"]];
  const unvested = unvestedOn(facts, security, effectiveDate);
  const most = security.quantity - unvested;
  if (vested > most) {
    return [["#/vestedQuantity", `is more than the ${formatDecimal(most)} that have vested by ${effectiveDate}`]];
  }
  if (quantity - vested <= unvested) return [];
  const detail = `leaves more unvested shares to take than the ${formatDecimal(unvested)} that the security has`;
  return [["#/vestedQuantity", detail]];
}

/** A division as `metadata.parcels` stores it; undefined if all outstanding shares have vested by the day. */
export function toldDivision(
  facts: Facts,
  security: SecurityState,
  { moved, left }: Division,
  date: CalendarDate,
): Metadata | undefined {
  const vesting = facts.vesting.get(security.id);
  if (!vesting || hasVested([...moved, ...left], date)) return undefined;
  const exercised = exercisedOf(sharesIn(vesting));
  return {
    moved: tellParcels(moved),
    left: tellParcels(left),
    ...(exercised.length > 0 ? { exercised: tellParcels(exercised) } : {}),
  };
}

/** The days that waiting tranches get by another start or event, for a security with its own parcels. */
export function datesBy(facts: Facts, security: SecurityState, fact: VestingEntry): readonly ToldDate[] | undefined {
  const vesting = facts.vesting.get(security.id);
  if (!vesting?.own || vesting.rules === null) return undefined;
  const { history, rules } = vesting;
  const dayOf = dayByTerms(rules, vestingDates({ ...history, entries: [...history.entries, fact] }));
  return openOf(vesting.own).flatMap((parcel) => {
    const date = parcel.date === null && parcel.conditionId !== null ? dayOf(parcel) : null;
    return date === null ? [] : [{ conditionId: parcel.conditionId, occurrence: parcel.occurrence, date }];
  });
}

/** The shares of a security after its vesting stopped on a day, as the entry stores them. */
export function toldStop(facts: Facts, security: SecurityState, date: CalendarDate): Metadata | undefined {
  const vesting = facts.vesting.get(security.id);
  return vesting && toldShares(vesting, stoppedBy(vesting, date));
}

/** The day from which the pause is counted when its vesting stops on a day. */
export function dayStopped(facts: Facts, security: SecurityState, date: CalendarDate): CalendarDate {
  const vesting = facts.vesting.get(security.id);
  return (vesting && lastStop(stoppedBy(vesting, date))) ?? date;
}

/** The same when vesting resumes on a day. */
export function toldReturn(vesting: SecurityVesting, date: CalendarDate): Metadata {
  return toldShares(vesting, resumedBy(vesting, date));
}

function toldShares(vesting: SecurityVesting, left: Parcels): Metadata {
  const exercised = exercisedOf(sharesIn(vesting));
  return { left: tellParcels(left), ...(exercised.length > 0 ? { exercised: tellParcels(exercised) } : {}) };
}

/** The day on which vesting of a security stopped; null if it has not. */
export function stoppedDay(facts: Facts, { id }: SecurityState): CalendarDate | null {
  const vesting = facts.vesting.get(id);
  return vesting ? stoppedOn(vesting) : null;
}

/** Throws `409 invalid-state` if vesting of the security has stopped. */
export function refuseStopped(facts: Facts, security: SecurityState): void {
  const day = stoppedDay(facts, security);
  if (day === null) return;
  const ways = "a waiver accelerates it, a return starts vesting again without a condition";
  throw problem("invalid-state", `Vesting of the security stopped on ${day}: ${ways}.`);
}
