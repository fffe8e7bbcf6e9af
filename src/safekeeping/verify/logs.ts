// Verifies the logs of organizations, and the stored rows against them.
import type { Reader } from "../../storage/database/sql.ts";
import { type Checked, checked } from "./checked.ts";
import { type LogEnd, walkLog } from "./log.ts";
import { iterateLog, storedRecords } from "./log-store.ts";
import type { Difference, Tell } from "./report.ts";

/** Verifies the logs of organizations, each by itself, in their order. */
export function checkLogs(db: Reader, orgIds: readonly string[]): Checked<LogEnd>[] {
  return orgIds.map((orgId) => checked(orgId, ({ differences }) => verifyLog(db, orgId, differences)));
}

/** Verifies an organization's log, and the stored rows against it. */
export function verifyLog(db: Reader, orgId: string, differences: Difference[]): LogEnd {
  const tell: Tell = (difference) => differences.push({ ...difference, orgId });
  return walkLog(iterateLog(db, orgId), storedRecords(db, orgId), () => iterateLog(db, orgId), tell);
}
