// issue-shares: issues stock of a class to a holder.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, freeText, id, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import { asksAcceptance, asksColumn, describeSecurity, dryRun, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/issue-shares`. */
export const issueShares = ledgerOperation({
  route: "issue-shares",
  summary: "Issue shares",
  description:
    "Issues shares of a class to a stakeholder: makes an ACTIVE stock security and appends a STOCK_ISSUANCE. " +
    "Refused when the class would exceed its authorized shares.",
  status: 201,
  answers: ["securityId"],
  body: body({
    stakeholderId: id({ description: "Who receives the shares." }),
    stockClassId: id({ description: "The share class." }),
    quantity: positiveDecimal({ description: "How many shares." }),
    certificateId: text(50, {
      description: "The certificate number, unique in the organization.",
      "x-name": true,
    }),
    effectiveDate: date({ description: "The day from which it counts." }),
    pricePerShare: optional(decimal({ description: "The price of one share." })),
    vestingTermsId: optional(id({ description: "Omit for immediately vested shares." })),
    vestingStartDate: Type.Optional(date({ description: "Defaults to `effectiveDate`." })),
    valuationId: optional(id({ description: "The valuation in effect at the grant." })),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    asksAcceptance,
    dryRun,
  }),
  rowsMayWait: true,
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    quantity: "10000",
    certificateId: "CS-1",
    effectiveDate: "2026-01-15",
    pricePerShare: "0.0001",
  },
  needs: (command) => ({
    stakeholders: [command.stakeholderId],
    classes: [command.stockClassId],
    vestingTerms: [command.vestingTermsId],
    valuations: [command.valuationId],
    certificateId: command.certificateId,
  }),
  decide(_facts, command, context) {
    const price = command.pricePerShare ?? null;
    return {
      entries: [
        {
          type: "STOCK_ISSUANCE",
          securityId: context.newSecurityId,
          stakeholderId: command.stakeholderId,
          quantity: command.quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            stockClassId: command.stockClassId,
            certificateId: command.certificateId,
            pricePerShare: price,
            vestingTermsId: command.vestingTermsId,
            vestingStartDate: command.vestingStartDate,
            valuationId: command.valuationId,
            boardApprovalDate: command.boardApprovalDate,
            stockholderApprovalDate: command.stockholderApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSecurity({
          asksAcceptance: asksColumn(command.asksAcceptance, context.asksAcceptance),
          id: context.newSecurityId,
          type: "STOCK",
          currency: context.currency,
          certificateId: command.certificateId,
          grantDate: command.effectiveDate,
          vestingTermsId: command.vestingTermsId ?? null,
          vestingStartDate: command.vestingStartDate ?? command.effectiveDate,
          valuationId: command.valuationId ?? null,
          boardApprovalDate: command.boardApprovalDate ?? null,
          stockholderApprovalDate: command.stockholderApprovalDate ?? null,
        }),
      ],
      answer: { securityId: context.newSecurityId },
      locatedSecurityId: context.newSecurityId,
    };
  },
});
