// Takes in one object: leaves alone what is there already, says what is odd about it, hands it to the importer of its
// kind, and keeps the original. Whatever an importer throws undoes this object alone: in a savepoint, once it is known
// that there is one to be undone.
import { inSavepoint } from "../../database/savepoint.ts";
import { InvariantError } from "../../kernel/assert.ts";
import { Problem } from "../../kernel/problem.ts";
import { ENDINGS } from "../codec/ending.ts";
import { codecOf, fileKeyOfType } from "../codec/registry.ts";
import { jsonOf } from "../codec/usable.ts";
import { dateText, Refusal } from "../codec/values.ts";
import { shown } from "../finding.ts";
import { textOf } from "../json.ts";
import { isTransaction } from "../story/object.ts";
import { refuseChangedHere } from "./changed-here.ts";
import { importEnding } from "./endings.ts";
import { importEvent } from "./events.ts";
import { warnOfFaults } from "./faults.ts";
import { importIssuance } from "./issuances.ts";
import { isMadeHere, issuesOwnBalance } from "./own-objects.ts";
import { findPlaceholder } from "./placeholders.ts";
import type { Step } from "./plan.ts";
import { importRecord } from "./records.ts";
import type { Landed, Scene } from "./scene.ts";
import { importSplit } from "./splits.ts";
import { findOriginal, insertOriginal, isIdUsed } from "./store.ts";

/** Thrown to have the transaction undone and repeated with `isCareful`, because it wrote some of a refused object. */
export class NeedsCare extends Error {
  override readonly name = "NeedsCare";
}

/** Takes in one object; false while there is more to do of it, in a later transaction. */
export function applyStep(scene: Scene, step: Step): boolean {
  const reason = conflictOf(scene, step);
  if (reason !== null) {
    scene.report.conflict(step.objectType, step.id, reason);
    return true;
  }
  if (isTransaction(step) && refuseChangedHere(scene, step)) return true;
  if (isTransaction(step)) scene.limits.enterDay(dateText(step.value, "date") ?? "");
  try {
    return scene.isCareful ? takeInCarefully(scene, step) : takeIn(scene, step);
  } catch (thrown) {
    const [code, pointer, detail] = refusalOf(thrown);
    if (!scene.isCareful) throw new NeedsCare();
    const fix = "Correct the object and import again: what came in stays, and is not taken in twice.";
    scene.report.refuse(code, { ...step, pointer }, detail, fix);
    return true;
  }
}

/** Takes in one object in a savepoint of its own, what the log tells of it included. */
function takeInCarefully(scene: Scene, step: Step): boolean {
  const { tx, call } = scene;
  // What came before is not to be undone with it.
  tx.pending.tell(tx, call);
  try {
    return inSavepoint(tx, () => {
      const isDone = takeIn(scene, step);
      tx.pending.tell(tx, call);
      return isDone;
    });
  } finally {
    tx.pending.forget();
  }
}

/** Whatever is wrong with one object must not keep out the others; only the database's own trouble ends the import. */
function refusalOf(thrown: unknown): readonly [code: string, pointer: string, detail: string] {
  if (thrown instanceof Refusal) return ["refused", thrown.pointer, thrown.detail];
  if (thrown instanceof Problem) return ["refused", "#", thrown.detail];
  const isConstraint = thrown instanceof Error && "code" in thrown && /^SQLITE_CONSTRAINT/.test(String(thrown.code));
  if (!(thrown instanceof InvariantError || isConstraint)) throw thrown;
  return ["inapplicable", "#", `The ledger cannot take the object: ${thrown.message}.`];
}

function takeIn(scene: Scene, step: Step): boolean {
  const raw = jsonOf(step.value);
  const { report, faults } = scene;
  const saidBefore = report.warnings.length;
  const landed = importByKind(scene, step);
  if (landed === null) return false;
  warnOfFaults(faults, step, report.warnings.slice(saidBefore), report);
  const { recordId, mapped, counted } = landed;
  insertOriginal(scene, {
    objectType: step.objectType,
    id: step.id,
    recordId,
    fileKey: fileKeyOfType(step.type.fileType),
    raw,
    mapped,
  });
  report.count(counted);
  return true;
}

/** Null while a split has more pieces. */
function importByKind(scene: Scene, step: Step): Landed | null {
  if (!isTransaction(step)) return importRecord(scene, step);
  const { family, action, canonicalType } = step.type;
  if (canonicalType === "TX_STOCK_CLASS_SPLIT") return importSplit(scene, step);
  if (family !== null && action === "ISSUANCE") return importIssuance(scene, step, family);
  const ending = action === null ? undefined : ENDINGS[action];
  return ending ? importEnding(scene, step, ending) : importEvent(scene, step);
}

/** Why the object is left alone, or null: it, or a record with its id, is there already. */
function conflictOf(scene: Scene, step: Step): string | null {
  const { tx, call, plan, own } = scene;
  const { objectType, id } = step;
  const { orgId } = call;
  if (findOriginal(tx, orgId, objectType, id)) return "It was imported before.";
  const table = codecOf(objectType)?.table ?? null;
  if (table !== null) {
    const isTaken = isIdUsed(tx, table, orgId, id) && findPlaceholder(scene, table, id) === null;
    return isTaken ? "A record with this id exists already." : null;
  }
  if (!isTransaction(step)) return null;
  const isOwn = own.transactions.has(`${objectType} ${id}`) || issuesOwnBalance(own, step);
  if (isOwn) return "It tells of an entry that the ledger has already.";
  if (isMadeHere(tx, orgId, id)) return "The ledger has an entry with this id already.";
  const securityId = step.type.action === "ISSUANCE" ? textOf(step.value, "security_id") : null;
  const isRepeated = securityId !== null && plan.issuances.get(securityId) !== step;
  if (securityId === null || isRepeated || !isIdUsed(tx, "securities", orgId, securityId)) return null;
  return `The security ${shown(securityId)} exists already.`;
}
