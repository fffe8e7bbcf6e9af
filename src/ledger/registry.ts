// Registry of typed routes, a line each. OpenAPI, the role matrix, OCF and the tests iterate over these.

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
