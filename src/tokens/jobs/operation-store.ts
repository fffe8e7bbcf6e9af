// Store of token operations and their signed transactions. Transactions are never deleted: any of them may yet be
// mined.
import { sql } from "kysely";
import { present } from "../../kernel/assert.ts";
import { isOfOpen, refuseClosedIn } from "../../storage/database/closed.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  run,
  type SqlValue,
  statement,
  type Tx,
  variants,
} from "../../storage/database/sql.ts";
import type { ChainOperationsTable, ChainSubmissionsTable } from "../../storage/database/tables/chain-schema.ts";

/** One effect on a class's token. */
export type Operation = Row<"chain_operations">;
/** A token operation, executed exactly once. */
export type Submission = Row<"chain_submissions">;
/** A signed transaction of a submission. */
export type Attempt = Row<"chain_transactions">;

/** Enqueues an operation. */
export function insertOperation(
  tx: Tx,
  operation: Omit<ChainOperationsTable, "seq" | "state" | "submission" | "tries" | "hash" | "error">,
): void {
  insertRow(tx, "chain_operations", operation);
}

/** Whether an operation with this key was ever planned for the class's present token. */
export const isKeyKnown = exists((param: Params<{ orgId: string; stockClassId: string; key: string }>) =>
  ofOrganization("chain_operations", param)
    .select("seq")
    .where("stockClassId", "=", param("stockClassId"))
    .where("key", "=", param("key"))
    // Casts as the index does.
    .where(sql<boolean>`state <> 'DROPPED'`),
);

const oldestReady = statement(() =>
  acrossOrganizations
    .selectFrom("chain_operations as operation")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "operation.orgId").onRef("class.id", "=", "operation.stockClassId"),
    )
    .selectAll("operation")
    .where("operation.state", "=", "QUEUED")
    .where(isOfOpen("operation.orgId"))
    .where((where) =>
      where.or([
        where.and([where("operation.kind", "=", "deploy"), where("class.tokenizationStatus", "=", "PENDING")]),
        where.and([where("operation.kind", "<>", "deploy"), where("class.tokenizationStatus", "=", "DEPLOYED")]),
      ]),
    )
    .orderBy("operation.seq")
    .limit(1),
);

const queuedOfClass = statement((param: Params<{ orgId: string; stockClassId: string; limit: number }>) =>
  ofOrganization("chain_operations", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "QUEUED")
    .orderBy("seq")
    .limit(param("limit")),
);

/**
 * The oldest ready operation, and those right after it that may share its transaction; `[]` if no operation is ready.
 */
export function listNextOperations(db: Reader, batchMax: number): Operation[] {
  const first = oldestReady.first(db, {});
  if (!first) return [];
  if (first.kind !== "issue" && first.kind !== "cancel") return [first];
  const { orgId, stockClassId } = first;
  const queue = queuedOfClass.all(db, { orgId, stockClassId, limit: batchMax });
  const end = queue.findIndex((operation) => operation.kind !== first.kind);
  return end < 0 ? queue : queue.slice(0, end);
}

/** Whether any operation is ready. */
export function hasReadyOperation(db: Reader): boolean {
  return oldestReady.first(db, {}) !== null;
}

/** The open submission: at most one, so that nonces are never out of order. */
export const findOpenSubmission = first(() =>
  acrossOrganizations.selectFrom("chain_submissions").selectAll().where("state", "=", "OPEN").orderBy("seq").limit(1),
);

/** The record of a transaction before it is sent. `fees` is JSON. */
export type SignedAttempt = Omit<Attempt, "seq" | "submission" | "blockNumber" | "blockHash">;

const newest = statement(() =>
  acrossOrganizations.selectFrom("chain_submissions").select("seq").orderBy("seq", "desc").limit(1),
);

/**
 * Keeps a new submission with its first signed transaction, and marks its operations as sent. Throws `409
 * organization-closed` for operations of an organization that was closed meanwhile: nothing was sent yet.
 */
export function insertSubmission(
  tx: Tx,
  submission: Omit<ChainSubmissionsTable, "seq" | "state">,
  attempt: SignedAttempt,
  operations: readonly Operation[],
): void {
  for (const { orgId } of operations) refuseClosedIn(tx, orgId);
  insertRow(tx, "chain_submissions", submission);
  const { seq } = present(newest.first(tx, {}), "the new submission");
  insertAttempt(tx, seq, attempt);
  for (const operation of operations) changeOperation(tx, operation, { state: "SENT", submission: seq });
}

/** Keeps another signed transaction of a submission. */
export function insertAttempt(tx: Tx, submission: number, attempt: SignedAttempt): void {
  insertRow(tx, "chain_transactions", { ...attempt, submission });
}

/** Records how a submission ended. */
export const endSubmission = run((param: Params<{ seq: number; state: Submission["state"] }>) =>
  build
    .updateTable("chain_submissions")
    .set({ state: param("state") })
    .where("seq", "=", param("seq")),
);

const place = statement((param: Params<{ seq: number; blockNumber: string; blockHash: string }>) =>
  build
    .updateTable("chain_transactions")
    .set({ blockNumber: param("blockNumber"), blockHash: param("blockHash") })
    .where("seq", "=", param("seq")),
);

/** Records the final block of a transaction. */
export function placeAttempt(tx: Tx, seq: number, blockNumber: bigint, blockHash: string): void {
  place.run(tx, { seq, blockNumber: String(blockNumber), blockHash });
}

/** Every transaction signed for a submission, newest first. */
export const listAttempts = all((param: Params<{ submission: number }>) =>
  acrossOrganizations
    .selectFrom("chain_transactions")
    .selectAll()
    .where("submission", "=", param("submission"))
    .orderBy("seq", "desc"),
);

/** Signed transactions with a nonce from `from` up to but not `to`: what a deep reorganization may have dropped. */
export const listSignedBetween = all((param: Params<{ from: number; to: number }>) =>
  acrossOrganizations
    .selectFrom("chain_transactions as sent")
    .innerJoin("chain_submissions as submission", "submission.seq", "sent.submission")
    .select(["sent.nonce", "sent.raw"])
    .where("sent.nonce", ">=", param("from"))
    .where("sent.nonce", "<", param("to"))
    .where("submission.state", "<>", "ABANDONED")
    .orderBy("sent.nonce")
    .orderBy("sent.seq"),
);

/** The unfinished operations of a submission. */
export const listSent = all((param: Params<{ submission: number }>) =>
  acrossOrganizations
    .selectFrom("chain_operations")
    .selectAll()
    .where("submission", "=", param("submission"))
    .where("state", "=", "SENT")
    .orderBy("seq"),
);

const changing = variants<Record<string, SqlValue>, unknown, [columns: string]>((param, columns) => ({
  compile: () =>
    sql`update "chain_operations"
      set ${sql.join(columns.split(",").map((name) => sql`${sql.ref(name)} = ${param(name)}`))}
      where "seq" = ${param("$seq")}`.compile(build),
}));

/** Changes some columns of an operation. */
export function changeOperation(
  tx: Tx,
  operation: Pick<Operation, "seq">,
  changes: Partial<Pick<Operation, "state" | "submission" | "tries" | "hash" | "error">>,
): void {
  changing(Object.keys(changes).join(",")).run(tx, { ...changes, $seq: operation.seq });
}

interface OfClass {
  readonly orgId: string;
  readonly stockClassId: string;
}

/** A class's unfinished operations: waiting, sent, or failed; oldest first. */
export const listUnfinished = all((param: Params<OfClass>) =>
  ofOrganization("chain_operations", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "SENT", "FAILED"])
    .orderBy("seq"),
);

/** The next failed operations of a class, after the one with `seq` `after`. */
export const listFailed = all((param: Params<OfClass & { after: number; limit: number }>) =>
  ofOrganization("chain_operations", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "FAILED")
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

const dropping = variants((param: Params<OfClass>, onlyDeployment: boolean) => {
  const query = build
    .updateTable("chain_operations")
    .set({ state: "DROPPED" })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"));
  return onlyDeployment ? query.where("kind", "=", "deploy") : query;
});

/** Deletes a class's deployments, or all operations on its token, because the token is gone. */
export function dropOperations(tx: Tx, orgId: string, stockClassId: string, which: "deployments" | "all"): void {
  dropping(which === "deployments").run(tx, { orgId, stockClassId });
}

const openOfJob = statement((param: Params<{ jobId: string }>) =>
  acrossOrganizations
    .selectFrom("chain_operations")
    .select("seq")
    .where("jobId", "=", param("jobId"))
    .where("state", "in", ["QUEUED", "SENT"])
    .limit(1),
);

/** A job's progress: whether operations are under way, and if not, the reason of a failed one. */
export function jobProgress(db: Reader, jobId: string): { readonly isOpen: boolean; readonly error: string | null } {
  if (openOfJob.first(db, { jobId })) return { isOpen: true, error: null };
  return { isOpen: false, error: listFailedOfJob(db, { jobId })[0]?.error ?? null };
}

/** A job's failed operations. */
export const listFailedOfJob = all((param: Params<{ jobId: string }>) =>
  acrossOrganizations
    .selectFrom("chain_operations")
    .selectAll()
    .where("jobId", "=", param("jobId"))
    .where("state", "=", "FAILED"),
);

const ofSecurity = variants(
  (param: Params<{ orgId: string; securityId: string }>, column: "toSecurityId" | "fromSecurityId") =>
    ofOrganization("chain_operations", param)
      .select("seq")
      .where(column, "=", param("securityId"))
      .where("state", "in", ["QUEUED", "SENT", "FAILED"])
      .limit(1),
);

/** Whether an operation on the security's tokens is under way or failed. */
export function hasUnfinished(db: Reader, orgId: string, securityId: string): boolean {
  const security = { orgId, securityId };
  return [ofSecurity("toSecurityId"), ofSecurity("fromSecurityId")].some((found) => found.first(db, security) !== null);
}

/** Deletes every submission, because their chain is gone. */
export const abandonSubmissions = run(() => build.updateTable("chain_submissions").set({ state: "ABANDONED" }));
