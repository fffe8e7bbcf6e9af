// The cap table by share class: its lines, its columns, and the words of both. Every face prints these. Pure.
import { parseDecimal, total } from "../../../kernel/numbers/decimal.ts";
import { DILUTED_SHARE, POOL, TOTAL } from "./by-holder.ts";
import {
  ADDED,
  addedIn,
  availableIn,
  availableName,
  classesInOrder,
  GRANTED_SHARE,
  OUTSTANDING_SHARE,
} from "./holder-columns.ts";
import { quantityColumn, textColumn } from "./layout-column.ts";
import { percentColumn } from "./percents.ts";
import type { Source, TableAnswer } from "./table-answer.ts";

/** Options and warrants of no class. */
export const NO_CLASS = "No class";

/** A line: a class, what is of no class, what a plan has available, or the sums. Null: the line has no cell. */
export interface ClassLine {
  readonly kind: "class" | "classless" | "pool" | "total";
  /** The class or plan. */
  readonly id: string | null;
  readonly name: string;
  /** A decimal, or a word such as `UNLIMITED`. */
  readonly authorized: string | null;
  readonly notIssued: string | null;
  readonly outstanding: string | null;
  readonly options: string | null;
  readonly warrants: string | null;
  readonly pool: string | null;
  readonly added: string | null;
  readonly asConverted: string;
  readonly votes: string | null;
}

const NO_FIGURES = {
  ...{ authorized: null, notIssued: null, outstanding: null, options: null, warrants: null },
  ...{ pool: null, added: null, votes: null },
};

const NO_SHARES = { outstanding: "0", options: "0", warrants: "0", fullyDiluted: "0", asConverted: "0", votes: "0" };

/** The classes, and what is of none. */
export function classLines(source: Source): readonly ClassLine[] {
  const figures = new Map(source.table.byClass.map((each) => [each.stockClassId, each]));
  const lines = classesInOrder(source).map(({ id, name, authorized, available: notIssued }): ClassLine => {
    const { outstanding, options, warrants, votes, ...all } = figures.get(id) ?? NO_SHARES;
    const held = { outstanding, options, warrants, asConverted: all.asConverted, added: addedIn(all), votes };
    return { kind: "class", id, name, authorized, notIssued, pool: null, ...held };
  });
  const none = figures.get(null);
  if (!none) return lines;
  const { options, warrants, asConverted } = none;
  return [...lines, { ...NO_FIGURES, kind: "classless", id: null, name: NO_CLASS, options, warrants, asConverted }];
}

/** What each plan has available. */
export function classPoolLines({ equityPlans }: TableAnswer): readonly ClassLine[] {
  return equityPlans.map((plan): ClassLine => {
    const pool = availableIn(plan);
    return { ...NO_FIGURES, kind: "pool", id: plan.id, name: availableName(plan), pool, asConverted: pool };
  });
}

/** The sums; what is authorized is of each class. */
export function classTotalLine({ totals, byClass }: TableAnswer): ClassLine {
  const { outstanding, options, warrants, poolAvailable: pool, asConverted } = totals;
  const votes = total(byClass.map((each) => each.votes));
  const sums = { outstanding, options, warrants, pool, asConverted, votes };
  return { ...NO_FIGURES, kind: "total", id: null, name: TOTAL, ...sums };
}

/** Every column; a face prints those that it has room for. */
export function classColumns({ table: { totals } }: Source) {
  const diluted = parseDecimal(totals.asConverted);
  const outstanding = quantityColumn<ClassLine>("outstanding", "Outstanding", (line) => line.outstanding);
  const asConverted = quantityColumn<ClassLine>("fullyDiluted", "Fully diluted", (line) => line.asConverted, "Total");
  return {
    name: textColumn<ClassLine>("class", "Class", ({ name }) => name),
    id: textColumn<ClassLine>("id", "Id", ({ id }) => id),
    authorized: quantityColumn<ClassLine>("authorized", "Authorized", (line) => line.authorized),
    notIssued: quantityColumn<ClassLine>("notIssued", "Not issued", (line) => line.notIssued),
    outstanding,
    options: quantityColumn<ClassLine>("options", "Options", (line) => line.options),
    warrants: quantityColumn<ClassLine>("warrants", "Warrants", (line) => line.warrants),
    pool: quantityColumn<ClassLine>("pool", POOL, (line) => line.pool),
    added: quantityColumn<ClassLine>("added", ADDED, (line) => line.added),
    asConverted,
    votes: quantityColumn<ClassLine>("votes", "Votes", (line) => line.votes),
    percentOutstanding: percentColumn<ClassLine>({
      ...OUTSTANDING_SHARE,
      of: outstanding,
      whole: parseDecimal(totals.outstanding),
    }),
    percentDiluted: percentColumn<ClassLine>({ ...DILUTED_SHARE, of: asConverted, whole: diluted }),
    /** Without what is available. */
    percentGranted: percentColumn<ClassLine>({
      ...GRANTED_SHARE,
      of: asConverted,
      whole: diluted - parseDecimal(totals.poolAvailable),
      isLeftOut: ({ kind }) => kind === "pool",
    }),
  };
}
