// Imports one object: leaves an existing one alone, reports oddities, calls the importer of its kind, and keeps the
// original. An error of an importer undoes this object alone: in a savepoint, once it is known that an object has to be
// undone.

import { InvariantError } from "../../../kernel/assert.ts";
import { Problem } from "../../../kernel/problem.ts";
import { inSavepoint, NeedsSavepoint } from "../../../storage/database/savepoint.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { ENDINGS } from "../codec/ending.ts";
import { codecOf, fileKeyOfType } from "../codec/registry.ts";
import { jsonOf } from "../codec/usable.ts";
import { Refusal } from "../codec/values.ts";
import { shown } from "../finding.ts";
import { textOf } from "../json.ts";
import { isEvent } from "../story/story-event.ts";
import { refuseChangedHere } from "./changed/changed-here.ts";
import { isMadeHere, issuesOwnBalance } from "./changed/own-objects.ts";
import type { ImportContext, Imported } from "./context.ts";
import { importEvent } from "./event-steps.ts";
import { reportFaults } from "./faults.ts";
import { importIssuance } from "./issuance-steps.ts";
import { importEnding } from "./late/endings.ts";
import { heal, type LeftOut } from "./late/heal.ts";
import { importSplit } from "./late/imported-splits.ts";
import { keepCarriedOut, type LeftOutTransaction, leftOutTransaction } from "./late/left-out.ts";
import { passChargesOn } from "./late/passed-on.ts";
import { findPlaceholder } from "./late/placeholders.ts";
import type { EventStep, Step } from "./plan.ts";
import { importRecord } from "./record-steps.ts";
import { findOriginal, hasAnyOf, insertOriginal, isIdUsed } from "./store.ts";
import { warnOfMade } from "./warnings.ts";

/** Takes in one object; false while there is more to do of it, in a later transaction. */
export function applyStep(context: ImportContext, step: Step): boolean {
  const isNew = isEvent(step) && isNewHere(context, step);
  const original = isNew ? null : findOriginal(context.tx, context.call.orgId, step.objectType, step.id);
  const leftOut = original && leftOutTransaction(context, step, original);
  const reason = isNew ? conflictWithOwn(context, step) : leftOut ? null : conflictOf(context, step, original);
  if (reason !== null) {
    context.report.conflict(step.objectType, step.id, reason);
    return true;
  }
  if (isEvent(step)) {
    if (refuseChangedHere(context, step)) return true;
    context.limits.enterDay(step.day);
  }
  try {
    return apart(context, () => importObject(context, step, leftOut));
  } catch (thrown) {
    const [code, pointer, detail] = refusalOf(thrown);
    if (!context.usesSavepoints) throw new NeedsSavepoint();
    const fix = "Correct the object and import again: what came in stays, and is not taken in twice.";
    context.report.refuse(code, { ...step, pointer }, detail, fix);
    return true;
  }
}

/** Sets what an earlier import left out of an object; where that cannot be, the object stays as it is. */
export function applyHealing(context: ImportContext, leftOut: LeftOut): void {
  try {
    apart(context, () => heal(context, leftOut));
  } catch (thrown) {
    const [code, pointer, detail] = refusalOf(thrown);
    if (!context.usesSavepoints) throw new NeedsSavepoint();
    const fix = "Set by hand what an earlier import left out of it.";
    context.report.refuse(code, { objectType: leftOut.objectType, id: leftOut.id, pointer }, detail, fix);
  }
}

/** Does what concerns one object, where it needs one in a savepoint of its own, what the log tells of it included. */
function apart<T>(context: ImportContext, run: () => T): T {
  const { tx, call, known, usesSavepoints } = context;
  if (!usesSavepoints) return run();
  // The writes before the savepoint are not to be undone with it.
  tx.pending.tell(tx, call);
  try {
    return inSavepoint(tx, () => {
      const done = run();
      tx.pending.tell(tx, call);
      return done;
    });
  } catch (error) {
    known.forget();
    throw error;
  } finally {
    tx.pending.forget();
  }
}

/** A fault of one object must not keep out the others; only a failure of the database itself ends the import. */
function refusalOf(thrown: unknown): readonly [code: string, pointer: string, detail: string] {
  if (thrown instanceof Refusal) return ["refused", thrown.pointer, thrown.detail];
  if (thrown instanceof Problem) return ["refused", "#", thrown.detail];
  const isConstraint = thrown instanceof Error && "code" in thrown && /^SQLITE_CONSTRAINT/.test(String(thrown.code));
  if (!(thrown instanceof InvariantError || isConstraint)) throw thrown;
  return ["inapplicable", "#", `The ledger cannot take the object: ${thrown.message}.`];
}

function importObject(context: ImportContext, step: Step, leftOut: LeftOutTransaction | null): boolean {
  const raw = jsonOf(step.value);
  const { report, faults } = context;
  const saidBefore = report.warnings.length;
  const imported = importByKind(context, step);
  if (imported === null) return false;
  reportFaults(faults, step, report.warnings.slice(saidBefore), report);
  const { recordId, mapped, counted } = imported;
  // A package may bring a transaction after one that acts on what it made: by a correction, or in parts out of order.
  if (recordId !== null && isEvent(step) && step.kind === "ENDING" && hasMadeBefore(context, step)) {
    passChargesOn(context, step, recordId);
  }
  if (leftOut !== null) {
    keepCarriedOut(context, step, leftOut, { recordId, mapped, raw });
    return true;
  }
  insertOriginal(context, {
    objectType: step.objectType,
    id: step.id,
    recordId,
    fileKey: fileKeyOfType(step.type.fileType),
    raw,
    mapped,
  });
  report.count(counted);
  warnOfMade(context, step, imported);
  return true;
}

/** Whether a security that the transaction makes came in before it. */
function hasMadeBefore({ tx, call }: ImportContext, { makes }: EventStep): boolean {
  return makes.some((id) => isIdUsed(tx, "securities", call.orgId, id));
}

/** Null while a split has more pieces. */
function importByKind(context: ImportContext, step: Step): Imported | null {
  if (!isEvent(step)) return importRecord(context, step);
  const { family, action } = step.type;
  if (step.kind === "SPLIT") return importSplit(context, step);
  if (step.kind === "ISSUANCE" && family !== null) return importIssuance(context, step, family);
  const ending = action === null ? undefined : ENDINGS[action];
  return ending ? importEnding(context, step, ending) : importEvent(context, step);
}

/** Whether nothing of what the transaction brings is there. */
function isNewHere({ tx, call, known, freeIds }: ImportContext, step: EventStep): boolean {
  const { objectType, id, type, value } = step;
  const securityId = (type.action === "ISSUANCE" && textOf(value, "security_id")) || "";
  if (!known.isNew(step) && hasAnyOf(tx, { orgId: call.orgId, objectType, id, securityId })) return false;
  freeIds.add(id);
  return true;
}

/** Why a transaction is left alone that exists in OCF only, or null. */
function conflictWithOwn({ own }: ImportContext, step: EventStep): string | null {
  const isOwn = own.transactions.has(`${step.objectType} ${step.id}`) || issuesOwnBalance(own, step);
  return isOwn ? "It tells of an entry that the ledger has already." : null;
}

/** Why the object is left alone, or null: it, or a record with its id, exists already. */
function conflictOf(context: ImportContext, step: Step, original: Row<"ocf_objects"> | null): string | null {
  const { tx, call, plan } = context;
  const { objectType, id } = step;
  const { orgId } = call;
  if (original) return "It was imported before.";
  const table = codecOf(objectType)?.table ?? null;
  if (table !== null) {
    const isTaken = isIdUsed(tx, table, orgId, id) && findPlaceholder(context, table, id) === null;
    return isTaken ? "A record with this id exists already." : null;
  }
  if (!isEvent(step)) return null;
  const own = conflictWithOwn(context, step);
  if (own !== null) return own;
  if (isMadeHere(tx, orgId, id)) return "The ledger has an entry with this id already.";
  const securityId = step.type.action === "ISSUANCE" ? textOf(step.value, "security_id") : null;
  const isRepeated = securityId !== null && plan.issuances.get(securityId) !== step;
  if (securityId === null || isRepeated || !isIdUsed(tx, "securities", orgId, securityId)) return null;
  return `The security ${shown(securityId)} exists already.`;
}
