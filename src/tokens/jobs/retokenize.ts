// Retokenization: starts a class's tokenization or its failed operations again. None of it waits for the chain.

import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import {
  beginLongWrite,
  endOfPiece,
  isUnderWay,
  PIECE,
  postponeLongWrite,
  type TakePiece,
} from "../../storage/database/long-writes.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { tellOfClass } from "../../storage/outbox/tokens.ts";
import { changeOperation, listFailed } from "./operation-store.ts";
import { markTokensPending, setTokenStatus } from "./stock-store.ts";
import { changeJob, findJob, reviseFailedJobs } from "./store.ts";
import { refuseChainOff } from "./switch.ts";
import { changeToken, setTokenization } from "./token-store.ts";

/**
 * Starts a failed class's tokenization again, or the first one of a waiting class (imported, or created with the chain
 * off), or the failed operations of a DEPLOYED class. Throws `409 invalid-state` otherwise, and if the chain is off.
 */
export function retokenize(tx: Tx, call: Call, stockClass: Row<"share_classes">): void {
  refuseChainOff(tx);
  const { id, tokenizationStatus: status } = stockClass;
  if (status === "DEPLOYED") {
    requeueFailed(tx, call, id);
    return;
  }
  if (status !== "FAILED" && !(status === "NOT_STARTED" && stockClass.isImported)) {
    throw problem("invalid-state", `The share class's tokenization is ${status}; it can be started again once FAILED.`);
  }
  startTokenization(tx, call, id);
  tellOfClass(tx, call, id);
}

/** Marks a class as PENDING; its deadline begins when the job starts. */
export function startTokenization(tx: Tx, call: Call, stockClassId: string): void {
  setTokenization(tx, call, stockClassId, { tokenizationStatus: "PENDING", tokenError: null });
  changeToken(tx, call.orgId, stockClassId, { deadlineMs: null });
  markTokensPending(tx, call, stockClassId);
}

/** Retries a class's failed operations in their order, after its stock is marked as awaiting tokens. */
function requeueFailed(tx: Tx, call: Call, stockClassId: string): void {
  markTokensPending(tx, call, stockClassId);
  const again = { kind: "retry-tokens", subject: stockClassId } as const;
  if (isUnderWay(tx, call.orgId, "expect-tokens", stockClassId)) postponeLongWrite(tx, call, again);
  else beginLongWrite(tx, call, again, retryPiece);
}

/** Retries the next failed operations, and after the last ones the jobs that failed without an operation. */
export const retryPiece: TakePiece = (tx, call, stockClassId, after) => {
  const { orgId } = call;
  const operations = listFailed(tx, { orgId, stockClassId, after, limit: PIECE });
  for (const operation of operations) requeueOperation(tx, call, operation);
  const end = endOfPiece(operations);
  if (end === null) reviseFailedJobs(tx, { orgId, stockClassId, state: "QUEUED" });
  return end;
};

type FailedOperation = ReturnType<typeof listFailed>[number];

/** Retries one failed operation. */
export function requeueOperation(tx: Tx, call: Call, operation: FailedOperation): void {
  changeOperation(tx, operation, { state: "QUEUED", submission: null, tries: 0, error: null });
  for (const id of [operation.fromSecurityId, operation.toSecurityId]) {
    if (id !== null) setTokenStatus(tx, call, id, { tokenStatus: "PENDING", tokenError: null });
  }
  const job = findJob(tx, { id: operation.jobId });
  if (job) changeJob(tx, job, { state: "RUNNING", error: null, nextAttemptAtMs: 0 });
}
