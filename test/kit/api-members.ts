// The members of each record's answers in the interface that this service implements, written by hand. Whatever else an
// answer shows is an extension.

const HEAD = ["id", "orgId", "createdAt", "updatedAt"];

/** The interface's members, by the record's name in the OpenAPI document. */
export const API_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Stakeholder: [
    ...HEAD,
    ...["displayName", "name", "type", "status", "relationships", "email", "issuerAssignedId", "comments"],
    ...["sourceDocumentId", "verificationStatus"],
  ],
  ShareClass: [
    ...HEAD,
    ...["name", "classType", "defaultIdPrefix", "initialSharesAuthorized", "currentSharesAuthorized", "votesPerShare"],
    ...["parValue", "pricePerShare", "seniority", "liquidationPreferenceMultiple", "participationCapMultiple"],
    ...["isParticipating", "boardApprovalDate", "stockholderApprovalDate", "comments", "sourceDocumentId"],
    ...["tokenizationStatus", "tokenAddress"],
  ],
  Security: [
    ...HEAD,
    ...["type", "status", "stakeholderId", "stockClassId", "equityPlanId", "vestingTermsId", "certificateId"],
    ...["quantity", "pricePerShare", "purchasePrice", "grantDate", "expirationDate", "comments", "verificationStatus"],
  ],
  Valuation: [
    ...HEAD,
    ...["type", "status", "stockClassId", "pricePerShare", "effectiveDate", "expirationDate", "provider", "reportId"],
    ...["comments", "verificationStatus"],
  ],
  EquityPlan: [
    ...HEAD,
    ...["name", "planType", "initialSharesReserved", "currentSharesReserved", "stockClassIds", "adoptedDate"],
    ...["expirationDate", "comments", "verificationStatus"],
  ],
  VestingTerms: [
    ...HEAD,
    ...["name", "description", "allocationType", "periodLengthUnits", "periodLength", "totalPeriods", "cliffPeriods"],
  ],
  VestingMilestone: [...HEAD, ...["securityId", "description", "targetDate", "completedAt", "quantity", "status"]],
  CorporateAction: [...HEAD, "type", "title", "summary", "status", "effectiveDate", "metadata"],
  Transaction: [
    ...["id", "orgId", "createdAt", "type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata"],
  ],
  Approval: [...HEAD, "title", "entityType", "state", "dueDate", "notes", "lockedAt"],
  ApprovalStep: ["id", "approvalId", "name", "status", "order", "decidedAt", "comment", "createdAt"],
  CapTableSummary: [
    ...["orgId", "shareClassCount", "stakeholderCount", "totalAuthorized", "totalIssued", "latestValuation"],
  ],
};
