// One refused object among many: what it had written is taken back, the others come in, and the report says each thing
// once, though the transaction that they shared was undone and done again.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { findRecord } from "../../../src/storage/database/records.ts";
import { type Company, newCompany, packageWith } from "./import-support.ts";

const holder = { object_type: "STAKEHOLDER", name: { legal_name: "Ada" }, stakeholder_type: "INDIVIDUAL" };
const stockClass = {
  object_type: "STOCK_CLASS",
  id: "common",
  name: "Common",
  class_type: "COMMON",
  default_id_prefix: "CS-",
  initial_shares_authorized: "10",
  votes_per_share: 1,
  seniority: 1,
};

function issuance(n: number, changes: object = {}) {
  return {
    object_type: "TX_STOCK_ISSUANCE",
    id: `issuance-${n}`,
    security_id: `security-${n}`,
    custom_id: `CS-${n}`,
    date: `2024-01-0${n}`,
    stakeholder_id: "ada",
    stock_class_id: "common",
    quantity: "100",
    share_price: { amount: "1", currency: "USD" },
    security_law_exemptions: [],
    stock_legend_ids: [],
    ...changes,
  };
}

/** Refused after a placeholder was made for its class. */
const refused = issuance(2, { stock_class_id: "unheard-of", stock_plan_id: "\u0001" });

describe("an object that is refused after it wrote something", () => {
  let company: Company;
  let report: ImportReport;
  beforeAll(async () => {
    company = await newCompany();
    report = await company.import(
      packageWith([{ ...holder, id: "ada" }, { ...holder, id: "bob" }, stockClass, issuance(1), refused, issuance(3)]),
    );
  });
  afterAll(() => company.close());

  test("leaves nothing behind", () => {
    expect(report.errors.map(({ id, pointer }) => [id, pointer])).toEqual([["issuance-2", "#/stock_plan_id"]]);
    expect(findRecord(company.db, "share_classes", company.orgId, "unheard-of")).toBeNull();
    expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
  });

  test("does not keep out the others, and they count once", () => {
    expect(report.imported).toMatchObject({ stakeholders: 2, stockClasses: 1, issuances: 2 });
    const counted = company.db.sqlite.prepare("select stakeholderCount from organizations").pluck().get();
    expect(counted).toBe(2);
    expect(findRecord(company.db, "share_classes", company.orgId, "common")?.issued).toBe("200");
  });

  test("does not repeat what was said before it", () => {
    const remarks = report.warnings.filter(({ objectType }) => objectType === "TX_STOCK_ISSUANCE");
    expect(remarks.map(({ code, id }) => [code, id])).toEqual([
      ["over-issued", "issuance-1"],
      ["dangling-reference", "issuance-2"],
    ]);
  });
});

describe("what the log tells of an import", () => {
  test("is all that it did, also where the first object of a transaction is refused behind the issuer", async () => {
    const company = await newCompany();
    const report = await company.import(
      packageWith([
        { ...holder, id: "\u0001" },
        { ...holder, id: "ada" },
      ]),
    );
    expect(report.errors).toHaveLength(1);
    expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
    const named = company.db.sqlite.prepare("select after from audit_log where resourceType = 'organization'").pluck();
    expect(named.all().some((after) => JSON.parse(String(after)).isNamed === 1)).toBe(true);
    company.close();
  });

  test("is one row for each record that a transaction touched, and one for all its originals", async () => {
    const company = await newCompany();
    const left = { object_type: "CE_STAKEHOLDER_STATUS", id: "left", date: "2024-02-01", stakeholder_id: "ada" };
    const event = { ...left, new_status: "TERMINATION_VOLUNTARY_OTHER" };
    const ocf = packageWith([{ ...holder, id: "ada" }, { ...holder, id: "bob" }, stockClass, issuance(1), event]);
    const call = () => commandLineCall(systemRuntime, company.orgId);
    // However slow the machine is, all of it is one transaction.
    await importPackage({ writer: company.writer, call, chunkMs: 600_000 }, ocf);
    expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
    const told = company.db.sqlite.prepare<[], { resourceType: string; resourceId: string | null; after: string }>(
      "select resourceType, resourceId, after from audit_log where apiKeyId is null order by sequence",
    );
    const rows = told.all().filter(({ resourceType }) => !/organization|api key/.test(resourceType));
    const names = rows.map(({ resourceType, resourceId }) => [resourceType, resourceId]);
    expect(names).toEqual([
      ["stakeholder", "ada"],
      ["stakeholder", "bob"],
      ["share class", "common"],
      ["security", "security-1"],
      ["ocf object", null],
    ]);
    expect(JSON.parse(rows[0]?.after ?? "")).toMatchObject({ status: "FORMER" });
    const { records } = JSON.parse(rows[4]?.after ?? "");
    expect(records.map(({ id }: { id: string }) => id).sort()).toEqual([
      "ada",
      "bob",
      "common",
      "issuance-1",
      "issuer",
      "left",
    ]);
    company.close();
  });
});
