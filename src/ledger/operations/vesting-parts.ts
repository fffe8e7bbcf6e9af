// What operations ask and say about vesting: the shares of a security, what of them an operation takes along, and the
// conditions that a command names. Pure.
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

/** The member by which a command says how many of the shares that it takes are vested ones. */
export const vestedQuantity = optional(
  decimal({ description: "How many of them are vested; without it as the vesting rules say.", ...EXTENSION }),
);

const WORDS = { TIME_BASED: "a time-based condition", EVENT_BASED: "an event-based condition" } as const;

/** What is wrong with naming this condition of the security's terms; it must be of the kind given. */
export function conditionFindings(
  facts: Facts,
  securityId: string,
  conditionId: string | null,
  kind: keyof typeof WORDS,
): Finding[] {
  if (conditionId === null) return [];
  const conditions = facts.vesting.get(securityId)?.rules?.vestingConditions ?? [];
  const condition = conditions.find(({ id }) => id === conditionId);
  if (!condition) return [["#/conditionId", "is no condition of the security's vesting terms"]];
  return condition.trigger.type === kind ? [] : [["#/conditionId", `must be ${WORDS[kind]}`]];
}

/** What is outstanding of a security, as parcels. What the facts know no vesting of has vested with its grant. */
export function openShares(facts: Facts, security: SecurityState): Parcels {
  const vesting = facts.vesting.get(security.id);
  return vesting ? openOf(sharesIn(vesting)) : [parcelOn(FIRST_DAY, security.quantity)];
}

const FIRST_DAY: CalendarDate = "0001-01-01";

/** How many outstanding shares have not vested on a day. */
export function unvestedOn(facts: Facts, security: SecurityState, date: CalendarDate): Decimal {
  const open = openShares(facts, security);
  return countOf(open) - vestedBy(open, date);
}

/** The finding for more shares than are unvested; none where so many are. */
export function unvestedExcess(facts: Facts, security: SecurityState, text: string, date: CalendarDate): Finding[] {
  const unvested = unvestedOn(facts, security, date);
  if (parseDecimal(text) <= unvested) return [];
  return [["#/quantity", `is more than the ${formatDecimal(unvested)} that have not vested by ${date}`]];
}

/** A command that takes shares, and may say how many of them are vested. */
interface Taking {
  readonly quantity: string;
  readonly effectiveDate: CalendarDate;
  readonly vestedQuantity?: string | null;
}

/** Shares that a command takes beyond all that is unvested, unasked: who cancels what has not vested may mean fewer. */
export function takesVested(facts: Facts, security: SecurityState, command: Taking): Warning[] {
  const { quantity, effectiveDate, vestedQuantity: said = null } = command;
  const unvested = unvestedOn(facts, security, effectiveDate);
  const vested = parseDecimal(quantity) - unvested;
  if (said !== null || unvested === ZERO || vested <= ZERO) return [];
  const detail = `It takes ${formatDecimal(vested)} vested shares beside all ${formatDecimal(unvested)} unvested ones.`;
  return [{ code: "takes-vested", detail }];
}

/** What is wrong with the count of vested shares that a command names. */
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
  const detail = `leaves more unvested shares to take than the ${formatDecimal(unvested)} that there are`;
  return [["#/vestedQuantity", detail]];
}

/** A division as `metadata.parcels` tells it; undefined where all that is outstanding has vested by the day. */
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

/** The days that waiting tranches of a security with parcels of its own get by one more start or event. */
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

/** The shares of a security after its vesting stopped on a day, as the entry tells them. */
export function toldStop(facts: Facts, security: SecurityState, date: CalendarDate): Metadata | undefined {
  const vesting = facts.vesting.get(security.id);
  return vesting && toldShares(vesting, stoppedBy(vesting, date));
}

/** The day from which it is counted how long its vesting stands still, when it stops on a day. */
export function dayStopped(facts: Facts, security: SecurityState, date: CalendarDate): CalendarDate {
  const vesting = facts.vesting.get(security.id);
  return (vesting && lastStop(stoppedBy(vesting, date))) ?? date;
}

/** The same where it goes on from a day. */
export function toldReturn(vesting: SecurityVesting, date: CalendarDate): Metadata {
  return toldShares(vesting, resumedBy(vesting, date));
}

function toldShares(vesting: SecurityVesting, left: Parcels): Metadata {
  const exercised = exercisedOf(sharesIn(vesting));
  return { left: tellParcels(left), ...(exercised.length > 0 ? { exercised: tellParcels(exercised) } : {}) };
}

/** The day on which vesting of a security stopped; null where it goes on. */
export function stoppedDay(facts: Facts, { id }: SecurityState): CalendarDate | null {
  const vesting = facts.vesting.get(id);
  return vesting ? stoppedOn(vesting) : null;
}

/** Throws `409 invalid-state` where vesting of the security has stopped. */
export function refuseStopped(facts: Facts, security: SecurityState): void {
  const day = stoppedDay(facts, security);
  if (day === null) return;
  const ways = "a waiver accelerates it, a return starts vesting again without a condition";
  throw problem("invalid-state", `Vesting of the security stopped on ${day}: ${ways}.`);
}
