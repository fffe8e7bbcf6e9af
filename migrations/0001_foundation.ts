// The foundation: the whole schema of version 1.0. Tables are named as the API's resources, columns as its fields, so that a
// row needs no translation and a person with a SQLite browser finds what the API shows. Decimals are TEXT exactly as sent;
// `json` columns hold JSON text; booleans are 0 or 1. Every tenant's row is reached through (orgId, id), so foreign keys
// are composite: a reference across organizations cannot even be stored.
//
// Until 1.0.0 is tagged this migration is edited in place; later releases add migrations and leave it as it is.
import { type Kysely, sql } from "kysely";
import { IMPORTS } from "./foundation/imports.ts";
import { LEDGER } from "./foundation/ledger.ts";
import { PEOPLE } from "./foundation/people.ts";
import { RECORDS } from "./foundation/records.ts";
import { STORAGE } from "./foundation/storage.ts";
import { TOKENS } from "./foundation/tokens.ts";

/** Every statement of the schema, in order. */
export const STATEMENTS: readonly string[] = [...RECORDS, ...LEDGER, ...TOKENS, ...PEOPLE, ...IMPORTS, ...STORAGE];

/**
 * The first 31 bits of the SHA-256 of the statements, one a line: every file with this schema holds the number as its
 * `PRAGMA user_version`, and a file with another one is of another foundation.
 * `test/migrations/foundation.system.test.ts` recomputes it and names the new one after an edit.
 */
export const FOUNDATION = 904413722;

/** Creates every table, index and trigger, and marks the file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql.raw(`PRAGMA user_version = ${FOUNDATION}`).execute(db);
}
