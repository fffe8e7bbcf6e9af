// Any list of the API as CSV: its records as its pages show them, all of them, newest first. The columns are the members of
// the documented record, so that nothing has to be kept in step by hand.
import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { body } from "../../kernel/fields.ts";
import { CSV_TYPE, csvPieces, type Field, figureField, textField } from "../../kernel/files/csv.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { jsonOf, later, type ReadRequest, type ReadRoute, type Route } from "../../resources/route.ts";
import { canonicalJson } from "../../storage/database/log/log-hash.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { CSV, readCsvOptions } from "./query.ts";

const reportFiles = () => import("./report-file.ts");
const PAGE_LENGTH = "100";

/** A column: where its value stands in a record, and whether that is a figure or a day. */
interface Column {
  readonly path: readonly string[];
  readonly isFigure: boolean;
}

function innerOf(schema: TSchema): TSchema {
  return schema[Kind] === "Union" ? schema.anyOf[0] : schema;
}

/** The columns of a record: an object whose members are known has one for each. */
function columnsOf(schema: TSchema): Column[] {
  const { type, properties } = innerOf(schema) as Partial<TObject>;
  const members = type === "object" ? Object.entries(properties ?? {}) : [];
  if (members.length === 0) return [{ path: [], isFigure: isFigure(schema) }];
  return members.flatMap(([name, member]) =>
    columnsOf(member).map(({ path, isFigure: isOfFigures }) => ({
      path: [name, ...path],
      isFigure: isOfFigures || FIGURES.has(name),
    })),
  );
}

/** Members of figures whose schema is any text, because a word may stand in place of one, or an import's own notation. */
const FIGURES: ReadonlySet<string> = new Set([
  ...["quantity", "purchasePrice", "initialSharesAuthorized", "currentSharesAuthorized", "currentSharesReserved"],
  "totalSharesReserved",
]);

/** Whether what a schema takes is a number, an exact decimal, a day or an instant. */
function isFigure(schema: TSchema): boolean {
  const inner = innerOf(schema);
  if (inner.type !== "string") return true;
  return inner.format === "date" || inner.format === "date-time" || /^\^-?\[0-9\]/.test(inner.pattern ?? "");
}

function valueAt(record: unknown, path: Column["path"]): unknown {
  let value = record;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value ?? null;
}

function fieldOf(value: unknown, { isFigure }: Column): Field {
  if (value === null) return figureField("");
  if (typeof value === "object") return textField(canonicalJson(value));
  return isFigure ? figureField(String(value)) : textField(String(value));
}

/** The list's array, and what is in it. */
function itemsOf(list: ReadRoute): { readonly key: string; readonly record: TSchema } {
  const { properties } = present(list.response, `what ${list.operationId} answers`) as TObject;
  const [key = "", array] = Object.entries(properties)[0] ?? [];
  return { key, record: present(array, `the records of ${list.operationId}`).items };
}

/** Walks all records by the list's own pages. */
function* recordsOf(db: Reader, list: ReadRoute, request: ReadRequest, key: string): Generator<unknown> {
  let cursor: string | null = null;
  do {
    const page: Record<string, string> = cursor === null ? { limit: PAGE_LENGTH } : { limit: PAGE_LENGTH, cursor };
    const reply = list.run(db, { ...request, query: { ...request.query, ...page } });
    const shown = jsonOf(reply) as { readonly [member: string]: unknown };
    yield* shown[key] as readonly unknown[];
    cursor = shown.nextCursor as string | null;
  } while (cursor !== null);
}

function isList(route: Route): route is ReadRoute {
  return route.method === "GET" && !route.path.includes(":") && "cursor" in (route.query?.properties ?? {});
}

/** The routes beside the lists of a resource that answer all of each as CSV. */
export function listCsvRoutesOf(routes: readonly Route[]): readonly ReadRoute[] {
  return routes.filter(isList).map(listCsvRoute);
}

function listCsvRoute(list: ReadRoute): ReadRoute {
  const { limit: _limit, cursor: _cursor, ...filters } = list.query?.properties ?? {};
  const { key, record } = itemsOf(list);
  const segment = present(list.path.split("/").at(-1), "a path");
  const { tag, role } = list;
  return {
    tag,
    role,
    method: "GET",
    status: 200,
    isExtension: true,
    hasHead: true,
    expense: () => "report",
    path: `${list.path}.csv`,
    operationId: `${list.operationId}Csv`,
    summary: `${list.summary} as CSV`,
    description: "All records, in the order of the list, with a column for each member. Empty stands for null.",
    fileType: "text/csv",
    exports: "CSV",
    query: body({ ...filters, ...CSV }),
    run: later(reportFiles, ({ encoded, reportFile }) => (db, request) => {
      const { bom: _bom, guard: _guard, separator: _separator, decimal: _decimal, ...query } = request.query;
      const asOf = toUtcDate(request.nowMs);
      const of = { database: db.sqlite.name, orgId: request.orgId, asOf, knownAt: null };
      const columns = columnsOf(record);
      function* records(own: Reader): Generator<readonly Field[]> {
        yield columns.map(({ path }) => textField(path.join(".")));
        for (const each of recordsOf(own, list, { ...request, query }, key)) {
          yield columns.map((column) => fieldOf(valueAt(each, column.path), column));
        }
      }
      const file = reportFile(of, {
        name: `${segment}-${asOf}`,
        extension: "csv",
        contentType: CSV_TYPE,
        bytes: (own) => encoded(csvPieces(records(own), readCsvOptions(request.query))),
      });
      return { status: 200, file };
    }),
  };
}
