// What a closing will write, worked out from the ledger and the records as they are: the model again, its digest
// compared, and of its outcome what the closing needs, as plain data. It can be had beforehand, in a thread that reads:
// the commit then asks whether anything came since that a round is modelled from (read/unchanged.ts).
import type { Static } from "@sinclair/typebox";
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { Problem, problem, refuse } from "../../../kernel/problem.ts";
import { Outdated } from "../../../kernel/threads/outdated.ts";
import { type ToldError, tellError, toldError } from "../../../kernel/threads/serialized-error.ts";
import { withoutNulls } from "../../../ledger/operations/parts.ts";
import { inSnapshot } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { type Stand, standOf } from "../../cap-table/basis.ts";
import { start } from "../model.ts";
import type { CapitalizationRules } from "../model-company.ts";
import { isUnchanged } from "../read/unchanged.ts";
import { digestOf, tellRound } from "../round/answer.ts";
import { modelRound, type RoundOutcome } from "../round/round.ts";
import type { RoundBody } from "../round/round-body.ts";
import type { MadeClass } from "../round/round-classes.ts";
import { type Countable, countableIn, rulesOf } from "./counted.ts";
import { refuseUnready } from "./refusals.ts";
import type { CloseBody } from "./schema.ts";

type Body = Static<typeof CloseBody>;

/** How often a plan is made anew at once. */
const TRIES = 2;
/** More rows of the log than these are not looked through after a plan; so many are left to the commit. */
const FOLLOWED_MAX = 20_000;
const LEFT_MAX = 500;

/** What a closing will write; figures are decimal text. */
export interface ClosingPlan {
  readonly closingDate: CalendarDate;
  /** What a share of the new class costs, and what all investors pay. */
  readonly price: string;
  readonly cash: string;
  readonly seniorities: readonly { readonly id: string; readonly before: number; readonly after: number }[];
  /** The classes to make, the one of new money first; `issued` is what the round issues of each. */
  readonly made: readonly {
    readonly name: string;
    readonly seniority: number;
    readonly price: string;
    readonly prefix: string;
    readonly intoKey: string | null;
    readonly issued: string;
  }[];
  readonly adjustments: readonly {
    readonly stockClassId: string | null;
    readonly intoKey: string | null;
    readonly ratio: { readonly numerator: string; readonly denominator: string };
    readonly conversionPrice: string;
  }[];
  /** The plan that the pool is in; `increase` is null where it stays as it is. */
  readonly pool: {
    readonly equityPlanId: string | null;
    readonly classKey: string | null;
    readonly increase: string | null;
  };
  /** `made` is the place of the class that each gets. */
  readonly conversions: readonly {
    readonly securityId: string;
    readonly made: number;
    readonly shares: string;
    readonly price: string;
    readonly told: Readonly<Record<string, unknown>>;
    readonly rules: CapitalizationRules | null;
  }[];
  readonly countable: Countable;
  /** Those that buy shares. */
  readonly investments: readonly {
    readonly stakeholderId: string | null;
    readonly kind: "NEW_MONEY" | "PRO_RATA";
    readonly shares: string;
  }[];
}

/** A plan that was made beforehand, or what is in its way, and where ledger and log stood then. Plain data. */
export interface EarlierPlan {
  readonly stand: Stand;
  readonly outcome: { readonly plan: ClosingPlan } | { readonly refusal: ToldError };
}

/** Who closes, and when. */
interface Asked {
  readonly orgId: string;
  readonly nowMs: number;
}

/**
 * Plans a closing. The caller holds a snapshot. Throws `409 model-changed` where the round comes to another answer than
 * the accepted one, and what else is in its way.
 */
export function planClosing(db: Reader, { orgId, nowMs }: Asked, body: Body): ClosingPlan {
  const outcome = modelAgain(db, { orgId, nowMs }, body);
  refuseUnready(outcome, body);
  return planOf(outcome);
}

/**
 * The same beforehand, on snapshots of its own: planned anew where something came meanwhile from which a round is
 * modelled, and handed on as of the last moment at which that was so of nothing.
 */
export function planEarlier(db: Reader, asked: Asked, body: Body): EarlierPlan {
  const { orgId } = asked;
  for (let tries = 1; ; tries++) {
    const earlier = inSnapshot(db, () => planThen(db, asked, body));
    const { stand, outcome } = earlier;
    if ("refusal" in outcome || tries === TRIES) return earlier;
    const { closingDate } = outcome.plan;
    const isSame = () => isUnchanged(db, orgId, stand, { asOf: closingDate, most: FOLLOWED_MAX });
    const now = inSnapshot(db, () => (isSame() ? standOf(db, orgId) : null));
    if (now !== null) return { stand: now, outcome };
  }
}

function planThen(db: Reader, asked: Asked, body: Body): EarlierPlan {
  const stand = standOf(db, asked.orgId);
  try {
    return { stand, outcome: { plan: planClosing(db, asked, body) } };
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return { stand, outcome: { refusal: tellError(thrown) } };
  }
}

/**
 * The plan as it is now, by one that was made earlier. Throws what was in its way then: the closing came between that
 * moment and now, and counts as refused at that moment. Throws {@link Outdated} where something came since from which a
 * round is modelled.
 */
export function planNow(db: Reader, orgId: string, { stand, outcome }: EarlierPlan): ClosingPlan {
  if ("refusal" in outcome) throw toldError(outcome.refusal);
  const { plan } = outcome;
  if (!isUnchanged(db, orgId, stand, { asOf: plan.closingDate, most: LEFT_MAX })) throw new Outdated();
  return plan;
}

function modelAgain(db: Reader, { orgId, nowMs }: Asked, { model, digest }: Body): RoundOutcome {
  const asOf = model.asOf ?? model.closingDate;
  if (asOf !== model.closingDate) refuse([["#/model/asOf", "must be the closing date"]]);
  const asked = { orgId, model: "ROUND", body: { ...model, asOf }, nowMs } as const;
  const { company, ledgerSequence, knownAt } = start(db, asked);
  const outcome = modelRound(company, model as RoundBody, asOf, "#/model");
  const now = digestOf({ asOf, knownAt, ledgerSequence, ...tellRound(outcome) });
  if (now !== digest) {
    const detail = `The round gives another result now; model it again with asOf ${asOf}, the closing date.`;
    throw problem("model-changed", detail);
  }
  return outcome;
}

function planOf(outcome: RoundOutcome): ClosingPlan {
  const { plan, made, investments, conversions, adjustments, increase, price } = outcome;
  const { pool } = plan;
  return {
    closingDate: plan.closingDate,
    price: formatDecimal(price),
    cash: formatDecimal(investments.reduce((sum, { cost }) => sum + cost, ZERO)),
    seniorities: senioritiesIn(outcome),
    made: made.map((each) => ({
      name: each.class.name,
      seniority: each.class.seniority,
      price: formatDecimal(each.price),
      prefix: each.prefix,
      intoKey: each.class.intoKey,
      issued: formatDecimal(issuedOf(each, outcome)),
    })),
    adjustments: adjustments.map((each) => ({
      stockClassId: each.after.id,
      intoKey: each.after.intoKey,
      ratio: {
        numerator: formatDecimal(each.after.ratio.numerator),
        denominator: formatDecimal(each.after.ratio.denominator),
      },
      conversionPrice: formatDecimal(each.price),
    })),
    pool: {
      equityPlanId: pool.plan?.id ?? null,
      classKey: pool.plan?.classKey ?? null,
      increase: increase > ZERO ? formatDecimal(increase) : null,
    },
    conversions: conversions.map((each) => conversionIn(each, made)),
    countable: countableIn(outcome),
    investments: investments.flatMap(({ holder, kind, shares }) =>
      shares === ZERO ? [] : [{ stakeholderId: holder.id, kind, shares: formatDecimal(shares) }],
    ),
  };
}

function senioritiesIn({ before, after }: RoundOutcome): ClosingPlan["seniorities"] {
  const were = new Map(before.classes.map((each) => [each.key, each.seniority]));
  return after.classes.flatMap(({ id, key, seniority }) => {
    const was = were.get(key);
    return id === null || was === undefined || was === seniority ? [] : [{ id, before: was, after: seniority }];
  });
}

/** What the round issues of a class: conversions, and of the first one all new money. */
function issuedOf(made: MadeClass, { conversions, investments }: RoundOutcome): Decimal {
  const converted = conversions.filter(({ into }) => into === made).reduce((sum, { shares }) => sum + shares, ZERO);
  return made.role === "NEW_MONEY" ? investments.reduce((sum, { shares }) => sum + shares, converted) : converted;
}

function conversionIn(
  conversion: RoundOutcome["conversions"][number],
  made: RoundOutcome["made"],
): ClosingPlan["conversions"][number] {
  const { security, shares, price, interest, basis, cashInLieu, into } = conversion;
  return {
    securityId: security.key,
    made: made.indexOf(into),
    shares: formatDecimal(shares),
    price: formatDecimal(price),
    told: withoutNulls({
      interest: formatDecimal(interest),
      basis,
      cashInLieu: formatDecimal(cashInLieu),
      triggerId: security.terms.triggerId,
    }),
    rules: rulesOf(conversion),
  };
}
