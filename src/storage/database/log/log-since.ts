// What the log tells of records that were made or changed behind one of its rows.
import { ofOrganization, type Params, type Reader, statement } from "../sql.ts";

/** A record that was made, or of which columns were changed. */
export interface ChangedRecord {
  readonly resourceType: string;
  readonly isNew: boolean;
  /** Those that changed. */
  readonly columns: readonly string[];
}

const rows = statement((param: Params<{ orgId: string; after: number; limit: number }>) =>
  ofOrganization("audit_log", param)
    .select(["resourceType", "before"])
    .where("sequence", ">", param("after"))
    .orderBy("sequence")
    .limit(param("limit")),
);

/** The changes behind the row `after`, oldest first. */
export function listChangedSince(
  db: Reader,
  of: { readonly orgId: string; readonly after: number; readonly limit: number },
): ChangedRecord[] {
  return rows.all(db, of).map(({ resourceType, before }) => {
    return { resourceType, isNew: before === null, columns: Object.keys(JSON.parse(before ?? "{}")) };
  });
}
