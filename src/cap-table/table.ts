// Lays the cap table at a moment out as the API shows it: by class, plan and holder, with exact sums and rounded shares
// of the whole. Pure.
import type { Row } from "../database/sql.ts";
import { type Decimal, divideHalfEven, formatDecimal, max, sum, ZERO } from "../kernel/decimal.ts";
import type { Counted } from "../ledger/counting.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Holding, Holdings } from "./holding.ts";
import { classCounts, planCounts } from "./lasting.ts";
import type { Moment, Names, View } from "./view.ts";

/** Builds the answer of `GET /cap-table`. */
export function layOutTable(view: View) {
  const { moment, names, holdings } = view;
  const { shareClasses, equityPlans, totals, whole } = layOutSums(view, holdings.all);
  const shown = new Set(shareClasses.map(({ id }) => id));
  return {
    ...moment,
    shareClasses,
    equityPlans,
    stakeholders: layOutHolders(holdings, names, whole),
    byClass: holdings.all.byClass(
      names.classes.filter(({ id }) => shown.has(id)),
      false,
    ),
    convertibles: view.convertibles.map(({ id, stakeholderId, quantity }) => {
      return { securityId: id, stakeholderId, quantity: formatDecimal(quantity) };
    }),
    totals,
  };
}

/** What of a view its sums follow from, besides what all hold. */
export type Summed = Pick<View, "moment" | "state" | "counted"> & {
  readonly names: Pick<Names, "classes" | "plans">;
};

/** The classes, the plans and the totals of a cap table. */
export function layOutSums({ moment, state, counted, names }: Summed, all: Holding) {
  const equityPlans = layOutPlans(moment, state, counted, names.plans);
  const whole = wholeOf(all, equityPlans);
  return {
    shareClasses: layOutClasses(moment, state, counted, names.classes),
    equityPlans: equityPlans.map((plan) => ({ ...plan, available: formatDecimal(plan.available) })),
    totals: {
      outstanding: formatDecimal(all.outstanding),
      options: formatDecimal(all.options),
      warrants: formatDecimal(all.warrants),
      poolAvailable: formatDecimal(whole.poolAvailable),
      fullyDiluted: formatDecimal(whole.fullyDiluted),
    },
    whole,
  };
}

/** What `GET /cap-table` answers, but the instant. */
export type CapTable = ReturnType<typeof layOutTable>;

/** What parts are told of in percent. */
export interface Whole {
  readonly outstanding: Decimal;
  readonly poolAvailable: Decimal;
  /** With options, warrants and what plans have available. */
  readonly fullyDiluted: Decimal;
}

/** The whole at a view's moment. A plan that an import overdrew has nothing available, and takes nothing from others. */
function wholeOf(all: Holding, plans: readonly { readonly available: Decimal }[]): Whole {
  const poolAvailable = sum(plans.map(({ available }) => max(available, ZERO)));
  return { outstanding: all.outstanding, poolAvailable, fullyDiluted: all.fullyDiluted + poolAvailable };
}

/** The same, for what shows one holder. */
export function wholeIn({ moment, state, counted, names, holdings }: View): Whole {
  return wholeOf(holdings.all, layOutPlans(moment, state, counted, names.plans));
}

function layOutClasses(moment: Moment, state: LedgerState, counted: Counted, rows: readonly Row<"share_classes">[]) {
  const shown = rows.filter(
    (row) => classCounts(row, moment, counted.named.has(row.id)) || state.stockClass(row.id).issued !== ZERO,
  );
  return shown.map((row) => {
    const { authorized, issued } = state.stockClass(row.id);
    const { id, name, classType, initialSharesAuthorized: word } = row;
    return {
      id,
      name,
      classType,
      authorized: authorized === null ? word : formatDecimal(authorized),
      issued: formatDecimal(issued),
      available: authorized === null ? word : formatDecimal(authorized - issued),
    };
  });
}

/** The plans with their whole reserve: only entries have dates, and creating a plan is none. */
function layOutPlans(moment: Moment, state: LedgerState, counted: Counted, rows: readonly Row<"equity_plans">[]) {
  const shown = rows.filter((row) => planCounts(row, moment, counted.named.has(row.id)));
  return shown.map(({ id, planName }) => {
    const { reserved, available } = state.plan(id);
    const { granted, exercised } = counted.uses.of(id);
    return {
      id,
      name: planName,
      reserved: formatDecimal(reserved),
      granted: formatDecimal(granted),
      exercised: formatDecimal(exercised),
      available,
    };
  });
}

/** Everybody who holds something, the largest first, ties by creation. */
function layOutHolders({ byHolder }: Holdings, names: Names, whole: Whole) {
  const known = [...names.stakeholders, { id: null, displayName: null }];
  const rows = known.flatMap(({ id, displayName }) => {
    const holding = byHolder.get(id);
    return holding ? [{ id, displayName, holding, total: holding.fullyDiluted }] : [];
  });
  rows.sort((a, b) => (a.total === b.total ? 0 : a.total > b.total ? -1 : 1));
  return rows.map(({ id, displayName, holding }) => ({
    id,
    displayName,
    ...figuresOf(holding, whole),
    holdings: names.classes.flatMap(({ id: stockClassId }) => {
      const quantity = holding.stockOf(stockClassId);
      return quantity === null ? [] : [{ stockClassId, quantity: formatDecimal(quantity) }];
    }),
  }));
}

/** The figures of a holder. */
export function figuresOf(holding: Holding, whole: Whole) {
  const { outstanding, options, warrants, vested, unvested, fullyDiluted } = holding;
  return {
    outstanding: formatDecimal(outstanding),
    options: formatDecimal(options),
    warrants: formatDecimal(warrants),
    vested: formatDecimal(vested),
    unvested: formatDecimal(unvested),
    fullyDiluted: formatDecimal(fullyDiluted),
    percentOutstanding: formatPercent(outstanding, whole.outstanding),
    percentFullyDiluted: formatPercent(fullyDiluted, whole.fullyDiluted),
  };
}

const PERCENT_PLACES = 6;

/** `part` of `whole` in percent, rounded half even to 6 places or as many as are asked for; of nothing 0. */
export function formatPercent(part: Decimal, whole: Decimal, places = PERCENT_PLACES): string {
  const units = whole === ZERO ? 0n : divideHalfEven(part * 100n * 10n ** BigInt(places), whole);
  const digits = units.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
