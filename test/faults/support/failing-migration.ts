// Loaded before the program, makes it a next version whose migration changes a table and then fails.
import { sql } from "kysely";
import { migrations } from "../../../migrations/index.ts";

Object.assign(migrations, {
  "0002_failing": {
    up: async (db: Parameters<(typeof migrations)[string]["up"]>[0]) => {
      await sql`ALTER TABLE organizations ADD COLUMN motto TEXT`.execute(db);
      throw new Error("the migration failed");
    },
  },
});
