// convert: turns a convertible, or stock of one class, into stock of another.
import { Type } from "@sinclair/typebox";
import type { CalendarDate } from "../../kernel/date.ts";
import { body, decimal, defaulted, id, optional, positiveDecimal, text } from "../../kernel/fields.ts";
import { type Decimal, DIGITS_MAX, formatDecimal, LARGEST, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import type { Warning } from "../../kernel/warning.ts";
import { type DecisionContext, type Facts, ledgerOperation } from "../operation.ts";
import { sharesByRight } from "../rules/conversion-right.ts";
import type { EntryDraft, Metadata, SecurityState } from "../types.ts";
import { divide } from "../vesting/parcels.ts";
import { activeSecurity, describeSuccessor, excess, recording, withoutNulls } from "./parts.ts";
import { openShares, toldDivision } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/convert`. */
export const convert = ledgerOperation({
  route: "convert",
  summary: "Convert a security into stock",
  description:
    "Turns all or part of an ACTIVE convertible, or of stock of another class, into stock of the class named. The " +
    "source shrinks (and is CONVERTED at quantity zero). For stock, a cancellation and an issuance are appended. " +
    "Where the class has a right to convert into the one named, the number is what the right gives: quantity × ratio " +
    "as of `effectiveDate`, rounded as the right says. Another number needs `notByRight`.",
  status: 201,
  answers: ["newSecurityId", "resultingQuantity"],
  isExtension: true,
  isDatedByTomorrow: true,
  securityTypes: ["CONVERTIBLE", "STOCK"],
  body: body({
    securityId: id({ description: "A convertible, or stock of another class." }),
    stockClassId: id({ description: "The class of the resulting stock." }),
    resultingQuantity: optional(
      positiveDecimal({
        description:
          "The resulting shares. By default the number by right; required for convertibles, and for stock without " +
          "a right.",
      }),
    ),
    notByRight: defaulted(
      Type.Boolean({
        description: "True to record another number than the right gives, as on the paper; the entry then has both.",
      }),
      false,
    ),
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
    conversions: true,
  }),
  follows: (command) => ({ securityId: command.securityId }),
  decide(facts, command, context) {
    const { row, state: source } = activeSecurity(facts, command.securityId);
    const quantity = command.quantity ?? formatDecimal(source.quantity);
    const right = source.type === "STOCK" ? rightOf(facts, source, { ...command, quantity }) : null;
    refuse([
      ...excess(source, parseDecimal(quantity)),
      ...findings(source, command.stockClassId),
      // A row of an import is recorded as on paper, with a warning.
      ...numberFindings({ ...command, notByRight: command.notByRight || (context.isImport && right !== null) }, right),
    ]);
    const { stockClassId, effectiveDate, boardApprovalDate = null } = command;
    const resultingQuantity = command.resultingQuantity ?? formatDecimal(right ?? ZERO);
    const other = right !== null && parseDecimal(resultingQuantity) !== right ? formatDecimal(right) : null;
    const price = command.pricePerShare ?? source.pricePerShare;
    const division = divide(openShares(facts, source), parseDecimal(quantity), effectiveDate, null);
    const conversion: Conversion = {
      source,
      quantity,
      resultingQuantity,
      effectiveDate,
      stockClassId,
      prices: { pricePerShare: price, exercisePrice: source.exercisePrice },
      said: {
        boardApprovalDate,
        description: command.description,
        ...(other === null ? {} : { notByRight: true, byRight: other }),
      },
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
          convertibleTerms: null,
          ...(source.type === "CONVERTIBLE" ? { vestingTermsId: null, vestingStartDate: null } : {}),
          boardApprovalDate,
        }),
      ],
      answer: { newSecurityId: context.newSecurityId, resultingQuantity },
      warnings: rightWarnings(source, { right, resultingQuantity }),
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
  /** Of the new stock. */
  readonly prices: Metadata;
  readonly said: Metadata;
  /** The divided vesting. */
  readonly parcels: Metadata | undefined;
}

function findings(source: SecurityState, stockClassId: string): Finding[] {
  if (source.type !== "CONVERTIBLE" && source.type !== "STOCK") {
    return [["#/securityId", "must be a convertible, or stock of another class"]];
  }
  if (source.type !== "STOCK" || source.stockClassId !== stockClassId) return [];
  return [["#/stockClassId", "must be another class than the security's"]];
}

/** A command's members for a conversion of stock. */
interface Asked {
  readonly stockClassId: string;
  readonly effectiveDate: CalendarDate;
  readonly quantity: string;
}

/** The shares by right; null if the stock's class has no right to convert into the target. */
function rightOf({ conversions }: Facts, source: SecurityState, asked: Asked): Decimal | null {
  return sharesByRight(conversions, {
    fromClassId: source.stockClassId,
    toClassId: asked.stockClassId,
    quantity: parseDecimal(asked.quantity),
    date: asked.effectiveDate,
  });
}

interface Numbers {
  readonly resultingQuantity?: string | null | undefined;
  readonly notByRight?: boolean | undefined;
}

/** The faults of the number of shares; `right` is null if no right gives a number. */
function numberFindings({ resultingQuantity = null, notByRight = false }: Numbers, right: Decimal | null): Finding[] {
  if (right === null) {
    return [
      ...required(resultingQuantity, "is required: no right gives the number of shares"),
      ...(notByRight ? [["#/notByRight", "is for stock whose class has a right into this one"] as const] : []),
    ];
  }
  if (notByRight) return right === ZERO ? required(resultingQuantity, "is required: by right no share results") : [];
  if (right === ZERO) return [["#/quantity", "becomes no share by right; `notByRight` records another number"]];
  const shown = formatDecimal(right);
  if (right > LARGEST) return [["#/quantity", `becomes more shares by right than ${DIGITS_MAX} digits can hold`]];
  if (resultingQuantity === null || parseDecimal(resultingQuantity) === right) return [];
  return [["#/resultingQuantity", `must be ${shown}, the number by right; another one needs \`notByRight\``]];
}

function required(resultingQuantity: string | null, detail: string): Finding[] {
  return resultingQuantity === null ? [["#/resultingQuantity", detail]] : [];
}

/** Warnings about the number of shares that stock became. */
function rightWarnings(
  source: SecurityState,
  { right, resultingQuantity }: { readonly right: Decimal | null; readonly resultingQuantity: string },
): readonly Warning[] {
  if (source.type !== "STOCK") return [];
  if (right === null) {
    const detail = "The class has no right to convert into this one, so the number of shares could not be checked.";
    return [{ code: "no-conversion-right", detail }];
  }
  if (parseDecimal(resultingQuantity) === right) return [];
  const detail = `By right ${formatDecimal(right)} shares result; ${resultingQuantity} are recorded.`;
  return [{ code: "not-by-right", detail }];
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
