// Day sums: amounts by key that change from day to day, and what they come to on any day. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";

/** The changes of an amount. */
interface Changing {
  readonly byDay: Map<CalendarDate, Decimal>;
  /** The days with what the amount is from each on; null until it is asked for after a change. */
  told: { readonly days: readonly CalendarDate[]; readonly amounts: readonly Decimal[] } | null;
}

/** Amounts by key and day; missing ones are zero. */
export class DaySums {
  readonly #changing = new Map<string, Changing>();

  /** Changes an amount from a day on. */
  add(key: string, day: CalendarDate, difference: Decimal): void {
    if (difference === ZERO) return;
    const changing = this.#changing.get(key) ?? { byDay: new Map(), told: null };
    this.#changing.set(key, changing);
    changing.told = null;
    const sum = (changing.byDay.get(day) ?? ZERO) + difference;
    if (sum === ZERO) changing.byDay.delete(day);
    else changing.byDay.set(day, sum);
  }

  /** The amount on a day. */
  at(key: string, day: CalendarDate): Decimal {
    const changing = this.#changing.get(key);
    if (!changing) return ZERO;
    changing.told ??= summed(changing.byDay);
    const { days, amounts } = changing.told;
    return amounts[firstPlaceIn(days, (each) => each > day) - 1] ?? ZERO;
  }
}

function summed(byDay: ReadonlyMap<CalendarDate, Decimal>) {
  const days = [...byDay.keys()].sort();
  let amount = ZERO;
  const amounts = days.map((day) => {
    amount += byDay.get(day) ?? ZERO;
    return amount;
  });
  return { days, amounts };
}
