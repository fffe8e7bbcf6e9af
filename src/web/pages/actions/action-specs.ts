// Every guided action by its operation.
import type { ActionSpec, Operation } from "./spec.ts";
import { cancel, convert, correct, exercise, repurchase, retract, terminateService, transfer } from "./specs/change.ts";
import { issueConvertible, issueOptions, issueShares, issueWarrant } from "./specs/issue.ts";
import { adjustAuthorized, adjustConversion, adjustReserve, split } from "./specs/limit-specs.ts";
import { accelerateVesting, recordVestingEvent, startVesting } from "./specs/vesting-specs.ts";

export const ACTIONS: { readonly [O in Operation]: ActionSpec & { readonly operation: O } } = Object.fromEntries(
  [
    ...[issueShares, issueOptions, issueWarrant, issueConvertible],
    ...[transfer, exercise, cancel, convert, repurchase, retract, correct, terminateService],
    ...[split, adjustAuthorized, adjustReserve, adjustConversion],
    ...[startVesting, recordVestingEvent, accelerateVesting],
  ].map((spec) => [spec.operation, spec]),
) as { readonly [O in Operation]: ActionSpec & { readonly operation: O } };

/** The action of an address; null for an unknown name. */
export function actionOf(operation: string | undefined): ActionSpec | null {
  return Object.hasOwn(ACTIONS, operation ?? "") ? ACTIONS[operation as Operation] : null;
}
