// The cap table by holder: its lines, its columns, and the words of both. Every face prints these. Pure.
import { type Decimal, formatDecimal, parseDecimal, total, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type LayoutColumn, percentColumn, quantityColumn, textColumn } from "./layout-column.ts";
import { largestFirst } from "./ratios.ts";
import { classesInOrder, type HolderAnswer, type Source, type TableAnswer } from "./table-answer.ts";

/** The name shown for securities without a holder: only an import brings them. */
export const NO_HOLDER = "(no holder)";
/** What plans have available, as one line. */
export const POOL = "Pool available";
/** The line of sums. */
export const TOTAL = "Total";
/** Heading of what conversion adds to the shares one for one. */
export const ADDED = "Added by conversion";

/** The figures of a line: a holder's as the API has them, null where the line has no cell. */
type Held = { readonly [K in keyof Omit<HolderAnswer, "id" | "displayName" | "holdings">]: string | null } & {
  /** Stock by class. */
  readonly holdings: readonly { readonly stockClassId: string | null; readonly quantity: string }[] | null;
};

/** A line: a holder, several holders together, what is available, or the sums. */
export interface HolderLine {
  readonly kind: "holder" | "others" | "pool" | "total";
  /** The stakeholder. */
  readonly id: string | null;
  readonly name: string;
  readonly held: Held;
}

/** The figures of a line without any. */
export const NOTHING_HELD: Held = {
  ...{ outstanding: null, options: null, warrants: null, vested: null, unvested: null },
  ...{ fullyDiluted: null, asConverted: null, percentAsConverted: null, holdings: null },
};

/** The name of a holder. */
export function holderName(displayName: string | null): string {
  return displayName ?? NO_HOLDER;
}

/** The holders, the largest as converted first; those without shares, who have convertibles, last and by name. */
export function holderLines({ stakeholders }: TableAnswer): readonly HolderLine[] {
  const lines = largestFirst(stakeholders).map((held): HolderLine => {
    return { kind: "holder", id: held.id, name: holderName(held.displayName), held };
  });
  const [holders, lenders] = [lines.filter(holdsShares), lines.filter((line) => !holdsShares(line))];
  lenders.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
  return [...holders, ...lenders];
}

/** Whether a line has any shares; as converted a fraction of a share may count as nothing. */
export function holdsShares({ held: { outstanding, warrants, asConverted } }: HolderLine): boolean {
  return [asConverted, outstanding, warrants].some((figure) => figure !== null && figure !== "0");
}

/** What all plans have available; null where that is nothing. */
export function poolLine({ totals }: TableAnswer): HolderLine | null {
  const { poolAvailable: asConverted, percentPoolAsConverted: percentAsConverted } = totals;
  if (asConverted === "0") return null;
  return { kind: "pool", id: null, name: POOL, held: { ...NOTHING_HELD, asConverted, percentAsConverted } };
}

/** What each plan has available: an overdrawn one has nothing, and takes nothing from others. */
export function poolLines({ equityPlans, totals }: TableAnswer): readonly HolderLine[] {
  const percentAsConverted = equityPlans.length === 1 ? totals.percentPoolAsConverted : null;
  return equityPlans.map((plan): HolderLine => {
    const held = { ...NOTHING_HELD, asConverted: availableIn(plan), percentAsConverted };
    return { kind: "pool", id: null, name: availableName(plan), held };
  });
}

/** What is available in a plan, as a line is called. */
export function availableName({ name }: { readonly name: string }): string {
  return `Available: ${name}`;
}

/** What is available in a plan, as it counts. */
export function availableIn({ available }: { readonly available: string }): string {
  return available.startsWith("-") ? "0" : available;
}

/** The sums. */
export function totalLine({ totals, stakeholders, byClass }: TableAnswer): HolderLine {
  const { outstanding, options, warrants, asConverted } = totals;
  const held: Held = {
    ...{ outstanding, options, warrants, asConverted, fullyDiluted: totals.fullyDiluted, percentAsConverted: null },
    vested: total(stakeholders.map(({ vested }) => vested)),
    unvested: total(stakeholders.map(({ unvested }) => unvested)),
    holdings: byClass.map((each) => ({ stockClassId: each.stockClassId, quantity: each.outstanding })),
  };
  return { kind: "total", id: null, name: TOTAL, held };
}

/** Several holders as one line, as far as a face shows such a line. */
export function othersLine(lines: readonly HolderLine[]): HolderLine {
  const of = (name: "outstanding" | "asConverted") => total(lines.map(({ held }) => held[name] ?? "0"));
  const held = { ...NOTHING_HELD, outstanding: of("outstanding"), asConverted: of("asConverted") };
  return { kind: "others", id: null, name: `Others (${lines.length})`, held };
}

/** The stock of some classes together, as one column. */
export function stockColumn(key: string, name: string, classIds: readonly (string | null)[]): LayoutColumn<HolderLine> {
  return quantityColumn(key, name, ({ held: { holdings } }) => {
    if (holdings === null) return null;
    const held = holdings.filter(({ stockClassId }) => classIds.includes(stockClassId));
    return held.length === 1 ? (held[0]?.quantity ?? "0") : total(held.map(({ quantity }) => quantity));
  });
}

/** Every column; a face prints those that it has room for. */
export function holderColumns(source: Source) {
  const { totals } = source.table;
  const diluted = parseDecimal(totals.asConverted);
  const outstanding = quantityColumn<HolderLine>("outstanding", "Outstanding", ({ held }) => held.outstanding, "Stock");
  const asConverted = quantityColumn<HolderLine>(
    "fullyDiluted",
    "Fully diluted",
    ({ held }) => held.asConverted,
    "Total",
  );
  return {
    name: textColumn<HolderLine>("holder", "Holder", ({ name }) => name),
    id: textColumn<HolderLine>("id", "Stakeholder id", ({ id }) => id),
    classes: classesInOrder(source).map(({ id, name }) => stockColumn(`class ${id}`, name, [id])),
    outstanding,
    options: quantityColumn<HolderLine>("options", "Options", ({ held }) => held.options),
    warrants: quantityColumn<HolderLine>("warrants", "Warrants", ({ held }) => held.warrants),
    added: quantityColumn<HolderLine>("added", ADDED, ({ held }) => addedIn(held)),
    asConverted,
    vested: quantityColumn<HolderLine>("vested", "Vested", ({ held }) => held.vested),
    unvested: quantityColumn<HolderLine>("unvested", "Unvested", ({ held }) => held.unvested),
    percentOutstanding: percentColumn<HolderLine>({
      ...percentWords.outstanding,
      of: outstanding,
      whole: parseDecimal(totals.outstanding),
    }),
    percentDiluted: percentColumn<HolderLine>({
      ...percentWords.diluted,
      of: asConverted,
      whole: diluted,
      percent: ({ held }) => held.percentAsConverted,
    }),
    /** Without what is available. */
    percentGranted: percentColumn<HolderLine>({
      ...percentWords.granted,
      of: asConverted,
      whole: diluted - parseDecimal(totals.poolAvailable),
      isLeftOut: ({ kind }) => kind === "pool",
    }),
  };
}

/** Keys and headings of percentages, by holder and by class. */
export const percentWords = {
  outstanding: { key: "percentOutstanding", heading: "% outstanding", short: "Outstanding" },
  diluted: { key: "percentDiluted", heading: "% fully diluted", short: "Share" },
  granted: { key: "percentDiluted", heading: "% granted", short: "Share" },
} as const;

/** By how much conversion makes stock and warrants more; a minus where it makes them less. */
export function addedIn(held: { readonly fullyDiluted: string | null; readonly asConverted: string | null }) {
  if (held.fullyDiluted === null || held.asConverted === null) return null;
  return formatDecimal(addedTo({ fullyDiluted: held.fullyDiluted, asConverted: held.asConverted }));
}

function addedTo(held: { readonly fullyDiluted: string; readonly asConverted: string }): Decimal {
  return parseDecimal(held.asConverted) - parseDecimal(held.fullyDiluted);
}

/** Whether conversion adds anything: to any class or holder. */
export function hasAdded({ byClass, stakeholders }: TableAnswer): boolean {
  return [...byClass, ...stakeholders].some((line) => addedTo(line) !== ZERO);
}
