// New securities.

import { TOMORROW } from "./dates.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import { classOf, type Model, onlyClass, planOf, type Security } from "./state.ts";
import type { Issuing } from "./step.ts";
import { units } from "./units.ts";

/** Issues a security. */
export function issue(model: Model, step: Issuing): void {
  const isExtension = step.op === "issue-warrant" || step.op === "issue-convertible";
  refuseIf(isExtension && step.date > TOMORROW, "validation-failed");
  const given = givenOf(model, step);
  refuseIf(given.stockClass !== null && classOf(model, given.stockClass).isDeleted, "not-found");
  const { holder, certificate, date, terms } = step;
  const quantity = units(step.quantity);
  const as: Security = { ...NEW, ...given, holder, certificate, quantity };
  const made = model.securities.length;
  model.vesting.push({
    grant: made,
    since: model.log.length,
    granted: quantity,
    grantDate: date,
    terms,
    start: step.start ?? date,
    isGrant: true,
    own: null,
    facts: [],
  });
  record(model, { date, on: [made], effect: { does: "issue", made, as } });
  if (step.op === "post-security" && step.status !== "ACTIVE") {
    record(model, { date, on: [made], effect: { does: "stand", security: made, status: step.status } });
  }
}

const NEW = {
  status: "ACTIVE",
  plan: null,
  charge: 0n,
  rate: { charge: 0n, quantity: 0n },
  price: null,
  strike: null,
  expires: null,
  isDeleted: false,
} as const;

function givenOf(model: Model, step: Issuing): Partial<Security> & Pick<Security, "kind" | "stockClass"> {
  switch (step.op) {
    case "issue-shares":
      return { kind: "STOCK", stockClass: step.stockClass, price: step.price === null ? null : units(step.price) };
    case "issue-options": {
      const { plan, expires } = step;
      refuseIf(planOf(model, plan).isDeleted, "not-found");
      const stockClass = step.stockClass ?? onlyClass(model, plan);
      return { kind: "STOCK_OPTION", plan, stockClass, strike: units(step.strike), expires };
    }
    case "issue-warrant":
      return { kind: "WARRANT", stockClass: step.stockClass, strike: units(step.strike) };
    case "issue-convertible":
      return { kind: "CONVERTIBLE", stockClass: null };
    case "post-security": {
      const { kind, plan } = step;
      refuseIf(kind === "STOCK" && step.stockClass === null, "validation-failed");
      refuseIf(kind === "STOCK_OPTION" && plan === null, "validation-failed");
      refuseIf(plan !== null && planOf(model, plan).isDeleted, "not-found");
      const ofPlan = kind === "STOCK_OPTION" && plan !== null ? onlyClass(model, plan) : null;
      return { kind, plan, stockClass: step.stockClass ?? ofPlan };
    }
  }
}
