// The migration of the next version, which exists in tests alone.
import { sql } from "kysely";
import type { migrations } from "../../../migrations/index.ts";

export const NEXT: typeof migrations = {
  "0002_next": {
    up: async (db) => {
      await sql`ALTER TABLE organizations ADD COLUMN motto TEXT NOT NULL DEFAULT 'Onward'`.execute(db);
      await sql`CREATE TABLE mottos (id TEXT PRIMARY KEY) STRICT`.execute(db);
    },
  },
};
