// What a body may refer to besides its own record: an id that names nothing is a `404`, whoever it belongs to.
import type { RecordTable } from "../database/logged-tables.ts";
import { requireRecord } from "../database/records.ts";
import type { Reader } from "../database/sql.ts";

/** Throws `404 not-found` unless `id` names a record of the organization; null and undefined refer to nothing. */
export function requireReference(db: Reader, table: RecordTable, orgId: string, id: string | null | undefined): void {
  if (id !== null && id !== undefined) requireRecord(db, table, orgId, id);
}
