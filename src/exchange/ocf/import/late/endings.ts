// Imports the transactions that end or lower a security: cancellations, transfers, exercises, conversions, repurchases,
// retractions, reissuances, consolidations.

import { type Decimal, formatDecimal, min, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { type ImportedEffect, toStored } from "../../../../ledger/imported-members.ts";
import type { Facts } from "../../../../ledger/operation.ts";
import { withoutNulls } from "../../../../ledger/operations/parts.ts";
import type { EntryDraft, SecurityState } from "../../../../ledger/types.ts";
import { recordDecision } from "../../../../ledger/writes/execute.ts";
import { Loader } from "../../../../ledger/writes/load.ts";
import { findRecord } from "../../../../storage/database/records.ts";
import type { Row } from "../../../../storage/database/sql.ts";
import {
  amountMoved,
  amountTaken,
  type Ending,
  entryTypeOf,
  leavesUnnamedRest,
  movesTooMuch,
} from "../../codec/ending.ts";
import { SECURITY_TYPES } from "../../codec/issuance.ts";
import { amountText, requiredDate } from "../../codec/values.ts";
import { type Place, pointerTo, shown } from "../../finding.ts";
import { defaultReturn, isReturnedByDefault } from "../../story/pools.ts";
import { exists } from "../changed/named-records.ts";
import { type ImportContext, type Imported, originalOnly } from "../context.ts";
import { freeEntryId, wordsOf } from "../entry.ts";
import type { EventStep } from "../plan.ts";
import { inSharesOfToday } from "./imported-splits.ts";
import { returnsOf } from "./returns.ts";

/** A transaction on one security, and what it takes of that. */
interface Taking {
  readonly step: EventStep;
  readonly facts: Facts;
  readonly security: SecurityState;
  /** How much it says that it moves, in shares of today; null where it says nothing. */
  readonly amount: Decimal | null;
  readonly taken: Decimal;
}

/** Imports a transaction that ends or lowers the securities that it names. Throws `Refusal` without a date. */
export function importEnding(context: ImportContext, step: EventStep, ending: Ending): Imported {
  const { call, limits, tx } = context;
  const effectiveDate = requiredDate(step.value, "date");
  const isMany = step.type.action === "CONSOLIDATION";
  let recordId: string | null = null;
  for (const [id, i] of new Map(step.sources.map((id, i) => [id, i]))) {
    const pointer = isMany ? pointerTo("security_ids", i) : pointerTo("security_id");
    const row = findOpen(context, { ...step, pointer }, id);
    if (row === null) continue;
    const taking = takingOf(context, step, row);
    warnOf(context, taking);
    const entry = { ...entryOf(taking, ending, returnedToPool(context, taking)), effectiveDate };
    const entries = [recordId === null ? { ...entry, id: freeEntryId(context, step) } : entry];
    const recorded = recordDecision(tx, call, taking.facts, { entries }, { isImport: true });
    limits.note(recorded.before, recorded.after, step);
    recordId ??= recorded.entries[0]?.id ?? null;
  }
  return { ...originalOnly("transactions"), recordId };
}

function takingOf(context: ImportContext, step: EventStep, row: Row<"securities">): Taking {
  const facts = loadFacts(context, step, row);
  const security = facts.state.security(row.id);
  const moved = amountMoved(security.type, step.value);
  const amount = moved && inSharesOfToday(context, step, row, moved);
  return { step, facts, security, amount, taken: amountTaken(step.type, step.value, amount, security.quantity) };
}

/** The security, and where it charges a plan, what of it is there already and takes the charge over. */
function loadFacts(context: ImportContext, { makes }: EventStep, row: Row<"securities">): Facts {
  const { tx, call } = context;
  const loader = new Loader(tx, call.orgId);
  loader.take(row);
  const facts = loader.load({});
  if (row.planCharge === null) return facts;
  return loader.load({ securities: makes.filter((made) => exists(context, "securities", made)) });
}

/** The security if it exists and has not ended before; otherwise null, and it is reported. */
function findOpen({ tx, call, report }: ImportContext, place: Place, id: string): Row<"securities"> | null {
  const row = findRecord(tx, "securities", call.orgId, id);
  if (!row) {
    const detail = `The transaction acts on the security ${shown(id)}, which was never issued. It has no effect.`;
    report.warn("dangling-reference", place, detail, "Add the issuance, or correct the security_id.");
  } else if (row.status !== "ACTIVE") {
    const detail = `The security ${shown(id)} had ended before (${row.status}). The transaction has no effect.`;
    report.warn("closed-security", place, detail, "Name the balance or resulting security, or correct the dates.");
  }
  return row?.status === "ACTIVE" ? row : null;
}

type Entry = Omit<EntryDraft, "effectiveDate">;

function entryOf({ step, security, amount, taken }: Taking, ending: Ending, returned: Decimal | null): Entry {
  const { type, value, objectType, makes, balanceId } = step;
  const back = returned === null ? {} : { returned: formatDecimal(returned) };
  const effect: ImportedEffect = { taken: formatDecimal(taken), status: ending.status, ...back };
  return {
    type: entryTypeOf(ending, security.type),
    securityId: security.id,
    stakeholderId: security.stakeholderId,
    quantity: formatDecimal(amount !== null && amount > ZERO ? min(amount, security.quantity) : taken),
    metadata: withoutNulls({
      description: wordsOf(value),
      resultingSecurityIds: listOrNull(makes.filter((made) => made !== balanceId)),
      balanceSecurityId: balanceId,
      pricePerShare: amountText(value, type.action === "RELEASE" ? "release_price" : "price"),
      retraction: ending.verb === "RETRACTION" ? true : null,
      conversion: ending.verb === "CONVERSION" ? true : null,
      returnToPool: returned === null ? null : true,
      ...toStored({ objectType, ...effect }),
      equityPlanId: returned === null ? null : security.equityPlanId,
    }),
  };
}

function listOrNull(ids: readonly string[]): readonly string[] | null {
  return ids.length === 0 ? null : ids;
}

/**
 * What the plan of a grant gets back. Where the package itself says what returns, nothing, since OCF lets the event
 * chain control; else a retraction's whole grant, and a cancellation's amount by the plan's default.
 */
function returnedToPool({ tx, call, plan }: ImportContext, { step, facts, security, amount }: Taking): Decimal | null {
  const { id, type, equityPlanId, quantity } = security;
  const { action } = step.type;
  if (type !== "STOCK_OPTION" || equityPlanId === null || plan.returned.has(id)) return null;
  const isByDefault = facts.plans.get(equityPlanId)?.defaultCancellationBehavior === "RETURN_TO_POOL";
  if (!isReturnedByDefault(action, isByDefault) || returnsOf(tx, call.orgId, id).isSaid) return null;
  return defaultReturn(action, amount, quantity);
}

function warnOf(context: ImportContext, taking: Taking): void {
  const { report } = context;
  const { step, amount, taken, security } = taking;
  const { id, type, quantity: held } = security;
  const { family } = step.type;
  if (family !== null && SECURITY_TYPES[family] !== type) {
    const detail = `${step.objectType} acts on ${shown(id)}, which is a ${type}. It was applied.`;
    report.warn("wrong-kind", { ...step, pointer: "#/security_id" }, detail, "Use the transaction of that kind.");
  }
  if (amount === null) return;
  const moved = { type: step.type, amount, held };
  if (movesTooMuch(moved)) {
    const detail = `${formatDecimal(amount)} are taken from ${shown(id)}, which holds ${formatDecimal(held)}.`;
    report.warn("more-than-held", step, detail, "Correct the quantity, or the issuance. All that it held was taken.");
  } else if (leavesUnnamedRest(moved, taken)) {
    const detail = `${formatDecimal(amount)} of ${formatDecimal(held)} are taken, and nothing says where the rest is.`;
    const fix = `Name a balance security. The rest was counted as staying in ${shown(id)}.`;
    report.warn("no-balance", step, detail, fix);
  } else warnOfBalance(context, step, id, held - amount);
}

/** OCF ends the security: if the balance that should hold the rest was never issued, the rest has no holder. */
function warnOfBalance(context: ImportContext, step: EventStep, id: string, rest: Decimal): void {
  const { balanceId: balance } = step;
  if (balance === null || rest <= ZERO || context.plan.issuances.has(balance)) return;
  if (exists(context, "securities", balance)) return;
  const lost = `${formatDecimal(rest)} of ${shown(id)} are counted nowhere`;
  const detail = `balance_security_id names ${shown(balance)}, which was never issued: ${lost}.`;
  const place = { ...step, pointer: pointerTo("balance_security_id") };
  context.report.warn("dangling-reference", place, detail, "Add the issuance of the balance, or correct the id.");
}
