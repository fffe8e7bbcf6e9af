// adjust-reserve: changes an equity plan's total reserve.
import { body, date, decimal, id, optional } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import { recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/adjust-reserve`. */
export const adjustReserve = ledgerOperation({
  route: "adjust-reserve",
  summary: "Adjust a plan's reserve",
  description:
    "Sets the plan's total reserve and appends a STOCK_PLAN_ADJUSTMENT; `currentSharesReserved` moves by the same " +
    "difference. Refused if the new reserve is below the granted shares.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    equityPlanId: id({ description: "The equity plan." }),
    newSharesReserved: decimal({ description: "The new total reserve, not a difference." }),
    stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
    ...recording,
  }),
  example: {
    equityPlanId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d72",
    newSharesReserved: "2000000",
    effectiveDate: "2026-05-01",
  },
  needs: (command) => ({ plans: [command.equityPlanId] }),
  follows: (command) => ({ adjustmentsOf: command.equityPlanId }),
  decide: (_facts, command) => ({
    entries: [
      {
        type: "STOCK_PLAN_ADJUSTMENT",
        securityId: null,
        stakeholderId: null,
        quantity: command.newSharesReserved,
        effectiveDate: command.effectiveDate,
        metadata: withoutNulls({
          equityPlanId: command.equityPlanId,
          newSharesReserved: command.newSharesReserved,
          boardApprovalDate: command.boardApprovalDate,
          stockholderApprovalDate: command.stockholderApprovalDate,
          description: command.description,
        }),
      },
    ],
  }),
});
