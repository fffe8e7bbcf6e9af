// Warns of classes and plans that exceed their limits by the package, by the ledger's own figures.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import type { ClassState, PlanState } from "../../../ledger/types.ts";
import { Limits } from "../story/story-limits.ts";
import type { Step } from "./plan.ts";
import type { ReportBuilder } from "./report.ts";

/** A class or plan as an entry left it, and the step that did. */
interface Touched {
  readonly state: ClassState | PlanState;
  readonly step: Step;
}

/** Follows the totals while entries are recorded. */
export class LimitWatch extends Limits<Touched> {
  constructor(report: ReportBuilder) {
    super(({ state, step }, excess, date) => {
      const [code, detail, what] = wordsOf(state, formatDecimal(excess), date);
      report.warn(code, step, detail, `Look for a missing ${what}, or a wrong quantity.`);
    });
  }

  /** Records how an entry left the classes and plans that it loaded. */
  note(before: LedgerState, after: LedgerState, step: Step): void {
    for (const [id, state] of after.classes) {
      if (state !== before.classes.get(id)) this.touch(`class ${id}`, { state, step }, () => excessOf(state));
    }
    for (const [id, state] of after.plans) {
      if (state !== before.plans.get(id)) this.touch(`plan ${id}`, { state, step }, () => excessOf(state));
    }
  }
}

function wordsOf(state: ClassState | PlanState, excess: string, date: CalendarDate) {
  if ("issued" in state) {
    const detail = `After ${date} the class ${state.id} has ${excess} shares more outstanding than authorized.`;
    return ["over-issued", detail, "adjustment of the authorized shares"] as const;
  }
  const detail = `After ${date} the plan ${state.id} has granted ${excess} more than its pool holds.`;
  return ["pool-overdrawn", detail, "pool adjustment or return to the pool"] as const;
}

function excessOf(state: ClassState | PlanState): Decimal {
  if ("issued" in state) return state.authorized === null ? ZERO : state.issued - state.authorized;
  return -state.available;
}
