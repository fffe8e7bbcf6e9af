// Required authorization: the shares of each class that must be authorized, for its outstanding stock and all that may
// become of it. The class is short if fewer are. Pure.

import { type Decimal, max, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row } from "../../storage/database/sql.ts";
import { convertedByRight, countingRight, oldestCommon, rightsOf } from "./class-terms.ts";

type ClassRow = Pick<Row<"share_classes">, "id" | "classType" | "conversionRights">;
type PlanRow = Pick<Row<"equity_plans">, "id" | "stockClassIds">;
type OptionRow = Pick<Row<"securities">, "stockClassId" | "equityPlanId">;
/** A class with its sums. */
type SummedClass = ClassRow & Pick<Row<"share_classes">, "issued" | "openOptions" | "openWarrants">;
/** A plan with its sums. */
type SummedPlan = PlanRow & Pick<Row<"equity_plans">, "currentSharesReserved" | "openOptions">;

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
 * it. `openOptions` is the sum of the options that name neither class nor plan; deleted records must not be passed.
 * Stock and warrants convert by their class's sum, which may round to a share less or more than each by itself.
 */
export function sharesNeeded(
  classes: readonly SummedClass[],
  plans: readonly SummedPlan[],
  openOptions: string,
): ReadonlyMap<string, Decimal> {
  const counting = new CountingClasses(classes, plans);
  const needed = new Map<string, Decimal>();
  const add = (id: string | null, quantity: Decimal) => {
    if (id !== null) needed.set(id, (needed.get(id) ?? ZERO) + quantity);
  };
  const conversions = new Map(classes.map((row) => [row.id, conversionOf(row, classes)]));
  const addOptions = (id: string | null, quantity: string) => {
    const options = parseDecimal(quantity);
    add(id, options);
    add((id === null ? null : conversions.get(id)?.into) ?? null, options);
  };
  for (const row of classes) {
    const conversion = conversions.get(row.id);
    for (const quantity of [parseDecimal(row.issued), parseDecimal(row.openWarrants)]) {
      add(row.id, quantity);
      if (conversion) add(conversion.into, conversion.count(quantity));
    }
    addOptions(row.id, row.openOptions);
  }
  for (const plan of plans) {
    addOptions(counting.ofPlan(plan.id), plan.openOptions);
    add(counting.ofPlan(plan.id), max(ZERO, parseDecimal(plan.currentSharesReserved)));
  }
  addOptions(counting.oldestCommon, openOptions);
  return needed;
}
