// Whether there is anything to do in the background at all.
import { acrossOrganizations, exists, type Reader } from "../../storage/database/sql.ts";
import { findTokenInUse } from "./switch.ts";

const hasJob = exists(() =>
  acrossOrganizations.selectFrom("outbox").select("id").where("state", "in", ["QUEUED", "RUNNING"]).limit(1),
);

/** Whether a class has a token, which is to be kept in step with the ledger, or something waits to be taken up. */
export function hasWork(db: Reader): boolean {
  return findTokenInUse(db) !== null || hasJob(db);
}
