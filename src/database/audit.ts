// The audit log: who changed what, in the commit that changed it. Append-only by trigger.
import type { Call } from "../kernel/call.ts";
import { insertRow, type Tx } from "./sql.ts";

/** The members of a record that a write concerns; null where the record was not there before, or is not after. */
export type Snapshot = Readonly<Record<string, unknown>> | null;

/** Appends one audit row. `before` and `after` hold the changed fields only; never a key or any other secret. */
export function appendAudit(
  tx: Tx,
  call: Call,
  resourceType: string,
  resourceId: string | null,
  before: Snapshot,
  after: Snapshot,
): void {
  insertRow(tx, "audit_log", {
    orgId: call.orgId,
    id: call.newId(),
    at: call.at,
    actor: call.actor,
    apiKeyId: call.apiKeyId,
    requestId: call.requestId,
    method: call.method,
    path: call.path,
    resourceType,
    resourceId,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  });
}

/** The members in which two versions of a record differ, as the pair that {@link appendAudit} takes. */
export function changedMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { readonly before: Record<string, unknown>; readonly after: Record<string, unknown> } {
  const changed = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> };
  for (const name of Object.keys(after)) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    changed.before[name] = before[name] ?? null;
    changed.after[name] = after[name];
  }
  return changed;
}
