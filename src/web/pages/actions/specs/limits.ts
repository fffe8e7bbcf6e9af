// Actions on classes and plans.
import type { ActionSpec } from "../spec.ts";
import { DATE, paper, STOCKHOLDERS } from "./common.ts";

export const adjustAuthorized: ActionSpec = {
  operation: "adjust-authorized",
  groups: [
    {
      name: "what",
      fields: [
        { name: "stockClassId", kind: "class", isKnown: true },
        { name: "newSharesAuthorized", kind: "decimal" },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(STOCKHOLDERS),
  ],
};

export const adjustReserve: ActionSpec = {
  operation: "adjust-reserve",
  groups: [
    {
      name: "what",
      fields: [
        { name: "equityPlanId", kind: "plan", isKnown: true },
        { name: "newSharesReserved", kind: "decimal" },
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
        { name: "numerator", kind: "whole" },
        { name: "denominator", kind: "whole", isBeside: true, given: () => "1" },
        {
          name: "rounding",
          kind: "choice",
          choices: ["DOWN", "UP", "NEAREST", "FRACTIONAL"],
          given: () => "DOWN",
        },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};
