// Views of past days: the figures of classes and plans day after day, computed from the tallies of families and from
// the authorized and reserved figures. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Conversion } from "../rules/conversion.ts";
import type { DayReplay } from "./day-replay.ts";
import { LotBook, type LotType } from "./lots.ts";
import {
  type Amounts,
  addTo,
  availableAfter,
  drawKey,
  issuedKey,
  namedKey,
  OPTIONS,
  type TallyState,
  WARRANTS,
} from "./tally.ts";
import type { Changes, Walked } from "./walk.ts";

/** A class with a limit, in the view of a day. */
interface ViewedClass {
  readonly id: string;
  readonly issued: Decimal;
  readonly authorized: Decimal;
}

/** A plan in the view of a day. */
interface ViewedPlan {
  readonly id: string;
  /** Negative if the plan is over its reserve. */
  readonly available: Decimal;
}

/** The figures of one day; read them before the next day's. */
export interface View {
  readonly day: CalendarDate;
  /** The classes that have a limit. */
  classes(): Iterable<ViewedClass>;
  /** The available reserve of each plan. */
  plans(): Iterable<ViewedPlan>;
  /** The outstanding stock of a class. */
  issuedOf(stockClassId: string): Decimal;
  /** The gain of a class's open stock as converted: for classes with lots. */
  addedBy(type: LotType, stockClassId: string, conversion: Conversion | undefined): Decimal;
  /** Open options and open warrants. */
  readonly options: Decimal;
  readonly warrants: Decimal;
  /** Whether a counting entry names the class or the plan. */
  isNamed(id: string): boolean;
}

/** The views of one day after the other. */
export class Views implements View {
  readonly #changes: Changes;
  readonly #changedDays: readonly CalendarDate[];
  readonly #figures: DayReplay;
  readonly #splits: Walked["splits"];
  readonly #amounts: Amounts = new Map();
  readonly #lots = new LotBook();
  #next = 0;
  day: CalendarDate = "";
  #state: TallyState;

  /** `figures` are adjustments and splits, which set authorized and reserved figures. */
  constructor(changes: Changes, figures: DayReplay, splits: Walked["splits"]) {
    this.#changes = changes;
    this.#changedDays = [...changes.keys()].sort();
    this.#figures = figures;
    this.#splits = splits;
    this.#state = figures.advance(this.day);
  }

  /** The view of a day, not earlier than that of the last call; it replaces that one. */
  on(day: CalendarDate): View {
    this.day = day;
    for (let at = this.#changedDays[this.#next]; at !== undefined && at <= day; at = this.#changedDays[++this.#next]) {
      for (const [key, difference] of this.#changes.get(at) ?? []) {
        if (!this.#lots.take(key, difference)) addTo(this.#amounts, key, difference);
      }
    }
    this.#state = this.#figures.advance(day);
    return this;
  }

  *classes(): Generator<ViewedClass> {
    for (const { id, authorized } of this.#state.classes.values()) {
      if (authorized !== null) yield { id, authorized, issued: this.issuedOf(id) };
    }
  }

  issuedOf(stockClassId: string): Decimal {
    return this.#amounts.get(issuedKey(stockClassId)) ?? ZERO;
  }

  addedBy(type: LotType, stockClassId: string, conversion: Conversion | undefined): Decimal {
    return this.#lots.addedBy(type, stockClassId, conversion);
  }

  get options(): Decimal {
    return this.#amounts.get(OPTIONS) ?? ZERO;
  }

  get warrants(): Decimal {
    return this.#amounts.get(WARRANTS) ?? ZERO;
  }

  isNamed(id: string): boolean {
    return this.#sum(namedKey(id)) > ZERO;
  }

  *plans(): Generator<ViewedPlan> {
    for (const id of this.#state.plans.keys()) {
      let available = this.#gained(id, 0);
      for (const [before, { event }] of this.#splits.entries()) {
        const counts = event.split.equityPlanIds.includes(id) && event.entry.effectiveDate <= this.day;
        if (counts) available = availableAfter(event, id, available);
        available += this.#gained(id, before + 1);
      }
      yield { id, available };
    }
  }

  /** The gain of a plan's reserve after the first so many splits. */
  #gained(id: string, splits: number): Decimal {
    return this.#sum(drawKey(id, splits));
  }

  /** The sum over securities, adjustments and splits. */
  #sum(key: string): Decimal {
    return (this.#amounts.get(key) ?? ZERO) + (this.#state.amounts.get(key) ?? ZERO);
  }
}
