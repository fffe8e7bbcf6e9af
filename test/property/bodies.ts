// The request that says a step to the service.
import type { Condition, Terms } from "./model/schedule.ts";
import type { Issuing, Step } from "./model/step.ts";
import { VARIANTS } from "./model/terms.ts";

type Given = Readonly<Record<string, unknown>>;

/** A call of a route. */
export interface Asking {
  readonly name: string;
  readonly id?: string | undefined;
  readonly body: Given;
}

/** The ids of the records that the model numbers. */
export interface Ids {
  readonly holders: string[];
  readonly classes: string[];
  readonly plans: string[];
  readonly securities: string[];
  readonly terms: string[];
  readonly milestones: string[];
}

/** The request for a step. */
export function requestOf(step: Step, ids: Ids, isDry = false): Asking {
  const security = "security" in step ? ids.securities[step.security] : undefined;
  switch (step.op) {
    case "patch-class": {
      const body = { initialSharesAuthorized: step.figure };
      return { name: "PATCH /api/v1/share-classes/:id", id: ids.classes[step.stockClass], body };
    }
    case "patch-plan": {
      const body = { initialSharesReserved: step.figure };
      return { name: "PATCH /api/v1/equity-plans/:id", id: ids.plans[step.plan], body };
    }
    case "patch-plan-classes": {
      const body = { stockClassIds: step.classes.map((index) => ids.classes[index]) };
      return { name: "PATCH /api/v1/equity-plans/:id", id: ids.plans[step.plan], body };
    }
    case "delete-class":
      return { name: "DELETE /api/v1/share-classes/:id", id: ids.classes[step.stockClass], body: {} };
    case "delete-plan":
      return { name: "DELETE /api/v1/equity-plans/:id", id: ids.plans[step.plan], body: {} };
    case "record-only": {
      const { type, quantity, date: effectiveDate } = step;
      const metadata = { stockClassId: ids.classes[0], newSharesReserved: "1", directEdit: true };
      const body = { type, quantity, effectiveDate, securityId: security, metadata };
      return { name: "POST /api/v1/transactions", body };
    }
    case "post-security":
      return { name: "POST /api/v1/securities", body: withoutGaps(newSecurity(step, ids)) };
    case "patch-security": {
      const { quantity, status, holder, stockClass, plan, price, strike } = step.edit;
      const figures = { quantity, status, pricePerShare: price, exercisePrice: strike };
      const references = { stakeholderId: at(ids.holders, holder), stockClassId: at(ids.classes, stockClass) };
      const body = changed({ ...figures, ...references, stockPlanId: at(ids.plans, plan) });
      return { name: "PATCH /api/v1/securities/:id", id: security, body };
    }
    case "patch-vesting": {
      const body = changed({ vestingTermsId: at(ids.terms, step.terms), vestingStartDate: step.start });
      return { name: "PATCH /api/v1/securities/:id", id: security, body };
    }
    case "delete-security":
      return { name: "DELETE /api/v1/securities/:id", id: security, body: {} };
    case "patch-terms": {
      const terms = VARIANTS[step.terms]?.[step.variant];
      return {
        name: "PATCH /api/v1/vesting-terms/:id",
        id: ids.terms[step.terms],
        body: terms ? termsBody(terms) : {},
      };
    }
    case "add-milestone": {
      const body = { name: "Milestone", securityId: security, quantity: step.quantity };
      return { name: "POST /api/v1/vesting-milestones", body };
    }
    case "complete-milestone":
      return { name: "POST /api/v1/vesting-milestones/:id/complete", id: ids.milestones[step.milestone], body: {} };
    case "delete-milestone":
      return { name: "DELETE /api/v1/vesting-milestones/:id", id: ids.milestones[step.milestone], body: {} };
    default: {
      const body = withoutGaps({ ...operationBody(step, ids, security), effectiveDate: step.date });
      return { name: `POST /api/v1/transactions/${step.op}`, body: isDry ? { ...body, dryRun: true } : body };
    }
  }
}

/** Vesting terms as the API takes them. */
export function termsBody({ method, conditions }: Terms): Given {
  return { allocationMethod: method, triggerType: "HYBRID", vestingConditions: conditions.map(conditionBody) };
}

function conditionBody({ id, months, times, portion, after }: Condition): Given {
  const time = { type: "TIME_BASED", periodLength: months, periodType: "MONTHS", occurrences: times };
  const [numerator, denominator] = portion;
  const rest = { id, portion: { numerator, denominator }, ...(after === null ? {} : { cliffConditionId: after }) };
  return { ...rest, trigger: months === null ? { type: "EVENT_BASED" } : time };
}

type Operation = Extract<Step, { readonly date: string }>;

/** The body of a typed operation, but for its day. Members that it does not have stay undefined. */
function operationBody(step: Operation, ids: Ids, securityId: string | undefined): Given {
  switch (step.op) {
    case "issue-shares":
      return { ...issueBody(step, ids), pricePerShare: step.price };
    case "issue-options": {
      const { strike: exercisePrice, expires: expirationDate } = step;
      const stockPlanId = at(ids.plans, step.plan);
      return { ...issueBody(step, ids), stockPlanId, exercisePrice, expirationDate, optionType: "NSO" };
    }
    case "issue-warrant":
      return { ...issueBody(step, ids), exercisePrice: step.strike };
    case "issue-convertible":
      return { ...issueBody(step, ids), convertibleType: "SAFE" };
    case "transfer": {
      const parties = { fromStakeholderId: at(ids.holders, step.from), toStakeholderId: at(ids.holders, step.to) };
      return { securityId, ...parties, quantity: step.quantity, vestedQuantity: step.vested };
    }
    case "exercise": {
      const { quantity, strike: exercisePrice, early: earlyExercise } = step;
      return { securityId, quantity, exercisePrice, earlyExercise, stockClassId: at(ids.classes, step.stockClass) };
    }
    case "convert": {
      const { quantity, resulting: resultingQuantity, hasRight: notByRight } = step;
      return { securityId, quantity, resultingQuantity, notByRight, stockClassId: at(ids.classes, step.stockClass) };
    }
    case "cancel":
    case "repurchase": {
      const { quantity, returnToPool, vested: vestedQuantity } = step;
      const own = step.op === "cancel" ? { cancellationReason: "FORFEITURE" } : { pricePerShare: "1" };
      return { securityId, quantity, returnToPool, vestedQuantity, ...own };
    }
    case "terminate-service":
      return {
        stakeholderId: at(ids.holders, step.holder),
        exerciseWithinDays: step.days,
        continues: step.continues.map((index) => at(ids.securities, index)),
      };
    case "retract":
      return { securityId, reason: "Issued in error" };
    case "start-vesting":
      return { securityId, conditionId: step.condition };
    case "accelerate-vesting":
      return { securityId, quantity: step.quantity, reason: "Sale" };
    case "record-vesting-event":
      return { securityId, conditionId: step.condition, quantity: step.quantity };
    case "split": {
      const { numerator, denominator, rounding } = step;
      return { stockClassId: at(ids.classes, step.stockClass), numerator, denominator, rounding };
    }
    case "adjust-authorized":
      return { stockClassId: at(ids.classes, step.stockClass), newSharesAuthorized: step.figure };
    case "adjust-reserve":
      return { equityPlanId: at(ids.plans, step.plan), newSharesReserved: step.figure };
    case "record-only":
    case "post-security":
      return {};
  }
}

function issueBody(step: Issuing, ids: Ids): Given {
  const { quantity, certificate: certificateId, holder } = step;
  const stockClassId = "stockClass" in step ? at(ids.classes, step.stockClass) : undefined;
  const vesting = { vestingTermsId: at(ids.terms, step.terms), vestingStartDate: step.start };
  return { stakeholderId: at(ids.holders, holder), stockClassId, quantity, certificateId, ...vesting };
}

function newSecurity(step: Extract<Issuing, { op: "post-security" }>, ids: Ids): Given {
  const { kind: type, status, plan, date: grantDate } = step;
  const option = type === "STOCK_OPTION" ? { optionType: "NSO" } : {};
  return { ...issueBody(step, ids), type, status, stockPlanId: at(ids.plans, plan), grantDate, ...option };
}

/** The id at a place; null for null, undefined for undefined. */
function at(ids: readonly string[], place: number | null | undefined): string | null | undefined {
  return typeof place === "number" ? ids[place] : place;
}

/** Without the members that are undefined or null. */
export function withoutGaps(body: Given): Given {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}

/** Without the members that are undefined; null clears. */
function changed(body: Given): Given {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
