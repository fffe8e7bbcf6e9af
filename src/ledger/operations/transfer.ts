// transfer: moves all or part of a security to another holder, as a new security.

import { body, date, decimal, freeText, id, optional, positiveDecimal } from "../../kernel/fields.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type Finding, problem, refuse } from "../../kernel/problem.ts";
import { ledgerOperation } from "../operation.ts";
import { divide } from "../vesting/parcels.ts";
import { activeSecurity, describeSuccessor, dryRun, excess, typeFor, withoutNulls } from "./parts.ts";
import { openShares, toldDivision, vestedFindings, vestedQuantity } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/transfer`. */
export const transfer = ledgerOperation({
  route: "transfer",
  summary: "Transfer a security",
  description:
    "Moves all or part of an ACTIVE security to another stakeholder. The source shrinks (and is TRANSFERRED at " +
    "quantity zero); the recipient gets a new security with the same class, plan and strike. What has vested and each " +
    "tranche to come are divided between the two in proportion, so that the transfer vests and loses no share.",
  status: 201,
  answers: ["newSecurityId"],
  body: body({
    securityId: id({ description: "The security to transfer from." }),
    fromStakeholderId: id({ description: "Its holder." }),
    toStakeholderId: id({ description: "The recipient; another stakeholder." }),
    quantity: positiveDecimal({ description: "At most the security's quantity." }),
    effectiveDate: date({ description: "The day from which it counts." }),
    pricePerShare: optional(decimal({ description: "The price of one share." })),
    transferReason: optional(freeText(500, { description: "Why it is transferred." })),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    vestedQuantity,
    dryRun,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    fromStakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d70",
    toStakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d71",
    quantity: "2500",
    effectiveDate: "2026-03-01",
    transferReason: "Secondary sale",
  },
  needs: (command) => ({
    securities: [command.securityId],
    stakeholders: [command.fromStakeholderId, command.toStakeholderId],
    vestingOf: [command.securityId],
  }),
  decide(facts, command, context) {
    const { row, state: source } = activeSecurity(facts, command.securityId);
    if (source.stakeholderId !== command.fromStakeholderId) {
      throw problem("invalid-state", "The security is not held by fromStakeholderId.");
    }
    const quantity = parseDecimal(command.quantity);
    const isSame = command.toStakeholderId === command.fromStakeholderId;
    const toHolder: Finding = ["#/toStakeholderId", "must be another stakeholder than fromStakeholderId"];
    const tooMuch = excess(source, quantity);
    const vestedToo = tooMuch.length > 0 ? [] : vestedFindings(facts, source, command);
    refuse([...(isSame ? [toHolder] : []), ...tooMuch, ...vestedToo]);
    const vested = typeof command.vestedQuantity === "string" ? parseDecimal(command.vestedQuantity) : null;
    const division = divide(openShares(facts, source), quantity, command.effectiveDate, vested);
    const price = command.pricePerShare ?? source.pricePerShare;
    const newSecurityId = context.newSecurityId;
    return {
      entries: [
        {
          type: typeFor(source.type, "TRANSFER"),
          securityId: source.id,
          stakeholderId: source.stakeholderId,
          quantity: command.quantity,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            newSecurityId,
            toStakeholderId: command.toStakeholderId,
            pricePerShare: command.pricePerShare,
            prices: { pricePerShare: price, exercisePrice: source.exercisePrice },
            transferReason: command.transferReason,
            vestedQuantity: command.vestedQuantity,
            parcels: toldDivision(facts, source, division, command.effectiveDate),
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSuccessor(row, {
          id: newSecurityId,
          type: source.type,
          grantDate: command.effectiveDate,
          boardApprovalDate: command.boardApprovalDate ?? null,
        }),
      ],
      answer: { newSecurityId },
      locatedSecurityId: newSecurityId,
    };
  },
});
