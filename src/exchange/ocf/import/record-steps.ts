// Imports the objects that are not transactions: a row each, its audit entry, and their counts.

import { addToStakeholderCount } from "../../../resources/stakeholders/store.ts";
import { insertLoggedColumns } from "../../../storage/database/log/logged.ts";
import type { Columns } from "../../../storage/database/sql.ts";
import type { Reference } from "../codec/record-codec.ts";
import { codecOf } from "../codec/registry.ts";
import { mappedColumns } from "../codec/values.ts";
import { resolve, sourceDocumentOf } from "./changed/named-records.ts";
import { type ImportContext, type Imported, originalOnly } from "./context.ts";
import { returnLate } from "./late/late-returns.ts";
import { fillPlaceholder, findPlaceholder } from "./late/placeholders.ts";
import type { Step } from "./plan.ts";

/** Imports an object that is not a transaction; of a type without a record (financings) the original is kept. */
export function importRecord(context: ImportContext, step: Step): Imported {
  const codec = codecOf(step.objectType);
  if (!codec) return originalOnly("other");
  const { tx, call, plan, currency } = context;
  const { table, counted, references } = codec;
  const mapped: readonly string[] = codec.columns;
  const columns = codec.fromOcf(step.value, { seniority: plan.seniority.get(step.id) ?? 1, currency });
  if (table === "stakeholders") addToStakeholderCount(tx, call.orgId, 1);
  const row: Columns = {
    ...columns,
    ...Object.fromEntries(references.map((each) => [each.column, namedBy(context, step, each, columns[each.column])])),
    ...(mapped.includes("sourceDocumentId")
      ? { sourceDocumentId: sourceDocumentOf(context, step.objectType, step.id) }
      : {}),
    orgId: call.orgId,
    id: step.id,
    createdAt: call.at,
    updatedAt: call.at,
  };
  const placeholder = findPlaceholder(context, table, step.id);
  if (placeholder) fillPlaceholder(context, placeholder, row);
  else insertLoggedColumns(tx, call, table, row);
  if (placeholder && table === "equity_plans" && row.defaultCancellationBehavior === "RETURN_TO_POOL")
    returnLate(context, step.id);
  return { counted, recordId: step.id, mapped: mappedColumns(row, mapped) };
}

/** What of a column names records of the organization: an id, or a JSON list of ids. */
function namedBy(context: ImportContext, step: Step, { table, member }: Reference, named: unknown): string | null {
  if (typeof named !== "string") return null;
  const isThere = (id: string) => resolve(context, step, { table, path: member }, id) !== null;
  if (!member.endsWith("_ids")) return isThere(named) ? named : null;
  const ids: string[] = JSON.parse(named);
  return JSON.stringify(ids.filter(isThere));
}
