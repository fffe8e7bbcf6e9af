// Fields that many actions ask for.
import { OPERATIONS } from "../../../api/menu.ts";
import { GIVEN } from "../../../text/actions/given-words.ts";
import type { FieldGroup, FieldSpec, Operation, SecurityType } from "../spec.ts";

export const DATE: FieldSpec = { name: "effectiveDate", kind: "day", given: (_, { today }) => today };
export const HOLDER: FieldSpec = { name: "stakeholderId", kind: "holder" };
export const QUANTITY: FieldSpec = { name: "quantity", kind: "decimal", isPositive: true };
export const CERTIFICATE: FieldSpec = {
  name: "certificateId",
  kind: "text",
  isBeside: true,
  given: (_, { nextCertificate }) => nextCertificate,
};
export const REASON: FieldSpec = { name: "reason", kind: "text" };
export const BOARD: FieldSpec = { name: "boardApprovalDate", kind: "day", isOptional: true };
export const STOCKHOLDERS: FieldSpec = {
  name: "stockholderApprovalDate",
  kind: "day",
  isOptional: true,
  isBeside: true,
};
export const NOTE: FieldSpec = { name: "description", kind: "long", isOptional: true };

/** How what is issued vests. */
export const TERMS: FieldSpec = {
  name: "vestingTermsId",
  kind: "terms",
  isOptional: true,
  note: ({ vestingTermsId }) => (vestingTermsId ? undefined : GIVEN.noTerms),
};
export const START: FieldSpec = {
  name: "vestingStartDate",
  kind: "day",
  isOptional: true,
  isBeside: true,
  isShown: ({ vestingTermsId }) => Boolean(vestingTermsId),
};
/** Whether what goes can be granted again. */
export const TO_POOL: FieldSpec = {
  name: "returnToPool",
  kind: "check",
  isShown: (_, { security }) => security !== null && security.equityPlanId !== null,
  given: (_, { security, plans }) => {
    const plan = plans.find(({ id }) => id === security?.equityPlanId);
    return plan?.defaultCancellationBehavior === "RETURN_TO_POOL" ? "true" : "";
  },
};
export const VESTED: FieldSpec = {
  name: "vestedQuantity",
  kind: "decimal",
  isOptional: true,
  isShown: (_, { security }) => security !== null && security.vestingTermsId !== null,
};

/** The security that an operation takes, of the types that it takes. */
export function securityFor(operation: Exclude<Operation, "correct">): FieldSpec {
  const said = OPERATIONS[operation];
  const securityTypes: readonly SecurityType[] = "securityTypes" in said ? said.securityTypes : [];
  return { name: "securityId", kind: "security", securityTypes };
}

/** All of the chosen security, to begin with. */
export const ALL_OF_IT: FieldSpec = { ...QUANTITY, given: (_, { security }) => security?.quantity };

/** The last group: who approved, and a note. */
export function paper(...more: readonly FieldSpec[]): FieldGroup {
  return { name: "paper", fields: [BOARD, ...more, NOTE] };
}
