// Closes an organization, so that nothing is written in it any more, and opens it again.
import type { Call } from "../../kernel/call.ts";
import { updateOrganization } from "../../resources/organization/store.ts";
import { isClosed } from "../../storage/database/closed.ts";
import { isPackageImported } from "../../storage/database/package-imports.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { DEPLOYMENT_MS_MAX } from "../../tokens/jobs/token-store.ts";
import { hasImport, hasLongWrite, hasSentOperation, postponeDeadlines } from "./closing-store.ts";

/** What of an organization is under way, in words: it is closed when nothing is. */
export function listUnderWay(db: Reader, orgId: string, at: string): readonly string[] {
  return [
    ...(hasLongWrite(db, { orgId }) ? ["a change of many records"] : []),
    ...(hasImport(db, { orgId }) ? ["an import of a spreadsheet"] : []),
    ...(isPackageImported(db, orgId, at) ? ["an import of a package"] : []),
    ...(hasSentOperation(db, { orgId }) ? ["a transaction on the chain"] : []),
  ];
}

/**
 * Closes the call's organization; returns what is under way instead where it has to wait, and null where it is closed
 * already. One transaction: a write beside it comes before it, or is refused.
 */
export function closeOrganization(tx: Tx, call: Call): readonly string[] | null {
  if (isClosed(tx, call)) return null;
  const underWay = listUnderWay(tx, call.orgId, call.at);
  if (underWay.length > 0) return underWay;
  updateOrganization(tx, { ...call, evenClosed: true }, { state: "CLOSED", updatedAt: call.at });
  return [];
}

/** Opens the call's organization again; false where it is open. Its jobs and endpoints go on where they were. */
export function reopenOrganization(tx: Tx, call: Call): boolean {
  if (!isClosed(tx, call)) return false;
  updateOrganization(tx, { ...call, evenClosed: true }, { state: "OPEN", updatedAt: call.at });
  postponeDeadlines(tx, { orgId: call.orgId, deadlineMs: Date.parse(call.at) + DEPLOYMENT_MS_MAX });
  return true;
}
