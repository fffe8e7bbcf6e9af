// Originals whose securities are as they were imported go out without being read; SQLite says so of a row, and of no row
// in which any mapped column differs.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SECURITY_COLUMNS } from "../../../../src/exchange/ocf/codec/issuance.ts";
import { walkTransactions } from "../../../../src/exchange/ocf/export/store.ts";
import { type Company, newCompany, packageWith } from "../import-support.ts";
import { RECORDS, stock } from "../objects.ts";

const TEXT = 'Zoë "the" \\ slash / line\nbreak, tab\t, 😀 and \u2028';

const OBJECTS = [...RECORDS, stock("stock", "2024-01-02", "100", { custom_id: TEXT, comments: [TEXT] })];

let company: Company;
beforeAll(async () => {
  company = await newCompany();
  expect((await company.import(packageWith(OBJECTS))).errors).toEqual([]);
});
afterAll(() => company.close());

function isUnchanged(): boolean {
  const [only, ...others] = walkTransactions(company.db, company.orgId);
  expect(others).toEqual([]);
  return only?.isUnchanged === 1;
}

test("an imported security is unchanged, whatever characters are in it", () => {
  expect(isUnchanged()).toBe(true);
});

test.each([...SECURITY_COLUMNS, "correctedPrice"])("it is changed by another %s", (column) => {
  const { sqlite } = company.db;
  sqlite.pragma("foreign_keys = OFF");
  sqlite.exec("BEGIN");
  sqlite.exec("PRAGMA ignore_check_constraints = ON");
  sqlite.prepare(`UPDATE securities SET "${column}" = coalesce("${column}", '') || 'x'`).run();
  expect(isUnchanged()).toBe(false);
  sqlite.exec("ROLLBACK");
  expect(isUnchanged()).toBe(true);
});
