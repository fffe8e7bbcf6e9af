// Reference checks of bodies: an unknown id is a `404`, whether or not another organization has it.
import type { TObject } from "@sinclair/typebox";
import type { RecordTable } from "../storage/database/log/logged-tables.ts";
import { requireRecord } from "../storage/database/records.ts";
import type { Reader } from "../storage/database/sql.ts";
import { referenceOf } from "../storage/records/reference.ts";

/** Throws `404 not-found` unless `id` names a record of the organization; null and undefined refer to nothing. */
export function requireReference(db: Reader, table: RecordTable, orgId: string, id: string | null | undefined): void {
  if (id !== null && id !== undefined) requireRecord(db, table, orgId, id);
}

/** The same for all references of a body, in the order of its schema. */
export function requireReferences(
  db: Reader,
  orgId: string,
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [name, member] of Object.entries(schema.properties)) {
    const table = referenceOf(member);
    if (table === null) continue;
    for (const id of [given[name] ?? []].flat()) requireReference(db, table, orgId, String(id));
  }
}
