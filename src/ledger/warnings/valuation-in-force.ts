// The 409A valuation in force on a day: the one against whose price a strike is compared, by 26 CFR
// 1.409A-1(b)(5)(iv)(B). Pure.

import { addMonths, type CalendarDate } from "../../kernel/date.ts";
import type { Row } from "../../storage/database/sql.ts";

/** What says of a valuation when it is in force. */
type DatedValuation = Pick<Row<"valuations">, "type" | "status" | "stockClassId" | "effectiveDate" | "expirationDate">;

/** How long after its effective date a valuation may be relied on. */
const MONTHS = 12;

/** The last day on which a valuation may be relied on: twelve months after its effective date, or its expiration. */
export function lastDayOf({ effectiveDate, expirationDate }: DatedValuation): CalendarDate {
  const latest = addMonths(effectiveDate, MONTHS);
  return expirationDate !== null && expirationDate < latest ? expirationDate : latest;
}

interface Term<V> {
  readonly valuation: V;
  readonly lastDay: CalendarDate;
}

/** The 409A valuations that were approved, those too that have expired since, by class. */
export class Valuations409A<V extends DatedValuation> {
  readonly #terms: ReadonlyMap<string | null, readonly Term<V>[]>;

  /** `valuations` may be of any kind; they come in the order in which they were made. */
  constructor(valuations: readonly V[]) {
    const approved = valuations.filter(({ type, status }) => {
      return type === "409A" && (status === "APPROVED" || status === "EXPIRED");
    });
    const terms = approved.map((valuation) => ({ valuation, lastDay: lastDayOf(valuation) }));
    this.#terms = Map.groupBy(terms, ({ valuation }) => valuation.stockClassId);
  }

  /** All of a class. */
  of(stockClassId: string): readonly V[] {
    return (this.#terms.get(stockClassId) ?? []).map(({ valuation }) => valuation);
  }

  /** The one of a class in force on a day: the latest, of several of one day the last made; null without one. */
  inForce(stockClassId: string | null, day: CalendarDate): V | null {
    let found: V | null = null;
    for (const { valuation, lastDay } of stockClassId === null ? [] : (this.#terms.get(stockClassId) ?? [])) {
      if (valuation.effectiveDate > day || day > lastDay) continue;
      if (found === null || valuation.effectiveDate >= found.effectiveDate) found = valuation;
    }
    return found;
  }
}
