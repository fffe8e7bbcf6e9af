// Every ledger type and every typed route, a line each. OpenAPI, the role matrix, OCF and the tests iterate these.
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
} from "./effects.ts";
import { applyImported, isImported } from "./imported.ts";
import type { LedgerOperation } from "./operation.ts";
import { cancel } from "./operations/cancel.ts";
import { issueShares } from "./operations/issue-shares.ts";
import { transfer } from "./operations/transfer.ts";
import type { LedgerState } from "./state.ts";
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
export const OPERATIONS: readonly LedgerOperation[] = [issueShares, transfer, cancel];

/** Applies one entry: nothing for a record-only one, an import's or a direct edit's own effect, else its type's. */
export function applyEntry(state: LedgerState, entry: EntryDraft): void {
  if (entry.recordOnly) return;
  if (entry.metadata.directEdit === true) applyDirectEdit(state, entry);
  else if (isImported(entry)) applyImported(state, entry);
  else EFFECTS[entry.type](state, entry);
}
