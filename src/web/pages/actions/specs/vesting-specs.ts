// Specs of actions on vesting: start, event, acceleration.
import type { ActionSpec } from "../spec.ts";
import { DATE, paper, QUANTITY, REASON, securityFor } from "./common-specs.ts";

export const recordVestingEvent: ActionSpec = {
  operation: "record-vesting-event",
  groups: [
    {
      name: "what",
      fields: [
        securityFor("record-vesting-event"),
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
      fields: [
        securityFor("accelerate-vesting"),
        { ...QUANTITY, given: (_, { vesting }) => vesting?.unvested },
        REASON,
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};
