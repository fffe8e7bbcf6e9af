// The program verifies a large file in threads of its own: it reports what one walk after the other does, also beside a
// server that writes without rest, where what it reports is of one moment.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { VerifyReport } from "../../../src/safekeeping/verify/report.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { type Ask, asking, makeWholeCompany } from "../../kit/company.ts";
import { newDataDir, runProgram, type Served, serveProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const dataDir = newDataDir();
const stopped = newDataDir();
/** The server that writes without rest. */
let busy: Served | null = null;
const LARGE_BYTES = 17 * 1024 * 1024;

beforeAll(async () => {
  const service = await serveProgram(dataDir);
  await makeWholeCompany(asking(service.url, service.key));
  await service.end();
  // Where no verification looks, so that the file is large and quickly verified.
  const db = new Database(join(dataDir, DATABASE_FILE));
  db.prepare("insert into settings (name, value) values ('filler', hex(zeroblob(?)))").run(LARGE_BYTES / 2);
  db.pragma("wal_checkpoint(truncate)");
  db.close();
  cpSync(dataDir, stopped, { recursive: true });
});
afterAll(async () => {
  await busy?.end("SIGKILL");
  for (const folder of [dataDir, stopped]) rmSync(dirname(folder), { recursive: true });
});

/** What the program reports, and its exit status. */
async function verified(of: string): Promise<{ status: number; report: VerifyReport }> {
  const { status, stdout } = await runProgram(["verify", "--data-dir", of, "--json"]);
  return { status, report: JSON.parse(stdout) };
}

function verifiedHere(of: string): VerifyReport {
  const db = openReadOnly(join(of, DATABASE_FILE));
  try {
    return verifyDatabase(db);
  } finally {
    db.sqlite.close();
  }
}

test("what the program reports is what one walk after the other does, sound or falsified in each walk's place", async () => {
  expect(await verified(stopped)).toEqual({ status: 0, report: verifiedHere(stopped) });
  const db = new Database(join(stopped, DATABASE_FILE));
  db.pragma("foreign_keys = OFF");
  const triggers = db.prepare<[], { name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  );
  const all = triggers.all();
  for (const { name } of all) db.exec(`drop trigger ${name}`);
  db.exec("update audit_log set method = 'PUT' where sequence = 7");
  db.exec("update transactions set quantity = '1' where sequence = 3");
  db.exec("update stakeholders set displayName = 'Eve' where seq = (select min(seq) from stakeholders)");
  db.exec("update account_log set at = '2020-01-01T00:00:00.000Z' where sequence = 1");
  db.exec("delete from vesting_terms where seq = (select min(seq) from vesting_terms)");
  for (const { sql } of all) db.exec(sql);
  db.close();
  const { status, report } = await verified(stopped);
  const here = verifiedHere(stopped);
  expect([status, report.differences]).toEqual([4, [...here.differences]]);
  const codes = new Set(here.differences.map(({ code }) => code));
  for (const code of ["foreign-key", "log-altered", "entry-altered", "row-differs", "row-missing"] as const) {
    expect(codes).toContain(code);
  }
});

async function makeCompany(call: Ask) {
  const holder = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
  const shares = { name: "Busy", classType: "COMMON", votesPerShare: "1", seniority: 9 };
  const common = { ...shares, defaultIdPrefix: "BUSY-", initialSharesAuthorized: "1000000" };
  const [stakeholder, stockClass] = [
    await call("POST", "/stakeholders", holder),
    await call("POST", "/share-classes", common),
  ];
  return { stakeholderId: stakeholder.id, stockClassId: stockClass.id };
}

test("beside a server that writes without rest it is of one moment", async () => {
  busy = await serveProgram(dataDir);
  const service = busy;
  const call = asking(service.url, service.key);
  const company = await makeCompany(call);
  let number = 0;
  const on = { quantity: "1", effectiveDate: "2026-01-15" };
  const issue = () =>
    call("POST", "/transactions/issue-shares", { ...company, ...on, certificateId: `BUSY-${++number}` });
  let isOver = false;
  const writing = [1, 2, 3, 4].map(async () => {
    while (!isOver) await issue();
  });
  const heads: (readonly [entries: number, log: number])[] = [];
  for (let times = 0; times < 8; times++) {
    const { status, report } = await verified(dataDir);
    expect([status, report.differences]).toEqual([0, []]);
    const [found] = report.organizations;
    heads.push([found?.entries ?? 0, found?.log.sequence ?? 0]);
  }
  isOver = true;
  await Promise.all(writing);
  await service.end();
  const db = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const ofEntries = db
    .prepare("select count(*) from transactions where type = 'STOCK_ISSUANCE' and sequence <= ?")
    .pluck();
  const ofLog = db.prepare(`select count(*) from audit_log where resourceType = 'security' and "before" is null
    and path = '/api/v1/transactions/issue-shares' and sequence <= ?`);
  const issues = heads.map(([entries, log]) => [ofEntries.get(entries), ofLog.pluck().get(log)].map(Number));
  db.close();
  const [[first = 0, firstOfLog = 0] = []] = issues;
  // Stock came in other ways before.
  expect(issues.map(([entries = 0, log = 0]) => log - firstOfLog - (entries - first))).toEqual(heads.map(() => 0));
  expect(new Set(issues.map(([entries]) => entries)).size).toBeGreaterThan(5);
});
