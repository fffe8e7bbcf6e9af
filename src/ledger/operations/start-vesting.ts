// start-vesting: starts a security's vesting, or one condition of it, on a date.

import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { body, id, optional } from "../../kernel/fields.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import type { Row } from "../../storage/database/sql.ts";
import { type Decision, type Described, type Facts, ledgerOperation } from "../operation.ts";
import type { SecurityState } from "../types.ts";
import { hasOwnParcels } from "../vested/vesting-account.ts";
import { activeSecurity, recording, withoutNulls } from "./parts.ts";
import { conditionFindings, datesBy, openShares, refuseStopped, stoppedDay, toldReturn } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/start-vesting`. */
export const startVesting = ledgerOperation({
  route: "start-vesting",
  summary: "Start vesting",
  description:
    "Vesting starts on `effectiveDate`: of the whole, or of one time-based condition. Appends a VESTING_START. Again, " +
    "it replaces the date; a start of the whole is also the security's new `vestingStartDate`. Where vesting has " +
    "stopped because service ended, a start of the whole records the holder's return: stopped shares vest again, " +
    "each as many days later as vesting stood still.",
  status: 200,
  answers: [],
  isExtension: true,
  isOfVesting: true,
  securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"],
  body: body({
    securityId: id({ description: "The security whose vesting starts." }),
    conditionId: optional(id({ description: "One condition of the security's vesting terms; all without it." })),
    ...recording,
  }),
  example: { securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", effectiveDate: "2026-03-01" },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  decide(facts, command) {
    const { row, state: security } = activeSecurity(facts, command.securityId);
    const { conditionId = null, effectiveDate } = command;
    if (conditionId === null && stoppedDay(facts, security) !== null) return back(facts, security, command);
    refuseStopped(facts, security);
    const own = facts.vesting.get(security.id);
    const isWaiting = openShares(facts, security).some(
      (each) => each.date === null && each.conditionId === conditionId,
    );
    if (own && hasOwnParcels(own) && (conditionId === null || !isWaiting)) {
      throw problem(
        "invalid-state",
        "The security has its own parcels: only a condition that some of them wait for can start.",
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

interface Started {
  readonly effectiveDate: CalendarDate;
  readonly boardApprovalDate?: CalendarDate | null;
  readonly description?: string | null;
}

/** The holder is back in service: stopped vesting resumes, and the security's first start stays. */
function back(facts: Facts, security: SecurityState, command: Started): Decision {
  const { effectiveDate, boardApprovalDate, description } = command;
  const before = present(stoppedDay(facts, security), "the day on which vesting stopped");
  if (effectiveDate < before) refuse([["#/effectiveDate", `is before ${before}, on which vesting stopped`]]);
  const vesting = present(facts.vesting.get(security.id), "the security's vesting");
  const parcels = toldReturn(vesting, effectiveDate);
  return {
    entries: [
      {
        type: "VESTING_START",
        securityId: security.id,
        stakeholderId: security.stakeholderId,
        quantity: null,
        effectiveDate,
        metadata: withoutNulls({ vestingStopped: false, parcels, boardApprovalDate, description }),
      },
    ],
    described: [{ resourceType: "security", id: security.id, field: "vestingStoppedOn", before, after: null }],
  };
}

/** A start of the whole becomes the security's `vestingStartDate`. */
function restart({ id, vestingStartDate: before }: Row<"securities">, after: CalendarDate): Described {
  return { resourceType: "security", id, field: "vestingStartDate", before, after };
}
