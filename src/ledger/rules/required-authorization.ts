// Required authorization: the shares of each class that must be authorized, for its outstanding stock and all that may
// become of it. The class is short if fewer are. Pure.

import { type Decimal, max, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row } from "../../storage/database/sql.ts";
import { convertedByRight, countingRight, oldestCommon, rightsOf } from "./class-terms.ts";

type ClassRow = Pick<Row<"share_classes">, "id" | "classType" | "issued" | "conversionRights">;
type PlanRow = Pick<Row<"equity_plans">, "id" | "stockClassIds" | "currentSharesReserved">;
type OptionRow = Pick<Row<"securities">, "stockClassId" | "equityPlanId">;
type OpenRow = OptionRow & Pick<Row<"securities">, "type" | "quantity">;

/** Finds the class of options and reserves. Classes, not deleted, come oldest first. */
export class CountingClasses {
  readonly #firstOfPlan: ReadonlyMap<string, string | undefined>;
  /** The oldest common class: securities without a class count there. Null without one. */
  readonly oldestCommon: string | null;

  constructor(classes: readonly ClassRow[], plans: readonly PlanRow[]) {
    this.oldestCommon = classes.find(({ classType }) => classType === "COMMON")?.id ?? null;
    this.#firstOfPlan = new Map(plans.map(({ id, stockClassIds }) => [id, (JSON.parse(stockClassIds) as string[])[0]]));
  }

  /** The class that a plan's reserve is held for: its first, else the oldest common one. */
  ofPlan(equityPlanId: string): string | null {
    return this.#firstOfPlan.get(equityPlanId) ?? this.oldestCommon;
  }

  /** The class that an option is for: its own, else its plan's. */
  ofOption({ stockClassId, equityPlanId }: OptionRow): string | null {
    if (stockClassId !== null) return stockClassId;
    return equityPlanId === null ? this.oldestCommon : this.ofPlan(equityPlanId);
  }
}

/** The class that a preferred class converts into, and the number of shares of it. */
export interface Conversion {
  readonly into: string | null;
  count(quantity: Decimal): Decimal;
}

/** How a class converts; null if it does not. */
export function conversionOf(
  row: Pick<ClassRow, "classType" | "conversionRights">,
  classes: readonly ClassRow[],
): Conversion | null {
  if (row.classType !== "PREFERRED") return null;
  const right = countingRight(rightsOf(row), classes);
  return {
    into: right.stockClassId ?? oldestCommon(classes),
    count: (quantity) => convertedByRight(right, quantity),
  };
}

/**
 * The need of each class, by its id: issued stock, open options and warrants of it, the available reserves of plans
 * whose first class it is, and the as-converted stock, warrants and options of the preferred classes that convert into
 * it. `open` are ACTIVE securities; deleted records must not be passed.
 */
export function sharesNeeded(
  classes: readonly ClassRow[],
  plans: readonly PlanRow[],
  open: Iterable<OpenRow>,
): ReadonlyMap<string, Decimal> {
  const counting = new CountingClasses(classes, plans);
  const needed = new Map<string, Decimal>();
  const add = (id: string | null, quantity: Decimal) => {
    if (id !== null) needed.set(id, (needed.get(id) ?? ZERO) + quantity);
  };
  const conversions = new Map(classes.map((row) => [row.id, conversionOf(row, classes)]));
  const addConverted = (id: string | null, quantity: Decimal, isOneForOne = false) => {
    add(id, quantity);
    const conversion = id === null ? null : conversions.get(id);
    if (conversion) add(conversion.into, isOneForOne ? quantity : conversion.count(quantity));
  };
  for (const { id, issued } of classes) addConverted(id, parseDecimal(issued));
  for (const security of open) {
    const quantity = parseDecimal(security.quantity);
    if (security.type === "STOCK_OPTION") addConverted(counting.ofOption(security), quantity, true);
    if (security.type === "WARRANT") addConverted(security.stockClassId, quantity);
  }
  for (const { id, currentSharesReserved } of plans) {
    add(counting.ofPlan(id), max(ZERO, parseDecimal(currentSharesReserved)));
  }
  return needed;
}
