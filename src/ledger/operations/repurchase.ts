// repurchase: the company buys stock back.
import { Type } from "@sinclair/typebox";
import { body, decimal, defaulted, id, positiveDecimal } from "../../kernel/fields.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { ledgerOperation } from "../operation.ts";
import { activeSecurity, excess, recording, withoutNulls } from "./parts.ts";
import { takesVested, vestedFindings, vestedQuantity } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/repurchase`. */
export const repurchase = ledgerOperation({
  route: "repurchase",
  summary: "Repurchase stock",
  description:
    "The company buys back all or part of an ACTIVE stock security; it is REPURCHASED at quantity zero. " +
    "Unvested shares go first. With `returnToPool` what they use up of a plan's reserve becomes available again.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  securityTypes: ["STOCK"],
  body: body({
    securityId: id({ description: "A stock security." }),
    quantity: positiveDecimal({ description: "At most the security's quantity." }),
    pricePerShare: decimal({ description: "The price that the company pays for a share." }),
    returnToPool: defaulted(Type.Boolean({ description: "Whether what is repurchased can be granted again." }), false),
    vestedQuantity,
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "750",
    pricePerShare: "0.0001",
    effectiveDate: "2026-06-30",
  },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  follows: (command) => ({ securityId: command.securityId }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    const notStock: Finding = ["#/securityId", "must be stock"];
    refuse([...(security.type === "STOCK" ? [] : [notStock]), ...excess(security, parseDecimal(command.quantity))]);
    refuse(vestedFindings(facts, security, command));
    return {
      entries: [
        {
          type: "STOCK_REPURCHASE",
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity: command.quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            pricePerShare: command.pricePerShare,
            returnToPool: command.returnToPool ?? false,
            vestedQuantity: command.vestedQuantity,
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      warnings: takesVested(facts, security, command),
    };
  },
});
