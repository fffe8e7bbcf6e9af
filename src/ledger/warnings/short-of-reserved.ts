// Warning of too few authorized shares: fewer than a class's outstanding ones and those that it may still have to
// issue.

import {
  type Decimal,
  formatDecimal,
  isDecimalText,
  max,
  parseDecimal,
  sum,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { splitIn } from "../replay/replay.ts";
import { listSplits } from "../replay/replay-store.ts";
import { CountingClasses, conversionOf, sharesNeeded } from "../rules/required-authorization.ts";
import type { SplitRatio } from "../splits/stock-split.ts";
import { type ClassRow, listClassesFor, listOpenOfType, listPlansFor, type PlanRow } from "./warning-store.ts";

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
  const { classes, plans } = reserving;
  const warrants = listOpenOfType(db, { orgId, type: "WARRANT" });
  const [reserved, inWarrants] = [mostReserved(db, orgId, plans), sum(warrants.map(quantityOf))];
  const possible = touched.filter((each) => isPossiblyShort(each, classes, reserved, inWarrants));
  if (possible.length === 0) return [];
  const needed = sharesNeeded(classes, plans, [...warrants, ...listOpenOfType(db, { orgId, type: "STOCK_OPTION" })]);
  return possible.flatMap(({ id, name, currentSharesAuthorized }) => {
    const needs = needed.get(id) ?? ZERO;
    if (needs <= parseDecimal(currentSharesAuthorized)) return [];
    const detail =
      `${name} needs ${formatDecimal(needs)} shares for all that is outstanding and may still be issued of it, and has ` +
      `${currentSharesAuthorized} authorized.`;
    return [{ code: "short-of-reserved" as const, detail }];
  });
}

const quantityOf = ({ quantity }: { readonly quantity: string }) => parseDecimal(quantity);

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

/**
 * Whether a class could be short at all, by a cheap upper bound: open options are within their plans' reserves, times
 * the growth by splits. Most classes have room for that, so that most writes need not read each option.
 */
function isPossiblyShort(
  { id, issued, currentSharesAuthorized }: ClassRow,
  classes: readonly ClassRow[],
  reserved: Decimal,
  warrants: Decimal,
): boolean {
  const into = classes.flatMap((each) => {
    const conversion = conversionOf(each, classes);
    return conversion?.into === id ? [{ stock: parseDecimal(each.issued), count: conversion.count }] : [];
  });
  // Each option and warrant counts once, as it is or converted; rounded up by itself it may be a share more.
  const others = reserved + warrants;
  const converted = into.map(({ count }) => count(others)).filter((count) => count > others);
  const most = converted.length === 0 ? others : converted.reduce(max) + warrants;
  const stock = sum(into.map(({ stock: held, count }) => count(held)));
  return parseDecimal(issued) + stock + most > parseDecimal(currentSharesAuthorized);
}

/** No less than all options and available reserves, by what plans reserve and which splits there were. */
function mostReserved(db: Reader, orgId: string, plans: readonly PlanRow[]): Decimal {
  const reserves = plans.map(({ totalSharesReserved, currentSharesReserved }) => {
    const [reserved, available] = [parseDecimal(totalSharesReserved), parseDecimal(currentSharesReserved)];
    return max(reserved, reserved - available);
  });
  const reserved = sum(reserves);
  if (reserved === ZERO) return ZERO;
  return listSplits(db, orgId)
    .flatMap((row) => splitIn(row) ?? [])
    .reduce((most, split) => most * growth(split), reserved);
}

/**
 * What a split multiplies options by at most, beside the reserve of their plan: it may leave a plan for several classes
 * as it was, and round a whole share's part up to a share.
 */
function growth({ numerator, denominator }: SplitRatio): bigint {
  const [more, fewer] = numerator > denominator ? [numerator, denominator] : [denominator, numerator];
  return 2n + more / fewer;
}
