// The vesting schedule of one security: terms and history in, dated shares out. The grant is cut into parcels that
// always sum to it; what happens to the security only moves or removes parcels. Pure.
import type { AllocationMethod } from "../../kernel/allocation-method.ts";
import { assert } from "../../kernel/assert.ts";
import { type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { type Decimal, max, min, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";
import { allocate, allocatedTo, type Portions, totalled } from "./allocate.ts";
import { grantOf, vestingDates } from "./history.ts";
import type { Parcel, Parcels } from "./parcels.ts";
import * as lists from "./parcels.ts";
import { planOf } from "./plan.ts";
import { type Tranche, tranchesOf, type VestingDates } from "./timeline.ts";
import type {
  ParcelChange,
  VestingEvent,
  VestingHistory,
  VestingMilestone,
  VestingRules,
  VestingStatus,
} from "./vesting-types.ts";

/** All shares of a security, exercised ones included, and how many of them were exercised. */
export interface Shares {
  /** The exercised ones first, whatever their days, then the others by date. */
  readonly all: Parcels;
  /** Exercised out of what had vested: the first so many of them. */
  readonly exercised: Decimal;
  /** Exercised before they vested: no longer part of them. */
  readonly early: Decimal;
}

/** What is outstanding. */
export function openOf({ all, exercised }: Shares): Parcels {
  return lists.takeFirst(all, exercised).left;
}

/** The shares exercised after vesting, with their vesting days. */
export function exercisedOf({ all, exercised }: Shares): Parcels {
  return lists.takeFirst(all, exercised).taken;
}

/** The same shares with others outstanding. A parcel of which a part was exercised stays one. */
export function withOpen(shares: Shares, open: Parcels): Shares {
  return { ...shares, all: lists.joined(exercisedOf(shares), open) };
}

interface Schedule {
  readonly tranches: readonly Tranche[];
  readonly running: Running;
}

/** What the running total of a schedule follows from, without its tranches, which take much more memory. */
interface Running extends Portions {
  /** The numbers of the days of the tranches that have one, which come first. */
  readonly days: readonly number[];
  /** How many of them had vested by the day that was asked for last: a cap table asks for one of all grants. */
  asked: { readonly day: number; readonly count: number };
}

/** The schedules of terms that many securities follow, by their start: many of them start on the same days. */
const byStart = new WeakMap<VestingRules, Map<CalendarDate | null, Schedule>>();

function scheduleBy(rules: VestingRules, dates: VestingDates): Schedule {
  if (dates.conditionStarts.size > 0 || dates.happened.size > 0) return madeSchedule(rules, dates);
  const known = byStart.get(rules) ?? new Map<CalendarDate | null, Schedule>();
  byStart.set(rules, known);
  const schedule = known.get(dates.start) ?? madeSchedule(rules, dates);
  known.set(dates.start, schedule);
  return schedule;
}

function madeSchedule(rules: VestingRules, dates: VestingDates): Schedule {
  const [only] = rules.vestingConditions;
  const plan = planOf(rules, dates.conditionStarts.get(only?.id ?? "") ?? dates.start);
  const tranches = tranchesOf(plan, dates);
  const portions = tranches.map(({ portion }) => portion);
  const days = tranches.flatMap(({ date }) => (date === null ? [] : [dayNumber(date)]));
  const asked = { day: Number.NEGATIVE_INFINITY, count: 0 };
  return { tranches, running: { days, asked, ...sharedPortions(rules, portions, plan.whole) } };
}

/** The portions of the schedule made before, by terms: those of most starts are the same. */
const portionsBefore = new WeakMap<VestingRules, Portions>();

function sharedPortions(rules: VestingRules, portions: readonly bigint[], whole: bigint): Portions {
  const before = portionsBefore.get(rules);
  const isSame = before?.whole === whole && before.portions.length === portions.length;
  if (isSame && portions.every((portion, at) => portion === before.portions[at])) return before;
  const made = totalled(portions, whole);
  portionsBefore.set(rules, made);
  return made;
}

/** Every tranche that terms and dates make. */
export function tranchesBy(rules: VestingRules, dates: VestingDates): readonly Tranche[] {
  return scheduleBy(rules, dates).tranches;
}

/** The grant by the terms alone. Without terms all of it vests with the grant. */
function parcelsByTerms(rules: VestingRules | null, history: VestingHistory, grant: Decimal): Parcels {
  if (rules === null) return [lists.parcelOn(history.grantDate, grant)];
  const { tranches, running } = scheduleBy(rules, vestingDates(history));
  const { whole, portions } = running;
  const shares = allocate(rules.allocationMethod, grant, portions, whole);
  const parcels = tranches.map(({ date, conditionId, occurrence }, i) => {
    return { date, conditionId, occurrence, milestoneId: null, quantity: shares[i] ?? ZERO };
  });
  return [...parcels, lists.parcelOn(null, grant - sum(shares))];
}

/** The issuance's own vesting, and the last shares of the terms' schedule for the rest. */
function parcelsByVestings(rules: VestingRules | null, history: VestingHistory, grant: Decimal): Parcels {
  const known = lists.takeFirst(dateByTerms(rules, history, history.vestings ?? []), grant).taken;
  const rest = grant - lists.countOf(known);
  const byTerms = rules === null ? [lists.parcelOn(null, rest)] : parcelsByTerms(rules, history, grant);
  return lists.inOrderOfDate([...known, ...lists.takeLast(byTerms, rest, null).taken]);
}

function dateByTerms(rules: VestingRules | null, history: VestingHistory, parcels: Parcels): Parcels {
  if (rules === null || !parcels.some(lists.isWaiting)) return parcels;
  return lists.dateWaiting(parcels, dayByTerms(rules, vestingDates(history)));
}

/** Says when a tranche of a condition vests by the terms; `null` while that is not known. */
export function dayByTerms(rules: VestingRules, dates: VestingDates): (parcel: Parcel) => CalendarDate | null {
  const tranches = tranchesBy(rules, dates);
  return ({ conditionId, occurrence }) =>
    tranches.find((tranche) => tranche.conditionId === conditionId && tranche.occurrence === occurrence)?.date ?? null;
}

/** Milestones hold the last shares back: until completion those have no date, then that day's. */
function heldForMilestones(parcels: Parcels, milestones: readonly VestingMilestone[]): Parcels {
  let left = parcels;
  const held = milestones.map(({ id, completedOn, quantity }): Parcel => {
    const taking = lists.takeLast(left, quantity, null);
    left = taking.left;
    const parcel = lists.parcelOn(completedOn, lists.countOf(taking.taken));
    return { ...parcel, milestoneId: id ?? null };
  });
  return held.reduce(lists.withParcel, left);
}

/** The schedule's shares, as of a day. */
function scheduled(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate): Shares {
  const grant = grantOf(history, asOf);
  const parcels = history.vestings
    ? parcelsByVestings(rules, history, grant)
    : parcelsByTerms(rules, history, grant).filter(({ quantity }) => quantity > ZERO);
  return { all: heldForMilestones(parcels, history.milestones), exercised: ZERO, early: ZERO };
}

/** The shares after one more change. */
export function changed(shares: Shares, change: ParcelChange): Shares {
  const open = openOf(shares);
  switch (change.kind) {
    case "CANCELLED":
      return withOpen(shares, lists.cancel(open, change.quantity, change.date, change.vested));
    case "ACCELERATED":
      return withOpen(shares, lists.accelerate(open, change.quantity, change.date));
    case "EXERCISED":
      return exercise(shares, change.quantity, change.date);
    case "DIVIDED":
      return withOpen(shares, lists.divide(open, change.quantity, change.date, null).left);
    case "HELD":
      return withOpen(shares, heldBack(open, change.milestoneId, change.quantity));
    case "COMPLETED":
      return withOpen(shares, completed(open, change.milestoneId, change.date));
    case "KEPT_VESTED":
      return withOpen(shares, keptVested(open, change.quantity, change.date));
  }
}

/** The first shares are exercised; they count as vested from that day on, whatever becomes of the others. */
function exercise(shares: Shares, quantity: Decimal, date: CalendarDate): Shares {
  const exercised = shares.exercised + quantity;
  const { left, taken } = lists.takeFirst(shares.all, exercised);
  if (lists.hasVested(taken, date)) return { ...shares, exercised };
  return { ...shares, all: [...lists.vestedAtLatest(taken, date), ...left], exercised };
}

function heldBack(open: Parcels, milestoneId: string, quantity: Decimal): Parcels {
  const isHeld = (parcel: Parcel) => parcel.date === null && parcel.milestoneId !== null;
  const { left, taken } = lists.takeLast(
    open.filter((parcel) => !isHeld(parcel)),
    quantity,
    null,
  );
  const held = { ...lists.parcelOn(null, lists.countOf(taken)), milestoneId };
  return lists.withParcel([...left, ...open.filter(isHeld)], held);
}

function completed(open: Parcels, milestoneId: string, date: CalendarDate): Parcels {
  return lists.dateWaiting(open, (parcel) => (parcel.milestoneId === milestoneId ? date : null));
}

function keptVested(open: Parcels, quantity: Decimal, date: CalendarDate): Parcels {
  const missing = quantity - lists.vestedBy(open, date);
  return missing > ZERO ? lists.accelerate(open, missing, date) : open;
}

/**
 * How many of the outstanding shares have not vested by a day. The same as {@link sharesOf} says; to a grant to which
 * nothing has happened the running total of its schedule says it at once.
 */
export function unvestedOf(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate): Decimal {
  const course = untouchedCourse(rules, history);
  if (course !== null) return course(dayNumber(asOf));
  const open = openOf(sharesOf(rules, history, asOf));
  return lists.countOf(open) - lists.vestedBy(open, asOf);
}

/**
 * The same for some days, on which nothing more happens to the security than on the first of them. Null if all has
 * vested before.
 */
export function courseOf(
  rules: VestingRules | null,
  history: VestingHistory,
  span: lists.CourseSpan,
): lists.Course | null {
  return untouchedCourse(rules, history) ?? lists.courseOf(openOf(sharesOf(rules, history, span.from)), span);
}

/** The same of a grant to which nothing has happened; null for any other. */
function untouchedCourse(rules: VestingRules | null, history: VestingHistory): lists.Course | null {
  if (rules === null || !isUntouched(history)) return null;
  const grant = sum(history.entries.map((entry) => (entry.kind === "ISSUED" ? entry.quantity : ZERO)));
  const { running } = scheduleBy(rules, vestingDates(history));
  return runningCourse(rules.allocationMethod, grant, running);
}

/** Holds on to no more than it needs: there may be very many. */
function runningCourse(method: AllocationMethod, grant: Decimal, running: Running): lists.Course {
  return (day) => grant - allocatedTo(method, grant, running, countBy(running, day));
}

/** How many tranches have vested by a day. */
function countBy(running: Running, day: number): number {
  if (running.asked.day !== day) running.asked = { day, count: firstPlaceIn(running.days, (each) => each > day) };
  return running.asked.count;
}

function isUntouched({ entries, changes = [], milestones, vestings }: VestingHistory): boolean {
  if (changes.length > 0 || milestones.length > 0 || vestings) return false;
  return entries.every(({ kind }) => kind === "ISSUED" || kind === "STARTED" || kind === "HAPPENED");
}

/** All shares of the security by terms and history, as of a day: what lowers the holding later is not in them. */
export function sharesOf(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate): Shares {
  const shares = (history.changes ?? []).reduce(changed, scheduled(rules, history, asOf));
  assert(
    shares.all.every(({ quantity }) => quantity > ZERO),
    "a part of a grant is not positive",
  );
  return shares;
}

/**
 * How a security vests, as of a day (`GET /securities/{id}/vesting`). `rules` is `null` without terms: then all vests
 * with the grant, but for milestones' quantities.
 *
 * - Every change counts, whatever its day: the history is that of the view.
 * - A cancellation takes from the end: shares without a date, then events to come, then those that have vested.
 * - An acceleration takes from the end too, but only what had not vested by its day, and vests it on that day.
 */
export function vestingStatus(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate): VestingStatus {
  return statusOf(sharesOf(rules, history, asOf), asOf);
}

/** The figures of shares, as of a day. */
export function statusOf(shares: Shares, asOf: CalendarDate): VestingStatus {
  const { all, exercised, early } = shares;
  const quantity = lists.countOf(all);
  const vested = lists.vestedBy(all, asOf);
  const events = eventsOf(lists.inOrderOfDate(all));
  const unscheduled = quantity - sum(events.map((event) => event.quantity));
  return {
    quantity,
    vested,
    unvested: quantity - vested,
    unscheduled,
    exercised: exercised + early,
    earlyExercised: early,
    events,
    parcels: openOf(shares),
  };
}

function eventsOf(all: Parcels): readonly VestingEvent[] {
  return all.flatMap(({ date, quantity, conditionId }) => (date === null ? [] : [{ date, quantity, conditionId }]));
}

/** How many shares have vested by a day and how many of them can still be exercised. */
export interface Exercisable {
  readonly vested: Decimal;
  readonly exercisable: Decimal;
}

/**
 * What an exercise on `date` may take: vested by then, less all that was ever exercised. Every entry on the ledger
 * counts, of later days too, so that an exercise dated back takes nothing that is already gone.
 */
export function exercisableOn(rules: VestingRules | null, history: VestingHistory, date: CalendarDate): Exercisable {
  return exercisableOf(sharesOf(rules, history, LAST_DAY), date);
}

/** The last day of the calendar. */
export const LAST_DAY: CalendarDate = "9999-12-31";

/** What of these shares an exercise on `date` may take. */
export function exercisableOf({ all, exercised }: Shares, date: CalendarDate): Exercisable {
  const vested = lists.vestedBy(all, date);
  return { vested, exercisable: max(ZERO, vested - min(exercised, vested)) };
}
