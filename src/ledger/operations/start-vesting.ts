// start-vesting: the clock of a security's vesting, or of one condition, starts on a date.

import type { Row } from "../../database/sql.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { body, id, optional } from "../../kernel/fields.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { type Described, ledgerOperation } from "../operation.ts";
import { hasOwnParcels } from "../vesting-account.ts";
import { activeSecurity, recording, withoutNulls } from "./parts.ts";
import { conditionFindings, datesBy, openShares } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/start-vesting` (DECISIONS sections 8 and 9). */
export const startVesting = ledgerOperation({
  route: "start-vesting",
  summary: "Start vesting",
  description:
    "Vesting starts on `effectiveDate`: of the whole, or of one time-based condition. Appends a VESTING_START. Again, " +
    "it replaces the date; a start of the whole is also the security's new `vestingStartDate`.",
  status: 200,
  answers: [],
  isExtension: true,
  isOfVesting: true,
  body: body({
    securityId: id(),
    conditionId: optional(id({ description: "One condition of the security's vesting terms; all without it." })),
    ...recording,
  }),
  example: { securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", effectiveDate: "2026-03-01" },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  decide(facts, command) {
    const { row, state: security } = activeSecurity(facts, command.securityId);
    const { conditionId = null, effectiveDate } = command;
    const own = facts.vesting.get(security.id);
    const isWaiting = openShares(facts, security).some(
      (each) => each.date === null && each.conditionId === conditionId,
    );
    if (own && hasOwnParcels(own) && (conditionId === null || !isWaiting)) {
      throw problem(
        "invalid-state",
        "The security has vesting of its own: only a condition that it waits for can start.",
      );
    }
    refuse(conditionFindings(facts, security.id, conditionId, "TIME_BASED"));
    const started = { kind: "STARTED", date: effectiveDate, conditionId } as const;
    return {
      entries: [
        {
          type: "VESTING_START",
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity: null,
          effectiveDate,
          metadata: withoutNulls({
            conditionId,
            dates: datesBy(facts, security, started),
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      ...(conditionId === null ? { described: [restart(row, effectiveDate)] } : {}),
    };
  },
});

/** A start of the whole is the security's described one. */
function restart({ id, vestingStartDate: before }: Row<"securities">, after: CalendarDate): Described {
  return { resourceType: "security", id, field: "vestingStartDate", before, after };
}
