// What a body may refer to besides its own record: an id that names nothing is a `404`, whoever it belongs to.
import { findRecord, NOUNS, type RecordTable } from "../database/records.ts";
import type { Reader } from "../database/sql.ts";
import { notFound } from "../kernel/problem.ts";

/** Throws `404 not-found` unless `id` names a record of the organization; null and undefined refer to nothing. */
export function requireReference(db: Reader, table: RecordTable, orgId: string, id: string | null | undefined): void {
  if (id !== null && id !== undefined && !findRecord(db, table, orgId, id)) throw notFound(NOUNS[table]);
}
