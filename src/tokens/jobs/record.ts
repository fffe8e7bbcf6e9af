// Results of operations as rows: of the class, the securities, and the job. All inside the caller's commit; this code
// never calls the chain.

import { type Call, callWithoutRequest } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { findAny } from "../../storage/database/records.ts";
import { storeSetting } from "../../storage/database/settings.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { tell } from "../../storage/outbox/tell.ts";
import type { ChainIdentity, Hex } from "../chain/port.ts";
import {
  abandonSubmissions,
  changeOperation,
  dropOperations,
  hasUnfinished,
  jobProgress,
  listUnfinished,
  type Operation,
} from "./operation-store.ts";
import { markTokensLost, setTokenStatus } from "./stock-store.ts";
import { changeJob, findJob, type Job, reviseFailedJobs } from "./store.ts";
import { changeToken, forgetPositions, listTokenized, setTokenization } from "./token-store.ts";

const CHAIN = "chain";
const FACTORY = "chain.factory";

/** The names of the chain's settings. */
export const CHAIN_SETTINGS = { chain: CHAIN, factory: FACTORY } as const;

/** The chain of a data directory, and the operator that its tokens obey. */
export interface Binding extends ChainIdentity {
  readonly operator: Address;
}

/** An operation took effect in the transaction `hash` (null: in a transaction that is no longer known). */
export function completeOperation(tx: Tx, call: Call, operation: Operation, hash: Hex | null): void {
  const { orgId, fromSecurityId, toSecurityId } = operation;
  changeOperation(tx, operation, { state: "DONE", hash, error: null });
  for (const id of new Set([fromSecurityId, toSecurityId])) {
    if (id === null) continue;
    const sent = id === toSecurityId && hash !== null ? { tokenTransactionHash: hash } : {};
    const settled = hasUnfinished(tx, orgId, id) ? {} : ({ tokenStatus: "MINTED", tokenError: null } as const);
    setTokenStatus(tx, call, id, { ...sent, ...settled });
  }
  setProgress(tx, { orgId, id: operation.jobId });
}

/** An operation failed for good; `reason` is shown. */
export function failOperation(tx: Tx, call: Call, operation: Operation, reason: string): void {
  const { orgId, stockClassId, kind, fromSecurityId, toSecurityId } = operation;
  changeOperation(tx, operation, { state: "FAILED", error: reason });
  for (const id of new Set([fromSecurityId, toSecurityId])) {
    if (id !== null) setTokenStatus(tx, call, id, { tokenStatus: "FAILED", tokenError: reason });
  }
  if (kind === "deploy") failClass(tx, call, stockClassId, reason);
  setProgress(tx, { orgId, id: operation.jobId });
}

/** A class has no usable token; its jobs go on waiting. */
export function failClass(tx: Tx, call: Call, stockClassId: string, reason: string): void {
  setTokenization(tx, call, stockClassId, { tokenizationStatus: "FAILED", tokenError: reason });
  changeToken(tx, call.orgId, stockClassId, { deadlineMs: null });
}

/** A deployment took too long: the class is FAILED. If the deployment succeeds later, only a retry discovers it. */
export function failOverdue(tx: Tx, call: Call, stockClassId: string): void {
  const { orgId } = call;
  const deployments = listUnfinished(tx, { orgId, stockClassId }).filter(({ kind }) => kind === "deploy");
  const trouble = deployments.map(({ jobId }) => findJob(tx, { id: jobId })?.error).find((error) => error);
  const reason = `the token was not deployed within 10 minutes${trouble ? `: ${trouble}` : ""}`;
  failClass(tx, call, stockClassId, reason);
  dropOperations(tx, orgId, stockClassId, "deployments");
  for (const { jobId } of deployments) changeJob(tx, { orgId, id: jobId }, { state: "FAILED", error: reason });
}

/**
 * Records a class's token at `address`, in its present state. A token without shares is new: the positions of an older
 * one are deleted. Then all stock of the class is checked.
 */
export function completeDeployment(
  tx: Tx,
  call: Call,
  operation: Operation,
  token: { readonly address: Address; readonly supply: bigint; readonly authorized: bigint; readonly hash: Hex | null },
): void {
  const { orgId, stockClassId } = operation;
  const stockClass = findAny(tx, "share_classes", orgId, stockClassId);
  if (stockClass?.tokenizationStatus !== "PENDING") return;
  if (token.supply === 0n) {
    const jobs = new Set(listUnfinished(tx, { orgId, stockClassId }).map(({ jobId }) => jobId));
    forgetPositions(tx, { orgId, stockClassId });
    dropOperations(tx, orgId, stockClassId, "all");
    for (const jobId of jobs) setProgress(tx, { orgId, id: jobId });
  }
  changeOperation(tx, operation, { state: "DONE", hash: token.hash, error: null });
  const reached = { tokenizationStatus: "DEPLOYED", tokenAddress: token.address, tokenError: null } as const;
  setTokenization(tx, call, stockClassId, reached);
  const figures = { totalSupply: String(token.supply), authorized: String(token.authorized) };
  changeToken(tx, orgId, stockClassId, { deadlineMs: null, ...figures });
  reviseFailedJobs(tx, { orgId, stockClassId, state: "DROPPED" });
  tell(tx, call, { kind: "mirror-class", subject: { stockClassId }, payload: { after: 0 } });
  setProgress(tx, { orgId, id: operation.jobId });
}

/**
 * Another chain answers in place of ours: every class is FAILED until its tokenization is started again on this one.
 */
export function forgetChain(tx: Tx, runtime: Runtime, now: Binding, reason: string): void {
  abandonSubmissions(tx);
  for (const { orgId, id, tokenizationStatus } of listTokenized(tx)) {
    const jobs = new Set(listUnfinished(tx, { orgId, stockClassId: id }).map(({ jobId }) => jobId));
    dropOperations(tx, orgId, id, "all");
    forgetPositions(tx, { orgId, stockClassId: id });
    for (const jobId of jobs) changeJob(tx, { orgId, id: jobId }, { state: "FAILED", error: reason });
    // Of a closed one, too: its tokens are gone all the same.
    const call = { ...callWithoutRequest(runtime, orgId, "job"), evenClosed: true } as const;
    markTokensLost(tx, call, id, reason);
    changeToken(tx, orgId, id, { totalSupply: null });
    if (tokenizationStatus !== "FAILED") failClass(tx, call, id, reason);
  }
  storeSetting(tx, FACTORY, "");
  bindChain(tx, now);
}

/** Records the chain that the data directory belongs to from now on. */
export function bindChain(tx: Tx, binding: Binding): void {
  storeSetting(tx, CHAIN, JSON.stringify(binding));
}

/** A planned job runs as long as operations of it do. */
export function setProgress(tx: Tx, job: Pick<Job, "orgId" | "id">): void {
  const { isOpen, error } = jobProgress(tx, job.id);
  const state = isOpen ? "RUNNING" : error === null ? "DONE" : "FAILED";
  changeJob(tx, job, { state, error: isOpen ? null : error });
}
