// The check for background work.
import { acrossOrganizations, exists, type Reader } from "../../storage/database/sql.ts";
import { findTokenInUse } from "./switch.ts";

const hasJob = exists(() =>
  acrossOrganizations.selectFrom("outbox").select("id").where("state", "in", ["QUEUED", "RUNNING"]).limit(1),
);

/** Whether a class has a token, which must be kept in step with the ledger, or the outbox has a waiting row. */
export function hasWork(db: Reader): boolean {
  return findTokenInUse(db) !== null || hasJob(db);
}
