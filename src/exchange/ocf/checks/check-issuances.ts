// Checks issuances for contradictions although each field by itself is well formed: ends before beginnings, and one
// name for two triggers. Pure.
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { looksSwapped } from "../../../ledger/warnings/issue-warnings.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { dateOf, decimalOf, isObject, listOf, textOf, toDecimal } from "../json.ts";
import { type OcfObject, YIELD_EVERY } from "../story/object.ts";
import type { Story } from "../story/read-story.ts";

/** Checks every issuance by itself. */
export function* checkIssuances(story: Story, findings: Findings): Generator<void> {
  for (const [i, at] of story.objects.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (at.type.action !== "ISSUANCE") continue;
    checkExpiration(at, findings);
    for (const field of ["conversion_triggers", "exercise_triggers"]) checkTriggers(at, field, findings);
    checkShareNumbers(at, findings);
    checkPrice(at, story, findings);
  }
}

/** Of stock its price, of awards and warrants their strike, beside the price of the class. */
function checkPrice(at: OcfObject, story: Story, findings: Findings): void {
  const field = at.type.family === "STOCK" ? "share_price" : "exercise_price";
  const [price, quantity] = [amountOf(at, field), decimalOf(at.value, "quantity")];
  if (price === null || quantity === null) return;
  const stockClass = story.byType.get("STOCK_CLASS")?.get(textOf(at.value, "stock_class_id") ?? "");
  const usual = (stockClass && amountOf(stockClass, "price_per_share")) ?? ZERO;
  if (!looksSwapped(quantity, price, usual)) return;
  const detail = `${formatDecimal(quantity)} shares at ${formatDecimal(price)} each: quantity and price may have been swapped.`;
  const fix = "Correct the two figures, if they stand in each other's place.";
  findings.warning("price-and-quantity-swapped", { ...at, pointer: pointerTo("quantity") }, detail, fix);
}

function amountOf({ value }: OcfObject, field: string): Decimal | null {
  const money = value[field];
  return isObject(money) ? decimalOf(money, "amount") : null;
}

function checkExpiration(at: OcfObject, findings: Findings): void {
  const issued = dateOf(at.value, "date");
  for (const field of ["expiration_date", "warrant_expiration_date"]) {
    const expires = dateOf(at.value, field);
    if (issued === null || expires === null || expires >= issued) continue;
    const detail = `The security expires on ${expires}, before it is issued on ${issued}.`;
    findings.warning("dates-reversed", { ...at, pointer: pointerTo(field) }, detail, "Correct one of the two dates.");
  }
}

function checkTriggers(at: OcfObject, field: string, findings: Findings): void {
  const seen = new Set<unknown>();
  for (const [i, trigger] of listOf(at.value, field).entries()) {
    if (!isObject(trigger)) continue;
    if (typeof trigger.trigger_id === "string" && seen.has(trigger.trigger_id)) {
      const place = { ...at, pointer: pointerTo(field, i, "trigger_id") };
      const detail = `Two triggers of the security have the id ${shown(trigger.trigger_id)}.`;
      findings.problem("duplicate-trigger", place, detail, "Give each trigger an id of its own.");
    }
    seen.add(trigger.trigger_id);
    const [from, to] = [dateOf(trigger, "start_date"), dateOf(trigger, "end_date")];
    if (from === null || to === null || from <= to) continue;
    const place = { ...at, pointer: pointerTo(field, i, "end_date") };
    const detail = `The trigger's range ends on ${to}, before it begins on ${from}.`;
    findings.warning("dates-reversed", place, detail, "Exchange or correct the two dates.");
  }
}

function checkShareNumbers(at: OcfObject, findings: Findings): void {
  for (const [i, range] of listOf(at.value, "share_numbers_issued").entries()) {
    if (!isObject(range)) continue;
    const [from, to] = [toDecimal(range.starting_share_number), toDecimal(range.ending_share_number)];
    if (from === null || to === null || from <= to) continue;
    const place = { ...at, pointer: pointerTo("share_numbers_issued", i) };
    const detail = "The range of share numbers ends before it begins.";
    findings.warning("numbers-reversed", place, detail, "Exchange or correct the two numbers.");
  }
}
