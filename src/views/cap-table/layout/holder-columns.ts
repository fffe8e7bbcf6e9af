// The cap table by holder: all its columns, and lines of files and paper alone. Pure.
import { type Decimal, formatDecimal, parseDecimal, total, ZERO } from "../../../kernel/numbers/decimal.ts";
import { DILUTED_SHARE, HELD_COLUMNS, type Held, type HolderLine, stockColumn, totalLine } from "./by-holder.ts";
import { quantityColumn, textColumn } from "./layout-column.ts";
import { percentColumn } from "./percents.ts";
import { type ClassAnswer, inOrder, type Source, type TableAnswer } from "./table-answer.ts";

/** Key and headings of percentages of outstanding stock, by holder and by class. */
export const OUTSTANDING_SHARE = { key: "percentOutstanding", heading: "% outstanding", short: "Outstanding" };
/** The same of what is held and granted. */
export const GRANTED_SHARE = { key: DILUTED_SHARE.key, heading: "% granted", short: DILUTED_SHARE.short };
/** Heading of what conversion adds to the shares one for one. */
export const ADDED = "Added by conversion";

/** What each plan has available: an overdrawn one has nothing, and takes nothing from others. */
export function poolLines({ equityPlans, totals }: TableAnswer): readonly HolderLine[] {
  const only = equityPlans.length === 1 ? { percentAsConverted: totals.percentPoolAsConverted } : {};
  return equityPlans.map((plan): HolderLine => {
    const held = { asConverted: availableIn(plan), ...only };
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

/** The sums, with what of them has vested. */
export function totalWithVesting(table: TableAnswer): HolderLine {
  const line = totalLine(table);
  const of = (name: "vested" | "unvested") => total(table.stakeholders.map((each) => each[name]));
  return { ...line, held: { ...line.held, vested: of("vested"), unvested: of("unvested") } };
}

/** Several holders as one line, as far as a face shows such a line. */
export function othersLine(lines: readonly HolderLine[]): HolderLine {
  const of = (name: "outstanding" | "asConverted") => total(lines.map(({ held }) => held[name] ?? "0"));
  const held = { outstanding: of("outstanding"), asConverted: of("asConverted") };
  return { kind: "others", id: null, name: `Others (${lines.length})`, held };
}

/** The classes of a table in that order; one without a rank, as it was deleted since, is the most junior. */
export function classesInOrder({ table, ranks }: Source): readonly ClassAnswer[] {
  const known = new Map(ranks.map(({ id, seniority }) => [id, seniority]));
  const placed = table.shareClasses.map((each) => {
    return { each, classType: each.classType, seniority: known.get(each.id) ?? Number.MAX_SAFE_INTEGER };
  });
  return inOrder(placed).map(({ each }) => each);
}

/** Every column; a face prints those that it has room for. */
export function holderColumns(source: Source) {
  const { totals } = source.table;
  const outstanding = quantityColumn<HolderLine>(
    "outstanding",
    "Outstanding",
    (line) => line.held.outstanding ?? null,
    "Stock",
  );
  return {
    ...HELD_COLUMNS,
    id: textColumn<HolderLine>("id", "Stakeholder id", ({ id }) => id),
    classes: classesInOrder(source).map(({ id, name }) => stockColumn(`class ${id}`, name, [id])),
    outstanding,
    added: quantityColumn<HolderLine>("added", ADDED, (line) => addedIn(line.held)),
    vested: quantityColumn<HolderLine>("vested", "Vested", (line) => line.held.vested ?? null),
    unvested: quantityColumn<HolderLine>("unvested", "Unvested", (line) => line.held.unvested ?? null),
    percentOutstanding: percentColumn<HolderLine>({
      ...OUTSTANDING_SHARE,
      of: outstanding,
      whole: parseDecimal(totals.outstanding),
    }),
    percentDiluted: percentColumn<HolderLine>({
      ...DILUTED_SHARE,
      of: HELD_COLUMNS.asConverted,
      whole: parseDecimal(totals.asConverted),
      percent: ({ held }) => held.percentAsConverted ?? null,
    }),
    /** Without what is available. */
    percentGranted: percentColumn<HolderLine>({
      ...GRANTED_SHARE,
      of: HELD_COLUMNS.asConverted,
      whole: parseDecimal(totals.asConverted) - parseDecimal(totals.poolAvailable),
      isLeftOut: ({ kind }) => kind === "pool",
    }),
  };
}

/** By how much conversion makes stock and warrants more; a minus where it makes them less. */
export function addedIn({ fullyDiluted, asConverted }: Held): string | null {
  if (fullyDiluted === undefined || asConverted === undefined) return null;
  return formatDecimal(addedTo({ fullyDiluted, asConverted }));
}

function addedTo(held: { readonly fullyDiluted: string; readonly asConverted: string }): Decimal {
  return parseDecimal(held.asConverted) - parseDecimal(held.fullyDiluted);
}

/** Whether conversion adds anything: to any class or holder. */
export function hasAdded({ byClass, stakeholders }: TableAnswer): boolean {
  return [...byClass, ...stakeholders].some((line) => addedTo(line) !== ZERO);
}
