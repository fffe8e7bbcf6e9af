// Tokenization started again, of a class or of its failed operations. Nothing here waits for the chain.

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
 * Starts a failed class's tokenization again, or for the first time that of one that waits (imported, or made with the
 * chain off), or on a DEPLOYED class the operations that failed. Throws `409 invalid-state` otherwise, and where the
 * chain is off.
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

/** Shows a class as on its way to a token; its deadline begins when the job takes it up. */
export function startTokenization(tx: Tx, call: Call, stockClassId: string): void {
  setTokenization(tx, call, stockClassId, { tokenizationStatus: "PENDING", tokenError: null });
  changeToken(tx, call.orgId, stockClassId, { deadlineMs: null });
  markTokensPending(tx, call, stockClassId);
}

/** Has a class's failed operations done again, in their order, once its stock is shown as about to get tokens. */
function requeueFailed(tx: Tx, call: Call, stockClassId: string): void {
  markTokensPending(tx, call, stockClassId);
  const again = { kind: "retry-tokens", subject: stockClassId } as const;
  if (isUnderWay(tx, call.orgId, "expect-tokens", stockClassId)) postponeLongWrite(tx, call, again);
  else beginLongWrite(tx, call, again, retryPiece);
}

/** Has the next failed operations done again, and after the last ones the jobs that failed without one. */
export const retryPiece: TakePiece = (tx, call, stockClassId, after) => {
  const { orgId } = call;
  const operations = listFailed(tx, { orgId, stockClassId, after, limit: PIECE });
  for (const operation of operations) requeueOperation(tx, call, operation);
  const end = endOfPiece(operations);
  if (end === null) reviseFailedJobs(tx, { orgId, stockClassId, state: "QUEUED" });
  return end;
};

type FailedOperation = ReturnType<typeof listFailed>[number];

/** Has one failed operation done again. */
export function requeueOperation(tx: Tx, call: Call, operation: FailedOperation): void {
  changeOperation(tx, operation, { state: "QUEUED", submission: null, tries: 0, error: null });
  for (const id of [operation.fromSecurityId, operation.toSecurityId]) {
    if (id !== null) setTokenStatus(tx, call, id, { tokenStatus: "PENDING", tokenError: null });
  }
  const job = findJob(tx, { id: operation.jobId });
  if (job) changeJob(tx, job, { state: "RUNNING", error: null, nextAttemptAtMs: 0 });
}
