// adjust-conversion: changes a preferred class's conversion price, for instance under an anti-dilution clause.

import { body, id, oneOf, optional, positiveDecimal } from "../../kernel/fields.ts";
import { RIGHT_ROUNDINGS } from "../../kernel/numbers/converted.ts";
import { type Decimal, formatDecimal, max, ONE, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { refuse } from "../../kernel/problem.ts";
import type { Warning } from "../../kernel/warning.ts";
import { ledgerOperation } from "../operation.ts";
import { adjustTerms, type ConversionRight } from "../rules/class-terms.ts";
import { recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/adjust-conversion`. */
export const adjustConversion = ledgerOperation({
  route: "adjust-conversion",
  summary: "Adjust how a class converts",
  description:
    "Replaces ratio and conversion price of the right by which a preferred class converts into common stock, and appends " +
    "a STOCK_CLASS_ADJUSTMENT. Views of earlier days keep the earlier terms.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stockClassId: id({ description: "The share class." }),
    ratio: body(
      {
        numerator: positiveDecimal({ description: "So many common shares …" }),
        denominator: positiveDecimal({ description: "… for so many of the class." }),
      },
      { description: "Shares of common stock for one share, as a fraction." },
    ),
    conversionPrice: positiveDecimal({ description: "The price at which a share of the class converts from then on." }),
    rounding: optional(oneOf(RIGHT_ROUNDINGS, { description: "By default as before." })),
    ...recording,
  }),
  example: {
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    ratio: { numerator: "2", denominator: "1.6" },
    conversionPrice: "1.6",
    effectiveDate: "2026-05-01",
  },
  needs: (command) => ({ classes: [command.stockClassId], classTerms: true }),
  follows: (command) => ({ termsOf: command.stockClassId }),
  decide(facts, command) {
    const { stockClassId, ratio, conversionPrice, rounding = null, effectiveDate } = command;
    if (facts.classes.get(stockClassId)?.classType === "COMMON") {
      refuse([["#/stockClassId", "must be a PREFERRED class"]]);
    }
    const price = facts.classes.get(stockClassId)?.pricePerShare ?? null;
    const { described, classTerms } = adjustTerms(facts.classTerms, stockClassId, { ratio, conversionPrice, rounding });
    return {
      entries: [
        {
          type: "STOCK_CLASS_ADJUSTMENT",
          securityId: null,
          stakeholderId: null,
          quantity: null,
          effectiveDate,
          metadata: withoutNulls({
            stockClassId,
            conversionRight: withoutNulls({ ratio, conversionPrice, rounding }),
            classTerms,
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      described,
      warnings: price === null ? [] : priceWarnings(parseDecimal(price), ratio, conversionPrice),
    };
  },
});

/** The tolerance between them, as both are rounded: a thousandth, or one unit of the last decimal place given. */
const PART = 1000n;

/** Ratio and conversion price must agree: the original price divided by the ratio. */
function priceWarnings(price: Decimal, ratio: ConversionRight["ratio"], conversionPrice: string): readonly Warning[] {
  const [numerator, denominator] = [parseDecimal(ratio.numerator), parseDecimal(ratio.denominator)];
  const told = parseDecimal(conversionPrice);
  const [own, given] = [price * denominator, told * numerator];
  const away = own > given ? own - given : given - own;
  const within = (told / PART) * numerator;
  if (away <= max(within, lastPlace(conversionPrice) * numerator)) return [];
  const exact = formatDecimal(own / numerator);
  const detail = `A price of ${formatDecimal(price)} and this ratio give a conversion price of ${exact}, not ${conversionPrice}.`;
  return [{ code: "conversion-price-differs", detail }];
}

/** One unit of a decimal's last place. */
function lastPlace(text: string): Decimal {
  return ONE / 10n ** BigInt(text.split(".")[1]?.length ?? 0);
}
