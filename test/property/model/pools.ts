// What a security uses up of its plan's reserve: a charge, which follows the shares.
import { onlyClass, planOf, type Security, type State } from "./state.ts";
import { halfEven, type Units } from "./units.ts";

/** Whether a security issued so is charged against its plan. */
function isCharged({ kind, plan }: Pick<Security, "kind" | "plan">): boolean {
  return plan !== null && (kind === "STOCK" || kind === "STOCK_OPTION");
}

/** Takes a new grant's quantity from its plan. */
export function chargeGrant(state: State, security: Security): void {
  if (!isCharged(security) || security.plan === null) return;
  planOf(state, security.plan).available -= security.quantity;
  setCharge(security, security.quantity);
}

/** Takes off a security the part of its charge that belongs to `moved` of what it holds, before it holds less. */
export function takeCharge(security: Security, moved: Units): Units {
  const part = moved === security.quantity ? security.charge : halfEven(security.charge * moved, security.quantity);
  security.charge -= part;
  return part;
}

/** Gives a charge back to the security's plan. */
export function returnToPool(state: State, security: Security, charge: Units): void {
  if (security.plan !== null) planOf(state, security.plan).available += charge;
}

/** Sets the charge of a security that holds something, and remembers what a share of it is charged. */
export function setCharge(security: Security, charge: Units): void {
  security.charge = charge;
  remember(security);
}

/** Notes the charge per share, for a rise from "0" later. */
export function remember(security: Security): void {
  if (security.quantity > 0n) security.rate = { charge: security.charge, quantity: security.quantity };
}

/** A direct edit of the quantity: the charge changes in proportion, and the pool by the difference. */
export function resizeCharge(state: State, security: Security, after: Units): void {
  const { quantity: before, charge, rate } = security;
  if (security.plan === null) return;
  let next = 0n;
  if (before > 0n) next = halfEven(charge * after, before);
  else if (rate.quantity > 0n && rate.charge > 0n) next = halfEven(rate.charge * after, rate.quantity);
  else if (isCharged(security)) next = after;
  returnToPool(state, security, charge - next);
  security.charge = next;
}

/** A direct edit of the plan: the charge moves; a first plan charges the quantity. */
export function movePlan(state: State, security: Security, plan: number | null): void {
  if (plan === security.plan) return;
  if (security.plan === null) {
    security.plan = plan;
    chargeGrant(state, security);
    return;
  }
  returnToPool(state, security, security.charge);
  security.plan = plan;
  if (plan === null) setCharge(security, 0n);
  else planOf(state, plan).available -= security.charge;
}

/** A split of a class: plans for this class alone and their charges, of closed securities too. */
export function splitPlans(state: State, plans: readonly number[], numerator: bigint, denominator: bigint): void {
  for (const index of plans) {
    const plan = planOf(state, index);
    plan.reserved = halfEven(plan.reserved * numerator, denominator);
    plan.available = cutOff(plan.available * numerator, denominator);
  }
  for (const security of state.securities) {
    if (!security || security.plan === null || !plans.includes(security.plan)) continue;
    security.charge = cutOff(security.charge * numerator, denominator);
  }
}

/** The plans for one class alone. */
export function plansOf(state: State, stockClass: number): number[] {
  const isFor = (index: number) => !planOf(state, index).isDeleted && onlyClass(state, index) === stockClass;
  return state.plans.flatMap((_, index) => (isFor(index) ? [index] : []));
}

/** A new total reserve moves what is available by the same difference. */
export function setReserve(state: State, plan: number, reserved: Units): void {
  const record = planOf(state, plan);
  record.available += reserved - record.reserved;
  record.reserved = reserved;
}

function cutOff(numerator: bigint, denominator: bigint): Units {
  return numerator / denominator;
}
