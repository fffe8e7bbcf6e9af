// Store of jobs: the outbox's rows. A job is QUEUED until it is planned, RUNNING while its operations are under way,
// then DONE or FAILED; DROPPED if it has nothing to do.
import { sql } from "kysely";
import { isOfOpen } from "../../storage/database/closed.ts";
import { updateRow } from "../../storage/database/row-writes.ts";
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
  statement,
  type Tx,
  value,
  variants,
} from "../../storage/database/sql.ts";

/** A job: a row of the outbox. */
export type Job = Row<"outbox">;

/**
 * The oldest jobs that can be planned now. Jobs of a class without a token wait, except the one that deploys it; so do
 * those of a class whose stock is still being marked as awaiting tokens, since a plan must not overtake the marks, and
 * those of a closed organization.
 */
export const listPlannable = all((param: Params<{ limit: number }>) =>
  acrossOrganizations
    .selectFrom("outbox")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "outbox.orgId").onRef("class.id", "=", "outbox.stockClassId"),
    )
    .selectAll("outbox")
    .where("outbox.state", "=", "QUEUED")
    .where(isOfOpen("outbox.orgId"))
    .where((where) =>
      where.or([where("outbox.kind", "=", "tokenize-class"), where("class.tokenizationStatus", "=", "DEPLOYED")]),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("long_writes as write")
            .select("write.seq")
            .whereRef("write.orgId", "=", "outbox.orgId")
            .where("write.kind", "=", "expect-tokens")
            .whereRef("write.subject", "=", "outbox.stockClassId"),
        ),
      ),
    )
    .orderBy("outbox.seq")
    .limit(param("limit")),
);

/** Whether a user requested an immediate retry of jobs that wait after a failure. */
export const hasRetryRequest = exists(() =>
  acrossOrganizations
    .selectFrom("outbox")
    .select("id")
    .where("state", "in", ["QUEUED", "RUNNING"])
    .where("attempts", ">", 0)
    .where("error", "is not", null)
    .where("nextAttemptAtMs", "=", 0)
    .limit(1),
);

const calm = statement(() =>
  build
    .updateTable("outbox")
    .set({ nextAttemptAtMs: 1 })
    .where("state", "in", ["QUEUED", "RUNNING"])
    .where("attempts", ">", 0)
    .where("nextAttemptAtMs", "=", 0),
);

/** Clears the request that {@link hasRetryRequest} reported, since the retry starts. */
export function clearRetryRequests(tx: Tx): void {
  calm.run(tx, {});
}

/** Changes some columns of a job. */
export function changeJob(
  tx: Tx,
  job: Pick<Job, "orgId" | "id">,
  changes: Partial<Pick<Job, "state" | "payload" | "error" | "attempts" | "nextAttemptAtMs">>,
): void {
  updateRow(tx, "outbox", job.orgId, job.id, changes);
}

/** Plans again, or drops, a class's failed jobs without a failed operation. */
export const reviseFailedJobs = run((param: Params<{ orgId: string; stockClassId: string; state: Job["state"] }>) =>
  build
    .updateTable("outbox")
    .set({ state: param("state"), error: null })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "FAILED")
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("chain_operations as operation")
            .select("operation.seq")
            .whereRef("operation.jobId", "=", "outbox.id")
            .where("operation.state", "=", "FAILED"),
        ),
      ),
    ),
);

/** Drops a class's unfinished jobs. */
export const dropJobs = run((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .updateTable("outbox")
    .set({ state: "DROPPED", error: null })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"]),
);

/** A job of any organization, or null. */
export const findJob = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("outbox").selectAll().where("id", "=", param("id")),
);

/** A job as the command line lists it. */
export type ListedJob = Job & { readonly className: string };

const listing = variants((param: Params<{ limit: number }>, isAll: boolean) => {
  const query = acrossOrganizations
    .selectFrom("outbox")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "outbox.orgId").onRef("class.id", "=", "outbox.stockClassId"),
    )
    .selectAll("outbox")
    .select("class.name as className")
    .orderBy("outbox.seq", "desc")
    .limit(param("limit"));
  return isAll ? query : query.where("outbox.state", "in", ["QUEUED", "RUNNING", "FAILED"]);
});

/** The newest jobs of every organization: those under way and failed ones, or with `isAll` all of them. */
export function listJobs(db: Reader, isAll: boolean, limit: number): ListedJob[] {
  return listing(isAll).all(db, { limit });
}

const countByState = statement(() =>
  acrossOrganizations
    .selectFrom("outbox")
    .select(["state", sql<number>`count(*)`.as("count")])
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"])
    .groupBy("state"),
);

/** The number of jobs in each unfinished state, in all organizations. */
export function countJobs(db: Reader): { readonly queued: number; readonly running: number; readonly failed: number } {
  const counts = Object.fromEntries(countByState.all(db, {}).map(({ state, count }) => [state, count]));
  return { queued: counts.QUEUED ?? 0, running: counts.RUNNING ?? 0, failed: counts.FAILED ?? 0 };
}

const ofClass = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("outbox", param)
    .select([sql<number>`count(*)`.as("count"), sql<string | null>`max("error")`.as("error")])
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "QUEUED"),
);

/** The number of a class's unplanned jobs. */
export function countUnplanned(db: Reader, orgId: string, stockClassId: string): number {
  return ofClass.first(db, { orgId, stockClassId })?.count ?? 0;
}

/** The newest failure of the class's unfinished jobs, or null. */
export const findTrouble = value((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("outbox", param)
    .select("error")
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"])
    .where("error", "is not", null)
    .orderBy("seq", "desc")
    .limit(1),
);
