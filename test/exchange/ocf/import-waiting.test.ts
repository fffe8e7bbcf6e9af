// An import writes the rows that it would write if no row of it waited for the end of a transaction: whole packages, and
// such as come in two parts.
import { afterAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import type { OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { callWithoutRequest } from "../../../src/kernel/call.ts";
import type { Runtime } from "../../../src/kernel/runtime.ts";
import { insertOrganization } from "../../../src/resources/organization/store.ts";
import { DATABASE_FILE, openWritable } from "../../../src/storage/database/open.ts";
import { WaitingRows } from "../../../src/storage/database/waiting-rows.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { writeMigrated } from "../../kit/migrated.ts";
import { PACKAGES } from "../../kit/ocf-material.ts";
import { firstSeed, seedCount } from "../../kit/proof.ts";
import { Company } from "../../property/company.ts";
import { exportedFrom, firstPart, packageWith } from "../../property/cut.ts";
import { Home } from "../../property/home.ts";
import { seenIn } from "../../property/seen.ts";
import { type TwoParts, twoParts } from "../../property/two-parts.ts";
import { SMALL } from "./fixture.ts";
import { readPackage } from "./reading.ts";

const COMPANIES = seedCount(3, 300);
/** An import's transactions take so many objects that there are some of them, and each has some. */
const TICK_MS = 0.7;
let ticks = 0;
const clock = spyOn(performance, "now").mockImplementation(() => TICK_MS * ticks++);
const home = await Home.open();

afterAll(() => {
  home.close();
  clock.mockRestore();
});

type Packages = readonly (() => Promise<OcfPackage> | OcfPackage)[];

/** Every row of every table after the packages came in one after the other, and the reports. */
async function rowsAfter(packages: Packages, letsRowsWait: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "captable-import-"));
  await writeMigrated(folder);
  const db = openWritable(join(folder, DATABASE_FILE));
  db.sqlite.pragma("synchronous = OFF");
  const writer = new Writer(db, (error) => expect(error).toBeNull(), { letsRowsWait });
  let ids = 0;
  const newId = () => `0190f5a2-0000-7000-8000-${String(++ids).padStart(12, "0")}`;
  const runtime: Runtime = {
    ...{ nowMs: () => Date.parse("2026-06-01T12:00:00Z"), elapsedMs: () => 0, random: () => 0.5 },
    newId,
  };
  const orgId = newId();
  const call = () => callWithoutRequest(runtime, orgId, "cli");
  await writer.submit((tx) => insertOrganization(tx, call(), { legalName: "Acme", isNamed: 1 }));
  const reports: string[] = [];
  ticks = 0;
  try {
    for (const make of packages) reports.push(JSON.stringify(await importPackage({ writer, call }, await make())));
    const tables = db.sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
    const rows = tables.flatMap((table) =>
      db.sqlite.prepare<[], object>(`select '${table}' as "table", * from "${table}"`).all(),
    );
    return [...rows.map((row) => JSON.stringify(row)), ...reports];
  } finally {
    db.sqlite.close();
    rmSync(folder, { recursive: true });
  }
}

/** How many rows differ. */
async function differing(packages: Packages): Promise<number> {
  const [waiting, never] = [await rowsAfter(packages, true), await rowsAfter(packages, false)];
  return Math.abs(waiting.length - never.length) + waiting.filter((row, at) => row !== never[at]).length;
}

/** A random company's export, a part of it first. */
async function partsOf({ there, cut }: TwoParts): Promise<Packages> {
  const whole = await home.writer.submit((tx) => {
    const company = new Company(tx);
    for (const choose of there) {
      const step = choose(seenIn(company));
      if (step !== null) company.run(step);
    }
    return exportedFrom(tx, company.orgId);
  });
  const first = { ...whole, transactions: firstPart(whole.transactions, cut) };
  return [() => packageWith(first), () => packageWith(whole)];
}

test("packages of others leave the same rows and reports", async () => {
  for (const path of [SMALL, ...PACKAGES]) {
    const packages = [() => readPackage(path), () => readPackage(path)];
    expect({ path, differing: await differing(packages) }).toEqual({ path, differing: 0 });
  }
}, 600_000);

test("random companies' packages in two parts leave the same rows and reports", async () => {
  for (const [i, chosen] of fc.sample(twoParts, { seed: firstSeed(1), numRuns: COMPANIES }).entries()) {
    expect({ i, differing: await differing(await partsOf(chosen)) }).toEqual({ i, differing: 0 });
  }
}, 3_600_000);

test("it finds figures that are lost, and rows that are kept without their changes", async () => {
  const packages = [() => readPackage(SMALL)];
  const { settle } = WaitingRows.prototype;
  const lost = spyOn(WaitingRows.prototype, "settle").mockImplementation(function (this: WaitingRows, tables) {
    settle.call(this, tables ?? ["transactions", "audit_log", "outbox"]);
  });
  expect(await differing(packages)).toBeGreaterThan(0);
  lost.mockRestore();
  const kept = spyOn(WaitingRows.prototype, "change").mockImplementation(function (this: WaitingRows, change) {
    change.write(this.tx, change.columns);
  });
  expect(await differing(packages)).toBeGreaterThan(0);
  kept.mockRestore();
});
