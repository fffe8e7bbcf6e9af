// What each line of the ledger does to a cap table: to the one that stands, and to the one as of a day. What it needs
// and does not find there lets it wait.
import {
  chargeGrant,
  movePlan,
  plansOf,
  remember,
  resizeCharge,
  returnToPool,
  setCharge,
  setReserve,
  splitPlans,
  takeCharge,
} from "./pools.ts";
import type { Rules } from "./rules.ts";
import { classOf, type Effect, isOpen, type Security, type State } from "./state.ts";
import type { Status } from "./step.ts";
import { halfEven, roundShares, type Units } from "./units.ts";

/** Applies an effect; false where it has to wait for what it needs, and nothing is changed. */
export function apply(state: State, effect: Effect, rules: Rules): boolean {
  if (effect.does === "issue") {
    const made = { ...effect.as };
    state.securities[effect.made] = made;
    chargeGrant(state, made);
    return true;
  }
  if (effect.does === "split") {
    split(state, effect, rules);
    return true;
  }
  if (effect.does === "authorize") {
    const stockClass = classOf(state, effect.stockClass);
    stockClass.authorized = effect.figure ?? stockClass.authorized + effect.by;
    return true;
  }
  if (effect.does === "reserve") {
    const { reserved } = state.plans[effect.plan] ?? { reserved: 0n };
    setReserve(state, effect.plan, effect.figure ?? reserved + effect.by);
    return true;
  }
  const security = state.securities[effect.security];
  if (!security) return false;
  return applyTo(state, security, effect, rules);
}

type OnOne = Extract<Effect, { readonly security: number }>;

function applyTo(state: State, security: Security, effect: OnOne, rules: Rules): boolean {
  switch (effect.does) {
    case "move": {
      if (effect.quantity > security.quantity) return false;
      const charge = takeCharge(security, effect.quantity);
      // What was closed on the day of a view and counted nowhere makes nothing that counts.
      const { status } = security;
      reduce(security, effect.quantity, effect.closed);
      const made: Security = { ...security, status, certificate: null, ...effect.as };
      setCharge(made, rules.movesTakeChargeAlong ? charge : 0n);
      state.securities[effect.made] = made;
      return true;
    }
    case "take": {
      if (effect.quantity > security.quantity) return false;
      const charge = takeCharge(security, effect.quantity);
      reduce(security, effect.quantity, effect.closed);
      if (effect.returns) returnToPool(state, security, rules.returnsGiveTheCharge ? charge : effect.quantity);
      return true;
    }
    case "undo":
      if (effect.quantity > security.quantity) return false;
      returnToPool(state, security, takeCharge(security, effect.quantity));
      reduce(security, effect.quantity, "CANCELLED");
      return true;
    case "hand":
      security.holder = effect.holder;
      return true;
    case "place":
      security.stockClass = effect.stockClass;
      movePlan(state, security, effect.plan);
      return true;
    case "size": {
      const after = security.quantity + effect.after - effect.before;
      if (after < 0n) return false;
      resizeCharge(state, security, after);
      security.quantity = after;
      remember(security);
      return true;
    }
    case "tell":
      return true;
    case "stand":
      security.status = effect.status;
      return true;
  }
}

function reduce(security: Security, quantity: Units, closed: Status): void {
  security.quantity -= quantity;
  remember(security);
  if (security.quantity === 0n) security.status = closed;
}

/** Whether a split of a class concerns a security: open, of the class, or of a plan for it alone. */
export function isSplit(
  security: Security | undefined,
  stockClass: number,
  plans: readonly number[],
): security is Security {
  if (!isOpen(security) || security.quantity === 0n || security.kind === "CONVERTIBLE") return false;
  const isOfPlan = security.stockClass === null && security.plan !== null && plans.includes(security.plan);
  return security.stockClass === stockClass || isOfPlan;
}

function split(state: State, effect: Extract<Effect, { does: "split" }>, rules: Rules): void {
  const { stockClass, numerator, denominator, rounding, plans } = effect;
  const price = (value: Units | null) => (value === null ? null : halfEven(value * denominator, numerator));
  for (const security of state.securities) {
    if (!isSplit(security, stockClass, plans)) continue;
    security.quantity = roundShares(security.quantity * numerator, denominator, rounding);
    if (security.quantity === 0n) security.status = "CANCELLED";
    if (security.kind === "STOCK") security.price = price(security.price);
    else security.strike = price(security.strike);
  }
  const own = classOf(state, stockClass);
  own.authorized = roundShares(own.authorized * numerator, denominator, rounding);
  splitPlans(state, rules.splitsLeaveSharedPlans ? plans : allFor(state, stockClass), numerator, denominator);
  for (const security of state.securities) if (security) remember(security);
}

/** The wrong rule of a control: every plan that names the class. */
function allFor(state: State, stockClass: number): number[] {
  const shared = state.plans.flatMap((plan, index) => (plan.classes.includes(stockClass) ? [index] : []));
  return [...new Set([...plansOf(state, stockClass), ...shared])];
}
