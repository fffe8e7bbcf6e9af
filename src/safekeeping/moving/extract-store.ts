// Store of the extract of one organization: copies its rows from an attached database into a new one, whose tables are
// named by lists and columns by the schema. Row numbers stay as they are, so that columns that name one hold.
import { assert } from "../../kernel/assert.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { MovedManifest } from "./moved-manifest.ts";
import { MOVED_TABLES, type MovedTable, NAMING_TABLES, organizationColumn } from "./moved-tables.ts";

/** An account that moved rows name. */
export interface NamedAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

type MovedPerson = MovedManifest["people"][number];
type LeftToken = MovedManifest["tokensLeftBehind"][number];

/** How many rows went along, by table. */
export type MovedCounts = Readonly<Record<MovedTable, number>>;

/** Rows pass through once: the memory for pages that are read again is for others. */
const CACHES = [
  ["main", 8192],
  ["source", 2048],
] as const;

/** Copies every row of the organization from the database `source` into the new `db`. Nothing else may write to it. */
export function copyRows({ sqlite }: Reader, source: string, orgId: string): MovedCounts {
  // The rows come in an order in which some name others that follow; all are checked at the end.
  sqlite.pragma("foreign_keys = OFF");
  sqlite.prepare("ATTACH ? AS source").run(source);
  for (const [database, kibibytes] of CACHES) sqlite.pragma(`${database}.cache_size = -${kibibytes}`);
  try {
    return sqlite.transaction(() => {
      const putBack = takeTriggers(sqlite);
      const counts = MOVED_TABLES.map((table) => [table, copyTable(sqlite, table, orgId)]);
      putBack();
      return Object.fromEntries(counts) as MovedCounts;
    })();
  } finally {
    sqlite.exec("DETACH source");
    sqlite.pragma("foreign_keys = ON");
  }
}

/**
 * Takes all triggers away, and returns what puts them back: sums of what is copied are copied, too, and SQLite keeps
 * 900 bytes for each row of a statement that sets one off.
 */
function takeTriggers(sqlite: Reader["sqlite"]): () => void {
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER main."${name}"`);
  return () => {
    for (const { sql } of triggers) sqlite.exec(sql);
  };
}

function copyTable(sqlite: Reader["sqlite"], table: MovedTable, orgId: string): number {
  const columns = sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  assert(columns.length > 0, `the schema has no table ${table}`);
  const names = columns.map((name) => `"${name}"`).join(", ");
  const mine = `"${organizationColumn(table)}" = ?`;
  return sqlite
    .prepare(`INSERT INTO main."${table}" (${names}) SELECT ${names} FROM source."${table}" WHERE ${mine}`)
    .run(orgId).changes;
}

/** The accounts that rows of the organization name, in the order of their making. */
export function listNamedAccounts({ sqlite }: Reader, orgId: string): readonly NamedAccount[] {
  const named = NAMING_TABLES.map((table) => `SELECT "accountId" FROM "${table}" WHERE "orgId" = @orgId`);
  return sqlite
    .prepare<{ orgId: string }, NamedAccount>(
      `SELECT id, name, "createdAt" FROM accounts WHERE id IN (${named.join(" UNION ")}) ORDER BY seq`,
    )
    .all({ orgId });
}

/** The organization's members, in the order in which they became members. */
export function listMovedPeople({ sqlite }: Reader, orgId: string): MovedPerson[] {
  return sqlite
    .prepare<[string], Omit<MovedPerson, "stakeholderIds"> & { readonly stakeholderIds: string }>(
      `SELECT "accountId", name, email, role, "stakeholderIds" FROM memberships
        JOIN accounts ON accounts.id = "accountId" WHERE "orgId" = ? AND "removedAt" IS NULL ORDER BY memberships.seq`,
    )
    .all(orgId)
    .map((row) => ({ ...row, stakeholderIds: JSON.parse(row.stakeholderIds) as string[] }));
}

/** The tokens of the organization's classes. */
export function listLeftTokens({ sqlite }: Reader, orgId: string): LeftToken[] {
  return sqlite
    .prepare<[string], LeftToken>(
      `SELECT id AS "stockClassId", name AS "className", "tokenAddress" FROM share_classes
        WHERE "orgId" = ? AND "tokenAddress" IS NOT NULL ORDER BY seq`,
    )
    .all(orgId);
}

/** Leaves the file without a write-ahead log beside it, as a copy has none. */
export function finishFile({ sqlite }: Reader): void {
  sqlite.pragma("journal_mode = DELETE");
}
