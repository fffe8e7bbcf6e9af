// Piecewise splits: an imported split of a large class runs in pieces, each a transaction of its own, so that no
// request waits for all of it. To every other operation it happens at once, with its first piece: an operation on a
// certificate whose turn has not come splits it first, and securities that enter the class from then on count in new
// shares already.

import { assert, present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { type ImportedMembers, toStored } from "../imported-members.ts";
import { membersOf } from "../members.ts";
import type { Needs } from "../operation.ts";
import { splitIn } from "../replay/replay.ts";
import type { EntryDraft, Metadata } from "../types.ts";
import { loadLeaver } from "../vested/leaver-store.ts";
import { type Recorded, recordDecision } from "../writes/execute.ts";
import { Loader } from "../writes/load.ts";
import * as store from "./split-store.ts";

/** The securities of one piece. */
const PIECE = 100;

/** An imported split, and its progress. */
export interface PiecemealSplit {
  readonly stockClassId: string;
  /** Positive whole numbers in lowest terms, as text. */
  readonly numerator: string;
  readonly denominator: string;
  readonly date: CalendarDate;
  /** The type and id of the split in the package that brought it. */
  readonly objectType: string;
  readonly objectId: string;
  /** Row numbers of securities: the last one processed, and the last one that existed when the split began. */
  readonly lastSeq: number;
  readonly upTo: number;
}

type Ratio = Pick<PiecemealSplit, "stockClassId" | "numerator" | "denominator" | "date" | "objectType" | "objectId">;

/** A new split: it concerns the securities that exist and were issued by its day. */
export function beginSplit(db: Reader, orgId: string, split: Ratio): PiecemealSplit {
  return { ...split, lastSeq: 0, upTo: store.newestSecuritySeq(db, orgId) };
}

/** The class's unfinished split, or null; a class has at most one. */
export function findSplitUnderWay(db: Reader, orgId: string, stockClassId: string): PiecemealSplit | null {
  const piece = store.findNewestPiece(db, { orgId, stockClassId });
  if (piece === null) return null;
  const { isLast, ...split } = readPiece(piece);
  return isLast ? null : { ...split, upTo: present(split.upTo, "the end of a split under way") };
}

/** A split as one of its pieces stores it. The oldest pieces lack the upper bound. */
interface ToldSplit extends Omit<PiecemealSplit, "upTo"> {
  readonly upTo: number | null;
  readonly isLast: boolean;
}

/** Parses a piece's split. */
export function readPiece(piece: Pick<Row<"transactions">, "effectiveDate" | "metadata">): ToldSplit {
  const metadata = JSON.parse(piece.metadata ?? "{}");
  const split = present(splitIn({ type: "STOCK_SPLIT", ...piece }), "the split of a piece");
  const { stockClassId, numerator, denominator } = split;
  const { objectType, objectId, lastSeq, upTo, isLast } = membersOf({ metadata }).imported;
  return {
    stockClassId,
    numerator: String(numerator),
    denominator: String(denominator),
    date: piece.effectiveDate,
    objectType: present(objectType, "the type of an imported split"),
    objectId: present(objectId, "the id of an imported split"),
    lastSeq: present(lastSeq, "how far a split has got"),
    upTo,
    isLast,
  };
}

/** The result of a piece, and whether it was the last one. */
export interface Piece {
  readonly recorded: Recorded;
  readonly isLast: boolean;
}

interface NextPiece {
  readonly spared?: ReadonlySet<string> | undefined;
  readonly id?: string;
  readonly told?: Metadata;
}

/**
 * Records the next piece of a split. Certificates in `spared` stay: the package issues them anew. `id` is the entry's
 * id, if it is to have a given one, and `told` its further members.
 */
export function recordNextPiece(
  tx: Tx,
  call: Call,
  split: PiecemealSplit,
  { spared, id, told }: NextPiece = {},
): Piece {
  const { stockClassId, date, lastSeq, upTo, objectId } = split;
  const bounds = { orgId: call.orgId, stockClassId, date, afterSeq: lastSeq, upTo, limit: PIECE };
  const concerned = store.listConcerned(tx, bounds);
  const done = new Set(lastSeq === 0 ? [] : store.listSplitApart(tx, call.orgId, stockClassId, objectId));
  const left = concerned.filter(({ id: each }) => !done.has(each));
  const isLast = concerned.length < PIECE;
  const next = { ...split, lastSeq: concerned.at(-1)?.seq ?? lastSeq };
  const recorded = record(tx, call, next, {
    securityIds: idsOf(left.filter((each) => each.isOpenStock === 1 && !spared?.has(each.id))),
    chargedSecurityIds: idsOf(left.filter(({ isCharged }) => isCharged === 1)),
    ...(id ? { id } : {}),
    ...(told ? { told } : {}),
    marks: isLast ? { isLast } : {},
  });
  return { recorded, isLast };
}

/**
 * Applies unfinished splits to the securities that a write is about to load, or to all of a class. Call it before the
 * write reads them.
 */
export function catchUpWithSplits(
  tx: Tx,
  call: Call,
  needs: Pick<Needs, "securities" | "openSecuritiesOf" | "leaver">,
): void {
  for (const id of needs.securities ?? []) {
    const row = id ? findRecord(tx, "securities", call.orgId, id) : null;
    if (row) splitApart(tx, call, row);
  }
  if (needs.leaver) {
    for (const row of loadLeaver(tx, call.orgId, needs.leaver).securities) splitApart(tx, call, row);
  }
  for (const stockClassId of needs.openSecuritiesOf ?? []) if (stockClassId) finish(tx, call, stockClassId);
}

/** Open stock belongs to one class, and may charge a plan for another. */
function splitApart(tx: Tx, call: Call, row: Row<"securities">): void {
  const { id, type, status, stockClassId: ownId, grantDate, seq } = row;
  const stockOf = type === "STOCK" && status === "ACTIVE" ? ownId : null;
  const chargedBy = chargedClass(tx, row);
  for (const stockClassId of new Set([stockOf, chargedBy].filter((id) => id !== null))) {
    const split = findSplitUnderWay(tx, call.orgId, stockClassId);
    if (!split || seq <= split.lastSeq || seq > split.upTo || grantDate > split.date) continue;
    if (store.listSplitApart(tx, call.orgId, split.stockClassId, split.objectId).includes(id)) continue;
    record(tx, call, split, {
      securityIds: stockClassId === stockOf ? [id] : [],
      chargedSecurityIds: stockClassId === chargedBy ? [id] : [],
      marks: { isApart: true },
    });
  }
}

/** The class whose splits multiply a security's charge: that of a plan for one class alone. */
function chargedClass(db: Reader, { orgId, planCharge, equityPlanId }: Row<"securities">): string | null {
  const plan =
    planCharge === null || equityPlanId === null ? null : findRecord(db, "equity_plans", orgId, equityPlanId);
  const [only, ...others]: readonly string[] = plan === null ? [] : JSON.parse(plan.stockClassIds);
  return others.length === 0 ? (only ?? null) : null;
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

function finish(tx: Tx, call: Call, stockClassId: string): void {
  for (;;) {
    const split = findSplitUnderWay(tx, call.orgId, stockClassId);
    if (split === null) return;
    const { isLast } = recordNextPiece(tx, call, split);
    const now = findSplitUnderWay(tx, call.orgId, stockClassId);
    assert(isLast || (now !== null && now.lastSeq > split.lastSeq), "a split under way gets on");
  }
}

/**
 * Splits one security that came in after its class's split but was issued before it: sums by date multiply it. A
 * grant's charge follows; a security made from another (`isMade`) took over a charge counted after the split.
 */
export function recordLateSplit(tx: Tx, call: Call, split: Ratio, securityId: string, isMade: boolean): Recorded {
  const row = isMade ? null : findRecord(tx, "securities", call.orgId, securityId);
  const isCharged = row !== null && chargedClass(tx, row) === split.stockClassId;
  const chargedSecurityIds = isCharged ? [securityId] : [];
  return recordEntry(tx, call, split, { securityIds: [securityId], chargedSecurityIds, marks: { isLate: true } });
}

/** Multiplies charges that an imported split missed, because their plan or they did not exist then. */
export function recordLateCharges(tx: Tx, call: Call, split: Ratio, chargedSecurityIds: readonly string[]): Recorded {
  return recordEntry(tx, call, split, { securityIds: [], chargedSecurityIds, marks: { isLate: true } });
}

function record(tx: Tx, call: Call, split: PiecemealSplit, { marks, ...piece }: PieceEntry): Recorded {
  const { lastSeq, upTo } = split;
  return recordEntry(tx, call, split, { ...piece, marks: { lastSeq, upTo, ...marks } });
}

/** One piece of a split: its securities, and the members by which its entry differs from others. */
interface PieceEntry {
  readonly securityIds: readonly string[];
  readonly chargedSecurityIds: readonly string[];
  readonly id?: string;
  readonly told?: Metadata;
  readonly marks: ImportedMembers;
}

function recordEntry(
  tx: Tx,
  call: Call,
  { stockClassId, numerator, denominator, date, objectType, objectId }: Ratio,
  { securityIds, chargedSecurityIds, marks, told, ...draft }: PieceEntry,
): Recorded {
  const securities = [...new Set([...securityIds, ...chargedSecurityIds])];
  const facts = new Loader(tx, call.orgId).load({ classes: [stockClassId], securities });
  const charged = chargedSecurityIds.length > 0 ? { chargedSecurityIds } : {};
  const how = { rounding: "FRACTIONAL", isStockOnly: true, securityIds, ...charged };
  const entry: EntryDraft = {
    ...draft,
    type: "STOCK_SPLIT",
    securityId: null,
    stakeholderId: null,
    quantity: null,
    effectiveDate: date,
    metadata: {
      stockClassId,
      numerator,
      denominator,
      ...how,
      ...told,
      ...toStored({ objectType, objectId, ...marks }),
    },
  };
  return recordDecision(tx, call, facts, { entries: [entry] }, { isImport: true });
}
