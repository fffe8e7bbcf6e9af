// Codec of STOCK_CLASS ↔ share class. OCF's seniority runs the other way: the higher comes first. Pure.

import { type Decimal, formatDecimal, ONE } from "../../../kernel/numbers/decimal.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { type JsonObject, textOf } from "../json.ts";
import { classComment, rightsFromOcf, rightsToOcf, toldOfClass } from "./class-rights.ts";
import { currencyAmong } from "./codec-currencies.ts";
import type { ObjectContext, RecordCodec, RecordContext } from "./record-codec.ts";
import {
  amountText,
  approvalDates,
  commentsText,
  exactNumber,
  numberText,
  requiredName,
  requiredNumber,
  requiredWord,
} from "./values.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

/** Stock class in OCF. */
export const STOCK_CLASS: RecordCodec<"share_classes"> = {
  objectType: "STOCK_CLASS",
  table: "share_classes",
  noun: "stock class",
  counted: "stockClasses",
  columns: [
    "name",
    "classType",
    "defaultIdPrefix",
    "initialSharesAuthorized",
    "votesPerShare",
    "parValue",
    "pricePerShare",
    "seniority",
    "liquidationPreferenceMultiple",
    "participationCapMultiple",
    "isParticipating",
    "conversionRights",
    "antiDilution",
    "antiDilutionCounts",
    "participationCapBasis",
    "dividendType",
    "dividendRatePercent",
    "dividendCompounding",
    "votesBasis",
    "boardApprovalDate",
    "stockholderApprovalDate",
    "comments",
    "sourceDocumentId",
  ],
  references: [],
  fromOcf: stockClassFromOcf,
  toOcf: stockClassToOcf,
};

/** The share class of an OCF stock class. Throws `Refusal` if a required member is missing. */
function stockClassFromOcf(value: JsonObject, { seniority, currency }: RecordContext) {
  const initialSharesAuthorized = authorizedText(value, "initial_shares_authorized");
  const { columns, isOurs } = toldOfClass(value);
  return {
    name: requiredName(value, "name"),
    classType: requiredWord(value, "class_type", ["COMMON", "PREFERRED"]),
    defaultIdPrefix: textOf(value, "default_id_prefix") ?? "",
    initialSharesAuthorized,
    currentSharesAuthorized: initialSharesAuthorized,
    votesPerShare: requiredNumber(value, "votes_per_share"),
    parValue: amountText(value, "par_value"),
    pricePerShare: amountText(value, "price_per_share"),
    seniority,
    liquidationPreferenceMultiple: numberText(value, "liquidation_preference_multiple"),
    participationCapMultiple: numberText(value, "participation_cap_multiple"),
    ...columns,
    conversionRights: JSON.stringify(rightsFromOcf(value)),
    ...approvalDates(value),
    comments: commentsText(value, isOurs),
    currency: currencyOfClass(value) ?? currency,
    isImported: 1,
  };
}

/** The currency of a class's amounts; null where none says one. */
function currencyOfClass(value: JsonObject): string | null {
  return currencyAmong(value, ["price_per_share", "par_value"]);
}

/** A count of authorized shares, or one of the words that stand for no limit. */
function authorizedText(value: JsonObject, name: string): string {
  const word = value[name];
  return word === "UNLIMITED" || word === "NOT APPLICABLE" ? word : requiredNumber(value, name);
}

/**
 * The service's seniority of each class by id: 1 is the most senior, equals share a rank. OCF's highest number is the
 * most senior; a class without a readable one comes last.
 */
export function seniorityRanks(classes: Iterable<JsonObject>): Map<string, number> {
  const given = [...classes].map((value) => [textOf(value, "id") ?? "", exactNumber(value, "seniority")] as const);
  const numbers = given.map(([, number]) => number).filter((number) => number !== null);
  const descending = [...new Set(numbers)].sort((a, b) => (a > b ? -1 : 1));
  const rankOf = (number: bigint | null) => (number === null ? descending.length : descending.indexOf(number)) + 1;
  return new Map(given.map(([id, number]) => [id, rankOf(number)]));
}

/** A share class as OCF writes one. */
function stockClassToOcf(row: Row<"share_classes">, context: ObjectContext): JsonObject {
  const currency = context.currencyOfClass(row);
  return compact({
    object_type: "STOCK_CLASS",
    id: row.id,
    name: row.name,
    class_type: row.classType,
    default_id_prefix: row.defaultIdPrefix,
    initial_shares_authorized: context.initialAuthorized(row),
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    votes_per_share: row.votesPerShare,
    par_value: money(row.parValue, currency),
    price_per_share: money(row.pricePerShare, currency),
    seniority: context.seniorityOf(row),
    liquidation_preference_multiple: row.liquidationPreferenceMultiple,
    participation_cap_multiple: row.participationCapMultiple,
    conversion_rights: rightsToOcf(row, currency),
    comments: commentsOf(row.comments, classComment(row)),
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
