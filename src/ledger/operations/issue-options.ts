// issue-options: grants an option under an equity plan to a holder.
import { Type } from "@sinclair/typebox";
import { addYears } from "../../kernel/date.ts";
import { body, date, decimal, freeText, id, oneOf, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import {
  asksAcceptance,
  asksColumn,
  describeSecurity,
  dryRun,
  onlyClassOf,
  optionCurrency,
  withoutNulls,
} from "./parts.ts";

const YEARS_TO_EXPIRATION = 10;

/** `POST /api/v1/transactions/issue-options`. */
export const issueOptions = ledgerOperation({
  route: "issue-options",
  summary: "Grant options",
  description:
    "Grants options under an equity plan: makes an ACTIVE option security and appends a STOCK_OPTION_ISSUANCE. " +
    "Refused when the plan has less available. The class is the plan's only one unless the body names another.",
  status: 201,
  answers: ["securityId"],
  body: body({
    stakeholderId: id({ description: "Who receives the options." }),
    stockPlanId: id({ description: "The equity plan." }),
    quantity: positiveDecimal({ description: "How many shares the options are for." }),
    exercisePrice: decimal({ description: "The strike price." }),
    optionType: oneOf(["ISO", "NSO"], { description: "Incentive (`ISO`) or non-qualified (`NSO`)." }),
    certificateId: text(50, {
      description: "The certificate number, unique in the organization.",
      "x-name": true,
    }),
    effectiveDate: date({ description: "The grant date." }),
    stockClassId: optional(id({ description: "Normally inferred from the plan." })),
    expirationDate: Type.Optional(date({ description: "Defaults to ten years after the grant date." })),
    vestingTermsId: optional(id({ description: "The vesting terms; null: vested at once." })),
    vestingStartDate: Type.Optional(date({ description: "Defaults to `effectiveDate`." })),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    valuationId: optional(
      id({
        description: "The valuation in effect at the grant.",
      }),
    ),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    asksAcceptance,
    dryRun,
  }),
  rowsMayWait: true,
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    stockPlanId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d72",
    quantity: "4800",
    exercisePrice: "0.25",
    optionType: "ISO",
    certificateId: "ES-1",
    effectiveDate: "2026-02-01",
  },
  needs: (command) => ({
    stakeholders: [command.stakeholderId],
    plans: [command.stockPlanId],
    classes: [command.stockClassId],
    vestingTerms: [command.vestingTermsId],
    valuations: [command.valuationId],
    certificateId: command.certificateId,
  }),
  decide(facts, command, context) {
    const { effectiveDate, certificateId, optionType } = command;
    const securityId = context.newSecurityId;
    const stockClassId = command.stockClassId ?? onlyClassOf(facts, command.stockPlanId);
    const expirationDate = command.expirationDate ?? addYears(effectiveDate, YEARS_TO_EXPIRATION);
    const vestingStartDate = command.vestingStartDate ?? effectiveDate;
    const { vestingTermsId = null, valuationId = null, boardApprovalDate = null } = command;
    const described = { optionType, expirationDate, vestingTermsId, valuationId, boardApprovalDate };
    return {
      entries: [
        {
          type: "STOCK_OPTION_ISSUANCE",
          securityId,
          stakeholderId: command.stakeholderId,
          quantity: command.quantity,
          effectiveDate,
          metadata: withoutNulls({
            equityPlanId: command.stockPlanId,
            stockClassId,
            certificateId,
            exercisePrice: command.exercisePrice,
            ...described,
            vestingStartDate: command.vestingStartDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSecurity({
          asksAcceptance: asksColumn(command.asksAcceptance, context.asksAcceptance),
          id: securityId,
          type: "STOCK_OPTION",
          certificateId,
          grantDate: effectiveDate,
          vestingStartDate,
          currency: optionCurrency(facts, stockClassId, context.currency),
          ...described,
        }),
      ],
      answer: { securityId },
      locatedSecurityId: securityId,
    };
  },
});
