// Restatements of a plan's grants and exercises after a split. OCF has no word for it: a balance is not a new grant,
// and exercised options stay as they were. So a return to the pool, negative if the plan gives more, makes OCF's own
// sum of reserve, grants and returns right, and its reason names the figures, for people and for our import. Pure.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { ImportedEffect } from "../../../ledger/imported-members.ts";
import type { PlanUse } from "../../../ledger/rules/plan-use.ts";
import { decimalOf, type JsonObject, textOf } from "../json.ts";
import { requiredCount } from "./values.ts";

/** The reason of such a return: what `was` counted so far is `now`. */
export function restatementReason(was: PlanUse, now: PlanUse): string {
  const change = (name: keyof PlanUse) => `${formatDecimal(now[name])} ${name} instead of ${formatDecimal(was[name])}`;
  return `Restated: ${change("granted")}, ${change("exercised")}.`;
}

const NUMBER = "(-?[0-9]{1,30}(?:\\.[0-9]{1,10})?)";
const REASON = new RegExp(
  `^Restated: ${NUMBER} granted instead of ${NUMBER}, ${NUMBER} exercised instead of ${NUMBER}\\.$`,
);

/** By how much the uses change, or null if the text is not such a reason. */
export function readRestatement(reason: string | null): PlanUse | null {
  const found = REASON.exec(reason ?? "");
  if (found === null) return null;
  const [granted = 0n, wasGranted = 0n, exercised = 0n, wasExercised = 0n] = found.slice(1).map(parseDecimal);
  return { granted: granted - wasGranted, exercised: exercised - wasExercised };
}

/** What a return to the pool does: a restatement takes from the plan where it is negative; any other only gives. */
export function effectOfReturn(value: JsonObject): ImportedEffect & { readonly returned: string } {
  const restated = readRestatement(textOf(value, "reason_text"));
  const quantity = decimalOf(value, "quantity");
  if (restated === null || quantity === null) return { returned: requiredCount(value, "quantity") };
  const [granted, exercised] = [formatDecimal(restated.granted), formatDecimal(restated.exercised)];
  return { returned: formatDecimal(quantity), granted, exercised };
}
