// Closing a round: the accepted model becomes ledger entries in one transaction, so that no half of a financing is ever
// on record. Each step is the operation that a user could do alone; share limits are checked at the end.
import type { Static } from "@sinclair/typebox";
import { present } from "../../../kernel/assert.ts";
import type { Call } from "../../../kernel/call.ts";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { problem, refuse } from "../../../kernel/problem.ts";
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
import { start } from "../model.ts";
import { digestOf, tellRound } from "../round/answer.ts";
import { modelRound, type RoundOutcome } from "../round/round.ts";
import type { RoundBody } from "../round/round-body.ts";
import type { MadeClass } from "../round/round-classes.ts";
import { countedIn } from "./counted.ts";
import { FINANCING, refuseBeforeSplits, refuseClosed, refuseDistant, refuseUnready, titleOf } from "./refusals.ts";
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

/**
 * Closes a round. Throws `409 model-changed` where it comes to another answer now, and what any of its steps throws.
 */
export function closeRound(tx: Tx, call: Call, body: Body): Closed {
  refuseDistant(body, call);
  refuseClosed(tx, call, body);
  const outcome = modelAgain(tx, call, body);
  refuseUnready(outcome, body);
  refuseBeforeSplits(tx, call, outcome);
  return new Closing(tx, call, body, outcome).run();
}

function modelAgain(tx: Tx, call: Call, { model, digest }: Body): RoundOutcome {
  const asOf = model.asOf ?? model.closingDate;
  if (asOf !== model.closingDate) refuse([["#/model/asOf", "must be the closing date"]]);
  const asked = { orgId: call.orgId, model: "ROUND", body: { ...model, asOf }, nowMs: Date.parse(call.at) } as const;
  const { company, ledgerSequence, knownAt } = start(tx, asked);
  const outcome = modelRound(company, model as RoundBody, asOf, "#/model");
  const now = digestOf({ asOf, knownAt, ledgerSequence, ...tellRound(outcome) });
  if (now !== digest) {
    const detail = `The round gives another result now; model it again with asOf ${asOf}, the closing date.`;
    throw problem("model-changed", detail);
  }
  return outcome;
}

class Closing {
  readonly #tx: Tx;
  readonly #call: Call;
  readonly #body: Body;
  readonly #outcome: RoundOutcome;
  readonly #recorded: Recorded[] = [];
  readonly #effects: Effect[] = [];
  readonly #securities: MadeSecurity[] = [];

  constructor(tx: Tx, call: Call, body: Body, outcome: RoundOutcome) {
    this.#tx = tx;
    this.#call = call;
    this.#body = body;
    this.#outcome = outcome;
  }

  run(): Closed {
    this.#shiftSeniority();
    const classes = this.#outcome.made.map((made) => ({ made, row: this.#makeClass(made) }));
    const rows = new Map(classes.map(({ made, row }) => [made, row]));
    for (const { stockClassId, newSharesAuthorized } of this.#body.authorizedShares ?? []) {
      this.#do(adjustAuthorized, { stockClassId, newSharesAuthorized, ...this.#approvals() });
    }
    this.#adjustConversions();
    this.#adjustReserve();
    for (const conversion of this.#outcome.conversions)
      this.#convert(conversion, present(rows.get(conversion.into), "its class"));
    const [first] = classes;
    for (const investment of this.#outcome.investments) this.#issue(investment, present(first, "a class").row);
    const corporateActionId = this.#record();
    return {
      corporateActionId,
      transactionIds: this.#recorded.flatMap(({ entries }) => entries.map(({ id }) => id)),
      shareClasses: classes.map(({ row: { id, name } }) => ({ id, name })),
      securities: this.#securities,
      digest: this.#body.digest,
      effects: this.#effects,
      touched: this.#touched(classes.map(({ row }) => row.id)),
    };
  }

  #touched(made: readonly string[]): readonly Named[] {
    const { adjustments, plan } = this.#outcome;
    const classes = [...made, ...adjustments.flatMap(({ after }) => after.id ?? [])];
    return [
      ...classes.map((stockClassId) => ({ stockClassId, equityPlanId: null })),
      { stockClassId: null, equityPlanId: plan.pool.plan?.id ?? null },
    ];
  }

  #do(operation: LedgerOperation, command: Readonly<Record<string, unknown>>) {
    const dated = { ...command, effectiveDate: this.#outcome.plan.closingDate };
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
    const before = new Map(this.#outcome.before.classes.map((each) => [each.key, each.seniority]));
    for (const { id, key, seniority } of this.#outcome.after.classes) {
      const was = before.get(key);
      if (id === null || was === undefined || was === seniority) continue;
      changeLogged(this.#tx, this.#call, "share_classes", id, { seniority, updatedAt: this.#call.at });
      this.#effects.push({ resourceType: "share-class", id, field: "seniority", before: was, after: seniority });
    }
  }

  #makeClass(made: MadeClass): Row<"share_classes"> {
    const { name, seniority } = made.class;
    const given: Partial<Parameters<typeof createShareClass>[2]> = this.#body.model.newClass;
    const price = formatDecimal(made.price);
    const asked = this.#body.newClassAuthorized?.find((each) => each.name === name);
    const row = createShareClass(this.#tx, this.#call, {
      ...given,
      name,
      classType: "PREFERRED",
      defaultIdPrefix: made.prefix.slice(0, 20),
      votesPerShare: given.votesPerShare ?? "1",
      seniority,
      liquidationPreferenceMultiple: given.liquidationPreferenceMultiple ?? "1",
      pricePerShare: price,
      initialSharesAuthorized: asked?.sharesAuthorized ?? formatDecimal(this.#issuedOf(made)),
      conversionRights: [
        {
          stockClassId: made.class.intoKey,
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

  #issuedOf(made: MadeClass): Decimal {
    const { conversions, investments } = this.#outcome;
    const converted = conversions.filter(({ into }) => into === made).reduce((sum, { shares }) => sum + shares, ZERO);
    return made.role === "NEW_MONEY" ? investments.reduce((sum, { shares }) => sum + shares, converted) : converted;
  }

  #adjustConversions(): void {
    for (const { after, price } of this.#outcome.adjustments) {
      this.#do(adjustConversion, {
        stockClassId: after.id,
        ratio: { numerator: formatDecimal(after.ratio.numerator), denominator: formatDecimal(after.ratio.denominator) },
        conversionPrice: formatDecimal(price),
        ...this.#approvals(),
      });
    }
  }

  #adjustReserve(): void {
    const { increase, plan } = this.#outcome;
    const equityPlanId = plan.pool.plan?.id;
    if (increase === ZERO || !equityPlanId) return;
    const row = getRecord<Row<"equity_plans">>(this.#tx, "equity_plans", this.#call.orgId, equityPlanId);
    const newSharesReserved = formatDecimal(parseDecimal(row.totalSharesReserved) + increase);
    this.#do(adjustReserve, { equityPlanId, newSharesReserved, ...this.#approvals() });
  }

  #convert(conversion: RoundOutcome["conversions"][number], { id: stockClassId }: Row<"share_classes">): void {
    const { security, shares, price, interest, basis, cashInLieu } = conversion;
    const told = withoutNulls({
      interest: formatDecimal(interest),
      basis,
      cashInLieu: formatDecimal(cashInLieu),
      triggerId: security.terms.triggerId,
      capitalization: countedIn(conversion, this.#outcome),
    });
    const command = {
      securityId: security.id,
      stockClassId,
      resultingQuantity: formatDecimal(shares),
      pricePerShare: formatDecimal(price),
      ...this.#approvals(),
    };
    const done = this.#do(telling(told), command);
    this.#noteMade(done, {
      kind: "CONVERSION",
      stockClassId,
      quantity: command.resultingQuantity,
      originSecurityId: security.id,
    });
  }

  #issue(investment: RoundOutcome["investments"][number], { id: stockClassId }: Row<"share_classes">): void {
    if (investment.shares === ZERO) return;
    const row = getRecord<Row<"share_classes">>(this.#tx, "share_classes", this.#call.orgId, stockClassId);
    const quantity = formatDecimal(investment.shares);
    const done = this.#do(issueShares, {
      stakeholderId: investment.holder.id,
      stockClassId,
      quantity,
      certificateId: peekCertificateId(this.#tx, row),
      pricePerShare: formatDecimal(this.#outcome.price),
      ...withoutNulls({ stockholderApprovalDate: this.#body.stockholderApprovalDate }),
      ...this.#approvals(),
    });
    this.#noteMade(done, { kind: investment.kind, stockClassId, quantity, originSecurityId: null });
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
    const { plan, conversions, investments, price } = this.#outcome;
    const cash = investments.reduce((sum, { cost }) => sum + cost, ZERO);
    const summary =
      `${formatDecimal(cash)} at ${formatDecimal(price)} a share of ${model.newClass.name}; ` +
      `${conversions.length} convertible${conversions.length === 1 ? "" : "s"} converted.`;
    const row = createCorporateAction(this.#tx, this.#call, {
      type: FINANCING,
      title: titleOf(this.#body),
      summary,
      status: "Finalized",
      effectiveDate: plan.closingDate,
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
