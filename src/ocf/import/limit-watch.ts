// Warns of classes and plans over their limits at the end of a day of the package's history: within a day OCF may issue
// a balance before it ends what the balance is left of.
import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal, ZERO } from "../../kernel/decimal.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { ClassState, PlanState } from "../../ledger/types.ts";
import type { Step } from "./plan.ts";
import type { ReportBuilder } from "./report.ts";

/** Follows the totals while entries are recorded. */
export class LimitWatch {
  readonly #report: ReportBuilder;
  #touched = new Map<string, { readonly state: ClassState | PlanState; readonly step: Step }>();
  /** The ids of those that were over their limit when last looked at. */
  #over = new Set<string>();
  #date: CalendarDate = "";

  constructor(report: ReportBuilder) {
    this.#report = report;
  }

  /** Remembers what was seen so far; the function that it returns forgets what was seen since. */
  mark(): () => void {
    const [touched, over, date] = [new Map(this.#touched), new Set(this.#over), this.#date];
    return () => {
      this.#touched = new Map(touched);
      this.#over = new Set(over);
      this.#date = date;
    };
  }

  /** Looks at the classes and plans touched so far, when `date` begins a new day; what comes late counts to the day. */
  enterDay(date: CalendarDate): void {
    if (date <= this.#date) return;
    this.finish();
    this.#date = date;
  }

  /** Notes how an entry left the classes and plans that it loaded. */
  note(before: LedgerState, after: LedgerState, step: Step): void {
    for (const [id, state] of after.classes) {
      if (state !== before.classes.get(id)) this.#touched.set(id, { state, step });
    }
    for (const [id, state] of after.plans) {
      if (state !== before.plans.get(id)) this.#touched.set(id, { state, step });
    }
  }

  /** Looks at what was touched since the last day ended. */
  finish(): void {
    for (const [id, { state, step }] of this.#touched) {
      const excess = excessOf(state);
      if (excess <= ZERO) this.#over.delete(id);
      else if (!this.#over.has(id)) {
        this.#over.add(id);
        this.#warn(state, step, formatDecimal(excess));
      }
    }
    this.#touched.clear();
  }

  #warn(state: ClassState | PlanState, step: Step, excess: string): void {
    if ("issued" in state) {
      const detail = `After ${this.#date} the class ${state.id} has ${excess} shares more outstanding than authorized.`;
      const fix = "Look for a missing adjustment of the authorized shares, or a wrong quantity.";
      this.#report.warn("over-issued", step, detail, fix);
      return;
    }
    const detail = `After ${this.#date} the plan ${state.id} has granted ${excess} more than its pool holds.`;
    const fix = "Look for a missing pool adjustment or return to the pool, or a wrong quantity.";
    this.#report.warn("pool-overdrawn", step, detail, fix);
  }
}

function excessOf(state: ClassState | PlanState) {
  if ("issued" in state) return state.authorized === null ? ZERO : state.issued - state.authorized;
  return -state.available;
}
