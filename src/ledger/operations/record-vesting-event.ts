// record-vesting-event: an event-based condition's event took place, or a number of shares vested outright.
import { body, id, optional, positiveDecimal } from "../../kernel/fields.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { type Facts, ledgerOperation } from "../operation.ts";
import type { SecurityState } from "../types.ts";
import { activeSecurity, recording, withoutNulls } from "./parts.ts";
import { conditionFindings, datesBy, refuseStopped, unvestedExcess } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/record-vesting-event`. */
export const recordVestingEvent = ledgerOperation({
  route: "record-vesting-event",
  summary: "Record a vesting event",
  description:
    "With `conditionId`: the event of that event-based condition took place on `effectiveDate`. With `quantity`: so " +
    "many shares vested that day. One of the two. Appends a VESTING_EVENT. Refused if vesting has stopped.",
  status: 200,
  answers: [],
  isExtension: true,
  isOfVesting: true,
  isDatedByTomorrow: true,
  securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"],
  body: body({
    securityId: id({ description: "The security that vests." }),
    conditionId: optional(id({ description: "An event-based condition of the security's vesting terms." })),
    quantity: optional(positiveDecimal({ description: "How many shares vest." })),
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
    const { conditionId = null, quantity = null, effectiveDate } = command;
    refuseStopped(facts, security);
    refuse(findings(facts, security, { conditionId, quantity, effectiveDate }));
    const happened = conditionId === null ? null : ({ kind: "HAPPENED", date: effectiveDate, conditionId } as const);
    return {
      entries: [
        {
          type: "VESTING_EVENT",
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity,
          effectiveDate,
          metadata: withoutNulls({
            conditionId,
            dates: happened && datesBy(facts, security, happened),
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
    };
  },
});

interface Recorded {
  readonly conditionId: string | null;
  readonly quantity: string | null;
  readonly effectiveDate: string;
}

function findings(facts: Facts, security: SecurityState, recorded: Recorded): Finding[] {
  const { conditionId, quantity, effectiveDate } = recorded;
  if (conditionId === null && quantity === null) return [["#/conditionId", "or `quantity` is required"]];
  if (conditionId !== null && quantity !== null) return [["#/quantity", "must not be given with `conditionId`"]];
  if (quantity !== null) return unvestedExcess(facts, security, quantity, effectiveDate);
  return conditionFindings(facts, security.id, conditionId, "EVENT_BASED");
}
