// Compares a database's schema, statement by statement, with that of a new one: an additional, missing or changed
// table, index, trigger or view could falsify any later query, or make it endless. Nothing else is read from the file
// before.
import { appliedMigrations, newSchema, type SchemaObject, schemaOf } from "../../storage/database/migrate.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { type Difference, RESTORE } from "./report.ts";

const MIGRATIONS = "kysely_migration";

/** The differences of the schema, and whether further queries are safe: only something harmless is missing. */
export interface SchemaComparison {
  readonly differences: readonly Difference[];
  readonly isReadable: boolean;
}

/** Compares with the schema after the migration `last`; null stands for this program's own, the newest. */
export async function compareSchema(db: Reader, last: string | null = null): Promise<SchemaComparison> {
  return compareObjects(schemaOf(db), last === null ? await newestSchema() : await newSchema(last));
}

let newest: Promise<readonly SchemaObject[]> | null = null;

/** This program's schema, which is made once: it does not change while it runs. */
function newestSchema(): Promise<readonly SchemaObject[]> {
  newest ??= newSchema(null);
  return newest;
}

/**
 * Compares with the schema that a new database has after this one's own last migration. If that cannot be read, it is
 * compared with the newest.
 */
export async function compareOwnSchema(db: Reader): Promise<SchemaComparison> {
  return compareSchema(db, (await canNameMigrations(db)) ? (appliedMigrations(db).at(-1) ?? null) : null);
}

/** Whether the table of migrations has its expected form, so that it may be queried. */
export async function canNameMigrations(db: Reader): Promise<boolean> {
  const isList = ({ type, name }: SchemaObject) => type === "table" && name === MIGRATIONS;
  const [list, wanted] = [schemaOf(db).find(isList), (await newestSchema()).find(isList)];
  return list !== undefined && wanted !== undefined && statementOf(list) === statementOf(wanted);
}

/** Pure: compares two schemas. */
export function compareObjects(found: readonly SchemaObject[], wanted: readonly SchemaObject[]): SchemaComparison {
  const known = new Map(wanted.map((object) => [nameOf(object), object]));
  const there = new Set(found.map(nameOf));
  const differences: Difference[] = [];
  const tell = (object: SchemaObject, detail: string, fix = RESTORE) =>
    differences.push({ code: "schema-differs", orgId: null, subject: nameOf(object), detail, fix });
  let isReadable = true;
  for (const object of found) {
    const same = known.get(nameOf(object));
    if (same && same.table === object.table && statementOf(same) === statementOf(object)) continue;
    isReadable = false;
    const detail = same
      ? "its definition differs from this program's"
      : "it is not part of the schema: it was added later";
    tell(object, detail);
  }
  for (const object of wanted) {
    if (there.has(nameOf(object))) continue;
    const isRemade = object.type !== "table" && object.sql !== null;
    isReadable &&= isRemade;
    const detail = object.type === "trigger" ? "it is missing: rows could be changed without notice" : "it is missing";
    tell(object, detail, isRemade ? `Run: ${statementOf(object)}` : RESTORE);
  }
  return { differences, isReadable };
}

function nameOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** The statement that defines an object, in any layout: none of ours holds a comment. */
function statementOf({ sql }: SchemaObject): string {
  return (sql ?? "").replace(/\s+/g, " ");
}
