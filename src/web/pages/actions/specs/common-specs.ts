// Fields that many actions ask for.
import { OPERATIONS } from "../../../api/operations.ts";
import { GIVEN } from "../../../text/actions/given-words.ts";
import type { FieldGroup, GuidedField, Operation, SecurityType } from "../spec.ts";

export const DATE: GuidedField = { name: "effectiveDate", kind: "day", given: (_, { today }) => today };
export const HOLDER: GuidedField = { name: "stakeholderId", kind: "holder" };
export const QUANTITY: GuidedField = { name: "quantity", kind: "decimal", isPositive: true };
export const CERTIFICATE: GuidedField = {
  name: "certificateId",
  kind: "text",
  isBeside: true,
  given: (_, { nextCertificate }) => nextCertificate,
};
export const REASON: GuidedField = { name: "reason", kind: "text" };
export const BOARD: GuidedField = { name: "boardApprovalDate", kind: "day", isOptional: true };
export const STOCKHOLDERS: GuidedField = {
  name: "stockholderApprovalDate",
  kind: "day",
  isOptional: true,
  isBeside: true,
};
export const NOTE: GuidedField = { name: "description", kind: "long", isOptional: true };

/** How what is issued vests. */
export const TERMS: GuidedField = {
  name: "vestingTermsId",
  kind: "terms",
  isOptional: true,
  note: ({ vestingTermsId }) => (vestingTermsId ? undefined : GIVEN.noTerms),
};
export const START: GuidedField = {
  name: "vestingStartDate",
  kind: "day",
  isOptional: true,
  isBeside: true,
  isShown: ({ vestingTermsId }) => Boolean(vestingTermsId),
};
/** Whether what goes can be granted again. */
export const TO_POOL: GuidedField = {
  name: "returnToPool",
  kind: "check",
  isShown: (_, { security }) => security !== null && security.equityPlanId !== null,
  given: (_, { security, plans }) => {
    const plan = plans.find(({ id }) => id === security?.equityPlanId);
    return plan?.defaultCancellationBehavior === "RETURN_TO_POOL" ? "true" : "";
  },
};
export const VESTED: GuidedField = {
  name: "vestedQuantity",
  kind: "decimal",
  isOptional: true,
  isShown: (_, { security }) => security !== null && security.vestingTermsId !== null,
};

/** The security that an operation takes, of the types that it takes. */
export function securityFor(operation: Exclude<Operation, "correct">): GuidedField {
  const said = OPERATIONS[operation];
  const securityTypes: readonly SecurityType[] = "securityTypes" in said ? said.securityTypes : [];
  return { name: "securityId", kind: "security", securityTypes };
}

/** All of the chosen security, to begin with. */
export const ALL_OF_IT: GuidedField = { ...QUANTITY, given: (_, { security }) => security?.quantity };

/** The last group: who approved, and a note. */
export function paper(...more: readonly GuidedField[]): FieldGroup {
  return { name: "paper", fields: [BOARD, ...more, NOTE] };
}
