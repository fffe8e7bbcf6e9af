// Parcels: the shares of one security that vest together, taken from either end, divided between two securities, and
// multiplied by splits, so that vesting follows the shares. Lists are sorted by date, parcels without a date last
// (stopped ones before waiting ones); functions return new lists. Pure; whole shares unless a parcel is fractional.
import { addDays, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { type Decimal, floorDivide, max, min, ONE, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";

/** Stopped shares: they would have vested, but their holder's service ended. */
export interface Stop {
  /** The day on which their vesting stopped. */
  readonly on: CalendarDate;
  /** The day on which they would have vested; `null` if they waited for a condition without a day. */
  readonly day: CalendarDate | null;
}

/** Shares that vest together. */
export interface Parcel {
  /** The day on which they vest; `null` while they wait for a condition without a day. */
  readonly date: CalendarDate | null;
  /** The condition of the terms by which they vest; `null` without a condition. */
  readonly conditionId: string | null;
  /** Which occurrence of the condition, from 1; 0 where no condition makes them vest. */
  readonly occurrence: number;
  /** The milestone that they wait for, or vested by. */
  readonly milestoneId: string | null;
  readonly quantity: Decimal;
  /** Of shares whose vesting stopped; then `date` is `null`. */
  readonly stopped?: Stop;
}

/** Parcels by date; then those that stopped, by their former days; those that wait last. */
export type Parcels = readonly Parcel[];

/** Sorts after every date, as shares without one stand after all events. */
const NO_DATE = "~";
/** Sorts stopped shares between the two. */
const STOPPED = "stopped ";

function position({ date, stopped }: Parcel): string {
  if (date !== null) return date;
  return stopped ? STOPPED + (stopped.day ?? NO_DATE) : NO_DATE;
}

/** The same shares, which vest on a day. */
function onDay({ stopped: _stopped, ...parcel }: Parcel, date: CalendarDate | null): Parcel {
  return { ...parcel, date };
}

/** Shares that vest on a day by no condition. */
export function parcelOn(date: CalendarDate | null, quantity: Decimal): Parcel {
  return { date, conditionId: null, occurrence: 0, milestoneId: null, quantity };
}

/** How many shares there are. */
export function countOf(parcels: Parcels): Decimal {
  return sum(parcels.map(({ quantity }) => quantity));
}

/** How many shares have vested by a day. */
export function vestedBy(parcels: Parcels, date: CalendarDate): Decimal {
  return countOf(parcels.filter((parcel) => position(parcel) <= date));
}

/** How many shares have not vested by a day, which is given by its number. */
export type Course = (day: number) => Decimal;

/** The days of a course: from the first one on, to before the other if there is one. */
export interface CourseSpan {
  readonly from: CalendarDate;
  readonly until: CalendarDate | null;
}

/** The course of these shares over some days: the sums are made once. Null if all have vested before. */
export function courseOf(parcels: Parcels, { from, until }: CourseSpan): Course | null {
  let left = countOf(parcels);
  const days: number[] = [];
  const lefts: Decimal[] = [];
  for (const { date, quantity } of inOrderOfDate(parcels)) {
    if (date === null || (until !== null && date >= until)) break;
    left -= quantity;
    if (date <= from) lefts.length = 0;
    else days.push(dayNumber(date));
    lefts.push(left);
  }
  const first = days.length === lefts.length ? countOf(parcels) : (lefts.shift() ?? ZERO);
  if (first === ZERO) return null;
  if (days.length === 0) return () => first;
  return (day) => lefts[firstPlaceIn(days, (each) => each > day) - 1] ?? first;
}

/** The list with a parcel more, after those of its day. */
export function withParcel(parcels: Parcels, parcel: Parcel): Parcels {
  if (parcel.quantity === ZERO) return parcels;
  const at = parcels.findLastIndex((other) => position(other) <= position(parcel)) + 1;
  return parcels.toSpliced(at, 0, parcel);
}

/** The list in order of date, as it stands within a day. */
export function inOrderOfDate(parcels: Parcels): Parcels {
  return parcels.toSorted((a, b) => (position(a) < position(b) ? -1 : position(a) > position(b) ? 1 : 0));
}

/** Two lists joined; equal parcels at the joint become one. */
export function joined(first: Parcels, second: Parcels): Parcels {
  const [last, next] = [first.at(-1), second[0]];
  if (!last || !next || !isSame(last, next)) return [...first, ...second];
  return [...first.slice(0, -1), { ...last, quantity: last.quantity + next.quantity }, ...second.slice(1)];
}

/** A list without some of its shares, and the shares taken. */
export interface Taking {
  readonly left: Parcels;
  readonly taken: Parcels;
}

/** Takes up to `quantity` shares from the front: the earliest first. */
export function takeFirst(parcels: Parcels, quantity: Decimal): Taking {
  const [left, taken]: [Parcel[], Parcel[]] = [[], []];
  let wanted = quantity;
  for (const parcel of parcels) {
    const part = min(wanted, parcel.quantity);
    wanted -= part;
    if (part > ZERO) taken.push({ ...parcel, quantity: part });
    if (part < parcel.quantity) left.push({ ...parcel, quantity: parcel.quantity - part });
  }
  return { left, taken };
}

/** Takes up to `quantity` shares from the end, those without a date first; none that vest by `keepUntil`. */
export function takeLast(parcels: Parcels, quantity: Decimal, keepUntil: CalendarDate | null): Taking {
  const [left, taken]: [Parcel[], Parcel[]] = [[], []];
  let wanted = quantity;
  for (const parcel of parcels.toReversed()) {
    const isKept = keepUntil !== null && position(parcel) <= keepUntil;
    const part = isKept ? ZERO : min(wanted, parcel.quantity);
    wanted -= part;
    if (part > ZERO) taken.unshift({ ...parcel, quantity: part });
    if (part < parcel.quantity) left.unshift({ ...parcel, quantity: parcel.quantity - part });
  }
  return { left, taken };
}

/**
 * Takes shares as a cancellation does: unvested ones on its day first, from the end; `vested` sets how many vested ones
 * go instead, the last of them. If other terms have left too few of either kind, the other kind goes.
 */
export function cancel(parcels: Parcels, quantity: Decimal, date: CalendarDate, vested: Decimal | null): Parcels {
  if (vested === null) return takeLast(parcels, quantity, null).left;
  const [ripe, unripe] = splitAt(parcels, date);
  const fromRipe = takeLast(ripe, vested, null);
  const fromUnripe = takeLast(unripe, quantity - countOf(fromRipe.taken), null);
  const missing = quantity - countOf(fromRipe.taken) - countOf(fromUnripe.taken);
  return [...takeLast(fromRipe.left, missing, null).left, ...fromUnripe.left];
}

/** The shares vested by a day, and the rest. */
export function splitAt(parcels: Parcels, date: CalendarDate): readonly [vested: Parcels, unvested: Parcels] {
  return [parcels.filter((each) => position(each) <= date), parcels.filter((each) => position(each) > date)];
}

/** The last `quantity` shares of those that are unvested on `date` vest on it instead. */
export function accelerate(parcels: Parcels, quantity: Decimal, date: CalendarDate): Parcels {
  const { left, taken } = takeLast(parcels, quantity, date);
  return withParcel(left, parcelOn(date, countOf(taken)));
}

function isWhole(quantity: Decimal): boolean {
  return quantity % ONE === ZERO;
}

/** The unit in which shares are divided: whole ones, or 10 places where anything is fractional. */
function unitOf(parcels: Parcels, ...quantities: readonly Decimal[]): Decimal {
  return quantities.every(isWhole) && parcels.every(({ quantity }) => isWhole(quantity)) ? ONE : 1n;
}

/**
 * Gives each parcel its part of `numerator` in `denominator`: the running total rounded down, less what went before.
 */
function proportional(parcels: Parcels, numerator: Decimal, denominator: Decimal, unit: Decimal): Parcels {
  let [running, given] = [ZERO, ZERO];
  return parcels.map((parcel) => {
    running += parcel.quantity;
    const total = denominator === ZERO ? ZERO : floorDivide(running * numerator, denominator * unit) * unit;
    const quantity = total - given;
    given = total;
    return { ...parcel, quantity };
  });
}

function without(parcels: Parcels, parts: Parcels): Parcels {
  return parcels.map((each, i) => ({ ...each, quantity: each.quantity - (parts[i]?.quantity ?? ZERO) }));
}

function nonZero(parcels: Parcels): Parcels {
  return parcels.filter(({ quantity }) => quantity > ZERO);
}

/** One security's shares divided in two: those that go to another security, and those that stay. */
export interface Division {
  readonly moved: Parcels;
  readonly left: Parcels;
}

/**
 * Divides `quantity` shares off on a day: what has vested and each tranche in proportion. `vested` says how many of
 * those moved are vested; then the tranches divide the rest. The parcels keep their days.
 */
export function divide(parcels: Parcels, quantity: Decimal, date: CalendarDate, vested: Decimal | null): Division {
  const held = countOf(parcels);
  const unit = unitOf(parcels, held, quantity, vested ?? ZERO);
  const parts = vested === null ? proportional(parcels, quantity, held, unit) : chosen(parcels, quantity, date, vested);
  return { moved: nonZero(parts), left: nonZero(without(parcels, parts)) };
}

function chosen(parcels: Parcels, quantity: Decimal, date: CalendarDate, vested: Decimal): Parcels {
  const [ripe, unripe] = splitAt(parcels, date);
  const unit = unitOf(parcels, quantity, vested);
  return [
    ...proportional(ripe, vested, countOf(ripe), unit),
    ...proportional(unripe, quantity - vested, countOf(unripe), unit),
  ];
}

/** Divides off as an early exercise does: what has vested first, then the earliest tranches. */
export function divideFirst(parcels: Parcels, quantity: Decimal): Division {
  const { left, taken } = takeFirst(parcels, quantity);
  return { moved: taken, left };
}

/** The parcels that the other security gets: its vested part has the day of the operation, the rest its own days. */
export function arrivedOn(parcels: Parcels, date: CalendarDate): Parcels {
  const [ripe, unripe] = splitAt(parcels, date);
  return nonZero([parcelOn(date, countOf(ripe)), ...unripe]);
}

/** The parcels of `old` shares after they became `now`: a split, a conversion, a correction upwards. */
export function multiply(parcels: Parcels, now: Decimal, old: Decimal): Parcels {
  return nonZero(proportional(parcels, now, old, unitOf(parcels, now, old)));
}

/** Whether all shares have vested by a day. */
export function hasVested(parcels: Parcels, date: CalendarDate): boolean {
  return parcels.every((parcel) => position(parcel) <= date);
}

/** The same shares, with every vesting date limited to `date`. */
export function vestedAtLatest(parcels: Parcels, date: CalendarDate): Parcels {
  return parcels.map((parcel) => (position(parcel) <= date ? parcel : onDay(parcel, date)));
}

/** The day of the schedule, whether the shares vest on it or have stopped before. */
function scheduledDay({ date, stopped }: Parcel): CalendarDate | null {
  return stopped ? stopped.day : date;
}

function isSame(a: Parcel, b: Parcel): boolean {
  return isSameTranche(a, b) && a.stopped?.on === b.stopped?.on;
}

function isSameTranche(a: Parcel, b: Parcel): boolean {
  return (
    scheduledDay(a) === scheduledDay(b) &&
    a.conditionId === b.conditionId &&
    a.occurrence === b.occurrence &&
    a.milestoneId === b.milestoneId
  );
}

/**
 * Divides exactly these shares off if they exist, stopped or not; missing ones (in a view that leaves out entries) are
 * replaced by others, unvested ones first.
 */
export function divideSame(parcels: Parcels, parts: Parcels): Division {
  let left = parcels;
  let missing = ZERO;
  for (const part of parts) {
    let wanted = part.quantity;
    left = left.map((each) => {
      const taken = isSameTranche(each, part) ? min(wanted, each.quantity) : ZERO;
      wanted -= taken;
      return { ...each, quantity: each.quantity - taken };
    });
    missing += wanted;
  }
  const same = nonZero(without(parcels, left));
  const others = takeLast(left, max(missing, ZERO), null);
  return { moved: inOrderOfDate([...same, ...others.taken]), left: nonZero(others.left) };
}

/** The shares that {@link divideSame} leaves. */
export function subtract(parcels: Parcels, parts: Parcels): Parcels {
  return divideSame(parcels, parts).left;
}

/** Gives waiting parcels their day, if `dayOf` knows it. Stopped ones go on waiting: they get only their former day. */
export function dateWaiting(parcels: Parcels, dayOf: (parcel: Parcel) => CalendarDate | null): Parcels {
  return inOrderOfDate(
    parcels.map((each) => {
      if (!isWaiting(each)) return each;
      return each.stopped
        ? { ...each, stopped: { ...each.stopped, day: dayOf(each) } }
        : { ...each, date: dayOf(each) };
    }),
  );
}

/** Whether shares have no day, and not because they stopped. */
export function isUndated({ date, stopped }: Parcel): boolean {
  return date === null && stopped === undefined;
}

/** Whether shares wait for something that has no day yet, stopped or not. */
export function isWaiting({ date, stopped }: Parcel): boolean {
  return date === null && (stopped?.day ?? null) === null;
}

/** A day on which vesting stops, and the day from which it is counted for how long: the same, or a later one. */
export interface Stopping {
  readonly date: CalendarDate;
  readonly on: CalendarDate;
}

/** Shares that vest after a day, or wait, stop vesting. Those stopped before stay as they are. */
export function stop(parcels: Parcels, { date, on }: Stopping): Parcels {
  return inOrderOfDate(
    parcels.map((each) => {
      const isKept = each.stopped !== undefined || (each.date !== null && each.date <= date);
      return isKept ? each : { ...each, date: null, stopped: { on, day: each.date } };
    }),
  );
}

/**
 * Stopped shares vest again from a day on, each parcel as many days later as vesting stood still. Waiting ones go on
 * waiting; a milestone or event that happened meanwhile counts on that day.
 */
export function resume(parcels: Parcels, date: CalendarDate, events: ReadonlySet<string | null>): Parcels {
  return inOrderOfDate(
    parcels.map((each) => {
      if (!each.stopped) return each;
      const { on, day } = each.stopped;
      if (day === null) return onDay(each, null);
      const isEvent = each.milestoneId !== null || events.has(each.conditionId);
      return onDay(each, isEvent ? laterOf(day, date) : addDays(day, dayNumber(date) - dayNumber(on)));
    }),
  );
}

function laterOf(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a > b ? a : b;
}

/** The last day on which vesting of some of the shares stopped; `null` if it never did. */
export function stoppedOn(parcels: Parcels): CalendarDate | null {
  let last: CalendarDate | null = null;
  for (const { stopped } of parcels) if (stopped && (last === null || stopped.on > last)) last = stopped.on;
  return last;
}
