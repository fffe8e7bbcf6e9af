// adjust-authorized: an amended charter changes a class's number of authorized shares.
import { body, date, decimal, id, optional } from "../../kernel/fields.ts";
import { ledgerOperation } from "../operation.ts";
import { recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/adjust-authorized`. */
export const adjustAuthorized = ledgerOperation({
  route: "adjust-authorized",
  summary: "Adjust a class's authorized shares",
  description:
    "Sets the class's `currentSharesAuthorized` and appends a STOCK_CLASS_ADJUSTMENT. Refused below the issued shares.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stockClassId: id({ description: "The share class." }),
    newSharesAuthorized: decimal({ description: "The new figure, not a difference." }),
    stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
    ...recording,
  }),
  example: {
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    newSharesAuthorized: "15000000",
    effectiveDate: "2026-05-01",
  },
  needs: (command) => ({ classes: [command.stockClassId] }),
  follows: (command) => ({ adjustmentsOf: command.stockClassId }),
  decide: (_facts, command) => ({
    entries: [
      {
        type: "STOCK_CLASS_ADJUSTMENT",
        securityId: null,
        stakeholderId: null,
        quantity: command.newSharesAuthorized,
        effectiveDate: command.effectiveDate,
        metadata: withoutNulls({
          stockClassId: command.stockClassId,
          newSharesAuthorized: command.newSharesAuthorized,
          boardApprovalDate: command.boardApprovalDate,
          stockholderApprovalDate: command.stockholderApprovalDate,
          description: command.description,
        }),
      },
    ],
  }),
});
