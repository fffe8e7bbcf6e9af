// Warning of too few authorized shares: fewer than a class's outstanding ones and those that it may still have to
// issue.

import { formatDecimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { CountingClasses, conversionOf, sharesNeeded } from "../rules/required-authorization.ts";
import { type ClassRow, findOpenOptions, listClassesFor, listPlansFor, type PlanRow } from "./warning-store.ts";

/** A class, or a plan of one, that a write has touched. */
export interface Named {
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
}

/**
 * An organization's classes and plans after a write, and the class in which shares count: read once for all of its
 * warnings, and plans only on request, because stock of a class without a limit needs none.
 */
export class Reserving {
  readonly classes: readonly ClassRow[];
  readonly #db: Reader;
  readonly #orgId: string;
  #plans: readonly PlanRow[] | null = null;
  #counting: CountingClasses | null = null;

  constructor(db: Reader, orgId: string) {
    this.#db = db;
    this.#orgId = orgId;
    this.classes = listClassesFor(db, { orgId });
  }

  get plans(): readonly PlanRow[] {
    this.#plans ??= listPlansFor(this.#db, { orgId: this.#orgId });
    return this.#plans;
  }

  get counting(): CountingClasses {
    this.#counting ??= new CountingClasses(this.classes, this.plans);
    return this.#counting;
  }
}

/** A warning for each class touched by a write that has fewer shares authorized than it needs. */
export function shortOfReserved(
  db: Reader,
  orgId: string,
  named: readonly Named[],
  reserving = new Reserving(db, orgId),
): readonly Warning[] {
  const touched = touchedBy(named, reserving).filter((each) => isDecimalText(each.currentSharesAuthorized));
  if (touched.length === 0) return [];
  // By sums that classes and plans keep: no write may cost more with each open option or warrant.
  const needed = sharesNeeded(reserving.classes, reserving.plans, findOpenOptions(db, { orgId }) ?? "0");
  return touched.flatMap(({ id, name, currentSharesAuthorized }) => {
    const needs = needed.get(id) ?? ZERO;
    if (needs <= parseDecimal(currentSharesAuthorized)) return [];
    const detail =
      `${name} needs ${formatDecimal(needs)} shares for all that is outstanding and may still be issued of it, and has ` +
      `${currentSharesAuthorized} authorized.`;
    return [{ code: "short-of-reserved" as const, detail }];
  });
}

/** The classes that a write names, by themselves or by a plan; and what preferred stock of them converts into. */
function touchedBy(named: readonly Named[], reserving: Reserving): readonly ClassRow[] {
  const { classes } = reserving;
  const ids = new Set<string | null>();
  for (const { stockClassId, equityPlanId } of named) {
    if (stockClassId !== null) ids.add(stockClassId);
    else if (equityPlanId !== null) ids.add(reserving.counting.ofPlan(equityPlanId));
  }
  for (const row of classes) if (ids.has(row.id)) ids.add(conversionOf(row, classes)?.into ?? null);
  return classes.filter(({ id }) => ids.has(id));
}
