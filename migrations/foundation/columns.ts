// Column definitions that several tables share.

/** The columns of every record that the API serves. */
export const RECORD = `
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT`;

/** Whether a record was verified. */
export const VERIFICATION =
  "verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED'))";

/** A foreign key to a record of the same organization. */
export function reference(column: string, table: string): string {
  return `FOREIGN KEY (orgId, ${column}) REFERENCES ${table} (orgId, id)`;
}

/** Triggers that refuse every change and removal of a table's rows. */
export function appendOnly(table: string): string[] {
  return ["UPDATE", "DELETE"].map(
    (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
  );
}
