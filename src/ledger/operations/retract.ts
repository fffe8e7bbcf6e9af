// retract: undoes a security that should never have been issued.

import { body, id, requiredFreeText } from "../../kernel/fields.ts";
import { formatDecimal } from "../../kernel/numbers/decimal.ts";
import { ledgerOperation } from "../operation.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import { activeSecurity, recording, typeFor, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/retract`. */
export const retract = ledgerOperation({
  route: "retract",
  summary: "Retract a security",
  description:
    "Undoes an ACTIVE security as never issued: its quantity becomes zero, it is CANCELLED, and its plan gets " +
    "back the charge. Appends a STOCK_RETRACTION, or the type's cancellation with `metadata.retraction`.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    securityId: id({ description: "The security whose issuance is retracted." }),
    reason: requiredFreeText(2000, { description: "Why it is retracted." }),
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    reason: "Issued to the wrong holder",
    effectiveDate: "2026-01-20",
  },
  needs: (command) => ({ securities: [command.securityId] }),
  follows: (command) => ({ securityId: command.securityId }),
  decide(facts, command) {
    const { state: security } = activeSecurity(facts, command.securityId);
    const { reason, boardApprovalDate, description } = command;
    const said = withoutNulls({ reason, boardApprovalDate, description });
    return { entries: [retraction(security, command.effectiveDate, said)] };
  },
});

/** The entry that takes a whole security off the cap table as never issued; `said` joins its metadata. */
export function retraction(
  security: SecurityState,
  effectiveDate: string,
  said: Readonly<Record<string, unknown>>,
): EntryDraft {
  return {
    type: security.type === "STOCK" ? "STOCK_RETRACTION" : typeFor(security.type, "CANCELLATION"),
    securityId: security.id,
    stakeholderId: security.stakeholderId,
    quantity: formatDecimal(security.quantity),
    effectiveDate,
    metadata: { retraction: true, ...said },
  };
}
