// issue-warrant: issues a right to buy stock, outside any plan, to a holder.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, id, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import { asksAcceptance, asksColumn, describeSecurity, recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/issue-warrant`. */
export const issueWarrant = ledgerOperation({
  route: "issue-warrant",
  summary: "Issue a warrant",
  description: "Makes an ACTIVE warrant security and appends a WARRANT_ISSUANCE.",
  status: 201,
  answers: ["securityId"],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stakeholderId: id({ description: "Who receives the warrant." }),
    quantity: positiveDecimal({ description: "The shares that it may buy." }),
    exercisePrice: decimal({ description: "The strike price." }),
    certificateId: text(50, {
      description: "The certificate number, unique in the organization.",
      "x-name": true,
    }),
    stockClassId: optional(id({ description: "The class that it buys." })),
    expirationDate: optional(date({ description: "The last day on which it can be exercised." })),
    totalConsideration: optional(decimal({ description: "The price paid for the warrant." })),
    vestingTermsId: optional(id({ description: "The vesting terms; null: vested at once." })),
    vestingStartDate: Type.Optional(date({ description: "Defaults to `effectiveDate`." })),
    asksAcceptance,
    ...recording,
  }),
  rowsMayWait: true,
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    quantity: "1000",
    exercisePrice: "1.50",
    certificateId: "W-1",
    effectiveDate: "2026-01-15",
    expirationDate: "2031-01-15",
  },
  needs: (command) => ({
    stakeholders: [command.stakeholderId],
    classes: [command.stockClassId],
    vestingTerms: [command.vestingTermsId],
    certificateId: command.certificateId,
  }),
  decide(_facts, command, context) {
    const { effectiveDate, certificateId } = command;
    const securityId = context.newSecurityId;
    const { vestingTermsId = null, expirationDate = null, boardApprovalDate = null } = command;
    return {
      entries: [
        {
          type: "WARRANT_ISSUANCE",
          securityId,
          stakeholderId: command.stakeholderId,
          quantity: command.quantity,
          effectiveDate,
          metadata: withoutNulls({
            stockClassId: command.stockClassId,
            certificateId,
            exercisePrice: command.exercisePrice,
            expirationDate,
            totalConsideration: command.totalConsideration,
            vestingTermsId,
            vestingStartDate: command.vestingStartDate,
            boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSecurity({
          asksAcceptance: asksColumn(command.asksAcceptance, context.asksAcceptance),
          id: securityId,
          type: "WARRANT",
          currency: context.currency,
          certificateId,
          grantDate: effectiveDate,
          statedConsideration: command.totalConsideration ?? null,
          expirationDate,
          vestingTermsId,
          vestingStartDate: command.vestingStartDate ?? effectiveDate,
          boardApprovalDate,
        }),
      ],
      answer: { securityId },
      locatedSecurityId: securityId,
    };
  },
});
