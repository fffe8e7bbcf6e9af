// Records read as JSON text that SQLite writes itself: one value instead of thirty crosses into JavaScript, which was
// most of the cost of a read. For records whose every member is a column.
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../kernel/problem.ts";
import { DEFAULT_CURRENCY } from "../../kernel/text/currency.ts";
import { NOUNS, type RecordTable } from "./log/logged-tables.ts";
import { decided } from "./long-writes.ts";
import { type ListQuery, type PageStart, pageClause, pageValues, startOf } from "./records.ts";
import { build, type Reader, type SqlValue, statement, variants } from "./sql.ts";

/**
 * The kind of each member's column: a plain value, JSON text, 0 and 1, or a currency that defaults to the
 * organization's. In the order of the answer.
 */
export type RecordShape = Readonly<Record<string, "plain" | "json" | "boolean" | "currency">>;

/** One record as JSON text, with its place in the list. */
export interface JsonRow {
  readonly seq: number;
  readonly json: string;
}

/** Reads a table's records as JSON text of one shape. */
export class RecordJson {
  readonly #table: RecordTable;
  readonly #byId;
  readonly #page;

  /** The statements are made with the first read, as all are: `shapeOfRecord` is called then. */
  constructor(table: RecordTable, shapeOfRecord: () => RecordShape) {
    this.#table = table;
    const record = () => jsonObject(shapeOfRecord(), table === "securities" ? decided : {});
    this.#byId = statement<{ orgId: string; id: string }, { json: string }>((param) => ({
      compile: () =>
        sql<{ json: string }>`select ${record()} as json from ${sql.table(table)}
          where "orgId" = ${param("orgId")} and "id" = ${param("id")} and "deletedAt" is null`.compile(build),
    }));
    this.#page = variants<Record<string, SqlValue>, JsonRow, [columns: string, start: PageStart]>(
      (param, columns, start) => ({
        compile: () =>
          sql<JsonRow>`select seq, ${record()} as json from ${sql.table(table)}
            ${pageClause(param, columns, start)}`.compile(build),
      }),
    );
  }

  /** The record as JSON text. Throws `404 not-found`, the same for an unknown, a deleted and a foreign id. */
  get(db: Reader, orgId: string, id: string): string {
    const row = this.#byId.first(db, { orgId, id });
    if (!row) throw notFound(NOUNS[this.#table]);
    return row.json;
  }

  /** The records of a list. */
  list(db: Reader, query: ListQuery): JsonRow[] {
    return this.#page(Object.keys(query.filters).join(","), startOf(query)).all(db, pageValues(query));
  }
}

function jsonObject(shape: RecordShape, computed: Readonly<Record<string, RawBuilder<unknown>>>) {
  const members = Object.entries(shape).map(([name, kind]) => {
    const column = computed[name] ?? sql.ref(name);
    if (kind === "json") return sql`${sql.lit(name)}, json(${column})`;
    if (kind === "currency") return sql`${sql.lit(name)}, ${currencyOf(column)}`;
    if (kind === "boolean") return sql`${sql.lit(name)}, json(iif(${column}, 'true', 'false'))`;
    return sql`${sql.lit(name)}, ${column}`;
  });
  return sql`json_object(${sql.join(members)})`;
}

function currencyOf(column: RawBuilder<unknown>) {
  const ofOrganization = sql`select "currency" from "organizations" where "organizations"."id" = "orgId"`;
  return sql`coalesce(${column}, (${ofOrganization}), ${sql.lit(DEFAULT_CURRENCY)})`;
}
