// Where an exit goes another way: the values between which every unit gets a fixed part of each further unit of money,
// with what happens there (MODELLING section 7.3; the breakpoints of 409A option-pricing models). Pure.
import { formatDecimal } from "../../kernel/decimal.ts";
import { percentColumn, percentText } from "../columns.ts";
import { compare, type Fraction, isPositive, NOTHING, over, shown, subtract, toCents } from "../fraction.ts";
import { exactPay, inProportion } from "./payments.ts";
import { type Course, measureAt, type Segment } from "./segments.ts";
import type { Unit } from "./unit.ts";

const EVENTS = ["START", "TIER_PAID", "EXERCISE", "CAP", "CONVERT", "REVERT"] as const;
export type BreakpointEvent = (typeof EVENTS)[number];

export interface Breakpoint {
  readonly distributable: string;
  readonly commonPricePerShare: string;
  readonly events: readonly { readonly event: BreakpointEvent; readonly unit: string | null; readonly jump?: true }[];
  readonly next: readonly { readonly name: string; readonly percent: string }[];
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
  let before: readonly Status[] = units.map(() => ({ isConverted: false, isCapped: false, isExercised: false }));
  const breakpoints: Breakpoint[] = [];
  for (const segment of course.segments) {
    const now = units.map((unit, index) => statusOf(unit, index, segment, conversions));
    const happened = [...bounds(last, segment, units), ...changes(before, now, units)];
    const doesJump = last !== null && last.state !== segment.state && jumps(last, segment, units.length);
    const events = happened.map(({ event, unit }) =>
      doesJump && event !== "START" && event !== "TIER_PAID" ? { event, unit, jump: true as const } : { event, unit },
    );
    events.sort((a, b) => EVENTS.indexOf(a.event) - EVENTS.indexOf(b.event));
    breakpoints.push({
      distributable: formatDecimal(toCents(segment.from)),
      commonPricePerShare: formatDecimal(shown(segment.tier ? NOTHING : segment.start)),
      events,
      next: nextOf(segment, units),
    });
    [last, before] = [segment, now];
  }
  return breakpoints;
}

function statusOf(unit: Unit, index: number, segment: Segment, conversions: Conversions): Status {
  const isConverted = conversions.has(segment, index);
  const share = segment.shares.find((each) => each.unit === index);
  const isCall = unit.pay.kind === "CALL" || unit.pay.kind === "PREFERRED_CALL";
  const isPaid =
    share !== undefined && (isPositive(share.slope) || isPositive(exactPay(segment, index, segment.start)));
  const isHeldAtCap = segment.tier === null && !isConverted && isCapped(unit, segment.start);
  // Warrants go with their class: they are at their cap where nothing more comes to them.
  const isStill = unit.pay.kind !== "PREFERRED_CALL" || (share !== undefined && !isPositive(share.slope));
  return { isConverted, isCapped: isHeldAtCap && isStill, isExercised: isCall && isPaid };
}

interface Happened {
  readonly event: BreakpointEvent;
  readonly unit: string | null;
}

function bounds(last: Segment | null, segment: Segment, units: readonly Unit[]): readonly Happened[] {
  if (last === null) return [{ event: "START", unit: null }];
  if (last.tier === null || last.tier === segment.tier) return [];
  const { claims, calls } = last.tier;
  const places = [...claims.map(({ unit }) => unit), ...calls].sort((a, b) => a - b);
  return [{ event: "TIER_PAID", unit: places.map((place) => units[place]?.name).join(", ") }];
}

function changes(before: readonly Status[], now: readonly Status[], units: readonly Unit[]): readonly Happened[] {
  return units.flatMap(({ name }, index): readonly Happened[] => {
    const [was, is] = [before[index], now[index]];
    if (!was || !is) return [];
    const events: BreakpointEvent[] = [];
    if (is.isExercised && !was.isExercised) events.push("EXERCISE");
    if (is.isCapped && !was.isCapped) events.push("CAP");
    if (is.isConverted !== was.isConverted) events.push(is.isConverted ? "CONVERT" : "REVERT");
    return events.map((event) => ({ event, unit: name }));
  });
}

/** Whether anybody gets another amount just above a value than at it. */
function jumps(last: Segment, segment: Segment, count: number): boolean {
  const x = measureAt(last, segment.from);
  for (let unit = 0; unit < count; unit += 1) {
    if (compare(exactPay(last, unit, x), exactPay(segment, unit, segment.start)) !== 0) return true;
  }
  return false;
}

function nextOf({ shares, slope }: Segment, units: readonly Unit[]): Breakpoint["next"] {
  if (!isPositive(slope)) return [];
  const paid = shares.filter((share) => isPositive(share.slope));
  const percents = percentColumn(inProportion(paid.map((share) => share.slope)));
  return paid.map(({ unit }, index) => ({
    name: units[unit]?.name ?? "",
    percent: percentText(percents[index] ?? 0n),
  }));
}
