// Takes in issuances: a security and its ledger entry. What another transaction of the package makes comes in by its own
// issuance too, and draws nothing from its plan a second time.
import { findRecord, getRecord } from "../../database/records.ts";
import { parseDecimal, sum } from "../../kernel/decimal.ts";
import { isHeldAgainstPlan, madeBy, movingCharge, partOf, tellCharges } from "../../ledger/charges.ts";
import { recordDecision } from "../../ledger/execute.ts";
import { Loader } from "../../ledger/load.ts";
import { describeSecurity, optionCurrency, withoutNulls } from "../../ledger/operations/parts.ts";
import { toDraft } from "../../ledger/replay.ts";
import { findCertificateHolder, findEntry } from "../../ledger/store.ts";
import type { EntryDraft } from "../../ledger/types.ts";
import { sourcesOf } from "../codec/ending.ts";
import { type ImportedIssuance, issuanceFromOcf, SECURITY_COLUMNS } from "../codec/issuance.ts";
import { faultOfId, mappedColumns, Refusal } from "../codec/values.ts";
import { vestingsColumn } from "../codec/vestings.ts";
import { shown } from "../finding.ts";
import { type JsonObject, textOf } from "../json.ts";
import type { SecurityFamily } from "../schemas/registry.ts";
import { ensureRecord } from "./placeholders.ts";
import type { Step } from "./plan.ts";
import { resolve, sourceDocumentOf } from "./references.ts";
import { keptOnly, type Landed, type Scene } from "./scene.ts";
import { splitLate } from "./splits.ts";
import { findOriginal } from "./store.ts";

type References = ImportedIssuance["references"];

/** Takes in an issuance of the given family. Throws `Refusal` where the ledger cannot do without something. */
export function importIssuance(scene: Scene, step: Step, family: SecurityFamily): Landed {
  const issuance = issuanceFromOcf(family, step.value);
  const { securityId } = issuance;
  if (scene.plan.issuances.get(securityId) !== step) {
    const detail = `The security ${shown(securityId)} is issued by another object of the package; that one counts.`;
    const fix = "Give every issuance a security_id of its own. The original of this one is kept.";
    scene.report.warn("duplicate-security", { ...step, pointer: "#/security_id" }, detail, fix);
    return keptOnly("other");
  }
  const references = resolveReferences(scene, step, issuance);
  warnOfCertificate(scene, step, issuance);
  const row = record(scene, step, issuance, references);
  const { stockClassId } = references;
  const date = issuance.description.grantDate;
  if (issuance.type === "STOCK" && stockClassId !== null)
    splitLate(scene, step, { id: securityId, stockClassId, date });
  return { counted: "issuances", recordId: securityId, mapped: mappedColumns(row, SECURITY_COLUMNS) };
}

/** Totals hang on a stock's class and on a plan: where the package does not hold them, placeholders stand in. */
function resolveReferences(scene: Scene, step: Step, { type, references, classPath }: ImportedIssuance): References {
  const { stakeholderId, stockClassId, equityPlanId, vestingTermsId } = references;
  const isStock = type === "STOCK";
  if (isStock && stockClassId === null) throw new Refusal("#/stock_class_id", "Stock needs its class.");
  return {
    stakeholderId: resolve(scene, step, "stakeholders", "stakeholder_id", stakeholderId),
    stockClassId: isStock
      ? ensureRecord(scene, step, "share_classes", "stock_class_id", stockClassId)
      : resolve(scene, step, "share_classes", classPath, stockClassId),
    equityPlanId: ensureRecord(scene, step, "equity_plans", "stock_plan_id", equityPlanId),
    vestingTermsId: resolve(scene, step, "vesting_terms", "vesting_terms_id", vestingTermsId),
  };
}

/** What a transaction makes may well bear the number of what it was made of. */
function warnOfCertificate({ tx, call, plan, report }: Scene, step: Step, issuance: ImportedIssuance): void {
  const { certificateId } = issuance.description;
  if (certificateId === null || plan.makers.has(issuance.securityId)) return;
  const holder = findCertificateHolder(tx, call.orgId, certificateId);
  if (holder === null) return;
  const detail = `The certificate number ${shown(certificateId)} is that of the security ${shown(holder)} already.`;
  report.warn("duplicate-certificate", { ...step, pointer: "#/custom_id" }, detail, "Give each a number of its own.");
}

/** Records the issuance; returns the security's columns. */
function record(scene: Scene, step: Step, issuance: ImportedIssuance, references: References): object {
  const { tx, call, limits } = scene;
  const { stockClassId, equityPlanId } = references;
  const facts = new Loader(tx, call.orgId).load({ classes: [stockClassId], plans: [equityPlanId] });
  const entries = [entryOf(scene, step, issuance, references)];
  const isOption = issuance.type === "STOCK_OPTION";
  const usual = isOption ? optionCurrency(facts, stockClassId, scene.currency) : scene.currency;
  const currency = issuance.currency ?? usual;
  const description = describeSecurity({ ...describe(scene, step, issuance, references), currency });
  const decision = { entries, newSecurities: [description] };
  const { before, after } = recordDecision(tx, call, facts, decision, { isImport: true });
  limits.note(before, after, step);
  // A security without a number was given one by the way.
  if (description.certificateId === null) return getRecord(tx, "securities", call.orgId, issuance.securityId);
  return { ...description, ...after.security(issuance.securityId) };
}

function describe(scene: Scene, step: Step, issuance: ImportedIssuance, { vestingTermsId }: References) {
  const maker = makerOf(scene, issuance.securityId);
  const legends = issuance.stockLegendIds.filter(
    (id) => resolve(scene, step, "stock_legends", "stock_legend_ids", id) !== null,
  );
  return {
    id: issuance.securityId,
    type: issuance.type,
    ...issuance.description,
    vestingTermsId,
    vestings: vestingsColumn(step.value),
    stockLegendIds: JSON.stringify([...new Set(legends)]),
    originSecurityId: (maker && sourcesOf(maker)[0]) || null,
    sourceDocumentId: sourceDocumentOf(scene, step.type.canonicalType, step.id),
  };
}

function entryOf(scene: Scene, step: Step, issuance: ImportedIssuance, references: References): EntryDraft {
  const { stakeholderId, ...rest } = references;
  const { pricePerShare, exercisePrice, description, securityId } = issuance;
  const { certificateId, boardApprovalDate, stockholderApprovalDate } = description;
  const maker = makerOf(scene, securityId);
  return {
    id: freeEntryId(scene, step),
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
      ocfObjectType: step.objectType,
      ocfResultOf: maker?.id,
      charges: maker && resultCharge(scene, issuance, references.equityPlanId, maker),
    }),
  };
}

/** The transaction of which the security is a result or the balance; of several the first that the package lists. */
function makerOf({ plan }: Scene, securityId: string): Step | undefined {
  return plan.makers.get(securityId)?.[0];
}

/**
 * What of its source's charge goes with a security that another transaction made: in proportion to the shares that went
 * into it (TRUTH section 1). Where that transaction is yet to come, it brings the charge itself.
 */
function resultCharge({ tx, call }: Scene, issuance: ImportedIssuance, plan: string | null, maker: Step) {
  const { type, securityId } = issuance;
  if (!isHeldAgainstPlan(type, plan)) return null;
  const original = findOriginal(tx, call.orgId, maker.objectType, maker.id);
  const row = original?.recordId ? findEntry(tx, call.orgId, original.recordId) : null;
  const entry = row && toDraft(row);
  if (!entry) return null;
  const results = madeBy(entry).filter((id) => id !== entry.metadata.balanceSecurityId);
  const given = results.map((id) => findRecord(tx, "securities", call.orgId, id)?.planCharge ?? "0");
  const moving = movingCharge(entry, securityId, sum(given.map(parseDecimal)));
  const charge = moving && partOf(moving, parseDecimal(issuance.quantity));
  return tellCharges([{ securityId, equityPlanId: plan, before: null, after: charge }]) ?? null;
}

/** The object's own id, where no entry of another type has it; else one made of type and id (DECISIONS section 15). */
export function freeEntryId({ tx, call }: Pick<Scene, "tx" | "call">, { objectType, id }: Step): string {
  const isFree = (candidate: string) => faultOfId(candidate) === null && !findEntry(tx, call.orgId, candidate);
  return [id, `${objectType}:${id}`].find(isFree) ?? call.newId();
}

/** What a transaction says of itself in words. */
export function wordsOf(value: JsonObject): string | null {
  return textOf(value, "reason_text") ?? textOf(value, "consideration_text");
}
