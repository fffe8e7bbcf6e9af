// Imports issuances: a security and its ledger entry. A security that another transaction of the package makes has its
// own issuance too, and draws nothing from its plan a second time.

import { present } from "../../../kernel/assert.ts";
import { parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import { toStored } from "../../../ledger/imported-members.ts";
import { describeSecurity, optionCurrency, withoutNulls } from "../../../ledger/operations/parts.ts";
import { readEntry } from "../../../ledger/replay/event.ts";
import { toDraft } from "../../../ledger/replay/replay.ts";
import { isHeldAgainstPlan, madeBy, movingCharge, partOf, writeCharges } from "../../../ledger/rules/charges.ts";
import { findCertificateHolder, findEntry } from "../../../ledger/store.ts";
import type { EntryDraft } from "../../../ledger/types.ts";
import { recordDecision } from "../../../ledger/writes/execute.ts";
import { Loader } from "../../../ledger/writes/load.ts";
import { findRecord } from "../../../storage/database/records.ts";
import { rowOf } from "../codec/found-again.ts";
import { type ImportedIssuance, issuanceFromOcf, SECURITY_COLUMNS } from "../codec/issuance.ts";
import { mappedColumns, Refusal } from "../codec/values.ts";
import { vestingsColumn } from "../codec/vestings.ts";
import { shown } from "../finding.ts";
import type { SecurityFamily } from "../schemas/schema-registry.ts";
import { NAMED, resolve, sourceDocumentOf } from "./changed/named-records.ts";
import { type ImportContext, type Imported, originalOnly } from "./context.ts";
import { freeEntryId, wordsOf } from "./entry.ts";
import { splitLate } from "./late/imported-splits.ts";
import { ensureRecord } from "./late/placeholders.ts";
import type { EventStep } from "./plan.ts";
import { findOriginal } from "./store.ts";

type References = ImportedIssuance["references"];

/** Imports an issuance of the given family. Throws `Refusal` if the ledger lacks a required value. */
export function importIssuance(context: ImportContext, step: EventStep, family: SecurityFamily): Imported {
  const issuance = issuanceFromOcf(family, step.value);
  const { securityId } = issuance;
  if (context.plan.issuances.get(securityId) !== step) {
    const detail = `The security ${shown(securityId)} is issued by another object of the package; that one counts.`;
    const fix = "Give every issuance a security_id of its own. The original of this one is kept.";
    context.report.warn("duplicate-security", { ...step, pointer: "#/security_id" }, detail, fix);
    return originalOnly("other");
  }
  const references = resolveReferences(context, step, issuance);
  warnOfCertificate(context, step, issuance);
  const issued = record(context, step, issuance, references);
  const { stockClassId } = references;
  const date = issuance.description.grantDate;
  if (issuance.type === "STOCK" && stockClassId !== null)
    splitLate(context, step, { id: securityId, stockClassId, date });
  return { counted: "issuances", recordId: securityId, mapped: mappedColumns(issued.row, SECURITY_COLUMNS), issued };
}

/** Totals hang on a stock's class and on a plan: where the package does not hold them, placeholders stand in. */
function resolveReferences(
  context: ImportContext,
  step: EventStep,
  { type, references, classPath }: ImportedIssuance,
): References {
  const { stakeholderId, stockClassId, equityPlanId, vestingTermsId } = references;
  const isStock = type === "STOCK";
  if (isStock && stockClassId === null) throw new Refusal("#/stock_class_id", "Stock needs its class.");
  return {
    stakeholderId: resolve(context, step, NAMED.holder, stakeholderId),
    stockClassId: isStock
      ? ensureRecord(context, step, NAMED.stockClass, stockClassId)
      : resolve(context, step, { table: "share_classes", path: classPath }, stockClassId),
    equityPlanId: ensureRecord(context, step, NAMED.plan, equityPlanId),
    vestingTermsId: resolve(context, step, NAMED.terms, vestingTermsId),
  };
}

/** What a transaction makes may well bear the number of what it was made of. */
function warnOfCertificate(
  { tx, call, plan, report }: ImportContext,
  step: EventStep,
  issuance: ImportedIssuance,
): void {
  const { certificateId } = issuance.description;
  if (certificateId === null || plan.makers.has(issuance.securityId)) return;
  const holder = findCertificateHolder(tx, call.orgId, certificateId);
  if (holder === null) return;
  const detail = `The certificate number ${shown(certificateId)} is that of the security ${shown(holder)} already.`;
  report.warn("duplicate-certificate", { ...step, pointer: "#/custom_id" }, detail, "Give each a number of its own.");
}

/** Records the issuance. */
function record(context: ImportContext, step: EventStep, issuance: ImportedIssuance, references: References) {
  const { tx, call, limits } = context;
  const { stockClassId, equityPlanId } = references;
  const facts = new Loader(tx, call.orgId).load({ classes: [stockClassId], plans: [equityPlanId] });
  const entries = [entryOf(context, step, issuance, references)];
  const isOption = issuance.type === "STOCK_OPTION";
  const usual = isOption ? optionCurrency(facts, stockClassId, context.currency) : context.currency;
  const currency = issuance.currency ?? usual;
  const description = describeSecurity({ ...describe(context, step, issuance, references), currency });
  const decision = { entries, newSecurities: [description] };
  const { before, after, made } = recordDecision(tx, call, facts, decision, { isImport: true });
  limits.note(before, after, step);
  return { row: present(made[0], "the new security"), plans: facts.plans };
}

function describe(context: ImportContext, step: EventStep, issuance: ImportedIssuance, { vestingTermsId }: References) {
  const maker = makerOf(context, issuance.securityId);
  const legends = issuance.stockLegendIds.filter((id) => resolve(context, step, NAMED.legends, id) !== null);
  return {
    id: issuance.securityId,
    type: issuance.type,
    ...issuance.description,
    vestingTermsId,
    vestings: vestingsColumn(step.value),
    stockLegendIds: JSON.stringify([...new Set(legends)]),
    originSecurityId: maker?.sources[0] || null,
    sourceDocumentId: sourceDocumentOf(context, step.type.canonicalType, step.id),
  };
}

function entryOf(
  context: ImportContext,
  step: EventStep,
  issuance: ImportedIssuance,
  references: References,
): EntryDraft {
  const { stakeholderId, ...rest } = references;
  const { pricePerShare, exercisePrice, description, securityId } = issuance;
  const { certificateId, boardApprovalDate, stockholderApprovalDate } = description;
  const maker = makerOf(context, securityId);
  return {
    id: freeEntryId(context, step),
    type: `${issuance.type}_ISSUANCE`,
    securityId,
    stakeholderId,
    quantity: issuance.quantity,
    effectiveDate: description.grantDate,
    metadata: withoutNulls({
      ...rest,
      pricePerShare,
      exercisePrice,
      certificateId,
      boardApprovalDate,
      stockholderApprovalDate,
      description: wordsOf(step.value),
      ...rowOf(step.value),
      ...toStored({ objectType: step.objectType, resultOf: maker?.id }),
      charges: maker && resultCharge(context, issuance, references.equityPlanId, maker),
    }),
  };
}

/** The transaction of which the security is a result or the balance; of several the first that the package lists. */
function makerOf({ plan }: ImportContext, securityId: string): EventStep | undefined {
  return plan.makers.get(securityId)?.[0];
}

/**
 * What of its source's charge against the plan goes with a security that another transaction made: in proportion to the
 * shares that went into it, so that charges never multiply. Where that transaction is yet to come, it brings the charge
 * itself.
 */
function resultCharge({ tx, call }: ImportContext, issuance: ImportedIssuance, plan: string | null, maker: EventStep) {
  const { type, securityId } = issuance;
  if (!isHeldAgainstPlan(type, plan)) return null;
  const original = findOriginal(tx, call.orgId, maker.objectType, maker.id);
  const row = original?.recordId ? findEntry(tx, call.orgId, original.recordId) : null;
  const entry = row && toDraft(row);
  if (!entry) return null;
  const event = readEntry(entry);
  const { balanceSecurityId } = event.said;
  const results = madeBy(event.said).filter((id) => id !== balanceSecurityId);
  const given = results.map((id) => findRecord(tx, "securities", call.orgId, id)?.planCharge ?? "0");
  const moving = movingCharge(event, securityId, sum(given.map(parseDecimal)));
  if (moving?.equityPlanId !== plan) return null;
  const charge = partOf(moving, parseDecimal(issuance.quantity));
  return writeCharges([{ securityId, equityPlanId: plan, before: null, after: charge }]) ?? null;
}
