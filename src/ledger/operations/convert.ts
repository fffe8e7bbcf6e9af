// convert: a convertible, or stock of one class, becomes stock of another.
import { formatDecimal, parseDecimal } from "../../kernel/decimal.ts";
import { body, decimal, id, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { divide } from "../../vesting/parcels.ts";
import { type DecisionContext, ledgerOperation } from "../operation.ts";
import type { EntryDraft, Metadata, SecurityState } from "../types.ts";
import { activeSecurity, describeSuccessor, excess, recording, totalPrice, withoutNulls } from "./parts.ts";
import { openShares, toldDivision } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/convert` (DECISIONS section 8). */
export const convert = ledgerOperation({
  route: "convert",
  summary: "Convert a security into stock",
  description:
    "Turns all or part of an ACTIVE convertible, or of stock of another class, into stock of the class named. The " +
    "source shrinks (and is CONVERTED when nothing is left). For stock, a cancellation and an issuance are appended.",
  status: 201,
  answers: ["newSecurityId"],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    securityId: id({ description: "A convertible, or stock of another class." }),
    stockClassId: id({ description: "The class of the resulting stock." }),
    resultingQuantity: positiveDecimal({ description: "The shares that result." }),
    quantity: optional(positiveDecimal({ description: "What is converted; all by default." })),
    pricePerShare: optional(decimal({ description: "Of the resulting shares; the source's by default." })),
    certificateId: optional(text(50, { description: "By default the next free number of the class.", "x-name": true })),
    ...recording,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    resultingQuantity: "31250",
    pricePerShare: "8",
    effectiveDate: "2026-09-01",
  },
  needs: (command) => ({
    securities: [command.securityId],
    classes: [command.stockClassId],
    certificateId: command.certificateId,
    vestingOf: [command.securityId],
  }),
  follows: (command) => ({ securityId: command.securityId }),
  decide(facts, command, context) {
    const { row, state: source } = activeSecurity(facts, command.securityId);
    const quantity = command.quantity ?? formatDecimal(source.quantity);
    refuse([...excess(source, parseDecimal(quantity)), ...findings(source, command.stockClassId)]);
    const { stockClassId, resultingQuantity, effectiveDate, boardApprovalDate = null } = command;
    const price = command.pricePerShare ?? source.pricePerShare;
    const division = divide(openShares(facts, source), parseDecimal(quantity), effectiveDate, null);
    const conversion: Conversion = {
      source,
      quantity,
      resultingQuantity,
      effectiveDate,
      stockClassId,
      prices: { pricePerShare: price, exercisePrice: source.exercisePrice },
      said: { boardApprovalDate, description: command.description },
      parcels: toldDivision(facts, source, division, effectiveDate),
    };
    return {
      entries: source.type === "STOCK" ? stockEntries(conversion, context) : [convertibleEntry(conversion, context)],
      newSecurities: [
        describeSuccessor(row, {
          id: context.newSecurityId,
          type: "STOCK",
          certificateId: command.certificateId ?? null,
          grantDate: effectiveDate,
          purchasePrice: totalPrice(price, parseDecimal(resultingQuantity)),
          convertibleTerms: null,
          ...(source.type === "CONVERTIBLE" ? { vestingTermsId: null, vestingStartDate: null } : {}),
          boardApprovalDate,
        }),
      ],
      answer: { newSecurityId: context.newSecurityId },
      locatedSecurityId: context.newSecurityId,
    };
  },
});

interface Conversion {
  readonly source: SecurityState;
  readonly quantity: string;
  readonly resultingQuantity: string;
  readonly effectiveDate: string;
  readonly stockClassId: string;
  /** Of the stock made. */
  readonly prices: Metadata;
  readonly said: Metadata;
  /** What of its vesting goes and stays. */
  readonly parcels: Metadata | undefined;
}

function findings(source: SecurityState, stockClassId: string): Finding[] {
  if (source.type !== "CONVERTIBLE" && source.type !== "STOCK") {
    return [["#/securityId", "must be a convertible, or stock of another class"]];
  }
  if (source.type !== "STOCK" || source.stockClassId !== stockClassId) return [];
  return [["#/stockClassId", "must be another class than the security's"]];
}

function convertibleEntry(conversion: Conversion, { newSecurityId }: DecisionContext): EntryDraft {
  const { source, quantity, resultingQuantity, effectiveDate, stockClassId, prices, said, parcels } = conversion;
  return {
    type: "CONVERTIBLE_CONVERSION",
    securityId: source.id,
    stakeholderId: source.stakeholderId,
    quantity,
    effectiveDate,
    metadata: withoutNulls({
      newSecurityId,
      toStakeholderId: source.stakeholderId,
      resultingQuantity,
      stockClassId,
      prices,
      parcels,
      ...said,
    }),
  };
}

function stockEntries(conversion: Conversion, { newSecurityId }: DecisionContext): EntryDraft[] {
  const { source, quantity, resultingQuantity, effectiveDate, stockClassId, prices, said, parcels } = conversion;
  const common = { stakeholderId: source.stakeholderId, effectiveDate };
  const { equityPlanId } = source;
  return [
    {
      ...common,
      type: "STOCK_CANCELLATION",
      securityId: source.id,
      quantity,
      metadata: withoutNulls({ conversion: true, newSecurityId, resultingQuantity, parcels, ...said }),
    },
    {
      ...common,
      type: "STOCK_ISSUANCE",
      securityId: newSecurityId,
      quantity: resultingQuantity,
      metadata: withoutNulls({
        conversion: true,
        originSecurityId: source.id,
        stockClassId,
        equityPlanId,
        ...prices,
        ...said,
      }),
    },
  ];
}
