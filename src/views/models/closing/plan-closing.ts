// Plans a closing from the ledger and the records as they are: the model again, its digest compared, and of its outcome
// what the closing needs. That can be done beforehand, in a thread that reads.
import type { Static } from "@sinclair/typebox";
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { Problem, problem, refuse } from "../../../kernel/problem.ts";
import { tellError } from "../../../kernel/threads/serialized-error.ts";
import { withoutNulls } from "../../../ledger/operations/parts.ts";
import { inSnapshot } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { standOf } from "../../cap-table/basis.ts";
import { start } from "../model.ts";
import { isUnchanged } from "../read/unchanged.ts";
import { digestOf, tellRound } from "../round/answer.ts";
import { modelRound, type RoundOutcome } from "../round/round.ts";
import type { RoundBody } from "../round/round-body.ts";
import type { MadeClass } from "../round/round-classes.ts";
import type { ClosingPlan, EarlierPlan } from "./closing-plan.ts";
import { countableIn, rulesOf } from "./counted.ts";
import type { CloseBody } from "./schema.ts";
import { refuseUnready } from "./unready.ts";

type Body = Static<typeof CloseBody>;

/** How often a plan is made anew at once. */
const TRIES = 2;
/** More rows of the log than these are not looked through after a plan. */
const FOLLOWED_MAX = 20_000;

/** Who closes, and when; and whether the connection keeps today's view, as one that only reads does. */
interface Asked {
  readonly orgId: string;
  readonly nowMs: number;
  readonly keeps?: boolean;
}

/**
 * Plans a closing. The caller holds a snapshot. Throws `409 model-changed` where the round comes to another answer than
 * the accepted one, and what else is in its way.
 */
export function planClosing(db: Reader, asked: Asked, body: Body): ClosingPlan {
  const outcome = modelAgain(db, asked, body);
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
    return { stand, outcome: { plan: planClosing(db, { ...asked, keeps: true }, body) } };
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return { stand, outcome: { refusal: tellError(thrown) } };
  }
}

function modelAgain(db: Reader, { orgId, nowMs, keeps = false }: Asked, { model, digest }: Body): RoundOutcome {
  const asOf = model.asOf ?? model.closingDate;
  if (asOf !== model.closingDate) refuse([["#/model/asOf", "must be the closing date"]]);
  const asked = { orgId, model: "ROUND", body: { ...model, asOf }, nowMs } as const;
  const { company, ledgerSequence, knownAt } = start(db, asked, { keeps });
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
