// What forms put in by themselves, and the valuation in force. Pure.
import { addMonths } from "../../../kernel/date.ts";
import type { Facts, FieldSpec, Values } from "./spec.ts";

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
