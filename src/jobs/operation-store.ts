// Operations on tokens, and what was signed for them. Transactions are never deleted: any of them may yet be mined.
import { sql } from "kysely";
import type { ChainOperationsTable, ChainSubmissionsTable } from "../database/chain-schema.ts";
import {
  build,
  insertRow,
  type Params,
  type Reader,
  type Row,
  type SqlValue,
  statement,
  type Tx,
  variants,
} from "../database/sql.ts";
import { present } from "../kernel/assert.ts";

/** One effect on a class's token. */
export type Operation = Row<"chain_operations">;
/** Something to be on chain once. */
export type Submission = Row<"chain_submissions">;
/** A signed transaction of a submission. */
export type Attempt = Row<"chain_transactions">;

/** Adds an operation to those that wait. */
export function insertOperation(
  tx: Tx,
  operation: Omit<ChainOperationsTable, "seq" | "state" | "submission" | "tries" | "hash" | "error">,
): void {
  insertRow(tx, "chain_operations", operation);
}

const byKey = statement(
  (param: Params<{ orgId: string; stockClassId: string; key: string }>) =>
    build
      .selectFrom("chain_operations")
      .select("seq")
      .where("orgId", "=", param("orgId"))
      .where("stockClassId", "=", param("stockClassId"))
      .where("key", "=", param("key"))
      .where(sql<boolean>`state <> 'DROPPED'`), // as the index has it
);

/** Whether an operation with this key was ever planned for the class's present token. */
export function isKeyKnown(db: Reader, orgId: string, stockClassId: string, key: string): boolean {
  return byKey.first(db, { orgId, stockClassId, key }) !== null;
}

const oldestReady = statement((_param: Params<object>) =>
  build
    .selectFrom("chain_operations as operation")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "operation.orgId").onRef("class.id", "=", "operation.stockClassId"),
    )
    .selectAll("operation")
    .where("operation.state", "=", "QUEUED")
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
  build
    .selectFrom("chain_operations")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "QUEUED")
    .orderBy("seq")
    .limit(param("limit")),
);

/** The oldest operation that can go, and those right behind it that may go in the same transaction; `[]` when none. */
export function listNextOperations(db: Reader, batchMax: number): Operation[] {
  const first = oldestReady.first(db, {});
  if (!first) return [];
  if (first.kind !== "issue" && first.kind !== "cancel") return [first];
  const { orgId, stockClassId } = first;
  const queue = queuedOfClass.all(db, { orgId, stockClassId, limit: batchMax });
  const end = queue.findIndex((operation) => operation.kind !== first.kind);
  return end < 0 ? queue : queue.slice(0, end);
}

/** Whether any operation can go now. */
export function hasReadyOperation(db: Reader): boolean {
  return oldestReady.first(db, {}) !== null;
}

const openSubmission = statement((_param: Params<object>) =>
  build.selectFrom("chain_submissions").selectAll().where("state", "=", "OPEN").orderBy("seq").limit(1),
);

/** The submission whose end is not known yet: there is one at most, so that nonces are never out of order. */
export function findOpenSubmission(db: Reader): Submission | null {
  return openSubmission.first(db, {});
}

/** What is needed to keep a transaction before it is sent. `fees` is JSON. */
export type SignedAttempt = Omit<Attempt, "seq" | "submission" | "blockNumber" | "blockHash">;

const newest = statement((_param: Params<object>) =>
  build.selectFrom("chain_submissions").select("seq").orderBy("seq", "desc").limit(1),
);

/** Keeps a new submission with its first signed transaction, and marks its operations as sent. */
export function insertSubmission(
  tx: Tx,
  submission: Omit<ChainSubmissionsTable, "seq" | "state">,
  attempt: SignedAttempt,
  operations: readonly Operation[],
): void {
  insertRow(tx, "chain_submissions", submission);
  const { seq } = present(newest.first(tx, {}), "the new submission");
  insertAttempt(tx, seq, attempt);
  for (const operation of operations) changeOperation(tx, operation, { state: "SENT", submission: seq });
}

/** Keeps another signed transaction of a submission. */
export function insertAttempt(tx: Tx, submission: number, attempt: SignedAttempt): void {
  insertRow(tx, "chain_transactions", { ...attempt, submission });
}

const closeSubmission = statement((param: Params<{ seq: number; state: Submission["state"] }>) =>
  build
    .updateTable("chain_submissions")
    .set({ state: param("state") })
    .where("seq", "=", param("seq")),
);

/** Notes how a submission ended. */
export function endSubmission(tx: Tx, seq: number, state: "DONE" | "FAILED" | "ABANDONED"): void {
  closeSubmission.run(tx, { seq, state });
}

const place = statement((param: Params<{ seq: number; blockNumber: string; blockHash: string }>) =>
  build
    .updateTable("chain_transactions")
    .set({ blockNumber: param("blockNumber"), blockHash: param("blockHash") })
    .where("seq", "=", param("seq")),
);

/** Notes the block in which a transaction stands for good. */
export function placeAttempt(tx: Tx, seq: number, blockNumber: bigint, blockHash: string): void {
  place.run(tx, { seq, blockNumber: String(blockNumber), blockHash });
}

const attempts = statement((param: Params<{ submission: number }>) =>
  build
    .selectFrom("chain_transactions")
    .selectAll()
    .where("submission", "=", param("submission"))
    .orderBy("seq", "desc"),
);

/** Every transaction signed for a submission, newest first. */
export function listAttempts(db: Reader, submission: number): Attempt[] {
  return attempts.all(db, { submission });
}

const between = statement((param: Params<{ from: number; to: number }>) =>
  build
    .selectFrom("chain_transactions as sent")
    .innerJoin("chain_submissions as submission", "submission.seq", "sent.submission")
    .select(["sent.nonce", "sent.raw"])
    .where("sent.nonce", ">=", param("from"))
    .where("sent.nonce", "<", param("to"))
    .where("submission.state", "<>", "ABANDONED")
    .orderBy("sent.nonce")
    .orderBy("sent.seq"),
);

/** Signed transactions with a nonce from `from` up to but not `to`: what a deep reorganization may have dropped. */
export function listSignedBetween(db: Reader, from: number, to: number): Pick<Attempt, "nonce" | "raw">[] {
  return between.all(db, { from, to });
}

const ofSubmission = statement((param: Params<{ submission: number }>) =>
  build
    .selectFrom("chain_operations")
    .selectAll()
    .where("submission", "=", param("submission"))
    .where("state", "=", "SENT")
    .orderBy("seq"),
);

/** The operations that a submission carries and whose end is open. */
export function listSent(db: Reader, submission: number): Operation[] {
  return ofSubmission.all(db, { submission });
}

const changing = variants<Record<string, SqlValue>, unknown, [columns: string]>((param, columns) => ({
  compile: () =>
    sql`update "chain_operations"
      set ${sql.join(columns.split(",").map((name) => sql`${sql.ref(name)} = ${param(name)}`))}
      where "seq" = ${param("$seq")}`.compile(build),
}));

/** Changes some of an operation. */
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

const unfinished = statement((param: Params<OfClass>) =>
  build
    .selectFrom("chain_operations")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "SENT", "FAILED"])
    .orderBy("seq"),
);

/** A class's operations that are not done: waiting, sent, or failed; oldest first. */
export function listUnfinished(db: Reader, orgId: string, stockClassId: string): Operation[] {
  return unfinished.all(db, { orgId, stockClassId });
}

const dropping = variants((param: Params<OfClass>, onlyDeployment: boolean) => {
  const query = build
    .updateTable("chain_operations")
    .set({ state: "DROPPED" })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"));
  return onlyDeployment ? query.where("kind", "=", "deploy") : query;
});

/** Forgets a class's deployments, or everything that was ever done to its token, because the token is gone. */
export function dropOperations(tx: Tx, orgId: string, stockClassId: string, which: "deployments" | "all"): void {
  dropping(which === "deployments").run(tx, { orgId, stockClassId });
}

const openOfJob = statement((param: Params<{ jobId: string }>) =>
  build
    .selectFrom("chain_operations")
    .select("seq")
    .where("jobId", "=", param("jobId"))
    .where("state", "in", ["QUEUED", "SENT"])
    .limit(1),
);

/** How far a job is: whether operations are under way, and if not, the reason of a failed one. */
export function jobProgress(db: Reader, jobId: string): { readonly isOpen: boolean; readonly error: string | null } {
  if (openOfJob.first(db, { jobId })) return { isOpen: true, error: null };
  return { isOpen: false, error: listFailedOfJob(db, jobId)[0]?.error ?? null };
}

const failedOfJob = statement((param: Params<{ jobId: string }>) =>
  build.selectFrom("chain_operations").selectAll().where("jobId", "=", param("jobId")).where("state", "=", "FAILED"),
);

/** A job's failed operations. */
export function listFailedOfJob(db: Reader, jobId: string): Operation[] {
  return failedOfJob.all(db, { jobId });
}

const ofSecurity = variants(
  (param: Params<{ orgId: string; securityId: string }>, column: "toSecurityId" | "fromSecurityId") =>
    build
      .selectFrom("chain_operations")
      .select("seq")
      .where("orgId", "=", param("orgId"))
      .where(column, "=", param("securityId"))
      .where("state", "in", ["QUEUED", "SENT", "FAILED"])
      .limit(1),
);

/** Whether an operation on the security's tokens is under way or failed. */
export function hasUnfinished(db: Reader, orgId: string, securityId: string): boolean {
  const security = { orgId, securityId };
  return [ofSecurity("toSecurityId"), ofSecurity("fromSecurityId")].some((found) => found.first(db, security) !== null);
}

const abandoning = statement((_param: Params<object>) =>
  build.updateTable("chain_submissions").set({ state: "ABANDONED" }),
);

/** Forgets every submission, because their chain is gone. */
export function abandonSubmissions(tx: Tx): void {
  abandoning.run(tx, {});
}
