// Changes since a place in the log: the records created or changed after one of its rows.
import { ofOrganization, type Params, type Reader, statement } from "../sql.ts";

/** A created or changed record. */
export interface ChangedRecord {
  readonly resourceType: string;
  readonly isNew: boolean;
  /** The changed columns. */
  readonly columns: readonly string[];
}

const rows = statement((param: Params<{ orgId: string; after: number; limit: number }>) =>
  ofOrganization("audit_log", param)
    .select(["resourceType", "before"])
    .where("sequence", ">", param("after"))
    .orderBy("sequence")
    .limit(param("limit")),
);

/** The changes after the row `after`, oldest first. */
export function listChangedSince(
  db: Reader,
  of: { readonly orgId: string; readonly after: number; readonly limit: number },
): ChangedRecord[] {
  return rows.all(db, of).map(({ resourceType, before }) => {
    return { resourceType, isNew: before === null, columns: Object.keys(JSON.parse(before ?? "{}")) };
  });
}
