// accelerate-vesting: shares vest earlier than scheduled.
import { body, id, positiveDecimal, requiredFreeText } from "../../kernel/fields.ts";
import { refuse } from "../../kernel/problem.ts";
import { ledgerOperation } from "../operation.ts";
import { activeSecurity, quantityWithin, recording, withoutNulls } from "./parts.ts";
import { unvestedExcess } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/accelerate-vesting`. */
export const accelerateVesting = ledgerOperation({
  route: "accelerate-vesting",
  summary: "Accelerate vesting",
  description:
    "The `quantity` shares that would vest last vest on `effectiveDate` instead. Appends a VESTING_ACCELERATION.",
  status: 200,
  answers: [],
  isExtension: true,
  isOfVesting: true,
  isDatedByTomorrow: true,
  securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"],
  body: body({
    securityId: id({ description: "The security whose vesting accelerates." }),
    quantity: positiveDecimal({ description: "How many unvested shares vest." }),
    reason: requiredFreeText(2000, { description: "Why vesting accelerates." }),
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "1200",
    reason: "Change of control",
    effectiveDate: "2026-08-01",
  },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    quantityWithin(security, command.quantity);
    refuse(unvestedExcess(facts, security, command.quantity, command.effectiveDate));
    return {
      entries: [
        {
          type: "VESTING_ACCELERATION",
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity: command.quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            reason: command.reason,
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
    };
  },
});
