// Lays the cap table at a moment out as the API shows it: by class, plan and holder, with exact sums and rounded shares
// of the whole. Pure.

import { percentText } from "../../kernel/numbers/columns.ts";
import { type Decimal, formatDecimal, max, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Conversions } from "../../ledger/rules/conversion.ts";
import type { Row } from "../../storage/database/sql.ts";
import { type DilutedColumns, dilutedColumns } from "./diluted.ts";
import { type Holding, type Holdings, NO_SHARES, type ToldStock } from "./holding.ts";
import { classCounts, planCounts } from "./lasting.ts";
import { formatPercent } from "./layout/percents.ts";
import type { Moment, Names, Shown } from "./view.ts";
import { votesOf } from "./votes.ts";

type State = Shown["state"];
type Counted = Shown["counted"];

/** Builds the answer of `GET /cap-table`. */
export function layOutTable(view: Shown) {
  const { moment, names, holdings } = view;
  const { shareClasses, equityPlans, totals, whole } = layOutSums(view, holdings.all);
  return {
    ...moment,
    shareClasses,
    equityPlans,
    stakeholders: layOutHolders(view, whole),
    byClass: layOutClasses(
      { view, whole, holders: [...holdings.byHolder.values()] },
      holdings.all,
      names.classes.filter(({ id }) => shareClasses.some((shown) => shown.id === id)),
    ),
    convertibles: view.convertibles.map(({ id, stakeholderId, quantity }) => {
      return { securityId: id, stakeholderId, quantity: formatDecimal(quantity) };
    }),
    totals: { ...totals, percentPoolAsConverted: columnsIn(view, whole).pool },
  };
}

/** What of a view its sums follow from, besides what all hold. */
export type Summed = Pick<Shown, "moment" | "state" | "counted" | "conversions"> & {
  readonly names: Pick<Names, "classes" | "plans">;
};

/** The classes, the plans and the totals of a cap table. */
export function layOutSums({ moment, state, counted, names, conversions }: Summed, all: Holding) {
  const equityPlans = layOutPlans(moment, state, counted, names.plans);
  const whole = wholeOf(all, equityPlans);
  return {
    shareClasses: classesThen(moment, state, counted, names.classes).map((row) => ({
      ...row,
      conversion: conversionOf(conversions, row.id),
    })),
    equityPlans: equityPlans.map((plan) => ({ ...plan, available: formatDecimal(plan.available) })),
    totals: {
      outstanding: formatDecimal(all.outstanding),
      options: formatDecimal(all.options),
      warrants: formatDecimal(all.warrants),
      poolAvailable: formatDecimal(whole.poolAvailable),
      fullyDiluted: formatDecimal(whole.fullyDiluted),
      outstandingAsConverted: formatDecimal(all.outstandingAsConverted),
      warrantsAsConverted: formatDecimal(all.warrantsAsConverted),
      asConverted: formatDecimal(whole.asConverted),
    },
    whole,
  };
}

/** What `GET /cap-table` answers, but the instant. */
export type CapTable = ReturnType<typeof layOutTable>;

/** The whole of each percentage. */
export interface Whole {
  readonly outstanding: Decimal;
  readonly poolAvailable: Decimal;
  /** With options, warrants and what plans have available. */
  readonly fullyDiluted: Decimal;
  /** The same with stock and warrants as converted. */
  readonly asConverted: Decimal;
}

/** The whole at a view's moment. A plan that an import overdrew has nothing available, and takes nothing from others. */
function wholeOf(all: Holding, plans: readonly { readonly available: Decimal }[]): Whole {
  const poolAvailable = sum(plans.map(({ available }) => max(available, ZERO)));
  const asConverted = all.asConverted + poolAvailable;
  return { outstanding: all.outstanding, poolAvailable, fullyDiluted: all.fullyDiluted + poolAvailable, asConverted };
}

/** The same, for what shows one holder. */
export function wholeIn({ moment, state, counted, names, holdings }: Shown): Whole {
  return wholeOf(holdings.all, layOutPlans(moment, state, counted, names.plans));
}

/** How a class converts, as it is recorded; null for common stock. */
export function conversionOf(conversions: Conversions, stockClassId: string) {
  const conversion = conversions.get(stockClassId);
  return conversion ? { ...conversion.told, rounding: conversion.rounding } : null;
}

function classesThen(moment: Moment, state: State, counted: Counted, rows: readonly Row<"share_classes">[]) {
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

/** The plans with their whole reserve: only entries have dates, and creating a plan is not an entry. */
function layOutPlans(moment: Moment, state: State, counted: Counted, rows: readonly Row<"equity_plans">[]) {
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

/** All holders with holdings, the largest first one for one, ties by creation. */
function layOutHolders(view: Shown, whole: Whole) {
  const { classes } = view.names;
  const rows = holdersByCreation(view);
  const { outstanding, asConverted } = columnsIn(view, whole, rows).columns;
  rows.sort((a, b) => (a.total === b.total ? 0 : a.total > b.total ? -1 : 1));
  // Member by member: copying objects of thousands of holders takes as long as all else here.
  return rows.map(({ id, displayName, holding, holding: { told }, place, total }) => ({
    id,
    displayName,
    outstanding: told.outstanding,
    options: told.options,
    warrants: told.warrants,
    vested: told.vested,
    unvested: told.unvested,
    fullyDiluted: told.fullyDiluted,
    outstandingAsConverted: told.outstandingAsConverted,
    warrantsAsConverted: told.warrantsAsConverted,
    asConverted: told.asConverted,
    percentOutstanding: formatPercent(holding.outstanding, whole.outstanding),
    percentFullyDiluted: formatPercent(total, whole.fullyDiluted),
    percentOutstandingAsConverted: percentText(outstanding[place] ?? 0n),
    percentAsConverted: percentText(asConverted[place] ?? 0n),
    holdings: stockIn(holding, classes),
  }));
}

/** A holder's stock by class, in the order of the classes. */
function stockIn({ toldStock }: Holding, classes: Names["classes"]): readonly ToldStock[] {
  const lines: ToldStock[] = [];
  for (const { id } of classes) {
    const told = toldStock.get(id);
    if (told) lines.push(told);
  }
  return lines;
}

interface HolderRow {
  readonly id: string | null;
  readonly displayName: string | null;
  readonly holding: Holding;
  readonly total: Decimal;
  /** Its place by creation. */
  readonly place: number;
}

function holdersByCreation({ names, holdings: { byHolder } }: Shown): HolderRow[] {
  const rows: HolderRow[] = [];
  const take = (id: string | null, displayName: string | null) => {
    const holding = byHolder.get(id);
    if (holding) rows.push({ id, displayName, holding, total: holding.fullyDiluted, place: rows.length });
  };
  for (const { id, displayName } of names.stakeholders) take(id, displayName);
  take(null, null);
  return rows;
}

/** The percentages of all holders as converted, as long as what they hold and what plans have available stays. */
class HolderColumns {
  readonly #rows: readonly HolderRow[];

  constructor(
    rows: readonly HolderRow[],
    readonly columns: DilutedColumns,
    /** Of what they hold when it was so, and of what was available besides. */
    readonly changes: number,
    readonly available: Decimal,
  ) {
    this.#rows = [...rows];
  }

  get pool(): string {
    return percentText(this.columns.pool);
  }

  /** Of some holders together. */
  of(ids: readonly (string | null)[]) {
    const parts = this.#rows.filter(({ id }) => ids.includes(id)).map(({ place }) => this.columns.of(place));
    return {
      percentOutstandingAsConverted: percentText(sum(parts.map(({ outstanding }) => outstanding))),
      percentAsConverted: percentText(sum(parts.map(({ asConverted }) => asConverted))),
    };
  }
}

/** Those of what holders have, for which several parts of an answer ask, and one answer after the other. */
const known = new WeakMap<Holdings, HolderColumns>();

/** The percentages as converted: those of all holders and the pool are one column that adds up. */
export function columnsIn(view: Shown, { poolAvailable }: Whole, rows?: readonly HolderRow[]): HolderColumns {
  const { holdings } = view;
  const kept = known.get(holdings);
  if (kept && kept.changes === holdings.changes && kept.available === poolAvailable) return kept;
  const byCreation = rows ?? holdersByCreation(view);
  const columns = dilutedColumns(
    byCreation.map(({ holding }) => holding),
    poolAvailable,
  );
  const made = new HolderColumns(byCreation, columns, holdings.changes, poolAvailable);
  known.set(holdings, made);
  return made;
}

/** What of it a line of a class is said of. */
interface ByClassOf {
  readonly view: Shown;
  readonly whole: Whole;
  /** Who holds it, each by itself: votes are made whole holder by holder. */
  readonly holders: readonly Holding[];
}

/**
 * A line for each of `classes`; one more for what is of no class, where there is any. A holder's own has only those of
 * which there is something: `classes` is left out then.
 */
export function layOutClasses(
  { view, whole, holders }: ByClassOf,
  held: Holding,
  classes?: readonly Row<"share_classes">[],
) {
  const { names, conversions } = view;
  const shown = new Set((classes ?? names.classes).map(({ id }) => id));
  const sums = held.byClass((plan) => onlyClassOf(view.state, plan, shown));
  const lines = [...(classes ?? names.classes), null].flatMap((row) => {
    const shares = sums.get(row?.id ?? null);
    return shares || (row && classes) ? [{ row, shares: shares ?? NO_SHARES }] : [];
  });
  return lines.map(({ row, shares }) => {
    const { outstanding, options, warrants, outstandingAsConverted, warrantsAsConverted } = shares;
    const asConverted = outstandingAsConverted + warrantsAsConverted + options;
    // Share by share all votes are one product; as converted those of each holder are made whole.
    const voting = row?.votesBasis === "AS_CONVERTED" ? holders : [held];
    const votes = row ? sum(voting.map(votesOf(row, { conversions, names }))) : ZERO;
    return {
      stockClassId: row?.id ?? null,
      outstanding: formatDecimal(outstanding),
      options: formatDecimal(options),
      warrants: formatDecimal(warrants),
      fullyDiluted: formatDecimal(outstanding + options + warrants),
      outstandingAsConverted: formatDecimal(outstandingAsConverted),
      warrantsAsConverted: formatDecimal(warrantsAsConverted),
      asConverted: formatDecimal(asConverted),
      percentAsConverted: formatPercent(asConverted, whole.asConverted),
      votes: formatDecimal(votes),
      conversion: row ? conversionOf(conversions, row.id) : null,
    };
  });
}

/** The one class that a plan is for; null where it is for several or none, or the class is not there yet. */
function onlyClassOf(state: State, equityPlanId: string, shown: ReadonlySet<string>): string | null {
  const [only, ...others] = state.plans.get(equityPlanId)?.stockClassIds ?? [];
  return only !== undefined && others.length === 0 && shown.has(only) ? only : null;
}

/** The figures of a holder. */
export function figuresOf(holding: Holding, whole: Whole) {
  return {
    ...holding.told,
    percentOutstanding: formatPercent(holding.outstanding, whole.outstanding),
    percentFullyDiluted: formatPercent(holding.fullyDiluted, whole.fullyDiluted),
  };
}
