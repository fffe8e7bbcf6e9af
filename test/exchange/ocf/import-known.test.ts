// What an import knows from one of its transactions to the next holds only while no other writes.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { Known } from "../../../src/exchange/ocf/import/known.ts";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { type Company, newCompany, packageWith } from "./import-support.ts";
import { type Fields, RECORDS, stock, tx } from "./objects.ts";
import { inSteps } from "./stepwise.ts";

const DAY = "2024-01-02";
const STOCK = Array.from({ length: 8 }, (_, n) => stock(`security-${n}`, DAY, "100", { stakeholder_id: "bob" }));
const begin = Known.prototype.begin;
let company: Company;

beforeEach(async () => {
  company = await newCompany();
});
afterEach(() => company.close());

const call = () => commandLineCall(systemRuntime, company.orgId);

/** Imports in transactions of few objects, with `between` before each. */
function imported(objects: readonly Fields[], between: (transaction: number) => Promise<unknown>, writer?: Writer) {
  const importBy = (slow: Writer) => importPackage({ writer: slow, call }, packageWith(objects));
  return inSteps(writer ?? company.writer, between, importBy);
}

/** What is known once stays known: as if others never wrote. */
async function forgettingNothing<T>(run: () => Promise<T>): Promise<T> {
  const begun = new WeakSet<Known>();
  const spy = spyOn(Known.prototype, "begin").mockImplementation(function (this: Known, db) {
    if (!begun.has(this)) begin.call(this, db);
    begun.add(this);
  });
  try {
    return await run();
  } finally {
    spy.mockRestore();
  }
}

/** A holder is deleted when half of her stock is in. */
function importWhileDeleting(): Promise<ImportReport> {
  const enough = RECORDS.length + STOCK.length / 2;
  return imported([...RECORDS, ...STOCK], async (transaction) => {
    if (transaction !== enough) return;
    const { at: deletedAt } = call();
    await company.writer.submit((tx) => changeLogged(tx, call(), "stakeholders", "bob", { deletedAt }));
  });
}

const dangling = ({ warnings }: ImportReport) => warnings.filter(({ code }) => code === "dangling-reference").length;

test("a record that is deleted meanwhile is named by nothing that comes in afterwards", async () => {
  const report = await importWhileDeleting();
  expect(report.errors).toEqual([]);
  expect(dangling(report)).toBeGreaterThan(1);
  expect(dangling(report)).toBeLessThan(STOCK.length);
});

test("control: it would be, if what was found once counted for the whole import", async () => {
  expect(dangling(await forgettingNothing(importWhileDeleting))).toBe(0);
});

/** One package by two imports at once. */
async function importTwice(): Promise<readonly ImportReport[]> {
  const objects = [...RECORDS, ...STOCK, tx("STOCK_CANCELLATION", DAY, { security_id: "security-1", quantity: "100" })];
  // Each looks at the organization before the other writes.
  const other = new Writer(company.db, (error) => expect(error).toBeNull());
  let second: Promise<ImportReport> | null = null;
  const first = await imported(objects, async (transaction) => {
    if (transaction === RECORDS.length + 2) {
      second = importPackage({ writer: other, call }, packageWith(objects));
      await second;
    }
  });
  return second === null ? [first] : [first, await second];
}

test("what another import brings meanwhile is there already", async () => {
  const reports = await importTwice();
  expect(reports.map(({ errors }) => errors)).toEqual([[], []]);
  const issued = reports.map(({ imported: { issuances } }) => issuances);
  expect(issued.every((count) => count > 0)).toBe(true);
  expect((issued[0] ?? 0) + (issued[1] ?? 0)).toBe(STOCK.length);
  expect(reports[0]?.conflicts.length).toBeGreaterThan(2);
});

test("control: it would collide, if a new organization counted as one for the whole import", async () => {
  const [first] = await forgettingNothing(importTwice);
  expect(first?.errors.length).toBeGreaterThan(2);
});

test("two transactions of one id get entries of their own, and a security that two issue is issued once", async () => {
  const id = "the same";
  const cancelled = tx("STOCK_CANCELLATION", DAY, { security_id: "security-1", quantity: "100", reason_text: "error" });
  const objects = [{ ...STOCK[0], id }, STOCK[1], { ...cancelled, id }, { ...STOCK[1], id: "again" }] as Fields[];
  const report = await imported([...RECORDS, ...objects], async () => undefined);
  expect(report.errors).toEqual([]);
  expect(report.warnings.map(({ code }) => code)).toContain("duplicate-security");
  const ids = company.db.sqlite.prepare<[], string>("select id from transactions order by sequence").pluck().all();
  expect(ids).toEqual([id, String(STOCK[1]?.id), `TX_STOCK_CANCELLATION:${id}`]);
});
