// Takes in the transactions that end or lower a security: cancellations, transfers, exercises, conversions, repurchases,
// retractions, reissuances, consolidations.
import { findRecord } from "../../database/records.ts";
import { type Decimal, formatDecimal, min, ZERO } from "../../kernel/decimal.ts";
import { recordDecision } from "../../ledger/execute.ts";
import type { ImportedEffect } from "../../ledger/imported.ts";
import { Loader } from "../../ledger/load.ts";
import type { Facts } from "../../ledger/operation.ts";
import { withoutNulls } from "../../ledger/operations/parts.ts";
import type { EntryDraft, SecurityState } from "../../ledger/types.ts";
import {
  amountMoved,
  amountTaken,
  balanceId,
  type Ending,
  entryTypeOf,
  isInPlace,
  madeBy,
  sourcesOf,
} from "../codec/ending.ts";
import { SECURITY_TYPES } from "../codec/issuance.ts";
import { amountText, requiredDate } from "../codec/values.ts";
import { type Place, pointerTo, shown } from "../finding.ts";
import { amountUnsaid, returnsUnsaid } from "../story/pools.ts";
import { freeEntryId, wordsOf } from "./issuances.ts";
import type { Step } from "./plan.ts";
import { exists } from "./references.ts";
import { returnsOf } from "./returns.ts";
import { keptOnly, type Landed, type Scene } from "./scene.ts";
import { inSharesOfToday } from "./splits.ts";

/** Takes in a transaction that ends or lowers what it names. Throws `Refusal` without a date. */
export function importEnding(scene: Scene, step: Step, ending: Ending): Landed {
  const date = requiredDate(step.value, "date");
  const isMany = step.type.action === "CONSOLIDATION";
  let recordId: string | null = null;
  for (const [id, i] of new Map(sourcesOf(step).map((id, i) => [id, i]))) {
    const pointer = isMany ? pointerTo("security_ids", i) : pointerTo("security_id");
    if (!isOpen(scene, { ...step, pointer }, id)) continue;
    const { call, limits, tx } = scene;
    const facts = loadFacts(scene, step, id);
    const entry = { ...entryOf(scene, step, ending, facts, id), effectiveDate: date };
    const entries = [recordId === null ? { ...entry, id: freeEntryId(scene, step) } : entry];
    const recorded = recordDecision(tx, call, facts, { entries }, { isImport: true });
    limits.note(recorded.before, recorded.after, step);
    recordId ??= recorded.entries[0]?.id ?? null;
  }
  return { ...keptOnly("transactions"), recordId };
}

/** The security, and where it charges a plan, what of it is there already and takes the charge over. */
function loadFacts(scene: Scene, { value }: Step, id: string): Facts {
  const { tx, call } = scene;
  const loader = new Loader(tx, call.orgId);
  const facts = loader.load({ securities: [id] });
  if (facts.state.security(id).charge === null) return facts;
  return loader.load({ securities: madeBy(value).filter((made) => exists(scene, "securities", made)) });
}

/** Whether there is such a security, and it has not ended before; otherwise says so. */
function isOpen({ tx, call, report }: Scene, place: Place, id: string): boolean {
  const row = findRecord(tx, "securities", call.orgId, id);
  if (!row) {
    const detail = `The transaction acts on the security ${shown(id)}, which was never issued. It has no effect.`;
    report.warn("dangling-reference", place, detail, "Add the issuance, or correct the security_id.");
  } else if (row.status !== "ACTIVE") {
    const detail = `The security ${shown(id)} had ended before (${row.status}). The transaction has no effect.`;
    report.warn("closed-security", place, detail, "Name the balance or resulting security, or correct the dates.");
  }
  return row?.status === "ACTIVE";
}

type Entry = Omit<EntryDraft, "effectiveDate">;

function entryOf(scene: Scene, step: Step, ending: Ending, facts: Facts, id: string): Entry {
  const { type, value } = step;
  const state = facts.state.security(id);
  const moved = amountMoved(state.type, value);
  const row = facts.securities.get(id);
  const amount = moved && row ? inSharesOfToday(scene, step, row, moved) : moved;
  const taken = amountTaken(type, value, amount, state.quantity);
  warnOf(scene, step, state, amount, taken);
  const effect: ImportedEffect = { ocfTaken: formatDecimal(taken), ocfStatus: ending.status };
  const returned = returnedToPool(scene, step, facts, state, amount);
  return {
    type: entryTypeOf(ending, state.type),
    securityId: id,
    stakeholderId: state.stakeholderId,
    quantity: formatDecimal(amount !== null && amount > ZERO ? min(amount, state.quantity) : taken),
    metadata: withoutNulls({
      description: wordsOf(value),
      resultingSecurityIds: listOrNull(madeBy(value).filter((made) => made !== balanceId(value))),
      balanceSecurityId: balanceId(value),
      pricePerShare: amountText(value, type.action === "RELEASE" ? "release_price" : "price"),
      retraction: ending.verb === "RETRACTION" ? true : null,
      conversion: ending.verb === "CONVERSION" ? true : null,
      returnToPool: returned === null ? null : true,
      ocfObjectType: step.objectType,
      ...effect,
      ...(returned === null ? {} : { ocfReturned: formatDecimal(returned), equityPlanId: state.equityPlanId }),
    }),
  };
}

function listOrNull(ids: readonly string[]): readonly string[] | null {
  return ids.length === 0 ? null : ids;
}

/**
 * What the plan of a grant gets back: nothing where the package says itself what returns; else a retraction's whole
 * grant, and a cancellation's amount by the plan's default (OCF.md section 6).
 */
function returnedToPool(
  { tx, call, plan }: Scene,
  { type: { action } }: Step,
  facts: Facts,
  security: SecurityState,
  amount: Decimal | null,
): Decimal | null {
  const { equityPlanId, quantity } = security;
  if (security.type !== "STOCK_OPTION" || equityPlanId === null || plan.returned.has(security.id)) return null;
  const isByDefault = facts.plans.get(equityPlanId)?.defaultCancellationBehavior === "RETURN_TO_POOL";
  if (!returnsUnsaid(action, isByDefault) || returnsOf(tx, call.orgId, security.id).isSaid) return null;
  return amountUnsaid(action, amount, quantity);
}

function warnOf(scene: Scene, step: Step, security: SecurityState, amount: Decimal | null, taken: Decimal): void {
  const { report } = scene;
  const held = security.quantity;
  const { family } = step.type;
  if (family !== null && SECURITY_TYPES[family] !== security.type) {
    const detail = `${step.objectType} acts on ${shown(security.id)}, which is a ${security.type}. It was applied.`;
    report.warn("wrong-kind", { ...step, pointer: "#/security_id" }, detail, "Use the transaction of that kind.");
  }
  if (amount === null) return;
  // A warrant may leave open how many shares it is for; a conversion may count in shares what is held as an amount.
  const isComparable = held !== ZERO && !(step.type.action === "CONVERSION" && family === "CONVERTIBLE");
  if (amount > held && isComparable) {
    const detail = `${formatDecimal(amount)} are taken from ${shown(security.id)}, which holds ${formatDecimal(held)}.`;
    report.warn("more-than-held", step, detail, "Correct the quantity, or the issuance. All that it held was taken.");
  } else if (amount > ZERO && taken < held && !isInPlace(step.type)) {
    const detail = `${formatDecimal(amount)} of ${formatDecimal(held)} are taken, and nothing says where the rest is.`;
    const fix = `Name a balance security. The rest was counted as staying in ${shown(security.id)}.`;
    report.warn("no-balance", step, detail, fix);
  } else warnOfBalance(scene, step, security, held - amount);
}

/** OCF ends the security; where the balance that should hold the rest was never issued, nobody holds it. */
function warnOfBalance(scene: Scene, step: Step, { id }: SecurityState, rest: Decimal): void {
  const balance = balanceId(step.value);
  if (balance === null || rest <= ZERO || scene.plan.issuances.has(balance)) return;
  if (exists(scene, "securities", balance)) return;
  const lost = `${formatDecimal(rest)} of ${shown(id)} are counted nowhere`;
  const detail = `balance_security_id names ${shown(balance)}, which was never issued: ${lost}.`;
  const place = { ...step, pointer: pointerTo("balance_security_id") };
  scene.report.warn("dangling-reference", place, detail, "Add the issuance of the balance, or correct the id.");
}
