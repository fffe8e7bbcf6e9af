// What forms put in by themselves: the valuation in force, what can be exercised, the next number. Pure.
import { addMonths } from "../../../kernel/date.ts";
import { formatDecimal, min, parseDecimal } from "../../../kernel/decimal.ts";
import type { Facts, FieldSpec, Security, Values } from "./spec.ts";

/** How long after its day a 409A valuation may be relied on. */
const VALUATION_MONTHS = 12;

/** The 409A valuation of a class that is in force on a day: the latest of those approved; null without one. */
export function valuationInForce(valuations: Facts["valuations"], stockClassId: string | null, day: string) {
  const fitting = valuations.filter((each) => {
    const { type, status, effectiveDate, expirationDate } = each;
    if (type !== "409A" || each.stockClassId !== stockClassId || effectiveDate > day) return false;
    if (status !== "APPROVED" && status !== "EXPIRED") return false;
    return day <= addMonths(effectiveDate, VALUATION_MONTHS) && (expirationDate === null || day <= expirationDate);
  });
  return fitting.reduce<Facts["valuations"][number] | null>(
    (latest, each) => (latest === null || each.effectiveDate > latest.effectiveDate ? each : latest),
    null,
  );
}

/** The class whose shares a plan's options buy; null where that is not plain. */
export function classOfPlan(plans: Facts["plans"], id: string | undefined): string | null {
  return plans.find((plan) => plan.id === id)?.stockClassIds[0] ?? null;
}

/** What of a security can be exercised now: what has vested, less what was exercised, and not above what is held. */
export function exercisableOf(security: Security, vesting: Facts["vesting"]): string {
  if (vesting === null) return security.quantity;
  const left = parseDecimal(vesting.vested) - min(parseDecimal(vesting.exercised), parseDecimal(vesting.vested));
  return formatDecimal(min(left, parseDecimal(security.quantity)));
}

/** The number after the last of some, with the same beginning: `ES-9`, `ES-10` → `ES-11`. */
export function numberAfter(taken: readonly (string | null)[], beginning: string): string {
  let [head, highest] = [beginning, 0n];
  for (const id of taken) {
    const found = /^(.*?)(\d{1,9})$/.exec(id ?? "");
    if (found === null || BigInt(found[2] ?? 0) <= highest) continue;
    [head, highest] = [found[1] ?? "", BigInt(found[2] ?? 0)];
  }
  return `${head}${highest + 1n}`;
}

/** What fields are given, by name. */
export type Given = Readonly<Record<string, string>>;

/**
 * What changes where fields are given something else than before: only where what was given stands, or nothing.
 */
export function givenChanges(fields: readonly FieldSpec[], values: Values, facts: Facts, before: Given) {
  const changes: Record<string, string> = {};
  const given: Record<string, string> = { ...before };
  for (const { name, given: giving } of fields) {
    const [is, was] = [values[name] ?? "", before[name]];
    const value = giving?.({ ...values, ...changes }, facts) ?? (was === undefined ? undefined : "");
    if (giving === undefined || value === undefined) continue;
    given[name] = value;
    const isUntouched = was === undefined ? is === "" : is === was;
    if (isUntouched && is !== value) changes[name] = value;
  }
  return { changes, given };
}
