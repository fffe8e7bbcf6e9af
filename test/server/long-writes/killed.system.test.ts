// The program, killed in the midst of a long write, finishes it when it is started again.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { PIECE } from "../../../src/storage/database/long-writes.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { call, makeHolder } from "../../safekeeping/backup/support.ts";

setDefaultTimeout(120_000);

const COUNT = 8 * PIECE;

async function approved(served: Served): Promise<string> {
  const given = { title: "Founders", entityType: "Stock Issuance", steps: [{ name: "Board" }] };
  const { data } = (await call(served, "POST", "/approvals", given)).json;
  await call(served, "POST", `/approvals/${data.id}/submit`);
  await call(served, "PATCH", `/approvals/${data.id}/steps/${data.steps[0].id}`, { status: "APPROVED" });
  return data.id;
}

test("a lock that was answered counts after kill -9, and its stock follows", async () => {
  const dataDir = newDataDir();
  const settings = { CAPTABLE_CHAIN: "off" };
  const served = await serveProgram(dataDir, settings);
  const { holder: stakeholderId, shareClass: stockClassId } = await makeHolder(served);
  const approvalId = await approved(served);
  const given = { type: "STOCK", quantity: "10", grantDate: "2026-01-15", stakeholderId, stockClassId, approvalId };
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  await Promise.all(
    numbers.map((number) => call(served, "POST", "/securities", { ...given, certificateId: `G-${number}` })),
  );
  const locked = await call(served, "POST", `/approvals/${approvalId}/lock`);
  await served.end("SIGKILL");
  expect(locked.json.data.state).toBe("Locked");
  const db = openReadOnly(join(dataDir, DATABASE_FILE));
  const count = (condition: string) => {
    const query = `select count(*) from securities where ${condition}`;
    return db.sqlite.prepare(query).pluck().get() as number;
  };
  expect([count("true"), verifyDatabase(db).differences]).toEqual([COUNT, []]);
  const again = await serveProgram(dataDir, settings);
  while (count(`"isGated" = 1`) > 0) await Bun.sleep(10);
  expect(verifyDatabase(db).differences).toEqual([]);
  db.sqlite.close();
  await again.end();
});

test("a split that was answered counts after kill -9, and its rows follow", async () => {
  const dataDir = newDataDir();
  const settings = { CAPTABLE_CHAIN: "off" };
  const served = await serveProgram(dataDir, settings);
  const { holder: stakeholderId, shareClass: stockClassId } = await makeHolder(served);
  const given = { type: "STOCK", quantity: "10", grantDate: "2026-01-15", stakeholderId, stockClassId };
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  await Promise.all(
    numbers.map((number) => call(served, "POST", "/securities", { ...given, certificateId: `S-${number}` })),
  );
  const effectiveDate = new Date().toISOString().slice(0, 10);
  const body = { stockClassId, numerator: 3, denominator: 2, effectiveDate };
  const done = await call(served, "POST", "/transactions/split", body);
  await served.end("SIGKILL");
  expect(done.json.data.securitiesAdjusted).toBeGreaterThanOrEqual(COUNT);
  const db = openReadOnly(join(dataDir, DATABASE_FILE));
  const left = () =>
    db.sqlite
      .prepare(`select count(*) from securities where "certificateId" like 'S-%' and quantity = '10'`)
      .pluck()
      .get();
  expect([left() === 0, verifyDatabase(db).differences]).toEqual([false, []]);
  const again = await serveProgram(dataDir, settings);
  const seen = await call(again, "GET", "/securities?limit=100");
  expect(new Set(seen.json.items.map(({ quantity }: { quantity: string }) => quantity)).has("10")).toBe(false);
  while (left() !== 0) await Bun.sleep(10);
  expect(verifyDatabase(db).differences).toEqual([]);
  db.sqlite.close();
  await again.end();
});
