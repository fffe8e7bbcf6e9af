// A report as a file: made from one snapshot of the database, which is held from its head to its last byte.

import { CSV_TYPE, type CsvOptions, csvPieces } from "../../kernel/files/csv.ts";
import { slugOf } from "../../kernel/files/file-name.ts";
import { XLSX_TYPE } from "../../kernel/files/media-types.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import type { FileReply } from "../../resources/route.ts";
import { openSnapshot, streamOf } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { sheetRecords } from "./csv.ts";
import type { Basis, SheetKey } from "./keys.ts";
import { type Asked, type Company, readCompany, readHead } from "./report-company.ts";
import { layOutSheet, layOutWorkbook } from "./sheets/all.ts";
import { workbookBytes } from "./xlsx/workbook.ts";

/** What a report is made from, and of when. */
export interface ReportOf extends Asked {
  /** The database's file. */
  readonly database: string;
  readonly orgId: string;
}

/** The headers of a report: the head of the ledger that it shows. */
function headOf(db: Reader, of: ReportOf): Readonly<Record<string, string>> {
  const { sequence, hash } = readHead(db, of.orgId, of);
  return { "x-captable-head": `${sequence} ${hash}` };
}

/** What makes the bytes of a file. */
interface Making {
  readonly name: string;
  readonly extension: string;
  readonly contentType: string;
  /** Whether its headers say nothing of the ledger's head: a holder is not told how many entries there are. */
  readonly isHeadSecret?: boolean;
  bytes(db: Reader): AsyncGenerator<Uint8Array>;
  trailers?(): Readonly<Record<string, string>>;
}

/** The file of a report, named after the organization. The content must be read to its end or cancelled. */
export function reportFile(of: ReportOf, making: Making): FileReply {
  const { name, extension, contentType, isHeadSecret = false, bytes, trailers } = making;
  const db = openSnapshot(of.database);
  const close = () => void (db.sqlite.open && db.sqlite.close());
  try {
    const fileName = `${slugOf(getOrganization(db, of.orgId).legalName)}-${name}.${extension}`;
    const file = {
      fileName,
      contentType,
      headers: isHeadSecret ? {} : headOf(db, of),
      content: streamOf(bytes(db), close),
    };
    return trailers ? { ...file, trailers } : file;
  } catch (error) {
    close();
    throw error;
  }
}

/** The workbook. */
export function workbookFile(of: ReportOf, keys: readonly SheetKey[], basis: Basis): FileReply {
  return reportFile(of, {
    name: `cap-table-${of.asOf}`,
    extension: "xlsx",
    contentType: XLSX_TYPE,
    async *bytes(db) {
      const company = readCompany(db, of.orgId, of);
      yield* workbookBytes(company, layOutWorkbook(company, keys, basis));
    },
  });
}

/** One sheet of it as CSV. */
export function sheetFile(of: ReportOf, key: SheetKey, basis: Basis, options: CsvOptions): FileReply {
  return csvFile(of, `${key}-${of.asOf}`, options, (company) => sheetRecords(layOutSheet(company, key, basis)));
}

function csvFile(
  of: ReportOf,
  name: string,
  options: CsvOptions,
  records: (company: Company) => ReturnType<typeof sheetRecords>,
): FileReply {
  return reportFile(of, {
    name,
    extension: "csv",
    contentType: CSV_TYPE,
    async *bytes(db) {
      yield* encoded(csvPieces(records(readCompany(db, of.orgId, of)), options));
    },
  });
}

/** Text as bytes, piece by piece. */
export async function* encoded(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) if (piece !== "") yield encoder.encode(piece);
}
