// An organization of the real service, driven step by step through its own routes inside the real writer's transaction,
// and read back row by row.
import { expect } from "bun:test";
import { allRoutes } from "../../src/app.ts";
import type { Tx } from "../../src/database/sql.ts";
import { RollBack } from "../../src/database/writer.ts";
import type { Call } from "../../src/kernel/call.ts";
import { findFaults } from "../../src/kernel/check.ts";
import { Problem, problem } from "../../src/kernel/problem.ts";
import { listClassRows, listPlanRows } from "../../src/ledger/replay-store.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import type { ReadRoute, Reply, WriteRoute } from "../../src/route.ts";
import { iterateSecurityRows } from "../../src/verify/store.ts";
import type { CapTable } from "../support/cap-table.ts";
import { issuedOf, type Model, type ModelSecurity, type Step, show, units } from "./model.ts";
import { START } from "./steps.ts";

const ROUTES = new Map(allRoutes("test").map((route) => [`${route.method} ${route.path}`, route]));
const TODAY = "2026-06-15";

/** What a step came to: done, or refused with a problem. */
export type Outcome = { readonly isDone: true } | { readonly isDone: false; readonly slug: string };

/** A third by the month, the rest when the company is sold. */
const TERMS = {
  name: "Terms",
  description: "A third in a year, the rest when the company is sold",
  vestingConditions: [
    {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 12 },
      portion: { numerator: 1, denominator: 36 },
    },
    { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 2, denominator: 3 } },
  ],
};

interface Vesting {
  readonly quantity: string;
  readonly vested: string;
  readonly unvested: string;
  readonly unscheduled: string;
  readonly events: readonly { readonly date: string; readonly quantity: string }[];
}

type Given = Readonly<Record<string, unknown>>;

export class Company {
  readonly orgId = Bun.randomUUIDv7();
  readonly #tx: Tx;
  readonly #holders: string[] = [];
  readonly #classes: string[] = [];
  readonly #plans: string[] = [];
  readonly #securities: string[] = [];
  readonly #terms: string;

  /** Makes the organization with its holders, classes and plans. */
  constructor(tx: Tx) {
    this.#tx = tx;
    insertOrganization(tx, newCall(this.orgId, "POST /"), { legalName: "Model, Inc.", isNamed: 1 });
    for (let index = 0; index < START.holders; index++) {
      const displayName = `Holder ${index}`;
      const body = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
      this.#holders.push(idOf(this.#call("POST /api/v1/stakeholders", body)));
    }
    for (const initialSharesAuthorized of START.classes) {
      const rest = { classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
      const body = { name: "Common", initialSharesAuthorized, ...rest };
      this.#classes.push(idOf(this.#call("POST /api/v1/share-classes", body)));
    }
    for (const { reserve, classes } of START.plans) {
      const stockClassIds = classes.map((index) => this.#classes[index]);
      const body = { planName: "Plan", initialSharesReserved: reserve, stockClassIds };
      this.#plans.push(idOf(this.#call("POST /api/v1/equity-plans", body)));
    }
    this.#terms = idOf(this.#call("POST /api/v1/vesting-terms", TERMS));
  }

  /** Does a step in a savepoint of its own, which a refusal, and the end of a dry run, rolls back. */
  run(step: Step, isDry = false): Outcome {
    const { sqlite } = this.#tx;
    sqlite.exec("SAVEPOINT step");
    try {
      const made = madeId(this.#do(step, isDry));
      if (made !== null) this.#securities.push(made);
      return { isDone: true };
    } catch (error) {
      sqlite.exec("ROLLBACK TO step");
      if (error instanceof Problem) return { isDone: false, slug: error.slug };
      if (isDry && error instanceof RollBack) return { isDone: true };
      throw error;
    } finally {
      sqlite.exec("RELEASE step");
    }
  }

  /** The cap table as of a day, as the API answers it. */
  tableAsOf(asOf: string): CapTable {
    const route = ROUTES.get("GET /api/v1/cap-table") as ReadRoute;
    const request = { orgId: this.orgId, params: {}, query: { asOf }, nowMs: instant };
    return (route.run(this.#tx, request).json as { readonly data: CapTable }).data;
  }

  /** Expects what each security shows of its vesting to add up, as of a day (DECISIONS section 9). */
  expectVestingAddsUp(model: Model, asOf: string): void {
    const route = ROUTES.get("GET /api/v1/securities/:id/vesting") as ReadRoute;
    for (const [index, { isDeleted }] of model.securities.entries()) {
      if (isDeleted) continue;
      const id = this.#securities[index] ?? "";
      const request = { orgId: this.orgId, params: { id }, query: { asOf }, nowMs: instant };
      const shown = route.run(this.#tx, request).json as Vesting;
      const [quantity, vested, unvested] = [shown.quantity, shown.vested, shown.unvested].map(units);
      const scheduled = shown.events.reduce((total, event) => total + units(event.quantity), 0n);
      const byThen = shown.events.filter(({ date }) => date <= asOf);
      expect({ id, sum: (vested ?? 0n) + (unvested ?? 0n) }).toEqual({ id, sum: quantity ?? 0n });
      expect({ id, sum: scheduled + units(shown.unscheduled) }).toEqual({ id, sum: quantity ?? 0n });
      expect({ id, vested: byThen.reduce((total, event) => total + units(event.quantity), 0n) }).toEqual({
        id,
        vested: vested ?? 0n,
      });
      expect(shown.events.every((event) => units(event.quantity) > 0n)).toBe(true);
    }
  }

  /** Expects every row to be as the model has it; the model learns the certificate numbers that the service chose. */
  expectEqual(model: Model): void {
    const rows = new Map([...iterateSecurityRows(this.#tx, this.orgId)].map((row) => [row.id, row]));
    const stored = this.#securities.map((id) => {
      const row = rows.get(id);
      if (!row) return null;
      return {
        kind: row.type,
        status: row.status,
        quantity: show(units(row.quantity)),
        holder: this.#holders.indexOf(row.stakeholderId ?? ""),
        stockClass: row.stockClassId && this.#classes.indexOf(row.stockClassId),
        plan: row.equityPlanId && this.#plans.indexOf(row.equityPlanId),
        price: row.pricePerShare && show(units(row.pricePerShare)),
        strike: row.exercisePrice && show(units(row.exercisePrice)),
        certificate: row.certificateId,
        isDeleted: row.deletedAt !== null,
      };
    });
    model.securities.forEach((security, index) => {
      security.certificate ??= stored[index]?.certificate ?? null;
    });
    expect(rows.size).toBe(model.securities.length);
    expect(stored).toEqual(model.securities.map(shown));
    const live = model.securities.filter((security) => !security.isDeleted).map(({ certificate }) => certificate);
    expect(new Set(live).size).toBe(live.length);
    this.#expectTotals(model);
  }

  #expectTotals(model: Model): void {
    const classes = listClassRows(this.#tx, this.orgId).map((row) => [
      show(units(row.currentSharesAuthorized)),
      show(units(row.issued)),
    ]);
    expect(classes).toEqual(
      model.classes.map(({ authorized }, index) => [show(authorized), show(issuedOf(model, index))]),
    );
    const plans = listPlanRows(this.#tx, this.orgId).map((row) => [
      show(units(row.totalSharesReserved)),
      show(units(row.currentSharesReserved)),
    ]);
    expect(plans).toEqual(model.plans.map(({ reserved, available }) => [show(reserved), show(available)]));
  }

  #do(step: Step, isDry: boolean): Reply {
    const security = "security" in step ? (this.#securities[step.security] ?? "") : "";
    switch (step.op) {
      case "patch-class":
        return this.#call(
          "PATCH /api/v1/share-classes/:id",
          { initialSharesAuthorized: step.figure },
          this.#classes[step.stockClass],
        );
      case "patch-plan":
        return this.#call(
          "PATCH /api/v1/equity-plans/:id",
          { initialSharesReserved: step.figure },
          this.#plans[step.plan],
        );
      case "patch-plan-classes": {
        const stockClassIds = step.classes.map((index) => this.#classes[index]);
        return this.#call("PATCH /api/v1/equity-plans/:id", { stockClassIds }, this.#plans[step.plan]);
      }
      case "record-only": {
        const { type, quantity, date: effectiveDate } = step;
        const metadata = { stockClassId: this.#classes[0], newSharesReserved: "1", directEdit: true };
        this.#call("POST /api/v1/transactions", { type, quantity, effectiveDate, securityId: security, metadata });
        return { status: 200 };
      }
      case "post-security":
        return this.#call("POST /api/v1/securities", this.#newSecurity(step));
      case "patch-security": {
        const { quantity, status, holder, stockClass, plan, price, strike } = step.edit;
        const prices = { pricePerShare: price, exercisePrice: strike };
        const references = { stakeholderId: this.#holder(holder), stockClassId: this.#class(stockClass) };
        const body = { quantity, status, ...prices, ...references, stockPlanId: this.#plan(plan) };
        return this.#call("PATCH /api/v1/securities/:id", withoutGaps(body), security);
      }
      case "delete-security":
        return this.#call("DELETE /api/v1/securities/:id", {}, security);
      default: {
        const body = withoutGaps(this.#body(step, security));
        return this.#call(`POST /api/v1/transactions/${step.op}`, isDry ? { ...body, dryRun: true } : body);
      }
    }
  }

  /** The body of a typed operation. Members that it does not have stay undefined. */
  #body(step: Extract<Step, { readonly date: string }>, securityId: string): Given {
    const dated = { effectiveDate: step.date };
    switch (step.op) {
      case "issue-shares":
        return { ...this.#issue(step), ...dated, pricePerShare: step.price };
      case "issue-options": {
        const { strike: exercisePrice, expires: expirationDate } = step;
        const rest = { stockPlanId: this.#plan(step.plan), exercisePrice, expirationDate, optionType: "NSO" };
        const vesting = step.hasTerms ? { vestingTermsId: this.#terms } : {};
        return { ...this.#issue(step), ...dated, ...rest, ...vesting };
      }
      case "issue-warrant":
        return { ...this.#issue(step), ...dated, exercisePrice: step.strike };
      case "issue-convertible":
        return { ...this.#issue(step), ...dated, convertibleType: "SAFE" };
      case "transfer": {
        const parties = { fromStakeholderId: this.#holder(step.from), toStakeholderId: this.#holder(step.to) };
        return { securityId, ...parties, quantity: step.quantity, ...dated };
      }
      case "exercise": {
        const { quantity, strike: exercisePrice, stockClass } = step;
        const rest = { stockClassId: this.#class(stockClass), earlyExercise: true };
        return { securityId, quantity, exercisePrice, ...rest, ...dated };
      }
      case "cancel": {
        const { quantity, returnToPool } = step;
        return { securityId, quantity, returnToPool, cancellationReason: "FORFEITURE", ...dated };
      }
      case "convert": {
        const { quantity, stockClass, resulting: resultingQuantity } = step;
        return { securityId, quantity, stockClassId: this.#class(stockClass), resultingQuantity, ...dated };
      }
      case "repurchase":
        return { securityId, quantity: step.quantity, pricePerShare: "1", ...dated };
      case "retract":
        return { securityId, reason: "Issued in error", ...dated };
      case "start-vesting":
        return { securityId, conditionId: step.condition, ...dated };
      case "accelerate-vesting":
        return { securityId, quantity: step.quantity, reason: "Sale", ...dated };
      case "record-vesting-event":
        return { securityId, conditionId: step.condition, quantity: step.quantity, ...dated };
      case "split": {
        const { stockClass, numerator, denominator, rounding } = step;
        return { stockClassId: this.#class(stockClass), numerator, denominator, rounding, ...dated };
      }
      case "adjust-authorized":
        return { stockClassId: this.#class(step.stockClass), newSharesAuthorized: step.figure, ...dated };
      case "adjust-reserve":
        return { equityPlanId: this.#plan(step.plan), newSharesReserved: step.figure, ...dated };
      case "record-only":
      case "post-security":
        return {};
    }
  }

  #issue(step: { holder: number; quantity: string; certificate: string; stockClass?: number | null }): Given {
    const { quantity, certificate: certificateId } = step;
    const stockClassId = this.#class(step.stockClass);
    return { stakeholderId: this.#holder(step.holder), stockClassId, quantity, certificateId };
  }

  #newSecurity(step: Extract<Step, { op: "post-security" }>): Given {
    const { kind: type, status, plan, date: grantDate } = step;
    const option = type === "STOCK_OPTION" ? { optionType: "NSO" } : {};
    return withoutGaps({ ...this.#issue(step), type, status, stockPlanId: this.#plan(plan), grantDate, ...option });
  }

  #holder = (index: number | undefined) => (index === undefined ? undefined : this.#holders[index]);
  #class = (index: number | null | undefined) => (typeof index === "number" ? this.#classes[index] : undefined);
  #plan = (index: number | null | undefined) => (typeof index === "number" ? this.#plans[index] : undefined);

  #call(name: string, body: Given, id?: string): Reply {
    const route = ROUTES.get(name) as WriteRoute | undefined;
    if (!route) throw new Error(`there is no route ${name}`);
    const faults = route.body ? findFaults(route.body, body) : [];
    if (faults.length > 0) throw problem("validation-failed", JSON.stringify(faults));
    return route.run(this.#tx, newCall(this.orgId, name), { params: id === undefined ? {} : { id }, body });
  }
}

let instant = Date.parse(`${TODAY}T00:00:00Z`);

function newCall(orgId: string, name: string): Call {
  const [method = null, path = null] = name.split(" ");
  const at = new Date(instant++).toISOString();
  const newId = () => Bun.randomUUIDv7();
  return { orgId, actor: "api-key", apiKeyId: null, requestId: null, method, path, at, today: TODAY, newId };
}

function shown(security: ModelSecurity) {
  const { kind, status, quantity, holder, stockClass, plan, price, strike, certificate, isDeleted } = security;
  return {
    kind,
    status,
    quantity: show(quantity),
    holder,
    stockClass,
    plan,
    price: price === null ? null : show(price),
    strike: strike === null ? null : show(strike),
    certificate,
    isDeleted,
  };
}

function withoutGaps(body: Given): Given {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}

interface Made {
  readonly id?: string;
  readonly securityId?: string;
  readonly newSecurityId?: string;
  readonly data?: Made;
}

function idOf(reply: Reply): string {
  return (reply.json as { readonly id: string }).id;
}

/** The id of the security that a write made; null where it made none. */
function madeId(reply: Reply): string | null {
  if (reply.status !== 201) return null;
  const { id, data } = reply.json as Made;
  return id ?? data?.securityId ?? data?.newSecurityId ?? null;
}
