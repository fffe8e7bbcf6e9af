// Originals whose securities are as they were imported go out without being read; SQLite says so of a row, and of no row
// in which any mapped column differs.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SECURITY_COLUMNS } from "../../../../src/exchange/ocf/codec/issuance.ts";
import { walkTransactions } from "../../../../src/exchange/ocf/export/store.ts";
import { type Company, newCompany, packageWith } from "../import-support.ts";

const TEXT = 'Zoë "the" \\ slash / line\nbreak, tab\t, 😀 and \u2028';

const OBJECTS = [
  { object_type: "STAKEHOLDER", id: "zoe", name: { legal_name: "Zoë" }, stakeholder_type: "INDIVIDUAL" },
  {
    object_type: "STOCK_CLASS",
    id: "common",
    name: "Common",
    class_type: "COMMON",
    default_id_prefix: "CS-",
    initial_shares_authorized: "1000",
    votes_per_share: "1",
    seniority: "1",
  },
  {
    object_type: "TX_STOCK_ISSUANCE",
    id: "issued",
    security_id: "stock",
    date: "2024-01-02",
    custom_id: TEXT,
    stakeholder_id: "zoe",
    stock_class_id: "common",
    share_price: { amount: "1.50", currency: "USD" },
    quantity: "100",
    comments: [TEXT],
    security_law_exemptions: [],
    stock_legend_ids: [],
  },
];

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
