// repurchase: the company buys stock back.
import { parseDecimal } from "../../kernel/decimal.ts";
import { body, decimal, id, positiveDecimal } from "../../kernel/fields.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { ledgerOperation } from "../operation.ts";
import { activeSecurity, excess, recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/repurchase` (DECISIONS section 8). */
export const repurchase = ledgerOperation({
  route: "repurchase",
  summary: "Repurchase stock",
  description:
    "The company buys back all or part of an ACTIVE stock security; it is REPURCHASED when nothing is left. " +
    "Nothing returns to an equity plan.",
  status: 200,
  answers: [],
  isExtension: true,
  body: body({
    securityId: id({ description: "A stock security." }),
    quantity: positiveDecimal({ description: "Not above what the security holds." }),
    pricePerShare: decimal({ description: "What the company pays for a share." }),
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "750",
    pricePerShare: "0.0001",
    effectiveDate: "2026-06-30",
  },
  needs: (command) => ({ securities: [command.securityId] }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    const notStock: Finding = ["#/securityId", "must be stock"];
    refuse([...(security.type === "STOCK" ? [] : [notStock]), ...excess(security, parseDecimal(command.quantity))]);
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
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
    };
  },
});
