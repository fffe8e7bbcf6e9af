// issue-convertible: money taken in now for stock later (a SAFE, a note).
import { body, date, decimal, id, integer, oneOf, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import { describeSecurity, recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/issue-convertible` (DECISIONS section 8). */
export const issueConvertible = ledgerOperation({
  route: "issue-convertible",
  summary: "Issue a convertible",
  description:
    "Makes an ACTIVE convertible security whose quantity is the principal, and appends a CONVERTIBLE_ISSUANCE. " +
    "Its terms come back as `convertibleTerms`.",
  status: 201,
  answers: ["securityId"],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stakeholderId: id({ description: "The investor." }),
    quantity: positiveDecimal({ description: "The principal." }),
    certificateId: text(50, { description: "The certificate number, unique in the organization.", "x-name": true }),
    convertibleType: oneOf(["SAFE", "NOTE", "CONVERTIBLE_SECURITY"]),
    valuationCap: optional(decimal()),
    discountPercent: optional(decimal({ description: 'For instance `"20"`.' })),
    interestRate: optional(decimal({ description: "Percent a year." })),
    dayCount: optional(oneOf(["ACTUAL_365", "30_360"])),
    maturityDate: optional(date()),
    seniority: optional(integer(1, { description: "1 is most senior." })),
    ...recording,
  }),
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "250000",
    certificateId: "SAFE-1",
    convertibleType: "SAFE",
    valuationCap: "10000000",
    discountPercent: "20",
    effectiveDate: "2026-01-15",
  },
  needs: (command) => ({ stakeholders: [command.stakeholderId], certificateId: command.certificateId }),
  decide(_facts, command, context) {
    const { effectiveDate, certificateId, boardApprovalDate = null } = command;
    const securityId = context.newSecurityId;
    const { convertibleType, valuationCap, discountPercent, interestRate, dayCount, maturityDate, seniority } = command;
    const terms = withoutNulls({
      convertibleType,
      valuationCap,
      discountPercent,
      interestRate,
      dayCount,
      maturityDate,
      seniority,
    });
    return {
      entries: [
        {
          type: "CONVERTIBLE_ISSUANCE",
          securityId,
          stakeholderId: command.stakeholderId,
          quantity: command.quantity,
          effectiveDate,
          metadata: withoutNulls({
            certificateId,
            ...terms,
            boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSecurity({
          id: securityId,
          type: "CONVERTIBLE",
          currency: context.currency,
          certificateId,
          grantDate: effectiveDate,
          vestingStartDate: effectiveDate,
          boardApprovalDate,
          convertibleTerms: JSON.stringify(terms),
        }),
      ],
      answer: { securityId },
      locatedSecurityId: securityId,
    };
  },
});
