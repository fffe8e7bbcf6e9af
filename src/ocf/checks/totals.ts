// The sums over a package's securities: outstanding stock against what each class is authorized to have, grants
// against what each plan reserves, certificate numbers against each other. Too much of them is a warning: history
// happened. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal } from "../../kernel/decimal.ts";
import { type Findings, pointerTo, shown } from "../finding.ts";
import { decimalOf, textOf, toDecimal } from "../json.ts";
import type { Security } from "./ledger.ts";
import { type Located, type PackageIndex, whereIs } from "./objects.ts";
import type { Results } from "./results.ts";

interface ClassTotal {
  readonly name: string;
  /** Null: no limit. */
  authorized: Decimal | null;
  outstanding: Decimal;
  over: boolean;
  /** What last raised it or lowered its limit. */
  cause: Located;
}

interface PlanTotal {
  readonly name: string;
  readonly returnsByDefault: boolean;
  available: Decimal;
  reserved: Decimal;
  over: boolean;
  /** As for a class. */
  cause: Located;
}

/** Keeps the sums while the ledger is replayed; {@link endOfDay} compares them with their limits. */
export class Totals {
  private readonly classes = new Map<string, ClassTotal>();
  private readonly plans = new Map<string, PlanTotal>();
  private readonly touched = new Set<ClassTotal | PlanTotal>();
  /** Securities whose return to the pool the package states itself. */
  private readonly returned = new Set<string>();

  constructor(
    index: PackageIndex,
    private readonly results: Results,
    private readonly findings: Findings,
  ) {
    for (const [id, cause] of index.byType.get("STOCK_CLASS") ?? []) {
      const { value } = cause;
      const authorized = toDecimal(value.initial_shares_authorized);
      this.classes.set(id, { name: textOf(value, "name") ?? id, authorized, outstanding: 0n, over: false, cause });
    }
    for (const [id, cause] of index.byType.get("STOCK_PLAN") ?? []) {
      const { value } = cause;
      const reserved = decimalOf(value, "initial_shares_reserved") ?? 0n;
      const returnsByDefault = value.default_cancellation_behavior === "RETURN_TO_POOL";
      const name = textOf(value, "plan_name") ?? id;
      this.plans.set(id, { name, returnsByDefault, reserved, available: reserved, over: false, cause });
    }
    for (const { value } of index.byType.get("TX_STOCK_PLAN_RETURN_TO_POOL")?.values() ?? []) {
      this.returned.add(textOf(value, "security_id") ?? "");
    }
  }

  /** Counts a new security. What another transaction made takes nothing from a pool again. */
  issue(security: Security): void {
    this.count(security, security.issued ?? 0n, security.issuance);
    const drawsOnPool = security.family === "STOCK" || security.family === "EQUITY_COMPENSATION";
    if (drawsOnPool && !this.results.makers.has(security.id)) this.draw(security, security.issued ?? 0n);
  }

  /** Sets what `at` leaves of a security. */
  change(at: Located, security: Security, held: Decimal | null): void {
    this.count(security, (held ?? 0n) - (security.held ?? 0n), at);
    security.held = held;
  }

  /** Puts a cancelled or retracted grant back into its pool, unless the package says itself what goes back. */
  giveBack(at: Located, security: Security, amount: Decimal): void {
    const plan = this.planOf(security);
    if (!plan || security.family !== "EQUITY_COMPENSATION" || this.returned.has(security.id)) return;
    const retracted = at.type.action === "RETRACTION";
    if (retracted || (at.type.action === "CANCELLATION" && plan.returnsByDefault)) this.draw(security, -amount);
  }

  /** Applies a transaction on a class or plan. */
  adjust(at: Located): void {
    const { value } = at;
    const theClass = this.classes.get(textOf(value, "stock_class_id") ?? "");
    const plan = this.plans.get(textOf(value, "stock_plan_id") ?? "");
    if (at.objectType === "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT" && theClass) {
      theClass.authorized = decimalOf(value, "new_shares_authorized") ?? theClass.authorized;
      theClass.cause = at;
      this.touched.add(theClass);
    } else if (at.objectType === "TX_STOCK_PLAN_POOL_ADJUSTMENT" && plan) {
      const reserved = decimalOf(value, "shares_reserved") ?? plan.reserved;
      plan.available += reserved - plan.reserved;
      plan.reserved = reserved;
      plan.cause = at;
      this.touched.add(plan);
    } else if (at.objectType === "TX_STOCK_PLAN_RETURN_TO_POOL" && plan) {
      plan.available += decimalOf(value, "quantity") ?? 0n;
      this.touched.add(plan);
    }
  }

  /** Warns of every class and plan that this day brought over its limit. */
  endOfDay(date: CalendarDate): void {
    for (const total of this.touched) {
      const isOver = "available" in total ? total.available < 0n : overBy(total) > 0n;
      if (isOver && !total.over) this.warn(total, date);
      total.over = isOver;
    }
    this.touched.clear();
  }

  /** Warns of certificate numbers that two open securities of one kind have. */
  certificates(securities: Iterable<Security>): void {
    const seen = new Map<string, Located>();
    for (const { family, issuance, held, closedBy } of securities) {
      const number = textOf(issuance.value, "custom_id") ?? "";
      if (number === "" || closedBy !== null || held === 0n) continue;
      const key = `${family} ${number}`;
      const first = seen.get(key);
      if (first) {
        const place = { ...issuance, pointer: pointerTo("custom_id") };
        const detail = `The certificate number ${shown(number)} is in use already (${whereIs(first)}).`;
        this.findings.warning("duplicate-certificate", place, detail, "Give each open security a number of its own.");
      } else seen.set(key, issuance);
    }
  }

  private warn(total: ClassTotal | PlanTotal, date: CalendarDate): void {
    if ("available" in total) {
      const excess = formatDecimal(-total.available);
      const detail = `On ${date} the plan ${shown(total.name)} has granted ${excess} more than its pool holds.`;
      const fix = "Look for a missing pool adjustment or return to the pool, or a wrong quantity.";
      this.findings.warning("pool-overdrawn", total.cause, detail, fix);
      return;
    }
    const [outstanding, excess] = [formatDecimal(total.outstanding), formatDecimal(overBy(total))];
    const has = `${outstanding} shares outstanding, ${excess} more than authorized`;
    const detail = `On ${date} the class ${shown(total.name)} has ${has}.`;
    const fix = "Look for a missing adjustment of the authorized shares, or a wrong quantity.";
    this.findings.warning("over-issued", total.cause, detail, fix);
  }

  private count(security: Security, difference: Decimal, at: Located): void {
    const total = this.classes.get(textOf(security.issuance.value, "stock_class_id") ?? "");
    if (security.family !== "STOCK" || !total || difference === 0n) return;
    total.outstanding += difference;
    if (difference > 0n) total.cause = at;
    this.touched.add(total);
  }

  private draw(security: Security, amount: Decimal): void {
    const plan = this.planOf(security);
    if (!plan) return;
    plan.available -= amount;
    if (amount > 0n) plan.cause = security.issuance;
    this.touched.add(plan);
  }

  private planOf(security: Security): PlanTotal | null {
    return this.plans.get(textOf(security.issuance.value, "stock_plan_id") ?? "") ?? null;
  }
}

function overBy({ outstanding, authorized }: ClassTotal): Decimal {
  return authorized === null ? 0n : outstanding - authorized;
}
