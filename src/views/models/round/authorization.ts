// Authorization of shares: how many of each class have to be authorized after a round. Those are the outstanding ones,
// options and warrants of it, reserves held for it, and what converts into it, as converted; a charter that authorizes
// less cannot honour them. Pure.
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Company, classesByKey } from "../model-company.ts";
import { countOf } from "../table-model.ts";

export interface Authorization {
  readonly stockClassId: string | null;
  readonly name: string;
  readonly authorized: string | null;
  readonly needed: string;
  readonly shortfall: string;
}

/** What each class needs, in the order of the company's classes. */
export function authorizationOf(company: Company): readonly Authorization[] {
  const needed = neededOf(company);
  return company.classes.map(({ key, id, name, authorized }) => {
    const needs = needed.get(key) ?? ZERO;
    const short = authorized !== null && needs > authorized ? needs - authorized : ZERO;
    return {
      stockClassId: id,
      name,
      authorized: authorized === null ? null : formatDecimal(authorized),
      needed: formatDecimal(needs),
      shortfall: formatDecimal(short),
    };
  });
}

function neededOf(company: Company): ReadonlyMap<string, Decimal> {
  const classes = classesByKey(company);
  const plans = new Map(company.plans.map((plan) => [plan.key, plan]));
  const common = company.classes.find(({ classType }) => classType === "COMMON")?.key ?? null;
  const needed = new Map<string, Decimal>();
  const addTo = (key: string | null, quantity: Decimal) => {
    if (key !== null) needed.set(key, (needed.get(key) ?? ZERO) + quantity);
  };
  for (const security of company.held) {
    if (security.type === "CONVERTIBLE") continue;
    if (security.type === "STOCK_OPTION") {
      const ofPlan = security.planKey === null ? common : (plans.get(security.planKey)?.classKey ?? common);
      addOption(security.classKey ?? ofPlan, security.quantity);
      continue;
    }
    addTo(security.classKey, security.quantity);
    const into = security.classKey === null ? null : (classes.get(security.classKey)?.intoKey ?? null);
    if (into !== null) addTo(into, countOf(security, classes));
  }
  for (const { available, classKey } of company.plans) if (available > ZERO) addTo(classKey ?? common, available);
  return needed;

  /** Options count one for one, also where their class converts. */
  function addOption(key: string | null, quantity: Decimal): void {
    addTo(key, quantity);
    const into = key === null ? null : (classes.get(key)?.intoKey ?? null);
    if (into !== null) addTo(into, quantity);
  }
}
