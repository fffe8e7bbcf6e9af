// Imports class splits, piece by piece (ledger/splits/split-under-way.ts), and applies earlier splits to stock that is
// imported after them.

import type { CalendarDate } from "../../../../kernel/date.ts";
import { type Decimal, scale } from "../../../../kernel/numbers/decimal.ts";
import { splitTerms } from "../../../../ledger/rules/class-terms.ts";
import { newestSecuritySeq } from "../../../../ledger/splits/split-store.ts";
import {
  beginSplit,
  findSplitUnderWay,
  type PiecemealSplit,
  readPiece,
  recordLateSplit,
  recordNextPiece,
} from "../../../../ledger/splits/split-under-way.ts";
import { readSplit } from "../../../../ledger/splits/stock-split.ts";
import { describeAnew } from "../../../../ledger/writes/execute.ts";
import { Loader } from "../../../../ledger/writes/load.ts";
import type { Row } from "../../../../storage/database/sql.ts";
import { EVENT_MEMBERS } from "../../codec/event-codec.ts";
import { requiredDate } from "../../codec/values.ts";
import { shown } from "../../finding.ts";
import { textOf } from "../../json.ts";
import { NAMED, resolve } from "../changed/named-records.ts";
import { type ImportContext, type Imported, originalOnly } from "../context.ts";
import { freeEntryId } from "../entry.ts";
import type { Step } from "../plan.ts";
import { findLastSplitPiece, isIssuedBy } from "../store.ts";

/**
 * Takes in the next piece of a class split; null while there is more to do. It multiplies the stock of its day that is
 * open at its beginning, but for certificates that the package itself reissues under the split: OCF leaves open whether
 * a split multiplies, and so both styles come out right.
 */
export function importSplit(context: ImportContext, step: Step): Imported | null {
  const { tx, call, plan, limits } = context;
  const stockClassId = resolve(context, step, NAMED.stockClass, textOf(step.value, "stock_class_id"));
  const ratio = EVENT_MEMBERS.TX_STOCK_CLASS_SPLIT(step.value);
  const date = requiredDate(step.value, "date");
  if (stockClassId === null) return originalOnly("transactions");
  const begun = splitBegun(context, step);
  if (begun?.isDone) return originalOnly("transactions");
  const underWay = findSplitUnderWay(tx, call.orgId, stockClassId);
  if (underWay && underWay.objectId !== step.id) {
    // Another import's, or one that was broken off: it began before this one.
    recordNextPiece(tx, call, underWay);
    return null;
  }
  const names = { stockClassId, date, objectType: step.objectType, objectId: step.id };
  const split = begun?.split ?? beginSplit(tx, call.orgId, { ...names, ...ratio });
  const terms = begun === null ? termsBy(context, { stockClassId, ...ratio }, date) : null;
  const first = terms === null ? {} : { id: freeEntryId(context, step), told: terms.told };
  const { recorded, isLast } = recordNextPiece(tx, call, split, { spared: plan.reissuedUnder.get(step.id), ...first });
  if (terms !== null) describeAnew(tx, call, terms.described);
  const { before, after, entries } = recorded;
  const [entry] = entries;
  limits.note(before, after, step);
  if (begun === null && entry) {
    const { id: transactionId, sequence, createdAt: recordedAt } = entry;
    context.watch.noteSplit({ ...split, transactionId, sequence, recordedAt, isMadeHere: false, inferred: [] });
  }
  return isLast ? { ...originalOnly("transactions"), recordId: entry?.id ?? null } : null;
}

/**
 * What the split does to prices, rights and fixed numbers of shares. OCF does not say since when there is a class.
 * Terms adjust for splits after the original issue date: one of which nothing was issued yet is written in shares of
 * after the split.
 */
function termsBy({ tx, call }: ImportContext, told: { readonly stockClassId: string }, date: CalendarDate) {
  const { classTerms: records } = new Loader(tx, call.orgId).load({ classTerms: true });
  const split = readSplit(told);
  const isThere = (classId: string) => isIssuedBy(tx, call.orgId, classId, date);
  const { described, classTerms, fixedQuantities } = splitTerms(records, told.stockClassId, split, isThere);
  return { described, told: { classTerms, ...(fixedQuantities.length > 0 ? { fixedQuantities } : {}) } };
}

/** How far an earlier transaction, perhaps of an earlier import, got with this split; null where it has not begun. */
function splitBegun(
  { tx, call }: ImportContext,
  step: Step,
): { readonly isDone: boolean; readonly split: PiecemealSplit } | null {
  const last = findLastSplitPiece(tx, call.orgId, step.id);
  if (last === null) return null;
  const { isLast: isDone, upTo, ...split } = readPiece(last);
  return { isDone, split: { ...split, upTo: upTo ?? newestSecuritySeq(tx, call.orgId) } };
}

/**
 * Splits stock that was just issued by all splits of its class that came in before it and are dated after it: a reader
 * that adds up by date multiplies it, and so did its source.
 */
export function splitLate(context: ImportContext, step: Step, security: LateSecurity): void {
  const { tx, call, plan, watch, limits, report } = context;
  for (const split of watch.splitsOf(security.stockClassId)) {
    if (!watch.isAppliedTo(split, security.date)) continue;
    if (plan.reissuedUnder.get(split.objectId)?.has(security.id)) continue;
    const { before, after } = recordLateSplit(tx, call, split, security.id, plan.makers.has(security.id));
    limits.note(before, after, step);
    const { numerator, denominator } = split;
    const ratio = `${numerator}:${denominator}`;
    const detail = `${shown(security.id)} was issued before the split ${ratio} of ${split.date}, which is in the ledger: it was multiplied.`;
    report.warn("split-since", step, detail, "Nothing to do if it had not been split where it comes from.");
  }
}

/**
 * A count of a security's shares on the day of a transaction, in its shares of today: splits that are dated later may
 * have multiplied them already. (A security that existed when a split was made here is no longer acted on.)
 */
export function inSharesOfToday(context: ImportContext, step: Step, row: Row<"securities">, count: Decimal): Decimal {
  const { plan, watch } = context;
  const date = requiredDate(step.value, "date");
  if (row.type !== "STOCK" || row.stockClassId === null) return count;
  const since = watch.splitsOf(row.stockClassId).filter((split) => {
    const isSpared = plan.reissuedUnder.get(split.objectId)?.has(row.id) ?? false;
    return !isSpared && watch.isAppliedTo(split, date) && watch.isAppliedTo(split, row.grantDate);
  });
  return since.reduce((sum, split) => scale(sum, BigInt(split.numerator), BigInt(split.denominator)), count);
}

interface LateSecurity {
  readonly id: string;
  readonly stockClassId: string;
  readonly date: string;
}
