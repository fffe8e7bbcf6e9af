// record-vesting-event: the event that a condition waits for took place, or a number of shares vested outright.
import { parseDecimal } from "../../kernel/decimal.ts";
import { body, id, optional, positiveDecimal } from "../../kernel/fields.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { type Facts, ledgerOperation } from "../operation.ts";
import type { SecurityState } from "../types.ts";
import { activeSecurity, excess, recording, withoutNulls } from "./parts.ts";
import { conditionFindings } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/record-vesting-event` (DECISIONS sections 8 and 9). */
export const recordVestingEvent = ledgerOperation({
  route: "record-vesting-event",
  summary: "Record a vesting event",
  description:
    "With `conditionId`: the event of that event-based condition took place on `effectiveDate`. With `quantity`: so " +
    "many shares vested that day. One of the two. Appends a VESTING_EVENT.",
  status: 200,
  answers: [],
  isExtension: true,
  body: body({
    securityId: id(),
    conditionId: optional(id({ description: "An event-based condition of the security's vesting terms." })),
    quantity: optional(positiveDecimal()),
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    conditionId: "7f6c5c1e-30c2-4c3a-8f57-5b0b9d1f0a11",
    effectiveDate: "2026-08-01",
  },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    const { conditionId = null, quantity = null } = command;
    refuse(findings(facts, security, conditionId, quantity));
    return {
      entries: [
        {
          type: "VESTING_EVENT",
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            conditionId,
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
    };
  },
});

function findings(
  facts: Facts,
  security: SecurityState,
  conditionId: string | null,
  quantity: string | null,
): Finding[] {
  if (conditionId === null && quantity === null) return [["#/conditionId", "or `quantity` is required"]];
  if (conditionId !== null && quantity !== null) return [["#/quantity", "must not be given with `conditionId`"]];
  if (quantity !== null) return excess(security, parseDecimal(quantity));
  return conditionFindings(facts, security.id, conditionId, "EVENT_BASED");
}
