// Limits in the past: the first day on which each class had more outstanding than authorized, and each plan more
// granted than reserved, by the views of every day that has entries. Pure.
//
// A view as of a day replays, in the order of recording, the entries dated up to it. If a family of securities, with
// its splits, was recorded in the order of its dates, each of its entries changes every view from its day on by its
// change when it was recorded: one pass gives all days. A family recorded in another order is replayed by itself for
// each of its days. So an ordered ledger costs as much as one view; disorder costs, family by family, entries times
// days. If that is too much, every other day is skipped until it is not; the figures of the remaining days stay exact.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";
import { initialState } from "../replay/replay.ts";
import { DayReplay } from "./day-replay.ts";
import type { Ledger } from "./ledger.ts";
import { orderOf } from "./order.ts";
import { type Amounts, addAll, addTo, differenceOf, drawKey, TallyState } from "./tally.ts";
import { type View, Views } from "./views.ts";
import { amountsOn, type Changes, walk } from "./walk.ts";

/** A class over its limit. */
export interface OverAuthorized {
  readonly day: CalendarDate;
  readonly issued: Decimal;
  readonly authorized: Decimal;
}

/** A plan over its reserve: its available reserve is negative. */
export interface OverReserve {
  readonly day: CalendarDate;
  readonly available: Decimal;
}

/** The first day of each class and plan that was ever over its limit, by id. */
export interface PastLimits {
  readonly classes: ReadonlyMap<string, OverAuthorized>;
  readonly plans: ReadonlyMap<string, OverReserve>;
}

/** The most entries replayed for unordered families: about a second's work. */
const REPLAYED_MAX = 400_000;

/** Finds the first day over its limit of each class and plan, deleted ones included. */
export function findPastLimits(ledger: Ledger): PastLimits {
  const classes = new Map<string, OverAuthorized>();
  const plans = new Map<string, OverReserve>();
  for (const view of viewEachDay(ledger)) {
    const { day } = view;
    for (const { id, issued, authorized } of view.classes()) {
      if (issued > authorized && !classes.has(id)) classes.set(id, { day, issued, authorized });
    }
    for (const { id, available } of view.plans()) {
      if (available < ZERO && !plans.has(id)) plans.set(id, { day, available });
    }
  }
  return { classes, plans };
}

/** The view of each day that has entries, and of each of `besides`, first to last; fewer days if all take too long. */
export function* viewEachDay(
  ledger: Ledger,
  replayedMax = REPLAYED_MAX,
  besides: readonly CalendarDate[] = [],
): Generator<View> {
  const order = orderOf(ledger.marks());
  const allDays = [...new Set([...order.days, ...besides])].sort();
  const { changes, splits, settings, unordered } = walk(ledger, order);
  const families = [...unordered.values()].map((entries) => {
    return new DayReplay([...entries, ...splits], () => new TallyState(ledger.converting));
  });
  const days = bearable(allDays, families, replayedMax);
  for (const family of families) addFamily(changes, family, days);
  const views = new Views(changes, new DayReplay([...settings, ...splits], beforeFirstEntry(ledger)), splits);
  for (const day of days) yield views.on(day);
}

/**
 * Drops every other day, but never the last, until replaying the families on the remaining ones takes acceptable time.
 */
function bearable(
  days: readonly CalendarDate[],
  families: readonly DayReplay[],
  replayedMax: number,
): readonly CalendarDate[] {
  const cost = (count: number) =>
    families.reduce((total, family) => total + Math.min(family.days.length, count) * family.size, 0);
  let left = days;
  while (left.length > 1 && cost(left.length) > replayedMax) {
    const last = left.length - 1;
    left = left.filter((_, index) => (last - index) % 2 === 0);
  }
  return left;
}

/** Adds a family's change from one of `days` to the next. */
function addFamily(changes: Changes, family: DayReplay, days: readonly CalendarDate[]): void {
  let before: Amounts = new Map();
  let looked: CalendarDate = "";
  for (const day of family.days) {
    if (day <= looked) continue;
    looked = firstFrom(days, day);
    const after = new Map(family.advance(looked).amounts);
    addAll(amountsOn(changes, looked), differenceOf(before, after));
    before = after;
  }
}

/** The first of `days` not before `day`; the last one never is. */
function firstFrom(days: readonly CalendarDate[], day: CalendarDate): CalendarDate {
  return days[firstPlaceIn(days, (each) => each >= day)] ?? day;
}

/** The figures of classes and plans as they were created. */
function beforeFirstEntry({ classes, plans, adjustments }: Ledger): () => TallyState {
  const initial = initialState(classes, plans, adjustments);
  return () => {
    const state = new TallyState();
    for (const [id, stockClass] of initial.classes) state.classes.set(id, stockClass);
    for (const [id, plan] of initial.plans) {
      state.plans.set(id, { ...plan, available: ZERO });
      addTo(state.amounts, drawKey(id, 0), plan.available);
    }
    return state;
  };
}
