// Packages with a fault, and what organizations answer without what is an organization's own.
import type { Fields } from "./objects.ts";

/** A package where an object of that id cannot be taken in. */
export function without(ids: readonly string[], whole: readonly Fields[]): Fields[] {
  return whole.map((object) => {
    if (!ids.includes(String(object.id))) return object;
    return { ...object, name: null, plan_name: null, text: null, initial_shares_authorized: null, quantity: null };
  });
}

const INCIDENTAL = /^(createdAt|updatedAt|asOf|organizationId|orgId|sequence|knownAt|etag|generatedAt)$/;

/** An answer without instants and what is the organization's own; lists, which are by age, in one order. */
export function bare(value: unknown, orgId: string): unknown {
  const kept = (key: string, each: unknown) => {
    if (INCIDENTAL.test(key)) return undefined;
    // Nothing charged is told as either.
    if (key === "planCharge" && each === "0") return null;
    if (!Array.isArray(each)) return each;
    return each.toSorted((one, other) => JSON.stringify(named(one)).localeCompare(JSON.stringify(named(other))));
  };
  const text = JSON.stringify(value, kept) ?? "null";
  return JSON.parse(text.replaceAll(orgId, "ORG"));
}

/** A row by what names it. */
function named(row: unknown): unknown {
  const { id, stakeholderId, stockClassId, securityId } = Object(row);
  return [id, stakeholderId, stockClassId, securityId, row];
}
