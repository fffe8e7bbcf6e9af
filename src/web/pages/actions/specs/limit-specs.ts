// Actions on classes and plans.
import { AdjustConversionRequest, SplitRequest } from "../../../api/values.ts";
import type { ActionSpec, Facts, Values } from "../spec.ts";
import { DATE, paper, STOCKHOLDERS } from "./common-specs.ts";

/** The right by which the chosen class becomes common stock: the first into such a class. */
function rightOf({ stockClassId }: Values, { classes }: Facts) {
  const isCommon = (id: string | null) =>
    id === null || classes.some((each) => each.id === id && each.classType === "COMMON");
  const own = classes.find(({ id }) => id === stockClassId);
  return own?.conversionRights?.find((each) => isCommon(each.stockClassId ?? null));
}

export const adjustConversion: ActionSpec = {
  operation: "adjust-conversion",
  groups: [
    {
      name: "what",
      fields: [
        { name: "stockClassId", kind: "class", isKnown: true, isPreferred: true },
        {
          name: "ratio.numerator",
          kind: "decimal",
          isPositive: true,
          given: (...all) => rightOf(...all)?.ratio.numerator ?? "1",
        },
        {
          name: "ratio.denominator",
          kind: "decimal",
          isPositive: true,
          isBeside: true,
          given: (...all) => rightOf(...all)?.ratio.denominator ?? "1",
        },
        {
          name: "conversionPrice",
          kind: "decimal",
          isPositive: true,
          given: (...all) => rightOf(...all)?.conversionPrice,
        },
        {
          name: "rounding",
          kind: "choice",
          choices: AdjustConversionRequest.rounding,
          isOptional: true,
          isBeside: true,
        },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(STOCKHOLDERS),
  ],
};

export const split: ActionSpec = {
  operation: "split",
  groups: [
    {
      name: "what",
      fields: [
        { name: "stockClassId", kind: "class", isKnown: true },
        { name: "numerator", kind: "whole", isPositive: true },
        { name: "denominator", kind: "whole", isPositive: true, isBeside: true, given: () => "1" },
        {
          name: "rounding",
          kind: "choice",
          choices: SplitRequest.rounding,
          given: () => "DOWN",
        },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};
