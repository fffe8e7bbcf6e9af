// Limits that no write may exceed: authorized shares and plan reserves. Pure. They refuse what a write makes worse, so
// that a cap table imported above a limit can still be reduced.
import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import type { LedgerState } from "../replay/state.ts";

/** Every limit that the step from `before` to `after` breaks; both are figures of `day`. */
export function brokenLimits(before: LedgerState, after: LedgerState, day: CalendarDate): Problem[] {
  return [...brokenClassLimits(before, after, day), ...brokenPlanLimits(before, after, day)];
}

function brokenClassLimits(before: LedgerState, after: LedgerState, day: CalendarDate): readonly Problem[] {
  const broken: Problem[] = [];
  for (const [id, now] of after.classes) {
    const was = before.classes.get(id);
    if (now === was || now.authorized === null || now.issued <= now.authorized) continue;
    const isWorse = !was || now.issued > was.issued || was.authorized === null || now.authorized < was.authorized;
    if (!isWorse) continue;
    const [issued, authorized] = [formatDecimal(now.issued), formatDecimal(now.authorized)];
    const detail = `On ${day} the share class would have ${issued} shares outstanding with ${authorized} authorized.`;
    broken.push(problem("insufficient-authorized-shares", detail));
  }
  return broken;
}

function brokenPlanLimits(before: LedgerState, after: LedgerState, day: CalendarDate): readonly Problem[] {
  const broken: Problem[] = [];
  for (const [id, now] of after.plans) {
    const was = before.plans.get(id);
    if (now === was || now.available >= ZERO || (was && now.available >= was.available)) continue;
    const short = formatDecimal(-now.available);
    const shares = `${short} ${short === "1" ? "share" : "shares"}`;
    const detail = `On ${day} the equity plan's available reserve falls short by ${shares}.`;
    broken.push(problem("insufficient-plan-reserve", detail));
  }
  return broken;
}
