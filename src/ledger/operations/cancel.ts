// cancel: all or part of a security ceases to exist; a grant's quantity may return to its plan.
import { Type } from "@sinclair/typebox";
import { body, date, defaulted, freeText, id, oneOf, optional, positiveDecimal } from "../../kernel/fields.ts";
import { refuse } from "../../kernel/problem.ts";
import { ledgerOperation } from "../operation.ts";
import { activeSecurity, dryRun, quantityWithin, typeFor, withoutNulls } from "./parts.ts";
import { takesVested, vestedFindings, vestedQuantity } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/cancel`. */
export const cancel = ledgerOperation({
  route: "cancel",
  summary: "Cancel a security",
  description:
    "Cancels all or part of an ACTIVE security; it is CANCELLED at quantity zero. Unvested shares go first. With " +
    "`returnToPool` what they use up of their plan's reserve becomes available again; otherwise it is used up for good.",
  status: 200,
  answers: [],
  body: body({
    securityId: id({ description: "The security to cancel." }),
    quantity: positiveDecimal({ description: "The full quantity for a full cancellation." }),
    cancellationReason: oneOf(["FORFEITURE", "EXPIRATION", "REPURCHASE", "TERMINATION"], {
      description: "Why it is cancelled.",
    }),
    effectiveDate: date({ description: "The day from which it counts." }),
    returnToPool: defaulted(Type.Boolean({ description: "Whether what is cancelled can be granted again." }), false),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    vestedQuantity,
    dryRun,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "500",
    cancellationReason: "FORFEITURE",
    effectiveDate: "2026-06-30",
    returnToPool: true,
  },
  needs: (command) => ({ securities: [command.securityId], vestingOf: [command.securityId] }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    quantityWithin(security, command.quantity);
    refuse(vestedFindings(facts, security, command));
    return {
      entries: [
        {
          type: typeFor(security.type, "CANCELLATION"),
          securityId: security.id,
          stakeholderId: security.stakeholderId,
          quantity: command.quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            cancellationReason: command.cancellationReason,
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
