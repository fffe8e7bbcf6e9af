// The outbox as the background work sees it: rows are jobs. A job is QUEUED until it is planned, RUNNING while its
// operations are on their way, then DONE or FAILED; DROPPED when there is nothing that it could do.
import { sql } from "kysely";
import { build, type Params, type Reader, type Row, statement, type Tx, updateRow, variants } from "../database/sql.ts";

/** A job: a row of the outbox. */
export type Job = Row<"outbox">;

const plannable = statement((param: Params<{ limit: number }>) =>
  build
    .selectFrom("outbox")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "outbox.orgId").onRef("class.id", "=", "outbox.stockClassId"),
    )
    .selectAll("outbox")
    .where("outbox.state", "=", "QUEUED")
    .where((where) =>
      where.or([where("outbox.kind", "=", "tokenize-class"), where("class.tokenizationStatus", "=", "DEPLOYED")]),
    )
    .orderBy("outbox.seq")
    .limit(param("limit")),
);

/** The oldest jobs that can be planned now: those of classes without a token wait, except the one that makes it. */
export function listPlannable(db: Reader, limit: number): Job[] {
  return plannable.all(db, { limit });
}

const hurried = statement((_param: Params<object>) =>
  build
    .selectFrom("outbox")
    .select("id")
    .where("state", "in", ["QUEUED", "RUNNING"])
    .where("attempts", ">", 0)
    .where("error", "is not", null)
    .where("nextAttemptAtMs", "=", 0)
    .limit(1),
);

/** Whether somebody asked to take up at once what waits after trouble. */
export function isHurried(db: Reader): boolean {
  return hurried.first(db, {}) !== null;
}

const calm = statement((_param: Params<object>) =>
  build
    .updateTable("outbox")
    .set({ nextAttemptAtMs: 1 })
    .where("state", "in", ["QUEUED", "RUNNING"])
    .where("attempts", ">", 0)
    .where("nextAttemptAtMs", "=", 0),
);

/** Notes that what {@link isHurried} told of is being taken up. */
export function calmJobs(tx: Tx): void {
  calm.run(tx, {});
}

/** Changes some of a job. */
export function changeJob(
  tx: Tx,
  job: Pick<Job, "orgId" | "id">,
  changes: Partial<Pick<Job, "state" | "payload" | "error" | "attempts" | "nextAttemptAtMs">>,
): void {
  updateRow(tx, "outbox", job.orgId, job.id, changes);
}

const revise = statement((param: Params<{ orgId: string; stockClassId: string; state: Job["state"] }>) =>
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

/** Plans again, or drops, a class's failed jobs that have no failed operation. */
export function reviseFailedJobs(tx: Tx, orgId: string, stockClassId: string, state: "QUEUED" | "DROPPED"): void {
  revise.run(tx, { orgId, stockClassId, state });
}

const drop = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .updateTable("outbox")
    .set({ state: "DROPPED", error: null })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"]),
);

/** Drops a class's jobs that are not done. */
export function dropJobs(tx: Tx, orgId: string, stockClassId: string): void {
  drop.run(tx, { orgId, stockClassId });
}

const byId = statement((param: Params<{ id: string }>) =>
  build.selectFrom("outbox").selectAll().where("id", "=", param("id")),
);

/** A job of any organization, or null. */
export function findJob(db: Reader, id: string): Job | null {
  return byId.first(db, { id });
}

/** A job as the command line lists it. */
export type ListedJob = Job & { readonly className: string };

const listing = variants((param: Params<{ limit: number }>, isAll: boolean) => {
  const query = build
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

/** The newest jobs of every organization: those under way and failed ones, or with `isAll` every one. */
export function listJobs(db: Reader, isAll: boolean, limit: number): ListedJob[] {
  return listing(isAll).all(db, { limit });
}

const countByState = statement((_param: Params<object>) =>
  build
    .selectFrom("outbox")
    .select(["state", sql<number>`count(*)`.as("count")])
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"])
    .groupBy("state"),
);

/** How many jobs there are in each unfinished state, in all organizations. */
export function countJobs(db: Reader): { readonly queued: number; readonly running: number; readonly failed: number } {
  const counts = Object.fromEntries(countByState.all(db, {}).map(({ state, count }) => [state, count]));
  return { queued: counts.QUEUED ?? 0, running: counts.RUNNING ?? 0, failed: counts.FAILED ?? 0 };
}

const ofClass = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("outbox")
    .select([sql<number>`count(*)`.as("count"), sql<string | null>`max("error")`.as("error")])
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "=", "QUEUED"),
);

/** How many jobs of a class are not planned yet. */
export function countUnplanned(db: Reader, orgId: string, stockClassId: string): number {
  return ofClass.first(db, { orgId, stockClassId })?.count ?? 0;
}

const trouble = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("outbox")
    .select("error")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("state", "in", ["QUEUED", "RUNNING", "FAILED"])
    .where("error", "is not", null)
    .orderBy("seq", "desc")
    .limit(1),
);

/** The newest trouble of the class's unfinished jobs, or null. */
export function findTrouble(db: Reader, orgId: string, stockClassId: string): string | null {
  return trouble.first(db, { orgId, stockClassId })?.error ?? null;
}
