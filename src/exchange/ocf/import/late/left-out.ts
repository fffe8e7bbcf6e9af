// Late transactions: an earlier import kept them without effect because their security did not exist; it was imported
// since, so a later import carries them out, as one import of the corrected package would have.
import { changeLogged } from "../../../../storage/database/log/logged.ts";
import { findRecord } from "../../../../storage/database/records.ts";
import type { Row } from "../../../../storage/database/sql.ts";
import { pointerTo, shown } from "../../finding.ts";
import { textOf } from "../../json.ts";
import { isEvent } from "../../story/story-event.ts";
import type { KnownSplit } from "../changed/watch.ts";
import type { ImportContext, Imported } from "../context.ts";
import type { EventStep, Step } from "../plan.ts";
import { findOriginal } from "../store.ts";

type Original = Row<"ocf_objects">;

/** A transaction without effect, and the member by which it names the record that was imported since. */
export interface LeftOutTransaction {
  readonly original: Original;
  readonly member: string;
}

const RECORDS = [
  ["stock_class_id", "STOCK_CLASS"],
  ["stock_plan_id", "STOCK_PLAN"],
  ["stakeholder_id", "STAKEHOLDER"],
] as const;

/** A transaction to be carried out now that came in before; null for what came in with its effect, or has none. */
export function leftOutTransaction(context: ImportContext, step: Step, original: Original): LeftOutTransaction | null {
  if (!isEvent(step) || step.kind === "ISSUANCE") return null;
  const { tx, call, plan } = context;
  // A consolidation of which some parts were refused took the others.
  const isPartly = original.recordId !== null;
  if (isPartly && step.type.action !== "CONSOLIDATION") return null;
  const isLater = (objectType: string, id: string) =>
    (findOriginal(tx, call.orgId, objectType, id)?.seq ?? 0) > original.seq;
  const named = textOf(step.value, "security_id");
  for (const id of new Set([...step.sources, ...(named === null ? [] : [named])])) {
    const issuance = plan.issuances.get(id);
    if (isPartly && findRecord(tx, "securities", call.orgId, id)?.status !== "ACTIVE") continue;
    if (issuance && isLater(issuance.objectType, issuance.id)) {
      return { original, member: named === null ? "security_ids" : "security_id" };
    }
  }
  if (isPartly) return null;
  for (const [member, objectType] of RECORDS) {
    const id = textOf(step.value, member);
    if (id !== null && isLater(objectType, id)) return { original, member };
  }
  return null;
}

/** Records its result; one that still has no effect stays as it is. */
export function keepCarriedOut(
  context: ImportContext,
  step: Step,
  { original: { objectType, id, recordId: firstId }, member }: LeftOutTransaction,
  { recordId, mapped, raw }: Pick<Imported, "recordId" | "mapped"> & Pick<Original, "raw">,
): void {
  const { tx, call, report } = context;
  if (recordId === null) {
    report.conflict(objectType, id, "It was imported before.");
    return;
  }
  changeLogged(tx, call, "ocf_objects", { objectType, id }, { recordId: firstId ?? recordId, mapped, raw });
  report.heal(objectType, id, member);
  if (isEvent(step) && step.kind === "ENDING") warnOfSplit(context, step);
}

/** What is taken of stock that a later split multiplied as it came in counts by its day in shares of after the split. */
function warnOfSplit({ tx, call, watch, report }: ImportContext, step: EventStep): void {
  for (const id of step.sources) {
    const row = findRecord(tx, "securities", call.orgId, id);
    if (row?.type !== "STOCK" || row.stockClassId === null) continue;
    const days = [step.day, row.grantDate];
    const isBefore = (split: KnownSplit) => days.every((day) => watch.isAppliedTo(split, day));
    const split = watch.splitsOf(row.stockClassId).find(isBefore);
    if (!split) continue;
    const detail =
      `The transaction came in after the split of ${split.date}: today's figures are right, and on days from ` +
      `${step.day} to the day of the split ${shown(id)} may show shares that it had lost by then.`;
    const fix = "Import the package into a new organization for right figures of those days.";
    report.warn("late-before-split", { ...step, pointer: pointerTo("security_id") }, detail, fix);
    return;
  }
}
