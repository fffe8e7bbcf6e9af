// Registry of ledger types and typed routes, a line each. OpenAPI, the role matrix, OCF and the tests iterate over
// these.

import { membersOf } from "./members.ts";
import type { LedgerOperation } from "./operation.ts";
import { accelerateVesting } from "./operations/accelerate-vesting.ts";
import { adjustAuthorized } from "./operations/adjust-authorized.ts";
import { adjustConversion } from "./operations/adjust-conversion.ts";
import { adjustReserve } from "./operations/adjust-reserve.ts";
import { cancel } from "./operations/cancel.ts";
import { convert } from "./operations/convert.ts";
import { exercise } from "./operations/exercise.ts";
import { issueConvertible } from "./operations/issue-convertible.ts";
import { issueOptions } from "./operations/issue-options.ts";
import { issueShares } from "./operations/issue-shares.ts";
import { issueWarrant } from "./operations/issue-warrant.ts";
import { recordVestingEvent } from "./operations/record-vesting-event.ts";
import { repurchase } from "./operations/repurchase.ts";
import { retract } from "./operations/retract.ts";
import { split } from "./operations/split.ts";
import { startVesting } from "./operations/start-vesting.ts";
import { terminateService } from "./operations/terminate-service.ts";
import { transfer } from "./operations/transfer.ts";
import type { LedgerState } from "./replay/state.ts";
import { chargesOf } from "./rules/charges.ts";
import {
  type ApplyEntry,
  applyCancellation,
  applyClassAdjustment,
  applyConversion,
  applyDirectEdit,
  applyExercise,
  applyIssuance,
  applyNothing,
  applyPlanAdjustment,
  applyRepurchase,
  applySplit,
  applyTransfer,
} from "./rules/effects.ts";
import { applyImported } from "./rules/imported.ts";
import { applyCharges } from "./rules/pools.ts";
import type { EntryDraft, TransactionType } from "./types.ts";

/** How an entry of each type changes the cap table. */
const EFFECTS: Readonly<Record<TransactionType, ApplyEntry>> = {
  STOCK_ISSUANCE: applyIssuance("STOCK"),
  STOCK_OPTION_ISSUANCE: applyIssuance("STOCK_OPTION"),
  WARRANT_ISSUANCE: applyIssuance("WARRANT"),
  CONVERTIBLE_ISSUANCE: applyIssuance("CONVERTIBLE"),
  STOCK_TRANSFER: applyTransfer,
  STOCK_OPTION_TRANSFER: applyTransfer,
  WARRANT_TRANSFER: applyTransfer,
  CONVERTIBLE_TRANSFER: applyTransfer,
  STOCK_OPTION_EXERCISE: applyExercise,
  WARRANT_EXERCISE: applyExercise,
  CONVERTIBLE_CONVERSION: applyConversion,
  STOCK_CANCELLATION: applyCancellation,
  STOCK_OPTION_CANCELLATION: applyCancellation,
  WARRANT_CANCELLATION: applyCancellation,
  CONVERTIBLE_CANCELLATION: applyCancellation,
  STOCK_REPURCHASE: applyRepurchase,
  VESTING_START: applyNothing,
  VESTING_ACCELERATION: applyNothing,
  VESTING_EVENT: applyNothing,
  STOCK_CLASS_ADJUSTMENT: applyClassAdjustment,
  STOCK_PLAN_ADJUSTMENT: applyPlanAdjustment,
  STOCK_SPLIT: applySplit,
  STOCK_RETRACTION: applyCancellation,
  STAKEHOLDER_UPDATE: applyNothing,
  VALUATION_UPDATE: applyNothing,
};

/** The typed routes under `/api/v1/transactions/`. */
export const OPERATIONS: readonly LedgerOperation[] = [
  issueShares,
  issueOptions,
  transfer,
  exercise,
  cancel,
  issueWarrant,
  issueConvertible,
  convert,
  repurchase,
  retract,
  split,
  adjustAuthorized,
  adjustReserve,
  adjustConversion,
  startVesting,
  accelerateVesting,
  recordVestingEvent,
  terminateService,
];

/** Applies one entry: no effect for a record-only one; an import's or direct edit's own effect; else its type's. */
export function applyEntry(state: LedgerState, entry: EntryDraft): void {
  if (entry.recordOnly) return;
  const changes = chargesOf(state, entry);
  const { isDirectEdit, imported } = membersOf(entry);
  if (isDirectEdit) applyDirectEdit(state, entry);
  else if (imported.hasEffect) applyImported(state, entry);
  else EFFECTS[entry.type](state, entry);
  applyCharges(state, entry, changes);
}
