// The splits that were recorded before an import began, and the class's securities of then.

import { splitIn } from "../../../ledger/replay/replay.ts";
import { listSplits } from "../../../ledger/replay/replay-store.ts";
import type { Split } from "../../../ledger/splits/stock-split.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { listNewestDays } from "../store.ts";

/** The subject of a row: stock of a class, options and warrants into it or of its plan, or class or plan itself. */
export interface Counted {
  readonly type?: string;
  readonly classId?: string | null | undefined;
  readonly planId?: string | null | undefined;
}

interface SplitThere extends Split {
  readonly date: string;
}

/** The recorded splits, and those that the file itself has. */
export class SplitsThere {
  readonly #splits: readonly SplitThere[];
  readonly #passed = new Set<string>();
  readonly #newest: ReadonlyMap<string, string>;
  /** The day up to which figures include splits: null if each row has its own. */
  readonly #balancesOf: string | null;

  constructor(db: Reader, orgId: string, balancesOf: string | null) {
    this.#splits = listSplits(db, orgId).flatMap((row) => {
      const split = splitIn(row);
      return split === null ? [] : [{ ...split, date: row.effectiveDate }];
    });
    this.#balancesOf = balancesOf;
    this.#newest = new Map(listNewestDays(db, { orgId }).map(({ stockClassId, day }) => [stockClassId, day]));
  }

  /** The last day on which an open security of the class was issued, of those that existed; null without any. */
  newestDay(classId: string): string | null {
    return this.#newest.get(classId) ?? null;
  }

  /** Notes that the file has come to a recorded split: later rows of that day count shares of after it. */
  pass(classId: string, date: string): void {
    this.#passed.add(`${classId} ${date}`);
  }

  /** The split that a count of this day does not include; undefined without one. */
  since(day: string, counted: Counted): SplitThere | undefined {
    if (counted.type === "CONVERTIBLE") return undefined;
    return this.#splits.find((split) => {
      if (this.#passed.has(`${split.stockClassId} ${split.date}`)) return false;
      return this.#isAfter(split, day) && isConcerned(split, counted);
    });
  }

  #isAfter({ date }: SplitThere, day: string): boolean {
    return this.#balancesOf === null ? day <= date : this.#balancesOf < date;
  }
}

function isConcerned(split: Split, { type, classId, planId }: Counted): boolean {
  if (split.isStockOnly && type !== undefined && type !== "STOCK") return false;
  if (classId === split.stockClassId) return true;
  return (classId ?? null) === null && planId != null && split.equityPlanIds.includes(planId);
}
