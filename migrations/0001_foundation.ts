// The foundation: the whole schema of version 1.0. Tables are named as the API's resources, columns as its fields, so that a
// row needs no translation and a person with a SQLite browser finds what the API shows. Decimals are TEXT exactly as sent;
// `json` columns hold JSON text; booleans are 0 or 1. Rows of an organization are reached through (orgId, id), so foreign
// keys are composite: a reference across organizations cannot even be stored.
//
// Until 1.0.0 is tagged this migration is edited in place; later releases add migrations and leave it as it is.
import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { CHECKPOINTS } from "./foundation/checkpoints.ts";
import { IMPORTS } from "./foundation/imports.ts";
import { LEDGER } from "./foundation/ledger.ts";
import { PEOPLE } from "./foundation/people.ts";
import { RECORDS } from "./foundation/records.ts";
import { STORAGE } from "./foundation/storage.ts";
import { TOKENS } from "./foundation/tokens.ts";
import { WEBHOOKS } from "./foundation/webhooks.ts";

/** Every statement of the schema, in order. */
export const STATEMENTS: readonly string[] = [
  ...RECORDS,
  ...LEDGER,
  ...TOKENS,
  ...PEOPLE,
  ...IMPORTS,
  ...CHECKPOINTS,
  ...WEBHOOKS,
  ...STORAGE,
];

/** The mark of a schema: the first 31 bits of the SHA-256 of its statements, one a line. */
export function markOf(statements: readonly string[]): number {
  return createHash("sha256").update(statements.join("\n")).digest().readUInt32BE(0) >>> 1;
}

/**
 * This schema's mark. Every file with the schema holds it as its `PRAGMA user_version`; a file with another one is of
 * another foundation. An edit of a statement changes it by itself.
 */
export const FOUNDATION = markOf(STATEMENTS);

/** Creates every table, index and trigger, and marks the file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql.raw(`PRAGMA user_version = ${FOUNDATION}`).execute(db);
}
