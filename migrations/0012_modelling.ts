// What models need to know of preferred stock (MODELLING section 2), and the scenarios that people keep (section 8).
// Every class that is here gets the defaults, which the log need not tell.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [
  "ALTER TABLE share_classes ADD COLUMN conversionRights TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE share_classes ADD COLUMN antiDilution TEXT NOT NULL DEFAULT 'NONE'",
  "ALTER TABLE share_classes ADD COLUMN participationCapBasis TEXT NOT NULL DEFAULT 'BEYOND_PREFERENCE'",
  "ALTER TABLE share_classes ADD COLUMN dividendType TEXT NOT NULL DEFAULT 'NONE'",
  "ALTER TABLE share_classes ADD COLUMN dividendRatePercent TEXT",
  "ALTER TABLE share_classes ADD COLUMN dividendCompounding TEXT",
  `CREATE TABLE scenarios (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT,
    name TEXT NOT NULL,
    description TEXT,
    model TEXT NOT NULL CHECK (model IN ('CAP_TABLE', 'ROUND', 'WATERFALL')),
    input TEXT NOT NULL,
    UNIQUE (orgId, id)
  ) STRICT`,
  "CREATE INDEX scenarios_org ON scenarios (orgId)",
];

/** Adds the columns and the table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
