// An import by the command line: the file is stored as a document, and the import as a committed one, in one
// transaction.

import type { Grid } from "../../../exchange/spreadsheet/file/grid.ts";
import { filesOf } from "../../../exchange/spreadsheet/file/import-files.ts";
import { insertImport, putPieces } from "../../../exchange/spreadsheet/imports-store.ts";
import type { GivenOptions } from "../../../exchange/spreadsheet/options.ts";
import { importSheets } from "../../../exchange/spreadsheet/record/import.ts";
import type { ImportOptions, ImportReport } from "../../../exchange/spreadsheet/record/importing.ts";
import { present } from "../../../kernel/assert.ts";
import type { Call } from "../../../kernel/call.ts";
import { findHead } from "../../../ledger/store.ts";
import { storeContent } from "../../../resources/documents/content.ts";
import { createDocument } from "../../../resources/documents/routes.ts";
import { recordPath } from "../../../resources/route.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import { columnsOf, committedColumns } from "./perform.ts";

/** A file, as it was read, and how it is to be imported. */
export interface FileToImport {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly grids: readonly Grid[];
  readonly options: ImportOptions;
  /** The options as the user gave them. */
  readonly given: GivenOptions;
}

const TITLE_MAX = 200;
const PATH_MAX = 1000;

/** Writes all of it; the caller undoes it if the report has problems, or another plan than the preview. */
export function commitFile(tx: Tx, asked: Call, { name, bytes, grids, options, given }: FileToImport): ImportReport {
  const { importId: id } = options;
  const { orgId } = asked;
  const call = { ...asked, path: recordPath("imports", id) };
  const document = createDocument(tx, call, { title: name.slice(0, TITLE_MAX), path: name.slice(0, PATH_MAX) });
  const { sha256 } = storeContent(tx, call, { documentId: document.id, content: bytes, contentType: null });
  const before = findHead(tx, orgId).sequence;
  const report = importSheets(tx, call, grids, { ...options, sourceDocumentId: document.id });
  insertImport(tx, {
    ...{ orgId, id, createdAt: call.at, updatedAt: call.at, committedAt: call.at },
    ...{ documentId: document.id, sha256: present(sha256, "the digest of what was stored") },
    ...{ mapping: options.mapping ? JSON.stringify(options.mapping) : null, options: JSON.stringify(given) },
    ...columnsOf(report),
    ...committedColumns(tx, orgId, before),
  });
  putPieces(tx, { orgId, id }, filesOf(report));
  return report;
}
