// Share classes as OCF's STOCK_CLASS, in which the higher seniority comes first: it runs the other way. Pure.
import type { Row } from "../../database/sql.ts";
import { type Decimal, formatDecimal, ONE } from "../../kernel/decimal.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

/** What a class's row does not say of it. */
export interface ClassFigures {
  /** OCF's figure for its rank. */
  readonly seniority: string;
  /** The figure at creation: every later one is an adjustment of its own. */
  readonly initialAuthorized: string;
  readonly currency: string;
}

/** A share class as OCF writes one. */
export function stockClassToOcf(row: Row<"share_classes">, figures: ClassFigures): JsonObject {
  const { seniority, initialAuthorized, currency } = figures;
  return compact({
    object_type: "STOCK_CLASS",
    id: row.id,
    name: row.name,
    class_type: row.classType,
    default_id_prefix: row.defaultIdPrefix,
    initial_shares_authorized: initialAuthorized,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    votes_per_share: row.votesPerShare,
    par_value: money(row.parValue, currency),
    price_per_share: money(row.pricePerShare, currency),
    seniority,
    liquidation_preference_multiple: row.liquidationPreferenceMultiple,
    participation_cap_multiple: row.participationCapMultiple,
    comments: commentsOf(row.comments),
  });
}

/** A class's rank (1 is most senior) and, for one that keeps its imported figure, that figure. */
export interface RankedClass {
  readonly id: string;
  readonly seniority: number;
  readonly figure: Decimal | null;
}

/**
 * OCF's seniority of every class: imported figures stay, the others get one that keeps the order. Where none is
 * imported, the most junior rank gets 1 and each rank above it one more per step; else ranks above, below and between
 * imported ones get figures above, below and between theirs. Equal ranks get equal figures.
 */
export function seniorityFigures(classes: readonly RankedClass[]): ReadonlyMap<string, string> {
  const fixed = new Map<number, Decimal>();
  for (const { seniority, figure } of classes) if (figure !== null) fixed.set(seniority, figure);
  const ranks = [...new Set(classes.map(({ seniority }) => seniority))].sort((a, b) => b - a);
  const figures = fixed.size === 0 ? countedUp(ranks) : fittedIn(ranks, fixed);
  return new Map(
    classes.map(({ id, seniority, figure }) => [id, formatDecimal(figure ?? figures.get(seniority) ?? ONE)]),
  );
}

/** Figures without any to go by; `ranks` run from the most junior to the most senior. */
function countedUp(ranks: readonly number[]): Map<number, Decimal> {
  const last = Math.max(...ranks);
  return new Map(ranks.map((rank) => [rank, BigInt(last + 1 - rank) * ONE]));
}

function fittedIn(ranks: readonly number[], fixed: ReadonlyMap<number, Decimal>): Map<number, Decimal> {
  const figures = new Map<number, Decimal>();
  let below: Decimal | null = null;
  let waiting: number[] = [];
  for (const rank of ranks) {
    const figure = fixed.get(rank);
    if (figure === undefined) {
      waiting.push(rank);
      continue;
    }
    place(figures, waiting, below, figure);
    figures.set(rank, figure);
    below = figure;
    waiting = [];
  }
  place(figures, waiting, below, null);
  return figures;
}

/** Gives `ranks` figures between two imported ones; beyond the last of them in steps of one. */
function place(
  figures: Map<number, Decimal>,
  ranks: readonly number[],
  below: Decimal | null,
  above: Decimal | null,
): void {
  const count = BigInt(ranks.length);
  for (const [index, rank] of ranks.entries()) {
    const step = BigInt(index + 1);
    if (below === null) figures.set(rank, (above ?? ONE) - (count + 1n - step) * ONE);
    else if (above === null) figures.set(rank, below + step * ONE);
    else figures.set(rank, below + ((above - below) * step) / (count + 1n));
  }
}
