// adjust-conversion: another conversion price of a preferred class, as an anti-dilution clause has it.
import { body, decimal, id, oneOf, optional, positiveDecimal } from "../../kernel/fields.ts";
import { refuse } from "../../kernel/problem.ts";
import { adjustTerms } from "../class-terms.ts";
import { ledgerOperation } from "../operation.ts";
import { recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/adjust-conversion` (MODELLING section 2). */
export const adjustConversion = ledgerOperation({
  route: "adjust-conversion",
  summary: "Adjust how a class converts",
  description:
    "Replaces ratio and conversion price of the right by which a preferred class converts into common stock, and appends " +
    "a STOCK_CLASS_ADJUSTMENT. Views of earlier days keep what was before.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stockClassId: id(),
    ratio: body({
      numerator: decimal({ description: "So many common shares …" }),
      denominator: positiveDecimal({ description: "… for so many of the class." }),
    }),
    conversionPrice: decimal(),
    rounding: optional(oneOf(["FLOOR", "CEILING", "NORMAL"], { description: "By default as before." })),
    ...recording,
  }),
  example: {
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    ratio: { numerator: "2", denominator: "1.6" },
    conversionPrice: "1.6",
    effectiveDate: "2026-05-01",
  },
  needs: (command) => ({ classes: [command.stockClassId], classTerms: true }),
  follows: (command) => ({ adjustmentsOf: command.stockClassId }),
  decide(facts, command) {
    const { stockClassId, ratio, conversionPrice, rounding = null, effectiveDate } = command;
    if (facts.classes.get(stockClassId)?.classType === "COMMON") {
      refuse([["#/stockClassId", "must be a PREFERRED class"]]);
    }
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
    };
  },
});
