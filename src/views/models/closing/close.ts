// Closing a round: the accepted model becomes ledger entries in one transaction, so that no half of a financing is ever
// on record. Each step is the operation that a user could do alone; share limits are checked at the end.
import type { Static } from "@sinclair/typebox";
import { present } from "../../../kernel/assert.ts";
import type { Call } from "../../../kernel/call.ts";
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { LedgerOperation } from "../../../ledger/operation.ts";
import { adjustAuthorized } from "../../../ledger/operations/adjust-authorized.ts";
import { adjustConversion } from "../../../ledger/operations/adjust-conversion.ts";
import { adjustReserve } from "../../../ledger/operations/adjust-reserve.ts";
import { convert } from "../../../ledger/operations/convert.ts";
import { issueShares } from "../../../ledger/operations/issue-shares.ts";
import { withoutNulls } from "../../../ledger/operations/parts.ts";
import type { Named } from "../../../ledger/warnings/short-of-reserved.ts";
import { peekCertificateId } from "../../../ledger/writes/certificates.ts";
import { executeOperation, type Recorded } from "../../../ledger/writes/execute.ts";
import { createCorporateAction } from "../../../resources/corporate-actions/routes.ts";
import type { Effect } from "../../../resources/route.ts";
import { createShareClass } from "../../../resources/share-classes/routes.ts";
import { describeEffects } from "../../../resources/transactions/dry-run.ts";
import { changeLogged } from "../../../storage/database/log/logged.ts";
import { getRecord } from "../../../storage/database/records.ts";
import type { Row, Tx } from "../../../storage/database/sql.ts";
import type { ClosingPlan } from "./closing-plan.ts";
import { countedIn } from "./counted.ts";
import { FINANCING, refuseBeforeSplits, refuseClosed, refuseDistant, titleOf } from "./refusals.ts";
import type { CloseBody } from "./schema.ts";

/** A security that the closing made. */
export interface MadeSecurity {
  readonly securityId: string;
  readonly stakeholderId: string | null;
  readonly stockClassId: string;
  readonly quantity: string;
  readonly certificateId: string | null;
  readonly kind: "CONVERSION" | "NEW_MONEY" | "PRO_RATA";
  readonly originSecurityId: string | null;
}

/** What a closing did. */
export interface Closed {
  readonly corporateActionId: string;
  readonly transactionIds: readonly string[];
  readonly shareClasses: readonly { readonly id: string; readonly name: string }[];
  readonly securities: readonly MadeSecurity[];
  readonly digest: string;
  readonly effects: readonly Effect[];
  /** The classes and plans of which more may be issued than before. */
  readonly touched: readonly Named[];
}

type Body = Static<typeof CloseBody>;

/** Closes a round by its plan. Throws what is in the way of the plan, and what any of its steps throws. */
export function closeRound(tx: Tx, call: Call, body: Body, planIt: () => ClosingPlan): Closed {
  refuseDistant(body, call);
  refuseClosed(tx, call, body);
  const plan = planIt();
  const { made, adjustments, pool, closingDate } = plan;
  const into = [...made, ...adjustments].map(({ intoKey }) => intoKey);
  refuseBeforeSplits(tx, call, { classIds: pool.increase === null ? into : [...into, pool.classKey], closingDate });
  return new Closing(tx, call, body, plan).run();
}

class Closing {
  readonly #tx: Tx;
  readonly #call: Call;
  readonly #body: Body;
  readonly #plan: ClosingPlan;
  readonly #recorded: Recorded[] = [];
  readonly #effects: Effect[] = [];
  readonly #securities: MadeSecurity[] = [];

  constructor(tx: Tx, call: Call, body: Body, plan: ClosingPlan) {
    this.#tx = tx;
    this.#call = call;
    this.#body = body;
    this.#plan = plan;
  }

  run(): Closed {
    const { made, conversions, investments } = this.#plan;
    this.#shiftSeniority();
    const classes = made.map((each) => this.#makeClass(each));
    for (const { stockClassId, newSharesAuthorized } of this.#body.authorizedShares ?? []) {
      this.#do(adjustAuthorized, { stockClassId, newSharesAuthorized, ...this.#approvals() });
    }
    this.#adjustConversions();
    this.#adjustReserve();
    for (const conversion of conversions) this.#convert(conversion, present(classes[conversion.made], "its class"));
    for (const investment of investments) this.#issue(investment, present(classes[0], "a class"));
    const corporateActionId = this.#record();
    return {
      corporateActionId,
      transactionIds: this.#recorded.flatMap(({ entries }) => entries.map(({ id }) => id)),
      shareClasses: classes.map(({ id, name }) => ({ id, name })),
      securities: this.#securities,
      digest: this.#body.digest,
      effects: this.#effects,
      touched: this.#touched(classes.map(({ id }) => id)),
    };
  }

  #touched(made: readonly string[]): readonly Named[] {
    const { adjustments, pool } = this.#plan;
    const classes = [...made, ...adjustments.flatMap(({ stockClassId }) => stockClassId ?? [])];
    return [
      ...classes.map((stockClassId) => ({ stockClassId, equityPlanId: null })),
      { stockClassId: null, equityPlanId: pool.equityPlanId },
    ];
  }

  #do(operation: LedgerOperation, command: Readonly<Record<string, unknown>>) {
    const dated = { ...command, effectiveDate: this.#plan.closingDate };
    const done = executeOperation(this.#tx, this.#call, operation, dated);
    this.#recorded.push(done);
    this.#effects.push(...describeEffects(done.before, done.after, done.decision.described));
    return done;
  }

  #approvals() {
    const { boardApprovalDate = null, description = null } = this.#body;
    return withoutNulls({ boardApprovalDate, description });
  }

  #shiftSeniority(): void {
    for (const { id, before, after } of this.#plan.seniorities) {
      changeLogged(this.#tx, this.#call, "share_classes", id, { seniority: after, updatedAt: this.#call.at });
      this.#effects.push({ resourceType: "share-class", id, field: "seniority", before, after });
    }
  }

  #makeClass({ name, seniority, price, prefix, intoKey, issued }: ClosingPlan["made"][number]): Row<"share_classes"> {
    const given: Partial<Parameters<typeof createShareClass>[2]> = this.#body.model.newClass;
    const asked = this.#body.newClassAuthorized?.find((each) => each.name === name);
    const row = createShareClass(this.#tx, this.#call, {
      ...given,
      name,
      classType: "PREFERRED",
      defaultIdPrefix: prefix.slice(0, 20),
      votesPerShare: given.votesPerShare ?? "1",
      seniority,
      liquidationPreferenceMultiple: given.liquidationPreferenceMultiple ?? "1",
      pricePerShare: price,
      initialSharesAuthorized: asked?.sharesAuthorized ?? issued,
      conversionRights: [
        {
          stockClassId: intoKey,
          ratio: { numerator: "1", denominator: "1" },
          conversionPrice: price,
          rounding: "FLOOR",
        },
      ],
      boardApprovalDate: this.#body.boardApprovalDate ?? given.boardApprovalDate,
      stockholderApprovalDate: this.#body.stockholderApprovalDate ?? given.stockholderApprovalDate,
    } as Parameters<typeof createShareClass>[2]);
    for (const [field, after] of Object.entries({
      name,
      pricePerShare: price,
      initialSharesAuthorized: row.initialSharesAuthorized,
    })) {
      this.#effects.push({ resourceType: "share-class", id: null, field, before: null, after });
    }
    return row;
  }

  #adjustConversions(): void {
    for (const { stockClassId, ratio, conversionPrice } of this.#plan.adjustments) {
      this.#do(adjustConversion, { stockClassId, ratio, conversionPrice, ...this.#approvals() });
    }
  }

  #adjustReserve(): void {
    const { equityPlanId, increase } = this.#plan.pool;
    if (increase === null || equityPlanId === null) return;
    const row = getRecord<Row<"equity_plans">>(this.#tx, "equity_plans", this.#call.orgId, equityPlanId);
    const newSharesReserved = formatDecimal(parseDecimal(row.totalSharesReserved) + parseDecimal(increase));
    this.#do(adjustReserve, { equityPlanId, newSharesReserved, ...this.#approvals() });
  }

  #convert(conversion: ClosingPlan["conversions"][number], { id: stockClassId }: Row<"share_classes">): void {
    const { securityId, shares, price, told, rules } = conversion;
    const capitalization = countedIn(securityId, rules, this.#plan.countable);
    const command = {
      securityId,
      stockClassId,
      resultingQuantity: shares,
      pricePerShare: price,
      ...this.#approvals(),
    };
    const done = this.#do(telling(withoutNulls({ ...told, capitalization })), command);
    this.#noteMade(done, { kind: "CONVERSION", stockClassId, quantity: shares, originSecurityId: securityId });
  }

  #issue(investment: ClosingPlan["investments"][number], { id: stockClassId }: Row<"share_classes">): void {
    const { stakeholderId, kind, shares: quantity } = investment;
    const row = getRecord<Row<"share_classes">>(this.#tx, "share_classes", this.#call.orgId, stockClassId);
    const done = this.#do(issueShares, {
      stakeholderId,
      stockClassId,
      quantity,
      certificateId: peekCertificateId(this.#tx, row),
      pricePerShare: this.#plan.price,
      ...withoutNulls({ stockholderApprovalDate: this.#body.stockholderApprovalDate }),
      ...this.#approvals(),
    });
    this.#noteMade(done, { kind, stockClassId, quantity, originSecurityId: null });
  }

  #noteMade(
    { decision }: ReturnType<typeof executeOperation>,
    made: Pick<MadeSecurity, "kind" | "stockClassId" | "quantity" | "originSecurityId">,
  ): void {
    const securityId = present(decision.locatedSecurityId, "the security made");
    const row = getRecord<Row<"securities">>(this.#tx, "securities", this.#call.orgId, securityId);
    this.#securities.push({ securityId, stakeholderId: row.stakeholderId, certificateId: row.certificateId, ...made });
  }

  #record(): string {
    const { model, boardApprovalDate = null, stockholderApprovalDate = null, description = null } = this.#body;
    const { closingDate, conversions, cash, price } = this.#plan;
    const summary =
      `${cash} at ${price} a share of ${model.newClass.name}; ` +
      `${conversions.length} convertible${conversions.length === 1 ? "" : "s"} converted.`;
    const row = createCorporateAction(this.#tx, this.#call, {
      type: FINANCING,
      title: titleOf(this.#body),
      summary,
      status: "Finalized",
      effectiveDate: closingDate,
      metadata: { notes: description, boardApprovalDate, stockholderApprovalDate },
    });
    return row.id;
  }
}

/** The conversion of a round: its entry tells what it came to. */
function telling(told: Readonly<Record<string, unknown>>): LedgerOperation {
  return {
    ...convert,
    decide(facts, command, context) {
      const decision = convert.decide(facts, command as never, context);
      return {
        ...decision,
        entries: decision.entries.map((entry) => ({ ...entry, metadata: { ...entry.metadata, ...told } })),
      };
    },
  } as LedgerOperation;
}
