// Plan of a round: what its body says of holders, money and pool, each checked against the company. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, ONE, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { add, type Fraction, NOTHING, ofDecimal, ofPercent, over, subtract, toCents, WHOLE } from "../fraction.ts";
import { Missing } from "../missing.ts";
import { availableOf, type Company, type Holder, type ModelPlan } from "../model-company.ts";
import type { HolderNamed, Pointer, RoundBody } from "./round-body.ts";

/** Who puts in how much. */
export interface Investing {
  readonly holder: Holder;
  readonly amount: Decimal;
}

/** Who takes part by a right to do so: of so much of the new shares, or of its own part where that is null. */
export interface Participating {
  readonly holder: Holder;
  readonly percent: Fraction | null;
}

/** The pool that is asked for. */
export interface PoolPlan {
  readonly plan: ModelPlan | null;
  readonly increase: Decimal | null;
  readonly target: Fraction | null;
  readonly measure: "AVAILABLE" | "GRANTED_AND_AVAILABLE";
  readonly isAfterMoney: boolean;
  readonly promised: Decimal;
}

/** A round as it is asked for. */
export interface RoundPlan {
  readonly body: RoundBody;
  readonly at: Pointer;
  readonly closingDate: CalendarDate;
  readonly pricePlaces: number;
  readonly investors: readonly Investing[];
  readonly participants: readonly Participating[];
  readonly isWithin: boolean;
  /** N. */
  readonly money: Decimal;
  readonly pool: PoolPlan;
  /** The holders whom it names and the company does not know yet. */
  readonly newHolders: readonly Holder[];
}

/** A holder that a body gives by name is one person throughout it, and never a stakeholder on record. */
export function holderByName(name: string): Holder {
  return { key: `n:${name}`, id: null, name };
}

/** Finds holders on record, and collects those that are new. */
class Holders {
  readonly #known: ReadonlyMap<string, Holder>;
  readonly added: Holder[] = [];

  constructor(company: Company) {
    this.#known = new Map(company.holders.map((holder) => [holder.key, holder]));
  }

  find({ stakeholderId, name }: HolderNamed): Holder {
    if (stakeholderId !== undefined && stakeholderId !== null) {
      const known = this.#known.get(stakeholderId);
      if (!known || known.id === null || known.isDeleted) throw new Missing("stakeholder", stakeholderId);
      return known;
    }
    const holder = holderByName(String(name));
    const known = this.#known.get(holder.key) ?? this.added.find(({ key }) => key === holder.key);
    if (known) return known;
    this.added.push(holder);
    return holder;
  }
}

/** Reads a round's body. Throws `422` for what does not fit, `404` for what it names and is not there. */
export function planRound(company: Company, body: RoundBody, closingDate: CalendarDate, at: Pointer): RoundPlan {
  refuseTakenName(company, body, at);
  const holders = new Holders(company);
  const investors = body.investors.map((each) => ({ holder: holders.find(each), amount: parseDecimal(each.amount) }));
  const participants = (body.proRata?.participants ?? []).map((each) => ({
    holder: holders.find(each),
    percent: each.percent === undefined || each.percent === null ? null : ofPercent(parseDecimal(each.percent)),
  }));
  refuse([...repeated(investors, `${at}/investors`), ...repeated(participants, `${at}/proRata/participants`)]);
  const isWithin = body.proRata?.mode !== "ON_TOP";
  const money = moneyOf(investors, participants, isWithin, at);
  refuseWorth(body, money, at);
  return {
    body,
    at,
    closingDate,
    pricePlaces: body.pricePlaces ?? 4,
    investors,
    participants,
    isWithin,
    money,
    pool: planPool(company, body, at),
    newHolders: holders.added,
  };
}

function refuseTakenName(company: Company, { newClass }: RoundBody, at: Pointer): void {
  if (company.classes.some(({ name }) => name === newClass.name)) {
    refuse([[`${at}/newClass/name`, "is the name of a class that is there"]]);
  }
}

function repeated(list: readonly { readonly holder: Holder }[], at: Pointer): readonly Finding[] {
  const seen = new Set<string>();
  return list.flatMap(({ holder }, index): readonly Finding[] => {
    if (seen.has(holder.key)) return [[`${at}/${index}`, "names a holder that the list has already"]];
    seen.add(holder.key);
    return [];
  });
}

/** N: what the investors put in, and where others come on top of it so much more that their percentages are right. */
function moneyOf(
  investors: readonly Investing[],
  participants: readonly Participating[],
  isWithin: boolean,
  at: Pointer,
): Decimal {
  const given = investors.reduce((sum, { amount }) => sum + amount, ZERO);
  const parts = participants.reduce((sum, { percent }) => (percent ? add(sum, percent) : sum), NOTHING);
  const rest = subtract(WHOLE, parts);
  if (rest.n <= 0n) refuse([[`${at}/proRata/participants`, "take 100 % of the new shares or more"]]);
  return isWithin ? given : toCents(over(ofDecimal(given), rest));
}

function refuseWorth({ valuation }: RoundBody, money: Decimal, at: Pointer): void {
  if (valuation.convertibles === "ADDED_AT_COST" && valuation.kind !== "PRE_MONEY") {
    refuse([[`${at}/valuation/convertibles`, "ADDED_AT_COST goes with PRE_MONEY only"]]);
  }
  if (valuation.kind !== "POST_MONEY" || parseDecimal(valuation.amount) > money) return;
  refuse([[`${at}/valuation/amount`, "must be more than the new money"]]);
}

function planPool(company: Company, { pool }: RoundBody, at: Pointer): PoolPlan {
  const increase = decimalOf(pool?.increase);
  const target = decimalOf(pool?.targetPercent);
  const promised = decimalOf(pool?.promised) ?? ZERO;
  const named = pool?.equityPlanId ?? null;
  const plans = company.plans.filter(({ isDeleted }) => !isDeleted);
  const asked = named === null ? null : plans.find(({ id }) => id === named);
  if (asked === undefined) throw new Missing("equity plan", String(named));
  const [only, ...others] = plans;
  const findings: Finding[] = [];
  if ((increase !== null || target !== null) && asked === null && others.length > 0) {
    findings.push([`${at}/pool/equityPlanId`, "is required where there are several plans"]);
  }
  const short = promised - availableOf(company);
  if (increase !== null && increase < short) {
    findings.push([`${at}/pool/increase`, "must cover what is promised and the reserve has not"]);
  }
  if (increase === null && target === null && short > ZERO) {
    findings.push([`${at}/pool/promised`, "is more than the reserve has; give a target or an increase"]);
  }
  refuse(findings);
  return {
    plan: asked ?? (others.length === 0 ? (only ?? null) : null),
    increase,
    target: target === null ? null : ofPercent(target),
    measure: pool?.measure ?? "AVAILABLE",
    isAfterMoney: pool?.position === "POST_MONEY",
    promised,
  };
}

function decimalOf(text: string | null | undefined): Decimal | null {
  return text === undefined || text === null ? null : parseDecimal(text);
}

/** A whole count of shares as a decimal. */
export function shares(count: bigint): Decimal {
  return count * ONE;
}
