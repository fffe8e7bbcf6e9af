// Tiers of an exit, paid one before the other: notes by seniority; preferred by seniority, with all SAFEs' cash beside
// the most senior class that has shares (YC: on par with preferred); what discounts add; and the residual after them.
// Pure.

import { type Fraction, isPositive, times } from "../fraction.ts";
import type { ModelClass } from "../model-company.ts";
import type { Pay, Tier, Unit } from "./unit.ts";

/** Preferred classes by seniority, then as they came to be. */
export function preferredOf(classes: readonly ModelClass[]): readonly ModelClass[] {
  return classes.filter(({ classType }) => classType === "PREFERRED").sort((a, b) => a.seniority - b.seniority);
}

/** Who is paid before whom. */
export function tiersOf(units: readonly Unit[], classes: readonly ModelClass[]): readonly Tier[] {
  const tiers = new Map<string, { claims: { unit: number; amount: Fraction }[]; calls: number[] }>();
  const tier = (key: string) => {
    const made = tiers.get(key) ?? { claims: [], calls: [] };
    tiers.set(key, made);
    return made;
  };
  const notes = [...new Set(units.flatMap(({ pay }) => (isNote(pay) ? [pay.security.terms.seniority] : [])))];
  for (const seniority of notes.sort((a, b) => a - b)) tier(`note ${seniority}`);
  const ranks = classes.filter(({ key }) => units.some(({ classKey }) => classKey === key)).filter(isPreferred);
  const senior = preferredOf(ranks).find(({ key }) => units.some((u) => u.classKey === key && u.kind === "PREFERRED"));
  const safes = senior ? `class ${senior.seniority}` : "safes";
  if (!senior) tier(safes);
  for (const { seniority } of preferredOf(ranks)) tier(`class ${seniority}`);
  const seniorityOf = new Map(classes.map(({ key, seniority }) => [key, seniority]));
  for (const [unit, { pay, count, classKey }] of units.entries()) {
    if (pay.kind === "CONVERTIBLE") {
      const name = isNote(pay) ? `note ${pay.security.terms.seniority}` : safes;
      tier(name).claims.push({ unit, amount: pay.cash });
      if (isPositive(pay.premium)) tier("premiums").claims.push({ unit, amount: pay.premium });
    } else if (pay.kind === "PREFERRED") {
      tier(`class ${seniorityOf.get(classKey ?? "")}`).claims.push({ unit, amount: times(count, pay.share.claim) });
    } else if (pay.kind === "PREFERRED_CALL") {
      tier(`class ${seniorityOf.get(classKey ?? "")}`).calls.push(unit);
    }
  }
  return [...tiers.values()].filter(({ claims, calls }) => claims.length + calls.length > 0);
}

function isNote(pay: Pay): pay is Extract<Pay, { kind: "CONVERTIBLE" }> {
  return pay.kind === "CONVERTIBLE" && pay.security.terms.convertibleType !== "SAFE";
}

const isPreferred = ({ classType }: ModelClass) => classType === "PREFERRED";
