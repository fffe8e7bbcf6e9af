// Securities that a model's body adds to a company, after all others. Pure.
import type { Static } from "@sinclair/typebox";
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { formOf } from "../../../storage/records/terms-form.ts";
import { Missing } from "../missing.ts";
import { type Company, type Held, type Holder, withMore } from "../model-company.ts";
import { holderByName } from "../round/plan.ts";
import type { CapTableModelBody } from "../schema.ts";
import { termsForModels } from "./terms.ts";

export type Added = NonNullable<Static<typeof CapTableModelBody>["add"]>[number];

/** The company with what is added. Throws `404` for what that names and is not there, `422` for a key that is taken. */
export function addTo(company: Company, added: readonly Added[] | undefined, asOf: CalendarDate): Company {
  if (added === undefined || added.length === 0) return company;
  const holders = new Map(company.holders.map((holder) => [holder.key, holder]));
  const plans = new Map(company.plans.map((plan) => [plan.key, plan]));
  const taken = new Set(company.held.map(({ key }) => key));
  const held: Held[] = [];
  const findings: Finding[] = [];
  const draw = (planKey: string, quantity: Decimal) => {
    const plan = plans.get(planKey);
    if (!plan || plan.id === null || plan.isDeleted) throw new Missing("equity plan", planKey);
    plans.set(planKey, withMore(plan, quantity));
  };
  for (const [index, each] of added.entries()) {
    const quantity = parseDecimal(each.quantity);
    if (each.type === "RESERVE") {
      draw(each.equityPlanId ?? "", quantity);
      continue;
    }
    const key = each.key ?? `add-${index + 1}`;
    if (taken.has(key)) findings.push([`#/add/${index}/key`, "is the id of a security"]);
    const holder = holderOf(each, holders);
    holders.set(holder.key, holder);
    held.push(heldOf(company, each, { key, holder: holder.key, quantity, grantDate: each.date ?? asOf }));
    if (each.type === "STOCK_OPTION") draw(each.equityPlanId ?? "", -quantity);
  }
  refuse(findings);
  return { ...company, holders: [...holders.values()], plans: [...plans.values()], held: [...company.held, ...held] };
}

function holderOf({ stakeholderId, name }: Added, known: ReadonlyMap<string, Holder>): Holder {
  if (!stakeholderId) return known.get(holderByName(String(name)).key) ?? holderByName(String(name));
  const holder = known.get(stakeholderId);
  if (!holder || holder.id === null || holder.isDeleted) throw new Missing("stakeholder", stakeholderId);
  return holder;
}

interface Placed {
  readonly key: string;
  readonly holder: string;
  readonly quantity: Decimal;
  readonly grantDate: CalendarDate;
}

function heldOf(company: Company, each: Added, placed: Placed): Held {
  const base = { ...placed, id: null, name: placed.key };
  const strike = each.exercisePrice ? parseDecimal(each.exercisePrice) : null;
  if (each.type === "STOCK_OPTION") {
    const planKey = each.equityPlanId ?? "";
    return { ...base, type: "STOCK_OPTION", planKey, classKey: null, strike, unvested: ZERO, expirationDate: null };
  }
  if (each.type === "CONVERTIBLE" && each.convertibleTerms) {
    const form = formOf(each.convertibleTerms, { securityId: placed.key, grantDate: placed.grantDate });
    for (const { stockClassId } of form.triggers) if (stockClassId !== null) requireClass(company, stockClassId);
    return { ...base, type: "CONVERTIBLE", terms: termsForModels(form) };
  }
  const classKey = each.stockClassId ?? "";
  requireClass(company, classKey);
  if (each.type === "WARRANT") return { ...base, type: "WARRANT", classKey, strike, expirationDate: null };
  return { ...base, type: "STOCK", classKey };
}

function requireClass(company: Company, id: string): void {
  if (!company.classes.some((each) => each.id === id)) throw new Missing("share class", id);
}
