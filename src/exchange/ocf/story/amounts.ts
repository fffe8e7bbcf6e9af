// Checks a transaction's amounts and triggers against its security's. Pure.
import { type Decimal, formatDecimal, max, ZERO } from "../../../kernel/numbers/decimal.ts";
import { movesTooMuch } from "../codec/ending.ts";
import { readRestatement } from "../codec/restatement.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { decimalOf, objectsOf, textOf } from "../json.ts";
import type { OcfObject } from "./object.ts";
import type { Security } from "./security.ts";

/** The field in which a transaction says how much it moves; null where it always moves the whole. */
function amountField({ type: { action, family } }: OcfObject, security: Security): string | null {
  if (action === "CONVERSION") return family === "STOCK" ? "quantity_converted" : null;
  if (action === "REISSUANCE" || action === "RETRACTION" || (action === "EXERCISE" && family === "WARRANT"))
    return null;
  return security.family === "CONVERTIBLE" ? "amount" : "quantity";
}

/** How much a transaction moves, checked against what is held; null where it says nothing. */
export function amountOf(at: OcfObject, security: Security, findings: Findings): Decimal | null {
  const field = amountField(at, security);
  if (field === null) return at.type.action === "CONVERSION" ? null : security.held;
  const amount = decimalOf(at.value, field);
  if (amount === null) return null;
  const place = { ...at, pointer: pointerTo(field) };
  if (amount <= ZERO) {
    const detail = `The ${field} is ${formatDecimal(amount)}: nothing would move.`;
    findings.problem("not-positive", place, detail, "Write how many shares or how much the transaction moves.");
  } else if (security.held !== null && movesTooMuch({ type: at.type, amount, held: security.held })) {
    const [taken, held] = [formatDecimal(amount), formatDecimal(security.held)];
    const detail = `${taken} are taken from ${shown(security.id)}, which holds ${held}.`;
    const fix = "Correct the quantity, or the issuance; earlier transactions may have taken some already.";
    findings.problem("more-than-held", place, detail, fix);
  }
  return max(amount, ZERO);
}

/** The trigger that a transaction names must be one of its security's. */
export function checkTrigger(at: OcfObject, security: Security, findings: Findings): void {
  const triggerId = textOf(at.value, "trigger_id");
  if (triggerId === null) return;
  const { value } = security.issuance;
  const triggers = [...objectsOf(value, "conversion_triggers"), ...objectsOf(value, "exercise_triggers")];
  if (triggers.some((trigger) => trigger.trigger_id === triggerId)) return;
  const detail = `The security ${shown(security.id)} has no trigger ${shown(triggerId)}.`;
  const place = { ...at, pointer: pointerTo("trigger_id") };
  findings.problem("dangling-reference", place, detail, "Write the trigger_id of one of the triggers in its issuance.");
}

/** Shares go back to a pool at most once, and ordinarily to the plan that they came from. */
export function checkReturn(at: OcfObject, security: Security, findings: Findings): void {
  // Where a split restates what a plan granted, one security stands for all.
  if (readRestatement(textOf(at.value, "reason_text")) !== null) return;
  const quantity = decimalOf(at.value, "quantity");
  if (quantity !== null && security.most !== null && quantity > security.most) {
    const [back, most] = [formatDecimal(quantity), formatDecimal(security.most)];
    const detail = `${back} return to the pool from ${shown(security.id)}, which never held more than ${most}.`;
    const fix = "Correct the quantity: at most what was cancelled.";
    findings.problem("more-than-held", { ...at, pointer: pointerTo("quantity") }, detail, fix);
  }
  const plan = textOf(security.issuance.value, "stock_plan_id");
  if (plan === at.value.stock_plan_id) return;
  const detail = `The shares were issued under ${shown(plan)}, but return to ${shown(at.value.stock_plan_id)}.`;
  const fix = "Nothing to do if a later plan takes over what earlier ones return.";
  findings.warning("other-plan", { ...at, pointer: pointerTo("stock_plan_id") }, detail, fix);
}
