// History of the cap table: its sums on each day on which they changed. Pure.

import { type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { formatDecimal, max, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import type { Ledger } from "../../ledger/past/ledger.ts";
import { convertingClasses } from "../../ledger/past/lots.ts";
import { viewEachDay } from "../../ledger/past/past-limits.ts";
import type { View } from "../../ledger/past/views.ts";
import { type Conversions, conversionsOf, type TermsTold } from "../../ledger/rules/conversion.ts";
import type { Row } from "../../storage/database/sql.ts";
import { classCounts, daysOfLasting, planCounts } from "./lasting.ts";

/** The sums of a day; of the classes that `GET /cap-table` shows on it. */
export interface Point {
  readonly date: CalendarDate;
  readonly classes: readonly { readonly id: string; readonly issued: string; readonly asConverted: string }[];
  readonly options: string;
  readonly warrants: string;
  readonly warrantsAsConverted: string;
  readonly poolAvailable: string;
  /** All of it: stock and warrants as converted, options and the pool. */
  readonly asConverted: string;
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
  /** The entries that may tell how classes convert. */
  readonly terms: TermsTold["entries"];
}

/** The most points of a history: where more days changed it, the last of each week, month … stands for them. */
const POINTS_MAX = 400;

/** What a day belongs to, from the shortest to the longest. Weeks begin on Monday. */
const PERIODS: readonly ((date: CalendarDate) => number | string)[] = [
  (date) => Math.floor((dayNumber(date) + 2) / 7),
  (date) => date.slice(0, "YYYY-MM".length),
  (date) => `${date.slice(0, "YYYY".length)} ${Math.ceil(Number(date.slice("YYYY-".length, "YYYY-MM".length)) / 3)}`,
  (date) => date.slice(0, "YYYY".length),
];

/** The history up to a day, in one pass over the ledger. */
export function historyOf(recorded: Recorded, today: CalendarDate): History {
  const { classes, plans, terms } = recorded;
  const ledger = { ...recorded, converting: convertingClasses(classes, terms) };
  const conversions = new DailyConversions(ledger);
  const changed: Point[] = [];
  let before = NOTHING;
  for (const view of viewEachDay(ledger, undefined, daysOfLasting(classes, plans))) {
    if (view.day > today) break;
    const point = pointOf(view, ledger, conversions.on(view));
    const figures = figuresOf(point);
    if (figures !== before) changed.push(point);
    before = figures;
  }
  return { first: changed[0]?.date ?? null, last: changed.at(-1)?.date ?? null, points: thinned(changed) };
}

function pointOf(view: View, { classes, plans, converting }: Converting, conversions: Conversions): Point {
  const moment = { asOf: view.day, knownAt: END_OF_TIME };
  const shown = classes.filter((row) => {
    return classCounts(row, moment, view.isNamed(row.id)) || view.issuedOf(row.id) !== ZERO;
  });
  const counting = new Set(plans.filter((row) => planCounts(row, moment, view.isNamed(row.id))).map(({ id }) => id));
  const available = Array.from(view.plans()).flatMap((plan) =>
    counting.has(plan.id) ? [max(plan.available, ZERO)] : [],
  );
  const stock = shown.map(({ id }) => {
    const issued = view.issuedOf(id);
    return { id, issued, asConverted: issued + view.addedBy("STOCK", id, conversions.get(id)) };
  });
  const added = Array.from(converting, (id) => view.addedBy("WARRANT", id, conversions.get(id)));
  const [warrants, pool] = [view.warrants + sum(added), sum(available)];
  return {
    date: view.day,
    classes: stock.map(({ id, issued, asConverted }) => {
      return { id, issued: formatDecimal(issued), asConverted: formatDecimal(asConverted) };
    }),
    options: formatDecimal(view.options),
    warrants: formatDecimal(view.warrants),
    warrantsAsConverted: formatDecimal(warrants),
    poolAvailable: formatDecimal(pool),
    asConverted: formatDecimal(sum(stock.map(({ asConverted }) => asConverted)) + view.options + warrants + pool),
  };
}

/** A ledger of which it is known which classes ever convert otherwise than one for one. */
type Converting = Recorded & { readonly converting: ReadonlySet<string> };

/** How classes convert on one day after the other, worked out anew only where that may have changed. */
class DailyConversions {
  readonly #ledger: Converting;
  readonly #days: readonly CalendarDate[];
  #passed = 0;
  #used = "";
  #conversions: Conversions | null = null;

  constructor(ledger: Converting) {
    this.#ledger = ledger;
    this.#days = ledger.terms.map(({ effectiveDate }) => effectiveDate).sort();
  }

  on(view: View): Conversions {
    const { classes, terms: entries, converting } = this.#ledger;
    if (converting.size === 0) return new Map();
    const isIssued = (id: string) => view.issuedOf(id) !== ZERO;
    const deleted = classes.filter(({ deletedAt }) => deletedAt !== null);
    const used = JSON.stringify(deleted.map(({ id }) => isIssued(id)));
    let passed = this.#passed;
    while ((this.#days[passed] ?? "9") <= view.day) passed++;
    if (this.#conversions === null || passed !== this.#passed || used !== this.#used) {
      const counts = ({ effectiveDate }: { readonly effectiveDate: CalendarDate }) => effectiveDate <= view.day;
      this.#conversions = conversionsOf(classes, isIssued, { entries, counts });
    }
    [this.#passed, this.#used] = [passed, used];
    return this.#conversions;
  }
}

function figuresOf({ date: _date, ...figures }: Point): string {
  return JSON.stringify(figures);
}

/** A cap table without anything, which is no point where nothing was before. */
const NOTHING = figuresOf({
  ...{ date: "", classes: [], options: "0", warrants: "0" },
  ...{ warrantsAsConverted: "0", poolAvailable: "0", asConverted: "0" },
});

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
