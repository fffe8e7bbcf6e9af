// Routes of spreadsheet imports: created, read in the background, previewed, then committed whole or not at all.
import { Type } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { body } from "../../kernel/fields.ts";
import { CSV_TYPE, type CsvOptions } from "../../kernel/files/csv.ts";
import { XLSX_TYPE } from "../../kernel/files/media-types.ts";
import { notFound, Problem, problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { PAGE_QUERY } from "../../resources/list-query.ts";
import { type Room, UNLIMITED_ROOM } from "../../resources/organization/room.ts";
import { presenter } from "../../resources/present.ts";
import {
  later,
  type ReadRoute,
  type Reply,
  type Route,
  recordPath,
  type WriteRoute,
  writeRoute,
} from "../../resources/route.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { getRecord } from "../../storage/database/records.ts";
import { streamOf } from "../../storage/database/snapshot.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { CSV, readCsvOptions } from "../../views/reports/query.ts";
import type { csvOfPiece } from "./file/import-files.ts";
import {
  changeImport,
  countWaiting,
  deleteImport,
  findImport,
  findPiece,
  insertImport,
  listImports,
} from "./imports-store.ts";
import type { UnreadSchedule } from "./mapping/schedule-rows.ts";
import { Import, ImportCreate } from "./schema.ts";

const show = presenter(Import);
const common = { tag: "Imports", role: "ADMIN", scope: "import", isExtension: true, status: 200 } as const;
/** Of an organization. */
const WAITING_MAX = 4;
const RETRY_SECONDS = 5;
const Answer = Type.Object({ data: Import });

function getImport(db: Reader, orgId: string, id: string): Row<"imports"> {
  const row = findImport(db, { orgId, id });
  if (row === null) throw notFound("import");
  return row;
}

const template: ReadRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/imports/template.xlsx",
  operationId: "getImportTemplate",
  summary: "Get the template of imports",
  description: "A workbook whose sheets an import takes; its sheet Read me says what each column takes.",
  query: body({
    example: Type.Optional(
      Type.String({
        pattern: "^(true|false)$",
        description: "`true`: filled in with a small company.",
        examples: ["true"],
      }),
    ),
  }),
  fileType: XLSX_TYPE,
  run: later(
    () => import("./file/template-file.ts"),
    ({ templateBytes }) =>
      (_db, { query }) => {
        const content = streamOf(templateBytes(query.example === "true"), () => undefined);
        const fileName = query.example === "true" ? "captable-example.xlsx" : "captable-template.xlsx";
        return { status: 200, file: { fileName, contentType: XLSX_TYPE, content } };
      },
  ),
};

const create = (room: Room): WriteRoute<typeof ImportCreate> =>
  writeRoute({
    ...common,
    method: "POST",
    isBatchable: false,
    path: "/api/v1/imports",
    operationId: "createImport",
    summary: "Import a spreadsheet",
    description:
      "Reads a document's content in the background and finds out what an import would do; nothing is written before " +
      "the commit. Takes a workbook (XLSX), CSV, or a zip of CSVs, up to 25 MiB and 50,000 rows.",
    status: 201,
    isLocated: true,
    isIdempotent: true,
    problems: [404, 409],
    body: ImportCreate,
    bodyExample: { documentId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f", options: { dateOrder: "MDY" } },
    response: Answer,
    run(tx, call, { body: { documentId, format = "AUTO", mapping, options } }) {
      const { sha256 } = getRecord<Row<"documents">>(tx, "documents", call.orgId, documentId);
      if (sha256 === null) throw problem("invalid-state", "The document has no content; store it first.");
      room.refuseLowDisk();
      // The size of its preview is not known before.
      room.refuseFull(tx, call.orgId, 1);
      refuseTooManyWaiting(tx, call);
      const { orgId, at } = call;
      const id = call.newId();
      insertImport(tx, {
        ...{ orgId, id, createdAt: at, updatedAt: at, state: "READING", documentId, sha256, format },
        ...{
          mode: null,
          mapping: mapping ? JSON.stringify(mapping) : null,
          options: JSON.stringify(options ?? {}),
        },
        ...{ counts: "{}", rows: 0, problemCount: 0, warningCount: 0, problems: "[]", warnings: "[]", totals: "[]" },
      });
      return { status: 201, json: { data: show(getImport(tx, orgId, id)) }, location: recordPath("imports", id) };
    },
  });

const list: ReadRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/imports",
  operationId: "listImports",
  summary: "List imports",
  description: "Imports of spreadsheets, newest first.",
  query: body(PAGE_QUERY),
  response: listEnvelope("items", Import),
  run(db, { orgId, query }) {
    const scope = scopeOf(orgId, "imports");
    const page = pageOf(scope, query, ({ before, limit }) => listImports.all(db, { orgId, before, most: limit }));
    return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
  },
};

const read: ReadRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/imports/:id",
  operationId: "getImport",
  summary: "Get an import",
  description: "How an import stands: ask again while it is `READING` or `COMMITTING`.",
  problems: [404],
  response: Answer,
  run: (db, { orgId, params }) => ({ status: 200, json: { data: show(getImport(db, orgId, params.id ?? "")) } }),
};

const WORDS = {
  problems: {
    name: "Problems",
    summary: "Get all problems of an import",
    about: "Every problem and warning, with its cell.",
  },
  preview: {
    name: "Preview",
    summary: "Get what an import does",
    about:
      "Every row with its sheet, what is done with it, the kind of record, and the values that were made of it; in " +
      "`written` the cells that read otherwise.",
  },
} as const;

function fileRoute(file: keyof typeof WORDS): ReadRoute {
  const { name, summary, about } = WORDS[file];
  return {
    ...common,
    method: "GET",
    path: `/api/v1/imports/:id/${file}.csv`,
    operationId: `getImport${name}`,
    summary,
    description: `${about} CSV in UTF-8. Refused while the import is being read, and where the file could not be.`,
    problems: [404, 409],
    query: body(CSV),
    fileType: CSV_TYPE,
    exports: "CSV",
    run: later(
      () => import("./file/import-files.ts"),
      ({ csvOfPiece: csvOf }) =>
        (db, { orgId, params, query }) => {
          const { id, planHash } = getImport(db, orgId, params.id ?? "");
          if (planHash === null) throw problem("invalid-state", "The import was not read, or not yet.");
          return {
            status: 200,
            file: {
              fileName: `import-${file}.csv`,
              contentType: CSV_TYPE,
              content: pieces(db, { orgId, id, file }, { csvOf, options: readCsvOptions(query) }),
            },
          };
        },
    ),
  };
}

const terms: ReadRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/imports/:id/terms.csv",
  operationId: "getImportTerms",
  summary: "Get the vesting terms that an import misses",
  description:
    "A sheet *Vesting terms* of the template with a row for each vesting schedule that was not understood, and what of " +
    "it could be read. Finished by hand and imported, it makes terms of those names. CSV in UTF-8. Refused while the " +
    "import is being read, and where the file could not be.",
  problems: [404, 409],
  query: body(CSV),
  fileType: CSV_TYPE,
  exports: "CSV",
  run: later(
    () => import("./file/terms-file.ts"),
    ({ termsCsv }) =>
      (db, { orgId, params, query }): Reply => {
        const { planHash, schedules } = getImport(db, orgId, params.id ?? "");
        if (planHash === null) throw problem("invalid-state", "The import was not read, or not yet.");
        const bytes = Buffer.from(termsCsv(JSON.parse(schedules) as UnreadSchedule[], readCsvOptions(query)));
        const content = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(bytes);
            controller.close();
          },
        });
        return {
          status: 200,
          file: { fileName: "Vesting terms.csv", contentType: CSV_TYPE, content, bytes: bytes.length },
        };
      },
  ),
};

/** The pieces of a file, read as they are sent. Breaks off if the import was read anew or deleted meanwhile. */
function pieces(
  db: Reader,
  { orgId, id, file }: { readonly orgId: string; readonly id: string; readonly file: keyof typeof WORDS },
  { csvOf, options }: { readonly csvOf: typeof csvOfPiece; readonly options: CsvOptions },
): ReadableStream<Uint8Array> {
  const read = getImport(db, orgId, id).planHash;
  let number = 0;
  return new ReadableStream({
    pull(controller) {
      if (findImport(db, { orgId, id })?.planHash !== read)
        throw new Error("the import changed while it was being sent");
      const content = findPiece(db, { orgId, id, file, number: number++ });
      if (content === null) controller.close();
      else controller.enqueue(csvOf(content, { ...options, bom: options.bom && number === 1 }));
    },
  });
}

const commit = (room: Room): WriteRoute => ({
  ...common,
  method: "POST",
  isBatchable: false,
  path: "/api/v1/imports/:id/commit",
  operationId: "commitImport",
  summary: "Commit an import",
  description:
    "Writes all of it in one transaction in the background, or nothing. Refused unless the import is `PREVIEWED` " +
    "without problems. If records changed since the preview, it is `PREVIEWED` anew.",
  problems: [404, 409],
  response: Answer,
  run(tx, call, { params }) {
    const { orgId } = call;
    const { id, state, problemCount } = getImport(tx, orgId, params.id ?? "");
    if (state !== "PREVIEWED") throw problem("invalid-state", `The import is ${state}.`);
    room.refuseLowDisk();
    if (problemCount > 0) throw problem("invalid-state", `The import has ${problemCount} problems.`);
    refuseTooManyWaiting(tx, call);
    changeImport(
      tx,
      { orgId, id },
      { state: "COMMITTING", updatedAt: call.at, failure: null, attempts: 0, committer: committerOf(call) },
    );
    return { status: 200, json: { data: show(getImport(tx, orgId, id)) } };
  },
});

/** Throws `429` if an organization has the most imports waiting or under way. */
function refuseTooManyWaiting(tx: Tx, { orgId }: Call): void {
  if (countWaiting(tx, orgId) < WAITING_MAX) return;
  const detail = `${WAITING_MAX} imports of the organization wait to be read or committed. Try again when one is done.`;
  throw new Problem("rate-limited", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}

/** The caller: the log names it for every write of the import. */
function committerOf({ actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path }: Call): string {
  return JSON.stringify({ actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path });
}

const remove: WriteRoute = {
  ...common,
  method: "DELETE",
  isBatchable: false,
  path: "/api/v1/imports/:id",
  operationId: "deleteImport",
  summary: "Delete an import",
  description:
    "Forgets an import and lets its document go. Refused while it is `COMMITTING`, and once it is `COMMITTED`.",
  status: 204,
  problems: [404, 409],
  run(tx: Tx, { orgId }, { params }) {
    const { id, state } = getImport(tx, orgId, params.id ?? "");
    if (state === "COMMITTING" || state === "COMMITTED") throw problem("invalid-state", `The import is ${state}.`);
    deleteImport(tx, { orgId, id });
    return { status: 204 };
  },
};

/** The routes of imports of spreadsheets. */
export function importRoutes(room: Room = UNLIMITED_ROOM): readonly Route[] {
  return [
    template,
    create(room) as WriteRoute,
    list,
    read,
    fileRoute("problems"),
    fileRoute("preview"),
    terms,
    commit(room),
    remove,
  ];
}

/** The operations after which the background has work. */
export const IMPORT_OPERATIONS: ReadonlySet<string> = new Set(["createImport", "commitImport"]);
