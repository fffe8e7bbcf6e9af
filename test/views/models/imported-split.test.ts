// An imported split of a class with many holders is recorded in pieces: for grants and valuations it is one split.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { split as splitting } from "../../../src/ledger/operations/split.ts";
import { listDatedSplits } from "../../../src/ledger/splits/dated-splits.ts";
import { executeOperation } from "../../../src/ledger/writes/execute.ts";
import { readGrants } from "../../../src/views/models/compliance/granted-shares.ts";
import { type Company, newCompany, packageWith } from "../../exchange/ocf/import-support.ts";
import { RECORDS, stock, tx } from "../../exchange/ocf/objects.ts";

setDefaultTimeout(60_000);

let company: Company;
beforeEach(async () => {
  company = await newCompany();
});
afterEach(() => company.close());

test("a split in several pieces multiplies grants, and divides valuations, once", async () => {
  const holdings = Array.from({ length: 150 }, (_, index) => stock(`cs-${index}`, "2024-01-10", "100"));
  const split_ratio = { numerator: "2", denominator: "1" };
  const split = tx("STOCK_CLASS_SPLIT", "2024-06-01", { stock_class_id: "common", split_ratio });
  await company.import(packageWith([...RECORDS, ...holdings, split]));
  const { db, orgId } = company;
  const pieces = db.sqlite.prepare("select count(*) as n from transactions where type = 'STOCK_SPLIT'").get();
  expect(pieces).toEqual({ n: 2 });
  expect(listDatedSplits(db, orgId).map(({ date, numerator }) => [date, numerator])).toEqual([["2024-06-01", 2n]]);
  const grants = readGrants(db, orgId, "2024-12-31");
  const valued = grants.growthBetween("common", "2024-05-01", "2024-12-31");
  expect(valued.n / valued.d).toBe(2n);
  const factors = grants.all.map(({ growthUpTo }) => growthUpTo("2024-12-31")).map(({ n, d }) => n / d);
  expect(factors).toEqual(holdings.map(() => 2n));
});

test("a split made here counts once, also where stock of before it is imported after it", async () => {
  const { db, orgId, writer } = company;
  const early = stock("cs-1", "2024-01-10", "100");
  await company.import(packageWith([...RECORDS, early]));
  const command = { stockClassId: "common", numerator: 2, denominator: 1, effectiveDate: "2024-06-01" };
  await writer.submit((tx) => executeOperation(tx, commandLineCall(systemRuntime, orgId), splitting, command));
  await company.import(packageWith([...RECORDS, early, stock("cs-2", "2024-01-11", "100")]));
  const entries = db.sqlite.prepare("select count(*) as n from transactions where type = 'STOCK_SPLIT'").get();
  expect(entries).toEqual({ n: 2 });
  expect(listDatedSplits(db, orgId).map(({ date, numerator }) => [date, numerator])).toEqual([["2024-06-01", 2n]]);
});
