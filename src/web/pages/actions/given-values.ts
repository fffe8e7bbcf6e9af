// Default values that a form fills in, from the organization's records. Pure.
import type { Facts, FieldSpec, Values } from "./spec.ts";

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
