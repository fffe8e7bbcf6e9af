// Every guided action by its operation: those with a spec of their own, and the forms that follow from the API's bodies.
import { defaultSpecs } from "./default-spec.ts";
import type { ActionSpec, Operation } from "./spec.ts";
import { cancel, convert, correct, exercise, repurchase, terminateService, transfer } from "./specs/change.ts";
import { issueConvertible, issueOptions, issueShares, issueWarrant } from "./specs/issue.ts";
import { adjustConversion, split } from "./specs/limit-specs.ts";
import { accelerateVesting, recordVestingEvent } from "./specs/vesting-specs.ts";

const OWN: readonly ActionSpec[] = [
  ...[issueShares, issueOptions, issueWarrant, issueConvertible],
  ...[transfer, exercise, cancel, convert, repurchase, correct, terminateService],
  ...[split, adjustConversion, recordVestingEvent, accelerateVesting],
];

export const ACTIONS = Object.fromEntries([...OWN, ...defaultSpecs(OWN)].map((spec) => [spec.operation, spec])) as {
  readonly [O in Operation]: ActionSpec & { readonly operation: O };
};

/** The action of an address; null for an unknown name. */
export function actionOf(operation: string | undefined): ActionSpec | null {
  return Object.hasOwn(ACTIONS, operation ?? "") ? ACTIONS[operation as Operation] : null;
}
