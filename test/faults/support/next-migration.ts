// Loaded before the program, makes it the next version: it has one migration more, which exists in tests alone.
import { sql } from "kysely";
import { migrations } from "../../../migrations/index.ts";

Object.assign(migrations, {
  "0002_next": {
    up: async (db: Parameters<(typeof migrations)[string]["up"]>[0]) => {
      await sql`ALTER TABLE organizations ADD COLUMN motto TEXT NOT NULL DEFAULT 'Onward'`.execute(db);
      await sql`CREATE TABLE mottos (id TEXT PRIMARY KEY) STRICT`.execute(db);
    },
  },
});
