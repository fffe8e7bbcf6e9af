// Makes reports of a company in a test, and the tables that they are held against.

import { formatDecimal, isDecimalText, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type { Reader, Tx } from "../../../src/storage/database/sql.ts";
import { type Basis, SHEET_KEYS, type SheetKey } from "../../../src/views/reports/keys.ts";
import { type Asked, type Company, readCompany } from "../../../src/views/reports/report-company.ts";
import type { Sheet } from "../../../src/views/reports/sheet.ts";
import { layOutWorkbook } from "../../../src/views/reports/sheets/all.ts";
import { workbookBytes } from "../../../src/views/reports/xlsx/workbook.ts";
import type { Company as Service } from "../../property/company.ts";
import { openPlace, type Place } from "../../property/place.ts";

/** Bytes that come in pieces, whole. */
export async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** A workbook of a company as it is read. */
export function workbookOf(
  company: Company,
  basis: Basis = "FULLY_DILUTED",
  keys: readonly SheetKey[] = SHEET_KEYS,
): Promise<Uint8Array> {
  return whole(workbookBytes(company, layOutWorkbook(company, keys, basis)));
}

/** Runs in a transaction of a place of its own, which is then removed. */
export async function inPlace<T>(work: (tx: Tx, place: Place) => T | Promise<T>): Promise<T> {
  const place = await openPlace();
  try {
    // In a box: the writer takes no promise for a result.
    const { made } = await place.writer.submit((tx) => ({ made: work(tx, place) }));
    return made;
  } finally {
    place.close();
  }
}

/** What a company of the service's looks like in a report. */
export function companyOf(db: Reader, { orgId }: Pick<Service, "orgId">, asked: Partial<Asked> = {}): Company {
  return readCompany(db, orgId, { asOf: "2026-06-15", knownAt: null, ...asked });
}

/** The same company with all read that a workbook asks for while it is written: for after its database is closed. */
export function readWhole(company: Company): Company {
  const [entries, stakeholders] = [[...company.entries()], [...company.stakeholders()]];
  const rows = company.descriptionsOf([...company.numbers.keys()]);
  return { ...company, entries: () => entries, stakeholders: () => stakeholders, descriptionsOf: () => rows };
}

/** What a sheet's column adds up to over the rows that are meant, words left out. */
export function sumOf(sheet: Sheet, key: string, isMeant: (row: unknown) => boolean = () => true): string {
  const column = sheet.columns.find((each) => each.key === key);
  let sum = 0n;
  for (const row of sheet.rows()) {
    const value = column?.value(row);
    if (isMeant(row) && typeof value === "string" && isDecimalText(value)) sum += parseDecimal(value);
  }
  return formatDecimal(sum);
}

/** The cells of a sheet as records by the columns' keys. */
export function recordsOf(sheet: Sheet): Readonly<Record<string, unknown>>[] {
  return [...sheet.rows()].map((row) => Object.fromEntries(sheet.columns.map(({ key, value }) => [key, value(row)])));
}
