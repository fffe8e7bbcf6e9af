// How many shares of each class have to be authorized: what is outstanding of it, and all that may become of it, which
// is what the class is short of where less is authorized. Pure.
import type { Row } from "../database/sql.ts";
import { type Decimal, max, parseDecimal, ZERO } from "../kernel/decimal.ts";

type ClassRow = Pick<Row<"share_classes">, "id" | "classType" | "issued">;
type PlanRow = Pick<Row<"equity_plans">, "id" | "stockClassIds" | "currentSharesReserved">;
type OptionRow = Pick<Row<"securities">, "stockClassId" | "equityPlanId">;
type OpenRow = OptionRow & Pick<Row<"securities">, "type" | "quantity">;

/** Tells which class options and reserves are of. Classes, not deleted, come oldest first. */
export class CountingClasses {
  readonly #firstOfPlan: ReadonlyMap<string, string | undefined>;
  /** The oldest common class: what names no other counts there. Null without one. */
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

/**
 * What each class needs, by its id: issued stock, open options and warrants of it, the available reserves of plans
 * whose first class it is, and for preferred stock as many of the oldest common class. `open` are ACTIVE securities;
 * nothing that is deleted is given.
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
  for (const { id, classType, issued } of classes) {
    add(id, parseDecimal(issued));
    if (classType === "PREFERRED") add(counting.oldestCommon, parseDecimal(issued));
  }
  for (const security of open) {
    if (security.type === "STOCK_OPTION") add(counting.ofOption(security), parseDecimal(security.quantity));
    if (security.type === "WARRANT") add(security.stockClassId, parseDecimal(security.quantity));
  }
  for (const { id, currentSharesReserved } of plans) {
    add(counting.ofPlan(id), max(ZERO, parseDecimal(currentSharesReserved)));
  }
  return needed;
}
