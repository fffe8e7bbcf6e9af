// Multiplies securities' charges on their plan by splits of earlier imports that missed them, because the plan, its
// class or the grant was refused then: one import of the corrected package would have multiplied them.

import { parseDecimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../../ledger/members.ts";
import { isIssuance } from "../../../../ledger/replay/event.ts";
import { toDraft } from "../../../../ledger/replay/replay.ts";
import { listEntriesOn } from "../../../../ledger/replay/replay-store.ts";
import { listCharged } from "../../../../ledger/splits/split-store.ts";
import { recordLateCharges } from "../../../../ledger/splits/split-under-way.ts";
import { findEntry } from "../../../../ledger/store.ts";
import { findRecord } from "../../../../storage/database/records.ts";
import type { KnownSplit } from "../changed/watch.ts";
import type { ImportContext } from "../context.ts";
import { findOriginal } from "../store.ts";

/** A split of an earlier import, to be checked for securities that it missed. */
export interface LateCharges {
  readonly split: KnownSplit;
  readonly isLateCharges: true;
}

/** How many securities one entry names. */
const PIECE = 100;

/** Multiplies the charges that the split missed, a piece at a time; false while there is more. */
export function multiplyLateCharges(context: ImportContext, { split }: LateCharges): boolean {
  const { tx, call, report } = context;
  if (report.healed.length === 0 && Object.values(report.imported).every((count) => count === 0)) return true;
  const { stockClassId, objectId } = split;
  const charged = listCharged(tx, { orgId: call.orgId, stockClassId, objectId });
  const multiplied = new Map(charged.flatMap(({ id, sequence }) => (sequence === null ? [] : [[id, sequence]])));
  const isCharging = (charge: string | null) => charge !== null && parseDecimal(charge) !== ZERO;
  const passed = charged
    .filter(({ id, planCharge, sequence }) => {
      return sequence === null && isCharging(planCharge) && isPassedBy(context, { split, multiplied }, id);
    })
    .map(({ id }) => id);
  if (passed.length > 0) recordLateCharges(tx, call, split, passed.slice(0, PIECE));
  return passed.length <= PIECE;
}

interface Multiplying {
  readonly split: KnownSplit;
  /** By security: the place of the entry that multiplied what it charged. */
  readonly multiplied: ReadonlyMap<string, number>;
}

/** Whether a charge is in shares of before the split: that of a grant of before it, or a part of such a one. */
function isPassedBy(context: ImportContext, { split, multiplied }: Multiplying, securityId: string): boolean {
  const seen = new Set<string>();
  for (let id = securityId; !seen.has(id); ) {
    seen.add(id);
    const entries = listEntriesOn(context.tx, context.call.orgId, id).flatMap((row) => toDraft(row) ?? []);
    const issuance = entries.find(isIssuance);
    // What was changed here may charge what no package says.
    const isChanged = entries.some((entry) => membersOf(entry).imported.objectType === null);
    if (!issuance || isChanged) return false;
    const { imported, equityPlanId } = membersOf(issuance);
    if (equityPlanId === null || !isPlanAsBrought(context, equityPlanId)) return false;
    if (imported.resultOf === null) return isGrantedBefore(context, split, id, issuance.effectiveDate);
    const taking = takingOf(context, id);
    if (taking === null) return false;
    const at = multiplied.get(taking.securityId);
    if (at !== undefined) return taking.sequence < at;
    id = taking.securityId;
  }
  return false;
}

/** Whether the plan is for the classes that its package says: what was set here says nothing of an earlier split. */
function isPlanAsBrought({ tx, call }: ImportContext, planId: string): boolean {
  const original = findOriginal(tx, call.orgId, "STOCK_PLAN", planId);
  const row = findRecord(tx, "equity_plans", call.orgId, planId);
  return row !== null && JSON.parse(original?.mapped ?? "{}").stockClassIds === row.stockClassIds;
}

/** On one day the order of the package counts. */
function isGrantedBefore({ plan }: ImportContext, split: KnownSplit, id: string, date: string): boolean {
  if (date !== split.date) return date < split.date;
  const issuance = plan.issuances.get(id);
  const at = plan.transactions.findIndex((step) => step.kind === "SPLIT" && step.id === split.objectId);
  return issuance !== undefined && at !== -1 && plan.transactions.indexOf(issuance) < at;
}

/** The entry of the transaction that made a security, which took the charge of another; null where none did. */
function takingOf({ tx, call, plan }: ImportContext, securityId: string) {
  const [maker] = plan.makers.get(securityId) ?? [];
  const original = maker ? findOriginal(tx, call.orgId, maker.objectType, maker.id) : null;
  const entry = original?.recordId ? findEntry(tx, call.orgId, original.recordId) : null;
  return entry?.securityId ? { securityId: entry.securityId, sequence: entry.sequence } : null;
}
