// Migrations: bring a database file to this program's schema, forward only, and refuse a newer one.
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { type MigrationInfo, Migrator } from "kysely/migration";
import { FOUNDATION } from "../../../migrations/0001_foundation.ts";
import { migrations } from "../../../migrations/index.ts";
import { present } from "../../kernel/assert.ts";
import { isOfLitestream } from "./litestream.ts";
import type { Reader } from "./sql.ts";

/** A migration and when it was applied (null: not yet). */
export interface MigrationState {
  readonly name: string;
  readonly appliedAt: string | null;
}

/** The database holds migrations that this program does not know: it was written by a newer version. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

/** Another program's database: it has tables, and no migration of ours. */
export class ForeignDatabaseError extends Error {
  override readonly name = "ForeignDatabaseError";
}

/** A build before 1.0 made the database: its foundation differs from this program's. */
export class EarlierBuildError extends Error {
  override readonly name = "EarlierBuildError";

  constructor() {
    super("This file was made by a build before 1.0. Export it with that build as OCF.");
  }
}

function migrator(db: Reader): Migrator {
  const kysely = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: db.sqlite }),
  });
  return new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
}

function appliedNames(db: Reader): string[] {
  if (!hasMigrations(db)) return [];
  return db.sqlite.prepare<[], string>("select name from kysely_migration order by name").pluck().all();
}

function hasMigrations(db: Reader): boolean {
  return db.sqlite.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get() !== undefined;
}

/**
 * Throws {@link EarlierBuildError} if the file's foundation differs from this program's. Reads only the file's mark and
 * the names in its schema.
 */
export function refuseEarlierBuild(db: Reader): void {
  if (db.sqlite.pragma("user_version", { simple: true }) !== FOUNDATION && hasMigrations(db))
    throw new EarlierBuildError();
}

/** Throws {@link ForeignDatabaseError} if another program made the file. Reads only. */
export function refuseForeignDatabase(db: Reader): void {
  const tables = schemaOf(db).flatMap(({ type, name }) => (type === "table" ? [name] : []));
  if (tables.length === 0 || tables.includes("kysely_migration")) return;
  throw new ForeignDatabaseError(
    `${db.sqlite.name} is a database of another program (it has the table ${tables[0]}) and was left as it is: use ` +
      "another --data-dir, or restore a backup made by captable into an empty one.",
  );
}

/** Throws {@link NewerSchemaError} if a newer program wrote the file. Reads only. */
export function refuseNewerSchema(db: Reader): void {
  const unknown = appliedNames(db).filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new NewerSchemaError(
      `the database has migrations that this program does not know (${unknown.join(", ")}): ` +
        "it was written by a newer version of captable. Install that version, or restore a backup made by this one.",
    );
  }
}

/** Whether no migration was ever applied, so that the file has nothing to lose. */
export function isNewDatabase(db: Reader): boolean {
  return appliedNames(db).length === 0;
}

/** Names the migrations that this program has and the database lacks. Reads only. */
export function pendingMigrations(db: Reader): string[] {
  const applied = new Set(appliedNames(db));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

/** Every migration with the time it was applied. */
export async function migrationStates(db: Reader): Promise<MigrationState[]> {
  const infos: readonly MigrationInfo[] = await migrator(db).getMigrations();
  return infos.map((info) => ({
    name: info.name,
    appliedAt: info.executedAt?.toISOString() ?? null,
  }));
}

/** Applies pending migrations and returns their names. Throws the first failure; a failed migration changes nothing. */
export async function migrateToLatest(db: Reader): Promise<string[]> {
  refuseNewerSchema(db);
  if (pendingMigrations(db).length === 0) return [];
  // Kysely treats SQLite's DDL as non-transactional; an interrupted start must not leave half a schema.
  db.sqlite.exec("BEGIN IMMEDIATE");
  try {
    const { error, results } = await migrator(db).migrateToLatest();
    if (error) throw error;
    db.sqlite.exec("COMMIT");
    return present(results, "migration results").map((result) => result.migrationName);
  } finally {
    // A full disk may have rolled it back already.
    if (db.sqlite.inTransaction) db.sqlite.exec("ROLLBACK");
  }
}

/** A table, index, trigger or view as a database defines it; an index that belongs to a table's own statement has no `sql`. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

/** Every object of a database's schema but Litestream's two tables, sorted by name. Reads nothing else. */
export function schemaOf({ sqlite }: Reader): SchemaObject[] {
  return sqlite
    .prepare<[], SchemaObject>("select type, name, tbl_name as 'table', sql from sqlite_schema order by type, name")
    .all()
    .filter((object) => !isOfLitestream(object));
}

/** The names of the applied migrations, in order; the caller knows that their table exists. */
export function appliedMigrations(db: Reader): string[] {
  return appliedNames(db);
}

/** The names of all migrations of this program, in order. */
export function knownMigrations(): string[] {
  return Object.keys(migrations);
}

/** The schema of a new database migrated up to `last`; null stands for all migrations. */
export async function newSchema(last: string | null): Promise<SchemaObject[]> {
  const sqlite = new Database(":memory:");
  try {
    const all = migrator({ sqlite });
    const { error } = await (last === null ? all.migrateToLatest() : all.migrateTo(last));
    if (error) throw error;
    return schemaOf({ sqlite });
  } finally {
    sqlite.close();
  }
}
