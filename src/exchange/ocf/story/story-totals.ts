// Totals of a package's securities: outstanding stock against each class's authorized shares, grants against each
// plan's reserve, certificate numbers against each other. An excess is a warning: history happened. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { decimalOf, textOf, toDecimal } from "../json.ts";
import { type OcfObject, whereIs } from "./object.ts";
import { defaultReturn, isReturnedByDefault, Pools } from "./pools.ts";
import type { Story } from "./read-story.ts";
import type { Move, Security } from "./security.ts";
import { Limits } from "./story-limits.ts";

interface ClassTotal {
  readonly id: string;
  readonly name: string;
  /** Null: no limit. */
  authorized: Decimal | null;
  outstanding: Decimal;
  /** What last raised it or lowered its limit. */
  cause: OcfObject;
}

interface PlanTotal {
  readonly id: string;
  readonly name: string;
  readonly isReturnedByDefault: boolean;
  reserved: Decimal;
  /** As for a class. */
  cause: OcfObject;
}

/** Keeps the sums while the story is told; at the end of a day they are compared with their limits. */
export class Totals {
  readonly #classes = new Map<string, ClassTotal>();
  readonly #plans = new Map<string, PlanTotal>();
  readonly #makers: Story["told"]["makers"];
  readonly #findings: Findings;
  readonly #pools: Pools;
  readonly #limits = new Limits<ClassTotal | PlanTotal>((total, excess, date) => this.#warn(total, excess, date));

  constructor({ byType, told }: Story, findings: Findings) {
    this.#makers = told.makers;
    this.#pools = new Pools(told.returned);
    this.#findings = findings;
    for (const [id, cause] of byType.get("STOCK_CLASS") ?? []) {
      const authorized = toDecimal(cause.value.initial_shares_authorized);
      this.#classes.set(id, { id, name: textOf(cause.value, "name") ?? id, authorized, outstanding: ZERO, cause });
    }
    for (const [id, cause] of byType.get("STOCK_PLAN") ?? []) {
      const { value } = cause;
      const reserved = decimalOf(value, "initial_shares_reserved") ?? ZERO;
      const isReturnedByDefault = value.default_cancellation_behavior === "RETURN_TO_POOL";
      this.#plans.set(id, { id, name: textOf(value, "plan_name") ?? id, isReturnedByDefault, reserved, cause });
    }
  }

  /** Warns of what the days before `date` brought over its limit. */
  enterDay(date: CalendarDate): void {
    this.#limits.enterDay(date);
  }

  /** Counts a new security. What another transaction made takes nothing from a pool again. */
  issue(security: Security): void {
    const { family, id, issuance } = security;
    const issued = security.issued ?? ZERO;
    this.#count(security, issued, issuance);
    const plan = this.#planOf(security);
    if (!plan || (family !== "STOCK" && family !== "EQUITY_COMPENSATION") || this.#makers.has(id)) return;
    this.#pools.issue(plan.id, id, issued);
    if (issued > ZERO) plan.cause = issuance;
    this.#touchPlan(plan);
  }

  /** Sets what `at` leaves of a security. */
  change(at: OcfObject, security: Security, held: Decimal | null): void {
    this.#count(security, (held ?? ZERO) - (security.held ?? ZERO), at);
    security.held = held;
  }

  /** Puts a cancelled or retracted grant back into its pool, unless the package says itself what returns. */
  returnToPool({ at, source, amount }: Move): void {
    const plan = this.#planOf(source);
    const { action } = at.type;
    if (!plan || source.family !== "EQUITY_COMPENSATION" || !isReturnedByDefault(action, plan.isReturnedByDefault))
      return;
    const returned = defaultReturn(action, amount, source.held ?? ZERO);
    if (this.#pools.returnUnsaid(plan.id, source.id, returned)) this.#touchPlan(plan);
  }

  /** Applies a transaction on a class or plan. */
  adjust(at: OcfObject): void {
    const { value, objectType } = at;
    const theClass = this.#classes.get(textOf(value, "stock_class_id") ?? "");
    const plan = this.#plans.get(textOf(value, "stock_plan_id") ?? "");
    if (objectType === "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT" && theClass) {
      theClass.authorized = decimalOf(value, "new_shares_authorized") ?? theClass.authorized;
      theClass.cause = at;
      this.#touchClass(theClass);
    } else if (objectType === "TX_STOCK_PLAN_POOL_ADJUSTMENT" && plan) {
      plan.reserved = decimalOf(value, "shares_reserved") ?? plan.reserved;
      plan.cause = at;
      this.#touchPlan(plan);
    } else if (objectType === "TX_STOCK_PLAN_RETURN_TO_POOL" && plan) {
      this.#pools.returnSaid(plan.id, textOf(value, "security_id") ?? "", decimalOf(value, "quantity") ?? ZERO);
      this.#touchPlan(plan);
    }
  }

  /** Looks at the last day's limits, and at certificate numbers that two open securities of one kind have. */
  end(securities: Iterable<Security>): void {
    this.#limits.endDay();
    const seen = new Map<string, OcfObject>();
    for (const { family, issuance, held, closedBy } of securities) {
      const number = textOf(issuance.value, "custom_id") ?? "";
      if (number === "" || closedBy !== null || held === ZERO) continue;
      const key = `${family} ${number}`;
      const first = seen.get(key);
      if (first) {
        const place = { ...issuance, pointer: pointerTo("custom_id") };
        const detail = `The certificate number ${shown(number)} is in use already (${whereIs(first)}).`;
        this.#findings.warning("duplicate-certificate", place, detail, "Give each open security a number of its own.");
      } else seen.set(key, issuance);
    }
  }

  #warn(total: ClassTotal | PlanTotal, excess: Decimal, date: CalendarDate): void {
    const over = formatDecimal(excess);
    if (!("outstanding" in total)) {
      const detail = `On ${date} the plan ${shown(total.name)} has granted ${over} more than its pool holds.`;
      const fix = "Look for a missing pool adjustment or return to the pool, or a wrong quantity.";
      this.#findings.warning("pool-overdrawn", total.cause, detail, fix);
      return;
    }
    const has = `${formatDecimal(total.outstanding)} shares outstanding, ${over} more than authorized`;
    const detail = `On ${date} the class ${shown(total.name)} has ${has}.`;
    const fix = "Look for a missing adjustment of the authorized shares, or a wrong quantity.";
    this.#findings.warning("over-issued", total.cause, detail, fix);
  }

  #count(security: Security, difference: Decimal, at: OcfObject): void {
    const total = this.#classes.get(textOf(security.issuance.value, "stock_class_id") ?? "");
    if (security.family !== "STOCK" || !total || difference === ZERO) return;
    total.outstanding += difference;
    if (difference > ZERO) total.cause = at;
    this.#touchClass(total);
  }

  #touchClass(total: ClassTotal): void {
    const excess = () => (total.authorized === null ? ZERO : total.outstanding - total.authorized);
    this.#limits.touch(`class ${total.id}`, total, excess);
  }

  #touchPlan(total: PlanTotal): void {
    this.#limits.touch(`plan ${total.id}`, total, () => -(total.reserved + this.#pools.of(total.id).available));
  }

  #planOf({ issuance }: Security): PlanTotal | null {
    return this.#plans.get(textOf(issuance.value, "stock_plan_id") ?? "") ?? null;
  }
}
