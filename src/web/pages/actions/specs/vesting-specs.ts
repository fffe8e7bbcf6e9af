// Specs of actions on vesting: start, event, acceleration.
import type { ActionSpec } from "../spec.ts";
import { DATE, paper, QUANTITY, REASON, securityOf } from "./common-specs.ts";

const VESTS = securityOf("STOCK", "STOCK_OPTION", "WARRANT");

export const startVesting: ActionSpec = {
  operation: "start-vesting",
  groups: [
    { name: "what", fields: [VESTS, { name: "conditionId", kind: "condition", isOptional: true }] },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

export const recordVestingEvent: ActionSpec = {
  operation: "record-vesting-event",
  groups: [
    {
      name: "what",
      fields: [
        VESTS,
        { name: "conditionId", kind: "condition", isOptional: true },
        { ...QUANTITY, isOptional: true, isShown: ({ conditionId }) => !conditionId },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

export const accelerateVesting: ActionSpec = {
  operation: "accelerate-vesting",
  groups: [
    {
      name: "what",
      fields: [VESTS, { ...QUANTITY, given: (_, { vesting }) => vesting?.unvested }, REASON],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};
