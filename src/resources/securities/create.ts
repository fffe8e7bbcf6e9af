// POST /securities: a security and its issuance on the ledger, in one commit.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { type Complete, complete } from "../../kernel/fields.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import { refuse } from "../../kernel/problem.ts";
import type { Facts } from "../../ledger/operation.ts";
import {
  asksColumn,
  describeSecurity,
  onlyClassOf,
  optionCurrency,
  typeFor,
  withoutNulls,
} from "../../ledger/operations/parts.ts";
import { organizationAsksAcceptance, organizationCurrency } from "../../ledger/store.ts";
import type { EntryDraft } from "../../ledger/types.ts";
import { directEdits } from "../../ledger/writes/direct-edits.ts";
import { certificateTaken, recordDecision } from "../../ledger/writes/execute.ts";
import { Loader } from "../../ledger/writes/load.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { classesNamed, formOf } from "../../storage/records/terms-form.ts";
import { approvalFindings } from "../approvals/approval-rules.ts";
import { SecurityCreate } from "./schema.ts";

type Given = Complete<Static<typeof SecurityCreate>>;

/**
 * Creates a security and records its issuance, and the entry of its status if that is not ACTIVE. Returns its id.
 * Throws `404` for unknown references, `422`, and `409` for a certificate number or a limit.
 */
export function createSecurity(tx: Tx, call: Call, body: Static<typeof SecurityCreate>): string {
  const given = complete(SecurityCreate, body);
  const { type, stockPlanId: equityPlanId, optionType } = given;
  const facts = loadFacts(tx, call, given);
  const inferred = type === "STOCK_OPTION" ? onlyClassOf(facts, equityPlanId) : null;
  const stockClassId = given.stockClassId ?? inferred;
  const approval = given.approvalId === null ? null : findRecord(tx, "approvals", call.orgId, given.approvalId);
  if (approval) refuse(approvalFindings(type, approval.entityType));
  if (facts.isCertificateTaken) throw certificateTaken();
  const id = call.newId();
  const currency = organizationCurrency(tx, call.orgId);
  const issuance = issuanceEntry(id, given, stockClassId);
  recordDecision(tx, call, facts, {
    entries: [issuance, ...statusEntries(issuance, given)],
    newSecurities: [
      describeSecurity({
        id,
        type,
        certificateId: given.certificateId,
        grantDate: given.grantDate,
        currency: type === "STOCK_OPTION" ? optionCurrency(facts, stockClassId, currency) : currency,
        vestingTermsId: given.vestingTermsId,
        vestingStartDate: given.vestingStartDate ?? given.grantDate,
        statedConsideration: given.totalConsideration,
        optionType,
        expirationDate: given.expirationDate,
        valuationId: given.valuationId,
        boardApprovalDate: given.boardApprovalDate,
        comments: given.comments,
        sourceDocumentId: given.sourceDocumentId,
        approvalId: given.approvalId,
        stockLegendIds: JSON.stringify(given.stockLegendIds),
        asksAcceptance: asksColumn(given.asksAcceptance ?? undefined, organizationAsksAcceptance(tx, call.orgId)),
        convertibleTerms:
          given.convertibleTerms &&
          JSON.stringify(formOf(given.convertibleTerms, { securityId: id, grantDate: given.grantDate })),
        // Only a locked approval lets tokens be minted.
        isGated: type === "STOCK" && approval?.state !== "Locked" ? 1 : 0,
      }),
    ],
  });
  return id;
}

function loadFacts(tx: Tx, call: Call, given: Given): Facts {
  return new Loader(tx, call.orgId).load({
    stakeholders: [given.stakeholderId],
    classes: [given.stockClassId, ...classesNamed(given.convertibleTerms)],
    plans: [given.stockPlanId],
    vestingTerms: [given.vestingTermsId],
    valuations: [given.valuationId],
    approvals: [given.approvalId],
    documents: [given.sourceDocumentId],
    stockLegends: given.stockLegendIds,
    certificateId: given.certificateId,
  });
}

function issuanceEntry(securityId: string, given: Given, stockClassId: string | null): EntryDraft {
  return {
    type: typeFor(given.type, "ISSUANCE"),
    securityId,
    stakeholderId: given.stakeholderId,
    quantity: given.quantity,
    effectiveDate: given.grantDate,
    metadata: withoutNulls({
      stockClassId,
      equityPlanId: given.stockPlanId,
      certificateId: given.certificateId,
      pricePerShare: given.pricePerShare,
      totalConsideration: given.totalConsideration,
      exercisePrice: given.exercisePrice,
      optionType: given.optionType,
      expirationDate: given.expirationDate,
      vestingTermsId: given.vestingTermsId,
      vestingStartDate: given.vestingStartDate,
      valuationId: given.valuationId,
      boardApprovalDate: given.boardApprovalDate,
      approvalId: given.approvalId,
    }),
  };
}

/** A security created with another status than ACTIVE was issued, and then given that status. */
function statusEntries(issuance: EntryDraft, given: Given): EntryDraft[] {
  const issued = {
    id: issuance.securityId ?? "",
    type: given.type,
    status: "ACTIVE",
    quantity: parseDecimal(given.quantity),
    stakeholderId: given.stakeholderId,
    stockClassId: null,
    equityPlanId: null,
    charge: null,
    chargeBasis: null,
    pricePerShare: null,
    exercisePrice: null,
  } as const;
  return directEdits(issued, { status: given.status }, given.grantDate);
}
