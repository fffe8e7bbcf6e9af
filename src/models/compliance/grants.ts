// Grants as the compliance reads see them: what was issued, in shares and prices as of the grant, whatever splits came
// after (MODELLING section 9). The caller holds a snapshot.
import { END_OF_TIME, readView, type View } from "../../cap-table/view.ts";
import type { Reader, Row } from "../../database/sql.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { parseDecimal } from "../../kernel/decimal.ts";
import { readSplit } from "../../ledger/split.ts";
import { type SecurityVesting, sharesIn } from "../../ledger/vesting-account.ts";
import { LAST_DAY, statusOf } from "../../vesting/schedule.ts";
import { Budget } from "../budget.ts";
import { type Fraction, fraction, ofDecimal, over, reduced, times, WHOLE } from "../fraction.ts";
import { listIssuances, listSecurityFacts, listSplitEntries, listValuations } from "../read/store.ts";

/** An option or stock as it was issued. */
export interface Grant {
  readonly securityId: string;
  readonly type: "STOCK" | "STOCK_OPTION";
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly grantDate: CalendarDate;
  /** As granted. */
  readonly quantity: Fraction;
  readonly price: Fraction | null;
  readonly optionType: "ISO" | "NSO" | null;
  readonly valuationId: string | null;
  /** By how much splits after the grant have multiplied its shares. */
  readonly growth: Fraction;
  /** By how much those up to a day did. */
  growthUpTo(day: CalendarDate): Fraction;
}

interface SplitEntry {
  readonly effectiveDate: CalendarDate;
  readonly sequence: number;
  readonly stockClassId: string;
  readonly inferred: ReadonlySet<string>;
  readonly ratio: Fraction;
  readonly isStockOnly: boolean;
}

/** What splits have multiplied a share by. */
function growthBy(splits: readonly SplitEntry[]): Fraction {
  return splits.reduce((growth, { ratio }) => times(growth, ratio), WHOLE);
}

/** Every grant of an organization, as known now, with entries up to a day. */
export class Grants {
  readonly all: readonly Grant[];
  readonly valuations: readonly Row<"valuations">[];
  readonly #splits: readonly SplitEntry[];

  constructor(
    db: Reader,
    orgId: string,
    readonly view: View,
  ) {
    const { asOf } = view.moment;
    this.valuations = listValuations(db, { orgId });
    this.#splits = listSplitEntries(db, { orgId })
      .filter(({ effectiveDate }) => effectiveDate <= asOf)
      .map(({ effectiveDate, sequence, metadata }) => {
        const { stockClassId, numerator, denominator, inferredSecurityIds, isStockOnly } = readSplit(
          JSON.parse(metadata ?? "{}"),
        );
        const ratio = fraction(numerator, denominator);
        return { effectiveDate, sequence, stockClassId, inferred: new Set(inferredSecurityIds), ratio, isStockOnly };
      });
    const facts = new Map(listSecurityFacts(db, { orgId }).map((row) => [row.id, row]));
    this.all = listIssuances(db, { orgId })
      .filter(({ effectiveDate }) => effectiveDate <= asOf)
      .flatMap((entry) => this.#grant(entry, facts));
  }

  /** What splits of a class between two days, the first excluded, have multiplied a share by. */
  growthBetween(stockClassId: string, after: CalendarDate, upTo: CalendarDate): Fraction {
    const splits = this.#splits.filter(
      (split) => split.stockClassId === stockClassId && split.effectiveDate > after && split.effectiveDate <= upTo,
    );
    return growthBy(splits);
  }

  #grant(
    { securityId, type, quantity, effectiveDate, sequence, metadata }: ReturnType<typeof listIssuances>[number],
    facts: ReadonlyMap<string, ReturnType<typeof listSecurityFacts>[number]>,
  ): readonly Grant[] {
    const told = metadata === null ? {} : JSON.parse(metadata);
    const state = securityId === null ? undefined : this.view.state.securities.get(securityId);
    const row = securityId === null ? undefined : facts.get(securityId);
    if (!state || !row || securityId === null || quantity === null || told.conversion === true) return [];
    const isOption = type === "STOCK_OPTION_ISSUANCE";
    const stockClassId = state.stockClassId ?? this.#classOfPlan(state.equityPlanId);
    const splits = this.#splits
      .filter((split) => split.sequence > sequence && split.effectiveDate >= effectiveDate)
      .filter((split) => split.stockClassId === state.stockClassId || split.inferred.has(securityId))
      .filter((split) => !(split.isStockOnly && isOption));
    const growth = growthBy(splits);
    const price = isOption ? state.exercisePrice : state.pricePerShare;
    return [
      {
        securityId,
        type: isOption ? "STOCK_OPTION" : "STOCK",
        stakeholderId: state.stakeholderId,
        stockClassId,
        equityPlanId: state.equityPlanId,
        grantDate: effectiveDate,
        quantity: ofDecimal(parseDecimal(quantity)),
        price: price === null ? null : times(ofDecimal(parseDecimal(price)), growth),
        optionType: row.optionType,
        valuationId: row.valuationId,
        growth: reduced(growth),
        growthUpTo: (day) => growthBy(splits.filter((split) => split.effectiveDate <= day)),
      },
    ];
  }

  #classOfPlan(equityPlanId: string | null): string | null {
    const plan = this.view.names.plans.find(({ id }) => id === equityPlanId);
    return plan ? ((JSON.parse(plan.stockClassIds) as string[])[0] ?? null) : null;
  }
}

/** Reads the grants as of a day, as known now. */
export function readGrants(db: Reader, orgId: string, asOf: CalendarDate): Grants {
  return new Grants(db, orgId, readView(db, orgId, { asOf, knownAt: END_OF_TIME }));
}

/** Shares of a grant that vest on a day; accelerated ones by themselves. In shares as granted. */
export interface Vesting {
  readonly date: CalendarDate;
  readonly quantity: Fraction;
  readonly isAccelerated: boolean;
}

/**
 * How a grant vests, as the cancellations up to a day have left it. Shares without a day are left out. Days between
 * which nothing was cancelled have one list, which is worked out once.
 */
export function vestingOf(view: View, grant: Grant, budget = new Budget()): (day: CalendarDate) => readonly Vesting[] {
  const vesting = view.vestingOf(grant.securityId);
  if (vesting === null) {
    const whole = [{ date: grant.grantDate, quantity: grant.quantity, isAccelerated: false }];
    return () => whole;
  }
  const cancelled = factsOf(vesting)
    .flatMap((fact) => (fact.kind === "CANCELLED" && fact.date !== undefined ? [fact.date] : []))
    .sort();
  const known = new Map<number, readonly Vesting[]>();
  return (day) => {
    const count = cancelled.findLastIndex((date) => date <= day) + 1;
    const found = known.get(count) ?? eventsIn(asOf(vesting, day), grant);
    if (!known.has(count)) budget.hold(found.length);
    known.set(count, found);
    return found;
  };
}

function factsOf({ history }: SecurityVesting) {
  return [...history.entries, ...(history.changes ?? [])];
}

function eventsIn(vesting: SecurityVesting, grant: Grant): readonly Vesting[] {
  const accelerations = new Map<CalendarDate, bigint>();
  for (const fact of factsOf(vesting)) {
    if (fact.kind === "ACCELERATED") {
      accelerations.set(fact.date, (accelerations.get(fact.date) ?? 0n) + fact.quantity);
    }
  }
  return statusOf(sharesIn(vesting), LAST_DAY).events.flatMap(({ date, quantity }) => {
    const left = accelerations.get(date) ?? 0n;
    const accelerated = left < quantity ? left : quantity;
    accelerations.set(date, left - accelerated);
    const part = (count: bigint, isAccelerated: boolean): Vesting[] =>
      count === 0n ? [] : [{ date, quantity: over(ofDecimal(count), grant.growth), isAccelerated }];
    return [...part(quantity - accelerated, false), ...part(accelerated, true)];
  });
}

/** A security's vesting without the cancellations after a day. */
function asOf(vesting: SecurityVesting, day: CalendarDate): SecurityVesting {
  const { history } = vesting;
  const isLater = (fact: ReturnType<typeof factsOf>[number]) =>
    fact.kind === "CANCELLED" && fact.date !== undefined && fact.date > day;
  const entries = history.entries.filter((fact) => !isLater(fact));
  const changes = (history.changes ?? []).filter((fact) => !isLater(fact));
  return { ...vesting, history: { ...history, entries, changes } };
}
