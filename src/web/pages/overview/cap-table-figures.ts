// The overview's figures, computed from the API's exact strings: series with their colours, who owns which part.
import { parseDecimal, total } from "../../../kernel/numbers/decimal.ts";
import { holderName, POOL } from "../../../views/cap-table/layout/by-holder.ts";
import { inOrder, type Ranked } from "../../../views/cap-table/layout/table-answer.ts";
import type { components } from "../../api/types.ts";
import { percentOf } from "../../locale.ts";
import { OVERVIEW } from "../../text/overview.ts";

type Schemas = components["schemas"];
export type CapTable = Schemas["CapTable"];
export type History = Schemas["CapTableHistory"];
type Holder = CapTable["stakeholders"][number];

/** A class, or what is counted like one, with its colour among the tokens. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isStriped?: boolean;
  /** The classes that it stands for. */
  readonly classIds: readonly string[];
}

export const OPTIONS_ID = "options";
export const WARRANTS_ID = "warrants";
const POOL_ID = "pool";
const CLASS_COLORS = ["c1", "c2", "c3", "c6", "c7"] as const;

/** A class with its place among the others. */
export interface RankedClass extends Ranked {
  readonly name: string;
}

/** Classes in the table's order, then options, warrants and the pool; classes beyond the colours share the last one. */
export function seriesOf(classes: readonly RankedClass[]): readonly Series[] {
  const ranked = inOrder(classes);
  const own = ranked.length > CLASS_COLORS.length ? CLASS_COLORS.length - 1 : ranked.length;
  const series: Series[] = ranked.slice(0, own).map(({ id, name }, index) => {
    return { id, name, color: CLASS_COLORS[index] ?? "c7", classIds: [id] };
  });
  const others = ranked.slice(own).map(({ id }) => id);
  if (others.length > 0) series.push({ id: "others", name: OVERVIEW.otherClasses, color: "c7", classIds: others });
  return [
    ...series,
    { id: OPTIONS_ID, name: OVERVIEW.options, color: "c4", classIds: [] },
    { id: WARRANTS_ID, name: OVERVIEW.warrants, color: "c5", classIds: [] },
    { id: POOL_ID, name: POOL, color: "c-pool", isStriped: true, classIds: [] },
  ];
}

/** A point of the history as quantities of the series. */
export function valuesOf(point: History["points"][number], series: readonly Series[]): readonly string[] {
  const issued = new Map(point.classes.map((each) => [each.id, each.asConverted]));
  return series.map(({ id, classIds }) => {
    if (id === OPTIONS_ID) return point.options;
    if (id === WARRANTS_ID) return point.warrantsAsConverted;
    if (id === POOL_ID) return point.poolAvailable;
    return total(classIds.map((classId) => issued.get(classId) ?? "0"));
  });
}

/** Whether the bar counts what may become shares, or shares alone. */
export type Count = "diluted" | "outstanding";

/** A part of the bar. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isStriped: boolean;
  readonly quantity: string;
  /** Of the whole, with 6 places; null where there is no whole. */
  readonly percent: string | null;
  /** What may be issued or granted at most, and how much of that is; null where there is no such limit. */
  readonly limit: string | null;
  readonly used: string | null;
}

function withShares(parts: readonly Omit<Part, "percent">[]): readonly Part[] {
  const whole = total(parts.map(({ quantity }) => quantity));
  return parts.map((part) => ({ ...part, percent: percentOf(part.quantity, whole) }));
}

/** Who owns what by class: classes, options, warrants, pool. */
export function partsByClass(table: CapTable, series: readonly Series[], count: Count): readonly Part[] {
  const { totals, shareClasses, equityPlans, byClass } = table;
  const stock = new Map(byClass.map((line) => [line.stockClassId, line.outstandingAsConverted]));
  const parts = series.flatMap(({ id, name, color, isStriped = false, classIds }) => {
    const common = { id, name, color, isStriped };
    if (id === WARRANTS_ID) return [{ ...common, quantity: totals.warrantsAsConverted, limit: null, used: null }];
    if (id === POOL_ID) return [{ ...common, quantity: totals.poolAvailable, limit: null, used: null }];
    if (id === OPTIONS_ID) {
      const reserved = equityPlans.length === 0 ? null : total(equityPlans.map((plan) => plan.reserved));
      const used = total(equityPlans.flatMap(({ granted, exercised }) => [granted, exercised]));
      return [{ ...common, quantity: totals.options, limit: reserved, used: reserved && used }];
    }
    const own = shareClasses.filter((each) => classIds.includes(each.id));
    if (own.length === 0) return [];
    const issued = total(own.map((each) => each.issued));
    const limit = own.length === 1 ? (own[0]?.authorized ?? null) : null;
    const converted = total(own.map((each) => stock.get(each.id) ?? each.issued));
    return [{ ...common, quantity: count === "diluted" ? converted : issued, limit, used: limit && issued }];
  });
  const isCounted = ({ id }: { readonly id: string }) =>
    count === "diluted" || ![OPTIONS_ID, WARRANTS_ID, POOL_ID].includes(id);
  return withShares(parts.filter(isCounted));
}

const LARGEST = 6;
const HOLDER_COLORS = ["c1", "c2", "c3", "c6", "c7", "c4"] as const;

/** Who owns what by holder: the six largest, the rest as one, the pool. */
export function partsByHolder({ stakeholders, totals }: CapTable, count: Count): readonly Part[] {
  const held = (holder: Holder) => (count === "diluted" ? holder.asConverted : holder.outstanding);
  const holders = stakeholders
    .filter((holder) => parseDecimal(held(holder)) !== 0n)
    .toSorted((a, b) => (parseDecimal(held(b)) > parseDecimal(held(a)) ? 1 : -1));
  // One more takes no more room than the words that there is one more.
  const own = holders.length === LARGEST + 1 ? LARGEST + 1 : LARGEST;
  const rest = holders.slice(own);
  const common = { isStriped: false, limit: null, used: null };
  const parts = holders.slice(0, own).map((holder, index) => ({
    ...{ ...common, id: holder.id ?? "", name: holderName(holder.displayName), color: HOLDER_COLORS[index] ?? "c5" },
    quantity: held(holder),
  }));
  const others = { ...common, id: "rest", name: OVERVIEW.otherHolders(rest.length), color: "c5" };
  const pool = { ...common, id: POOL_ID, name: POOL, color: "c-pool", isStriped: true };
  return withShares([
    ...parts,
    ...(rest.length > 0 ? [{ ...others, quantity: total(rest.map(held)) }] : []),
    ...(count === "diluted" ? [{ ...pool, quantity: totals.poolAvailable }] : []),
  ]);
}

/** What can be authorized of all classes together; null where one has no limit. */
export function authorizedOf({ shareClasses }: CapTable): string | null {
  const limits = shareClasses.map(({ authorized }) => authorized);
  return limits.every((limit) => /^[\d.]+$/.test(limit)) ? total(limits) : null;
}
