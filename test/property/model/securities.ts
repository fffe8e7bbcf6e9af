// What ends or corrects a security: cancellation, repurchase, retraction, deletion, direct edit.
import { correct, editEffects, isCorrection } from "./correcting.ts";
import { differsAhead, isTooEarly, latestThrough, TODAY, TOMORROW } from "./dates.ts";
import { refuseWrongVested } from "./moves.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import { classOf, type Model, planOf, type Security, securityOf, vestingOf } from "./state.ts";
import type { Editing, Recording, Taking } from "./step.ts";
import { units } from "./units.ts";

/** Ends or corrects a security. */
export function changeSecurity(model: Model, step: Taking | Editing | Recording): void {
  const security = securityOf(model, step.security);
  const isExtension = step.op === "repurchase" || step.op === "retract";
  refuseIf(isExtension && step.date > TOMORROW, "validation-failed");
  refuseIf(security.isDeleted, "not-found");
  if (step.op === "record-only") return;
  if (step.op === "patch-security") {
    edit(model, security, step);
    return;
  }
  if (step.op === "delete-security") {
    refuseIf(differsAhead(model, step.security), "invalid-state");
    if (security.status === "ACTIVE") undo(model, step.security, TODAY);
    security.isDeleted = true;
    return;
  }
  refuseIf(security.status !== "ACTIVE", "invalid-state");
  const isEarly = isExtension && isTooEarly(step.date, latestThrough(model, step.security));
  // A fault of the body is reported before the conflict of its day.
  if (step.op !== "retract") refuseWrongTaking(model, security, step);
  refuseIf(isEarly, "invalid-state");
  if (step.op === "retract") undo(model, step.security, step.date);
  else take(model, step);
}

type Cutting = Extract<Taking, { op: "cancel" | "repurchase" }>;

function refuseWrongTaking(model: Model, { kind, quantity: held }: Security, step: Cutting): void {
  refuseIf(step.op === "repurchase" && kind !== "STOCK", "validation-failed");
  const quantity = units(step.quantity);
  refuseIf(quantity > held, "validation-failed");
  refuseWrongVested(model, step.security, { date: step.date, quantity, vested: vestedOf(step) });
}

const vestedOf = ({ vested }: Cutting) => (vested === null ? null : units(vested));

function take(model: Model, step: Cutting) {
  const { security, date, returnToPool: returns } = step;
  const [quantity, vested] = [units(step.quantity), vestedOf(step)];
  vestingOf(model, security).facts.push({ is: "cut", entry: model.log.length, date, quantity, vested });
  const closed = step.op === "cancel" ? "CANCELLED" : "REPURCHASED";
  record(model, { date, on: [security], effect: { does: "take", security, quantity, closed, returns } });
}

/** As never issued: nothing stays, and what it still charges goes back to its plan. */
function undo(model: Model, security: number, date: string): void {
  const { quantity } = securityOf(model, security);
  vestingOf(model, security).facts.push({ is: "cut", entry: model.log.length, date, quantity, vested: null });
  record(model, { date, on: [security], effect: { does: "undo", security, quantity } });
}

/** A direct edit: an entry for each member that changes, in the order holder, class or plan, quantity, status. */
function edit(model: Model, record_: Security, { security, edit: changes }: Editing): void {
  const { stockClass, plan, status, price, strike } = changes;
  // What it names already stands, deleted or not.
  const isOther = (given: number | null | undefined, own: number | null): given is number =>
    typeof given === "number" && given !== own;
  refuseIf(isOther(stockClass, record_.stockClass) && classOf(model, stockClass).isDeleted, "not-found");
  refuseIf(isOther(plan, record_.plan) && planOf(model, plan).isDeleted, "not-found");
  const place = { stockClass: or(stockClass, record_.stockClass), plan: or(plan, record_.plan) };
  const isRevived = status === "ACTIVE" && record_.status !== "ACTIVE";
  refuseIf(isRevived && isOnDeleted(model, place), "invalid-state");
  refuseIf(stockClass === null && record_.kind === "STOCK", "validation-failed");
  refuseIf(plan === null && record_.kind === "STOCK_OPTION", "validation-failed");
  const isOfShares = editEffects(record_, security, changes).some(({ does }) => does === "size" || does === "stand");
  refuseIf(isOfShares && differsAhead(model, security), "invalid-state");
  if (isCorrection(model, security, changes)) correct(model, security, changes);
  else editFrom(model, security, changes);
  if (price !== undefined) record_.price = units(price);
  if (strike !== undefined) record_.strike = units(strike);
}

/** A change of members that counts from today on. */
function editFrom(model: Model, security: number, changes: Editing["edit"]): void {
  for (const effect of editEffects(securityOf(model, security), security, changes)) {
    if (effect.does === "size") {
      const { before, after } = effect;
      const { facts } = vestingOf(model, security);
      const entry = model.log.length;
      if (after > before) facts.push({ is: "grown", entry, before, after });
      else facts.push({ is: "cut", entry, date: TODAY, quantity: before - after, vested: null });
    }
    record(model, { date: TODAY, on: [security], effect });
  }
}

function isOnDeleted(model: Model, { stockClass, plan }: Pick<Security, "stockClass" | "plan">): boolean {
  const isClassDeleted = stockClass !== null && classOf(model, stockClass).isDeleted;
  return isClassDeleted || (plan !== null && planOf(model, plan).isDeleted);
}

function or<T>(given: T | undefined, otherwise: T): T {
  return given === undefined ? otherwise : given;
}
