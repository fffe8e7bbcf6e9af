// What resources tell the background work, in their own commits. Nothing here waits for the chain.
import type { Row, Tx } from "../database/sql.ts";
import type { Call } from "../kernel/call.ts";
import { problem } from "../kernel/problem.ts";
import { isTokenized } from "../ledger/enqueue.ts";
import { changeOperation, listUnfinished } from "./operation-store.ts";
import { awaitTokens, listGatedBy, listStockOfHolder, setTokenStatus } from "./stock-store.ts";
import { changeJob, findJob, insertJob, reviseFailedJobs } from "./store.ts";
import { refuseChainOff } from "./switch.ts";
import { changeToken, findClass, setTokenization } from "./token-store.ts";

/**
 * Creation and update both start tokenization (API.md); the job decides what there is to do. There is nothing for a
 * class that waits until somebody asks for its token.
 */
export function enqueueTokenization(tx: Tx, call: Call, stockClassId: string): void {
  if (!followsToken(tx, call, stockClassId)) return;
  insertJob(tx, call, "tokenize-class", stockClassId, {});
}

function followsToken(tx: Tx, call: Call, stockClassId: string): boolean {
  return isTokenized(findClass(tx, call.orgId, stockClassId) ?? undefined);
}

/** Has the named securities looked at again, one job for each class. Those without a class have no tokens. */
function enqueueSecurities(
  tx: Tx,
  call: Call,
  securities: readonly Pick<Row<"securities">, "id" | "stockClassId">[],
): void {
  const byClass = Map.groupBy(securities, ({ stockClassId }) => stockClassId);
  for (const [stockClassId, members] of byClass) {
    if (stockClassId === null || !followsToken(tx, call, stockClassId)) continue;
    const securityIds = members.map(({ id }) => id);
    insertJob(tx, call, "mirror-securities", stockClassId, { securityIds }, securityIds[0]);
  }
}

/** Lets the securities that wait for an approval mint: in the commit that locks it, or that names a locked one. */
export function releaseGated(tx: Tx, call: Call, approvalId: string): void {
  const securities = listGatedBy(tx, call.orgId, approvalId);
  for (const { id, stockClassId } of securities) {
    const stockClass = stockClassId === null ? null : findClass(tx, call.orgId, stockClassId);
    const status = stockClass && isTokenized(stockClass) ? ({ tokenStatus: "PENDING" } as const) : {};
    setTokenStatus(tx, call, id, { isGated: 0, ...status });
  }
  enqueueSecurities(tx, call, securities);
}

/** Moves a holder's tokens to the wallet that was set: to be called in the commit that sets it. */
export function enqueueWalletMove(tx: Tx, call: Call, stakeholderId: string): void {
  enqueueSecurities(tx, call, listStockOfHolder(tx, call.orgId, stakeholderId));
}

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
  enqueueTokenization(tx, call, id);
}

/** Shows a class as on its way to a token; its deadline begins when the job takes it up. */
export function startTokenization(tx: Tx, call: Call, stockClassId: string): void {
  setTokenization(tx, call, stockClassId, { tokenizationStatus: "PENDING", tokenError: null });
  changeToken(tx, call.orgId, stockClassId, { deadlineMs: null });
  awaitTokens(tx, call, stockClassId);
}

/** Has a class's failed operations done again, in their order. */
function requeueFailed(tx: Tx, call: Call, stockClassId: string): void {
  for (const operation of listUnfinished(tx, call.orgId, stockClassId)) {
    if (operation.state === "FAILED") requeueOperation(tx, call, operation);
  }
  reviseFailedJobs(tx, call.orgId, stockClassId, "QUEUED");
  awaitTokens(tx, call, stockClassId);
}

type FailedOperation = ReturnType<typeof listUnfinished>[number];

/** Has one failed operation done again. */
export function requeueOperation(tx: Tx, call: Call, operation: FailedOperation): void {
  changeOperation(tx, operation, { state: "QUEUED", submission: null, tries: 0, error: null });
  for (const id of [operation.fromSecurityId, operation.toSecurityId]) {
    if (id !== null) setTokenStatus(tx, call, id, { tokenStatus: "PENDING", tokenError: null });
  }
  const job = findJob(tx, operation.jobId);
  if (job) changeJob(tx, job, { state: "RUNNING", error: null, nextAttemptAtMs: 0 });
}
