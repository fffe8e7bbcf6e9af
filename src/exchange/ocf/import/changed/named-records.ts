// Looks up the records that objects name, and the documents that belong to objects.

import { findNamedHolder } from "../../../../ledger/store.ts";
import { NOUNS, type RecordTable } from "../../../../storage/database/log/logged-tables.ts";
import { hasRecord } from "../../../../storage/database/records.ts";
import { pointerTo, shown } from "../../finding.ts";
import type { ImportContext } from "../context.ts";
import type { Step } from "../plan.ts";

/** The document that says it belongs to the object, where it came in. `canonicalType` is today's name of the type. */
export function sourceDocumentOf({ tx, call, plan }: ImportContext, canonicalType: string, id: string): string | null {
  const documentId = plan.documents.get(`${canonicalType} ${id}`);
  return documentId !== undefined && hasRecord(tx, "documents", call.orgId, documentId) ? documentId : null;
}

/** Where an object names a record: the table, and the way to OCF's member, which is written alone where it is one step. */
export interface Named<T extends RecordTable = RecordTable> {
  readonly table: T;
  readonly path: string | readonly (string | number)[];
}

/** The id if it names a record of the organization; else null, with a warning. */
export function resolve(context: ImportContext, step: Step, { table, path }: Named, id: string | null): string | null {
  if (id === null || exists(context, table, id)) return id;
  const steps = typeof path === "string" ? [path] : path;
  const detail = `${steps.at(-1)} names ${shown(id)}, and there is no ${NOUNS[table]} with that id.`;
  const fix = "The object came in without it, and its original is kept. Add what is missing, or correct the id.";
  context.report.warn("dangling-reference", { ...step, pointer: pointerTo(...steps) }, detail, fix);
  return null;
}

/** The named members by which transactions name records. */
export const NAMED = {
  holder: { table: "stakeholders", path: "stakeholder_id" },
  stockClass: { table: "share_classes", path: "stock_class_id" },
  plan: { table: "equity_plans", path: "stock_plan_id" },
  terms: { table: "vesting_terms", path: "vesting_terms_id" },
  security: { table: "securities", path: "security_id" },
  legends: { table: "stock_legends", path: "stock_legend_ids" },
} as const satisfies Readonly<Record<string, Named>>;

/** Whether the organization has a record with this id. */
export function exists(
  { tx, call, known }: Pick<ImportContext, "tx" | "call" | "known">,
  table: RecordTable,
  id: string,
): boolean {
  if (table === "stakeholders") return isHolder({ tx, call, known }, id);
  // Each is named by few objects.
  if (table === "securities") return hasRecord(tx, table, call.orgId, id);
  const key = `${table} ${id}`;
  if (known.seen.has(key)) return true;
  const isThere = hasRecord(tx, table, call.orgId, id);
  if (isThere) known.seen.add(key);
  return isThere;
}

/** The same of a stakeholder, of whom warnings need more. */
function isHolder({ tx, call, known }: Pick<ImportContext, "tx" | "call" | "known">, id: string): boolean {
  if (known.holders.has(id)) return true;
  const holder = findNamedHolder(tx, { orgId: call.orgId, id });
  if (holder) known.holders.set(id, holder);
  return holder !== null;
}
