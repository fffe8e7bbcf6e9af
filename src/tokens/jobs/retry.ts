// Job retry from the command line.

import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { listFailedOfJob } from "./operation-store.ts";
import { requeueOperation, retokenize } from "./retokenize.ts";
import { changeJob, type Job } from "./store.ts";
import { refuseChainOff } from "./switch.ts";

/**
 * Retries a failed job's operations (a failed tokenization starts again as another job), or starts a job at once that
 * waits after a failure. Throws `409 invalid-state` for a finished job, and if the chain is off.
 */
export function retryJob(tx: Tx, call: Call, job: Job): void {
  refuseChainOff(tx);
  const stockClass = present(findAny(tx, "share_classes", job.orgId, job.stockClassId), "the job's class");
  if (job.state === "QUEUED" || job.state === "RUNNING") {
    changeJob(tx, job, { nextAttemptAtMs: 0 });
    return;
  }
  if (job.state !== "FAILED") throw problem("invalid-state", `The job is ${job.state}: there is nothing to retry.`);
  const failed = listFailedOfJob(tx, { jobId: job.id });
  if (stockClass.tokenizationStatus === "FAILED") {
    retokenize(tx, call, stockClass);
    changeJob(tx, job, { state: "DONE" });
    return;
  }
  for (const operation of failed) requeueOperation(tx, call, operation);
  if (failed.length === 0) changeJob(tx, job, { state: "QUEUED", error: null });
}
