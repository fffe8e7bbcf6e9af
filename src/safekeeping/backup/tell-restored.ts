// Records a restore in the log of each organization of an unpacked backup: readers of events whose place is behind what
// the backup holds go back to there.
import { commandLineCall } from "../../kernel/call.ts";
import { systemRuntime } from "../../kernel/runtime.ts";
import { findHead } from "../../ledger/store.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { findLogHead, tellOf } from "../../storage/database/log/audit.ts";
import { writeUnpacked } from "./unpacked.ts";

/** Records it in the folder's database: the sizes of ledger and log that the backup, made at `backupAt`, has. */
export function tellRestored(folder: string, backupAt: string): Promise<void> {
  return writeUnpacked(folder, (tx) => {
    for (const { id: orgId } of listOrganizations(tx)) {
      const call = { ...commandLineCall(systemRuntime, orgId), method: "restored", evenClosed: true } as const;
      const ledger = findHead(tx, orgId).sequence;
      const log = findLogHead(tx, orgId).sequence;
      tellOf(tx, call, "log", null, { backupAt, ledger, log });
    }
  });
}
