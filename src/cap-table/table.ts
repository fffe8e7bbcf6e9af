// Lays the cap table at a moment out as the API shows it: by class, plan and holder, with exact sums and rounded shares
// of the whole. Pure.
import type { Row } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, divideHalfEven, formatDecimal, max, sum, ZERO } from "../kernel/decimal.ts";
import type { Counted } from "../ledger/counting.ts";
import type { LedgerState } from "../ledger/state.ts";
import { collectHoldings, type Holding, type Holdings } from "./holding.ts";
import type { Moment, Names, View } from "./view.ts";

/** Builds the answer of `GET /cap-table`. */
export function layOutTable(view: View) {
  const { moment, state, counted, names } = view;
  const holdings = collectHoldings(view);
  const { outstanding, options, warrants } = holdings.all;
  const equityPlans = layOutPlans(moment, state, counted, names.plans);
  const whole = wholeOf(holdings.all, equityPlans);
  const shareClasses = layOutClasses(moment, state, counted, names.classes);
  const shown = new Set(shareClasses.map(({ id }) => id));
  return {
    ...moment,
    shareClasses,
    equityPlans: equityPlans.map((plan) => ({ ...plan, available: formatDecimal(plan.available) })),
    stakeholders: layOutHolders(holdings, names, whole),
    byClass: holdings.all.byClass(
      names.classes.filter(({ id }) => shown.has(id)),
      false,
    ),
    convertibles: view.open
      .filter(({ type }) => type === "CONVERTIBLE")
      .map(({ id, stakeholderId, quantity }) => ({ securityId: id, stakeholderId, quantity: formatDecimal(quantity) })),
    totals: {
      outstanding: formatDecimal(outstanding),
      options: formatDecimal(options),
      warrants: formatDecimal(warrants),
      poolAvailable: formatDecimal(whole.poolAvailable),
      fullyDiluted: formatDecimal(whole.fullyDiluted),
    },
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

/** The same, for what shows one holder; `all` is what all hold. */
export function wholeIn({ moment, state, counted, names }: View, all: Holding): Whole {
  return wholeOf(all, layOutPlans(moment, state, counted, names.plans));
}

/** What says when a class or a plan is there. */
interface Lasting {
  readonly id: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

const DATE_LENGTH = 10;

/**
 * Whether a class or plan counts (TRUTH section 4): it was known, its day has come, or that of the first counted entry
 * which names it, and it is not deleted. One that is deleted counts before its deletion where a counted entry names it.
 */
function counts(row: Lasting, since: CalendarDate | null, moment: Moment, { named }: Counted): boolean {
  if (row.createdAt > moment.knownAt) return false;
  const first = named.get(row.id);
  const begins = since ?? row.createdAt.slice(0, DATE_LENGTH);
  if (begins > moment.asOf && (first === undefined || first > moment.asOf)) return false;
  if (row.deletedAt === null || row.deletedAt > moment.knownAt) return true;
  return first !== undefined && row.deletedAt.slice(0, DATE_LENGTH) > moment.asOf;
}

/** The earlier of a class's approvals. */
function approvedOn({ boardApprovalDate: board, stockholderApprovalDate: holders }: Row<"share_classes">) {
  if (board === null || holders === null) return board ?? holders;
  return board < holders ? board : holders;
}

function layOutClasses(moment: Moment, state: LedgerState, counted: Counted, rows: readonly Row<"share_classes">[]) {
  const shown = rows.filter(
    (row) => counts(row, approvedOn(row), moment, counted) || state.stockClass(row.id).issued !== ZERO,
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
  const shown = rows.filter((row) => counts(row, row.adoptedDate ?? row.boardApprovalDate, moment, counted));
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
