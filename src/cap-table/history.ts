// How the cap table became what it is: its sums on each day on which they changed. Pure.
import type { Row } from "../database/sql.ts";
import { type CalendarDate, dayNumber } from "../kernel/date.ts";
import { formatDecimal, max, sum, ZERO } from "../kernel/decimal.ts";
import type { Ledger } from "../ledger/past/ledger.ts";
import { viewEachDay } from "../ledger/past/limits.ts";
import type { View } from "../ledger/past/views.ts";
import { classCounts, daysOfLasting, planCounts } from "./lasting.ts";
import { END_OF_TIME } from "./view.ts";

/** The sums of a day; of the classes that `GET /cap-table` shows on it. */
export interface Point {
  readonly date: CalendarDate;
  readonly classes: readonly { readonly id: string; readonly issued: string }[];
  readonly options: string;
  readonly warrants: string;
  readonly poolAvailable: string;
}

/** The points, and the first and last day on which the cap table changed; null where it never did. */
export interface History {
  readonly first: CalendarDate | null;
  readonly last: CalendarDate | null;
  readonly points: readonly Point[];
}

/** An organization's ledger with its classes and plans, deleted ones too. */
export interface Recorded extends Ledger {
  readonly classes: readonly Row<"share_classes">[];
  readonly plans: readonly Row<"equity_plans">[];
}

/** Points of a history (DASHBOARD section 2). */
const POINTS_MAX = 400;

/** What a day belongs to, from the shortest to the longest. Weeks begin on Monday. */
const PERIODS: readonly ((date: CalendarDate) => number | string)[] = [
  (date) => Math.floor((dayNumber(date) + 2) / 7),
  (date) => date.slice(0, "YYYY-MM".length),
  (date) => `${date.slice(0, "YYYY".length)} ${Math.ceil(Number(date.slice("YYYY-".length, "YYYY-MM".length)) / 3)}`,
  (date) => date.slice(0, "YYYY".length),
];

/** The history up to a day, in one pass over the ledger. */
export function historyOf(ledger: Recorded, today: CalendarDate): History {
  const { classes, plans } = ledger;
  const changed: Point[] = [];
  let before = NOTHING;
  for (const view of viewEachDay(ledger, undefined, daysOfLasting(classes, plans))) {
    if (view.day > today) break;
    const point = pointOf(view, ledger);
    const figures = figuresOf(point);
    if (figures !== before) changed.push(point);
    before = figures;
  }
  return { first: changed[0]?.date ?? null, last: changed.at(-1)?.date ?? null, points: thinned(changed) };
}

function pointOf(view: View, { classes, plans }: Recorded): Point {
  const moment = { asOf: view.day, knownAt: END_OF_TIME };
  const shown = classes.filter((row) => {
    return classCounts(row, moment, view.isNamed(row.id)) || view.issuedOf(row.id) !== ZERO;
  });
  const counting = new Set(plans.filter((row) => planCounts(row, moment, view.isNamed(row.id))).map(({ id }) => id));
  const available = Array.from(view.plans()).flatMap((plan) =>
    counting.has(plan.id) ? [max(plan.available, ZERO)] : [],
  );
  return {
    date: view.day,
    classes: shown.map(({ id }) => ({ id, issued: formatDecimal(view.issuedOf(id)) })),
    options: formatDecimal(view.options),
    warrants: formatDecimal(view.warrants),
    poolAvailable: formatDecimal(sum(available)),
  };
}

function figuresOf({ date: _date, ...figures }: Point): string {
  return JSON.stringify(figures);
}

/** A cap table without anything, which is no point where nothing was before. */
const NOTHING = figuresOf({ date: "", classes: [], options: "0", warrants: "0", poolAvailable: "0" });

/** Where there are too many points, the last of each week, month or quarter. */
function thinned(points: readonly Point[]): readonly Point[] {
  let left = points;
  for (const period of PERIODS) {
    if (left.length <= POINTS_MAX) break;
    left = points.filter(({ date }, index) => {
      const next = points[index + 1];
      return next === undefined || period(next.date) !== period(date);
    });
  }
  return left.slice(-POINTS_MAX);
}
