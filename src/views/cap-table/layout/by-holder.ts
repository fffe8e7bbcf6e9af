// The cap table by holder: its lines and the columns that every face has room for. Little else: the first page waits for
// it. Pure.
import { total } from "../../../kernel/numbers/decimal.ts";
import { type LayoutColumn, quantityColumn, textColumn } from "./layout-column.ts";
import { largestFirst } from "./ratios.ts";
import type { HolderAnswer, TableAnswer } from "./table-answer.ts";

/** The name shown for securities without a holder: only an import brings them. */
export const NO_HOLDER = "(no holder)";
/** What plans have available, as one line. */
export const POOL = "Pool available";
/** The line of sums. */
export const TOTAL = "Total";
/** The figures of a line: a holder's as the API has them; the line has no cell where it has no figure. */
export type Held = Partial<Omit<HolderAnswer, "id" | "displayName" | "holdings">> & {
  /** Stock by class. */
  readonly holdings?: readonly { readonly stockClassId: string | null; readonly quantity: string }[];
};

/** A line: a holder, several holders together, what is available, or the sums. */
export interface HolderLine {
  readonly kind: "holder" | "others" | "pool" | "total";
  /** The stakeholder. */
  readonly id: string | null;
  readonly name: string;
  readonly held: Held;
}

/** Key and headings of percentages of the fully diluted whole, by holder and by class. */
export const DILUTED_SHARE = { key: "percentDiluted", heading: "% fully diluted", short: "Share" };

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
  return [asConverted, outstanding, warrants].some((figure = "0") => figure !== "0");
}

/** What all plans have available; null where that is nothing. */
export function poolLine({ totals }: TableAnswer): HolderLine | null {
  const { poolAvailable: asConverted, percentPoolAsConverted: percentAsConverted } = totals;
  if (asConverted === "0") return null;
  return { kind: "pool", id: null, name: POOL, held: { asConverted, percentAsConverted } };
}

/** The sums; what has vested of them is in `totalWithVesting`. */
export function totalLine({ totals, byClass }: TableAnswer): HolderLine {
  const percentAsConverted = totals.asConverted === "0" ? "0.000000" : "100.000000";
  const holdings = byClass.map((each) => ({ stockClassId: each.stockClassId, quantity: each.outstanding }));
  return { kind: "total", id: null, name: TOTAL, held: { ...totals, percentAsConverted, holdings } };
}

/** The stock of some classes together, as one column. */
export function stockColumn(key: string, name: string, classIds: readonly (string | null)[]): LayoutColumn<HolderLine> {
  return quantityColumn(key, name, ({ held: { holdings } }) => {
    if (!holdings) return null;
    const held = holdings.filter(({ stockClassId }) => classIds.includes(stockClassId));
    return held.length === 1 ? (held[0]?.quantity ?? "0") : total(held.map(({ quantity }) => quantity));
  });
}

/** The columns that every face has room for, as far as cells go; `holderColumns` has all, and parts of wholes. */
export const HELD_COLUMNS = {
  name: textColumn<HolderLine>("holder", "Holder", ({ name }) => name),
  options: quantityColumn<HolderLine>("options", "Options", ({ held }) => held.options ?? null),
  warrants: quantityColumn<HolderLine>("warrants", "Warrants", ({ held }) => held.warrants ?? null),
  asConverted: quantityColumn<HolderLine>(
    "fullyDiluted",
    "Fully diluted",
    ({ held }) => held.asConverted ?? null,
    "Total",
  ),
  percentDiluted: { ...DILUTED_SHARE, kind: "percent", cell: ({ held }) => held.percentAsConverted ?? null },
} as const satisfies Readonly<Record<string, LayoutColumn<HolderLine>>>;
