// Breakpoints of an exit, as 409A option-pricing models use them: the values between which every unit gets a fixed part
// of each further unit of money, with the events that happen there. Pure.

import type { CalendarDate } from "../../../kernel/date.ts";
import { percentColumn, percentText } from "../../../kernel/numbers/columns.ts";
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { compare, type Fraction, isPositive, NOTHING, over, shown, subtract, toCents } from "../fraction.ts";
import { exactPay, slopesInProportion } from "./payments.ts";
import { type Course, measureAt, type Segment, type Share } from "./segments.ts";
import type { Unit } from "./unit.ts";

const EVENTS = ["START", "TIER_PAID", "EXERCISE", "CAP", "CONVERT", "REVERT"] as const;
export type BreakpointEvent = (typeof EVENTS)[number];

export interface Breakpoint {
  readonly distributable: string;
  readonly commonPricePerShare: string;
  readonly events: readonly (Happened & { readonly jump?: true })[];
  readonly next: readonly (Pick<Unit, "name" | "accruesFrom"> & { readonly percent: string })[];
}

/** What is so of a unit just above where a segment begins. */
interface Status {
  readonly isConverted: boolean;
  readonly isCapped: boolean;
  readonly isExercised: boolean;
}

/** Tells which units convert in a state. */
export class Conversions {
  readonly #deciders = new Map<number, number>();
  readonly #sharers = new Map<number, number>();

  constructor({ game }: Course) {
    for (const [index, { unit, calls }] of game.deciders.entries()) {
      for (const each of unit === null ? calls : [unit]) this.#deciders.set(each, index);
    }
    for (const [index, { unit }] of game.sharers.entries()) this.#sharers.set(unit, index);
  }

  has({ state }: Segment, unit: number): boolean {
    if (state === null) return false;
    const [decider, sharer] = [this.#deciders.get(unit), this.#sharers.get(unit)];
    return (decider !== undefined && state.set.members.has(decider)) || (sharer !== undefined && sharer < state.z);
  }
}

/** Whether a share that is held has reached what it gets at most, at a price of common. */
export function isCapped({ pay }: Unit, price: Fraction): boolean {
  if (pay.kind !== "PREFERRED" && pay.kind !== "PREFERRED_CALL") return false;
  const { cap, claim, ratio, isParticipating } = pay.share;
  if (!isParticipating || cap === null || !isPositive(ratio)) return false;
  if (pay.kind === "PREFERRED_CALL" && compare(pay.strike, cap) >= 0) return false;
  return compare(price, over(subtract(cap, claim), ratio)) >= 0;
}

/** Every breakpoint of an exit, from 0 on. */
export function breakpointsOf(course: Course): readonly Breakpoint[] {
  const { units } = course.game.stake;
  const conversions = new Conversions(course);
  let last: Segment | null = null;
  let lastShares = sharesByUnit(null, units.length);
  let before: readonly Status[] = units.map(() => ({ isConverted: false, isCapped: false, isExercised: false }));
  const breakpoints: Breakpoint[] = [];
  for (const segment of course.segments) {
    const shares = sharesByUnit(segment, units.length);
    const now = units.map((unit, index) => statusOf(unit, segment, shares[index], conversions.has(segment, index)));
    const happened = [...bounds(last, segment, units), ...changes(before, now, units)];
    // Without parts of a capitalization a unit that converts gets at that value exactly its claim.
    const mayJump = last !== null && last.state !== segment.state && course.game.sharers.length > 0;
    const doesJump = mayJump && last !== null && jumps([last, lastShares], [segment, shares]);
    const events = happened.map((each) =>
      doesJump && each.event !== "START" && each.event !== "TIER_PAID" ? { ...each, jump: true as const } : each,
    );
    events.sort((a, b) => EVENTS.indexOf(a.event) - EVENTS.indexOf(b.event));
    breakpoints.push({
      distributable: formatDecimal(toCents(segment.from)),
      commonPricePerShare: formatDecimal(shown(segment.tier ? NOTHING : segment.start)),
      events,
      next: nextOf(segment, units),
    });
    [last, lastShares, before] = [segment, shares, now];
  }
  return breakpoints;
}

type Shares = readonly (Share | undefined)[];

function sharesByUnit(segment: Segment | null, count: number): Shares {
  const shares = new Array<Share | undefined>(count).fill(undefined);
  for (const share of segment?.shares ?? []) shares[share.unit] = share;
  return shares;
}

function statusOf(unit: Unit, segment: Segment, share: Share | undefined, isConverted: boolean): Status {
  const isCall = unit.pay.kind === "CALL" || unit.pay.kind === "PREFERRED_CALL";
  const isPaid =
    isCall && share !== undefined && (isPositive(share.slope) || isPositive(exactPay(segment, share, segment.start)));
  const isHeldAtCap = segment.tier === null && !isConverted && isCapped(unit, segment.start);
  // Warrants go with their class: they are at their cap where nothing more comes to them.
  const isStill = unit.pay.kind !== "PREFERRED_CALL" || (share !== undefined && !isPositive(share.slope));
  return { isConverted, isCapped: isHeldAtCap && isStill, isExercised: isPaid };
}

interface Happened {
  readonly event: BreakpointEvent;
  readonly unit: string | null;
  /** Of the unit; null where several are named. */
  readonly accruesFrom: CalendarDate | null;
}

function bounds(last: Segment | null, segment: Segment, units: readonly Unit[]): readonly Happened[] {
  if (last === null) return [{ event: "START", unit: null, accruesFrom: null }];
  if (last.tier === null || last.tier === segment.tier) return [];
  const { claims, calls } = last.tier;
  const places = [...claims.map(({ unit }) => unit), ...calls].sort((a, b) => a - b);
  const [first, ...others] = places.flatMap((place) => units[place] ?? []);
  const unit = [first, ...others].map((each) => each?.name).join(", ");
  return [{ event: "TIER_PAID", unit, accruesFrom: others.length > 0 ? null : (first?.accruesFrom ?? null) }];
}

function changes(before: readonly Status[], now: readonly Status[], units: readonly Unit[]): readonly Happened[] {
  return units.flatMap(({ name, accruesFrom }, index): readonly Happened[] => {
    const [was, is] = [before[index], now[index]];
    if (!was || !is) return [];
    const events: BreakpointEvent[] = [];
    if (is.isExercised && !was.isExercised) events.push("EXERCISE");
    if (is.isCapped && !was.isCapped) events.push("CAP");
    if (is.isConverted !== was.isConverted) events.push(is.isConverted ? "CONVERT" : "REVERT");
    return events.map((event) => ({ event, unit: name, accruesFrom }));
  });
}

/** Whether any unit gets another amount just above a value than at it. */
function jumps([last, before]: [Segment, Shares], [segment, after]: [Segment, Shares]): boolean {
  const x = measureAt(last, segment.from);
  return before.some(
    (share, unit) => compare(exactPay(last, share, x), exactPay(segment, after[unit], segment.start)) !== 0,
  );
}

function nextOf(segment: Segment, units: readonly Unit[]): Breakpoint["next"] {
  if (!isPositive(segment.slope)) return [];
  const paid = segment.shares.filter(({ slope, part }) => isPositive(slope) || isPositive(part));
  const percents = percentColumn(slopesInProportion(segment, paid));
  return paid.map(({ unit }, index) => ({
    name: units[unit]?.name ?? "",
    accruesFrom: units[unit]?.accruesFrom ?? null,
    percent: percentText(percents[index] ?? 0n),
  }));
}
