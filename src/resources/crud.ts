// CRUD: the five operations of a resource. Resources differ only in data and in a few rules; this file has the shared
// part: envelopes, paging, roles, `Location`, and the semantics of PATCH and DELETE.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import type { Call } from "../kernel/call.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { body, type Complete, complete } from "../kernel/fields.ts";
import { toUtcDate } from "../kernel/runtime.ts";
import type { Warning } from "../kernel/warning.ts";
import { changeLoggedColumns, insertLoggedColumns } from "../storage/database/log/logged.ts";
import type { RecordTable } from "../storage/database/log/logged-tables.ts";
import { type PageOf, pageOf, scopeOf } from "../storage/database/paging.ts";
import { type JsonRow, RecordJson } from "../storage/database/record-json.ts";
import { type Filters, getRecord, listRecords } from "../storage/database/records.ts";
import type { Columns, Reader, RecordRow, Tx } from "../storage/database/sql.ts";
import { definedOnly, filtersIn, RECORDS_QUERY } from "./list-query.ts";
import { presenter, shapeOf, withCurrency } from "./present.ts";
import { requireReferences } from "./references.ts";
import { type ReadRoute, type Reply, type Route, recordPath, type WriteRoute, writeRoute } from "./route.ts";

/** A table whose records the API creates, changes and deletes by the common rules. */
export type CrudTable = Exclude<RecordTable, "approval_steps">;

/** An answer's organization, and the day of the request. */
export interface Asked {
  readonly orgId: string;
  readonly today: CalendarDate;
}

/** A resource as data. `C` is its create body, `P` its PATCH body. */
export interface Resource<R extends RecordRow, C extends TObject, P extends TObject> {
  /** The URL segment, for instance `share-classes`. */
  readonly segment: string;
  readonly table: CrudTable;
  /** Singular and plural in operation ids, for instance `ShareClass` and `ShareClasses`. */
  readonly name: string;
  readonly plural: string;
  readonly tag: string;
  /** The noun of a record, for the API reference. */
  readonly about: string;
  /** The effects of creating and deleting one, for the same. */
  readonly createNote?: string;
  readonly deleteNote?: string;
  /** The name of the list's array: it differs by resource in the interface that this service implements. */
  readonly listKey: "items" | "data";
  /** Whether single answers are `{ "data": … }`. */
  readonly isWrapped: boolean;
  readonly isExtension?: boolean;
  readonly create: C;
  readonly patch: P;
  readonly record: TObject;
  readonly example: Readonly<Record<string, unknown>>;
  /** Filters of the list, besides `limit` and `cursor`. */
  readonly filters?: TObject;
  /** PATCH takes `Idempotency-Key` too. */
  readonly isPatchIdempotent?: boolean;
  /** Translates filter parameters to columns; by default each is the column of its name. */
  toFilters?(query: Readonly<Record<string, string | undefined>>): Filters;
  /** Members of the answer that are not columns: prepared once for an answer, then read for each of its rows. */
  derive?(db: Reader, asked: Asked): (row: R) => Readonly<Record<string, unknown>>;
  /** `warnings` of the answer, for a record that was created (`before` is null then) or changed. */
  warn?(row: R, db: Reader, before: R | null, given: Static<C> | Static<P>): readonly Warning[];
  /** The columns of a new record, after checking the body against the stored records. May throw `404`, `409`, `422`. */
  prepare(tx: Tx, call: Call, given: Complete<Static<C>>, id: string): Columns;
  /** The columns that a PATCH changes. May throw. */
  alter(tx: Tx, call: Call, before: R, patch: Static<P>): Columns;
  /** Further effects of creating, changing or deleting, in the same commit. `checkDelete` throws `409 in-use`. */
  afterCreate?(tx: Tx, call: Call, row: R, given: Complete<Static<C>>): void;
  afterChange?(tx: Tx, call: Call, before: R, after: R): void;
  checkDelete?(tx: Tx, call: Call, row: R): void;
  afterDelete?(tx: Tx, call: Call, row: R): void;
}

/** Shows a resource's rows as the API answers them: once for an answer, then for each of its rows. */
export function showRecord<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
): (db: Reader, asked: Asked) => (row: R) => Record<string, unknown> {
  const show = presenter(resource.record);
  return (db, asked) => {
    const derived = resource.derive?.(db, asked);
    return (row) => show({ ...withCurrency(db, row), ...derived?.(row) });
  };
}

/** How the routes of a resource answer its records. */
interface Shown<R extends RecordRow> {
  readonly show: (db: Reader, asked: Asked) => (row: R) => Record<string, unknown>;
  /** SQLite's own JSON of them; null if some members are not columns. */
  readonly direct: RecordJson | null;
}

/** The list, create, read, change and delete routes of a resource. */
export function crudRoutes<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
): Route[] {
  const shown = { show: showRecord(resource), direct: directOf(resource) };
  return [
    listRoute(resource, shown),
    createRoute(resource, shown),
    readRoute(resource, shown),
    patchRoute(resource, shown),
    deleteRoute(resource),
  ];
}

/** `{items, nextCursor}` or `{data, nextCursor}`. */
export function listEnvelope(listKey: "items" | "data", record: TSchema) {
  return Type.Object({
    [listKey]: Type.Array(record, { description: "The records of this page." }),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: "Null on the last page." }),
  });
}

function common<R extends RecordRow, C extends TObject, P extends TObject>(resource: Resource<R, C, P>) {
  const { tag, isExtension } = resource;
  return isExtension ? { tag, isExtension } : { tag };
}

function readRow<R extends RecordRow, C extends TObject, P extends TObject>(
  db: Reader,
  orgId: string,
  resource: Resource<R, C, P>,
  id: string,
): R {
  return getRecord<R>(db, resource.table, orgId, id);
}

function envelope(isWrapped: boolean, record: unknown): unknown {
  return isWrapped ? { data: record } : record;
}

function responseOf<R extends RecordRow, C extends TObject, P extends TObject>(resource: Resource<R, C, P>): TSchema {
  return resource.isWrapped ? Type.Object({ data: resource.record }) : resource.record;
}

function listRoute<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
  { show, direct }: Shown<R>,
): ReadRoute {
  return {
    ...common(resource),
    method: "GET",
    path: `/api/v1/${resource.segment}`,
    operationId: `list${resource.plural}`,
    summary: `List ${resource.tag.toLowerCase()}`,
    description: `${resource.about} Newest first.`,
    role: "VIEWER",
    status: 200,
    query: body({ ...resource.filters?.properties, ...RECORDS_QUERY }),
    response: listEnvelope(resource.listKey, resource.record),
    run(db, { orgId, query, nowMs }) {
      const { ids, ...given } = filtersIn(query);
      const filters = definedOnly({ ...(resource.toFilters?.(given) ?? given), ids });
      const scope = scopeOf(orgId, resource.table, filters);
      if (direct) {
        const page = pageOf(scope, query, (range) => direct.list(db, { orgId, filters, ...range }));
        return listReply(resource.listKey, page);
      }
      const page = pageOf(scope, query, (range) => listRecords<R>(db, resource.table, { orgId, filters, ...range }));
      const records = page.rows.map(show(db, { orgId, today: toUtcDate(nowMs) }));
      return { status: 200, json: { [resource.listKey]: records, nextCursor: page.nextCursor } };
    },
  };
}

function directOf<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
): RecordJson | null {
  return resource.derive ? null : new RecordJson(resource.table, () => shapeOf(resource.record));
}

/** The answer of a list whose records are JSON text already. */
export function listReply(listKey: "items" | "data", page: PageOf<JsonRow>): Reply {
  const records = page.rows.map((row) => row.json).join(",");
  return { status: 200, text: `{"${listKey}":[${records}],"nextCursor":${JSON.stringify(page.nextCursor)}}` };
}

function createRoute<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
  { show }: Shown<R>,
): WriteRoute<C> {
  return writeRoute({
    ...common(resource),
    method: "POST",
    path: `/api/v1/${resource.segment}`,
    operationId: `create${resource.name}`,
    summary: `Create ${oneOf(resource)}`,
    ...(resource.createNote ? { description: resource.createNote } : {}),
    role: "EDITOR",
    status: 201,
    isLocated: true,
    isIdempotent: true,
    problems: [404, 409],
    body: resource.create,
    bodyExample: resource.example,
    response: responseOf(resource),
    run(tx, call, request) {
      const row = createRecord(tx, call, resource, request.body);
      const json = envelope(resource.isWrapped, {
        ...show(tx, call)(row),
        warnings: resource.warn?.(row, tx, null, request.body),
      });
      return { status: 201, json, location: recordPath(resource.segment, row.id) };
    },
  });
}

/** Creates one record with its further effects; `given` is a validated create body. */
export function createRecord<R extends RecordRow, C extends TObject, P extends TObject>(
  tx: Tx,
  call: Call,
  resource: Resource<R, C, P>,
  given: Static<C>,
): R {
  const id = call.newId();
  const completed = complete(resource.create, given);
  requireReferences(tx, call.orgId, resource.create, completed);
  const columns = resource.prepare(tx, call, completed, id);
  const row = { ...columns, orgId: call.orgId, id, createdAt: call.at, updatedAt: call.at };
  insertLoggedColumns(tx, call, resource.table, row);
  const stored = readRow(tx, call.orgId, resource, id);
  resource.afterCreate?.(tx, call, stored, completed);
  return readRow(tx, call.orgId, resource, id);
}

function readRoute<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
  { show, direct }: Shown<R>,
): ReadRoute {
  return {
    ...common(resource),
    method: "GET",
    path: `/api/v1/${resource.segment}/:id`,
    operationId: `get${resource.name}`,
    summary: `Get ${oneOf(resource)}`,
    role: "VIEWER",
    status: 200,
    problems: [404],
    response: responseOf(resource),
    run(db, { orgId, params, nowMs }) {
      const id = params.id ?? "";
      if (direct) {
        const text = direct.get(db, orgId, id);
        return { status: 200, text: resource.isWrapped ? `{"data":${text}}` : text };
      }
      const row = readRow(db, orgId, resource, id);
      return { status: 200, json: envelope(resource.isWrapped, show(db, { orgId, today: toUtcDate(nowMs) })(row)) };
    },
  };
}

function patchRoute<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
  { show }: Shown<R>,
): WriteRoute<P> {
  return writeRoute({
    ...common(resource),
    method: "PATCH",
    path: `/api/v1/${resource.segment}/:id`,
    operationId: `update${resource.name}`,
    summary: `Change ${oneOf(resource)}`,
    description: "Only the members sent change. Null clears an optional member; nested objects are replaced whole.",
    role: "EDITOR",
    status: 200,
    problems: [404, 409],
    ...(resource.isPatchIdempotent ? { isIdempotent: true } : {}),
    body: resource.patch,
    response: responseOf(resource),
    run(tx, call, request) {
      const before = readRow(tx, call.orgId, resource, request.params.id ?? "");
      const after = changeRecord(tx, call, resource, before, request.body);
      const shown = { ...show(tx, call)(after), warnings: resource.warn?.(after, tx, before, request.body) };
      return { status: 200, json: envelope(resource.isWrapped, shown) };
    },
  });
}

/** Changes one record by a validated PATCH body; a patch that changes nothing writes nothing. */
function changeRecord<R extends RecordRow, C extends TObject, P extends TObject>(
  tx: Tx,
  call: Call,
  resource: Resource<R, C, P>,
  before: R,
  patch: Static<P>,
): R {
  if (Object.keys(patch).length === 0) return before;
  requireReferences(tx, call.orgId, resource.create, patch);
  const changes = resource.alter(tx, call, before, patch);
  const columns = before as Readonly<Record<string, unknown>>;
  if (Object.entries(changes).every(([name, value]) => columns[name] === value)) return before;
  changeLoggedColumns(tx, call, resource.table, before.id, { ...changes, updatedAt: call.at });
  const after = readRow(tx, call.orgId, resource, before.id);
  resource.afterChange?.(tx, call, before, after);
  return readRow(tx, call.orgId, resource, before.id);
}

function deleteRoute<R extends RecordRow, C extends TObject, P extends TObject>(
  resource: Resource<R, C, P>,
): WriteRoute {
  return writeRoute({
    ...common(resource),
    method: "DELETE",
    path: `/api/v1/${resource.segment}/:id`,
    operationId: `delete${resource.name}`,
    summary: `Delete ${oneOf(resource)}`,
    ...(resource.deleteNote ? { description: resource.deleteNote } : {}),
    role: "EDITOR",
    status: 204,
    problems: [404, 409],
    run(tx, call, request) {
      const row = readRow(tx, call.orgId, resource, request.params.id ?? "");
      resource.checkDelete?.(tx, call, row);
      changeLoggedColumns(tx, call, resource.table, row.id, { deletedAt: call.at });
      resource.afterDelete?.(tx, call, row);
      return { status: 204 };
    },
  });
}

/** `ShareClass` → `share class`. */
function nounOf<R extends RecordRow, C extends TObject, P extends TObject>(resource: Resource<R, C, P>): string {
  return resource.name.replace(/(?<!^)[A-Z]/g, " $&").toLowerCase();
}

/** `ShareClass` → `a share class`; `VestingTerms`, which has no singular, → `vesting terms`. */
function oneOf<R extends RecordRow, C extends TObject, P extends TObject>(resource: Resource<R, C, P>): string {
  const noun = nounOf(resource);
  if (resource.name === resource.plural) return noun;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
