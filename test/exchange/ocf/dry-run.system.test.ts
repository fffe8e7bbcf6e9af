// What a dry run says of the cap table: before, what GET /cap-table says; after, what it says once the package came in.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asking } from "../../kit/company.ts";
import { runProgram } from "../../kit/program.ts";
import { makeSampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Small } from "./fixture.ts";

setDefaultTimeout(120_000);

const ZIP = { "content-type": "application/zip" };
/** Enough for several steps of reading. */
const HOLDERS = 4000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

/** What of the cap table a dry run tells: its sums, and no part of a column that takes every holder. */
async function shown(orgId: string) {
  const { data } = (await server.api("GET", "/cap-table", undefined, { orgId })).json;
  const { shareClasses, equityPlans, totals } = data;
  const { percentPoolAsConverted: _part, ...sums } = totals;
  return { shareClasses, equityPlans, totals: sums };
}

async function send(bytes: Uint8Array, orgId: string, query = "") {
  const answer = await server.api("POST", `/cap-table/ocf-import${query}`, bytes, { orgId, headers: ZIP });
  expect(answer.status).toBe(200);
  return answer.json.data;
}

/** Tries a package, then takes it in; returns what the dry run said of the cap table. */
async function tryAndTake(bytes: Uint8Array, orgId: string) {
  const before = await shown(orgId);
  const { capTable, ...report } = await send(bytes, orgId, "?dryRun=true");
  expect(await shown(orgId)).toEqual(before);
  expect(await send(bytes, orgId)).toEqual(report);
  expect(capTable).toEqual({ before, after: await shown(orgId) });
  return { ...capTable, report };
}

test("into an empty organization, and again, when all of it is there", async () => {
  const orgId = await server.newOrganization();
  const first = await tryAndTake(new Small().zip(), orgId);
  expect(first.before.totals.fullyDiluted).toBe("0");
  expect([first.before.shareClasses, first.before.equityPlans]).toEqual([[], []]);
  expect(Number(first.after.totals.fullyDiluted)).toBeGreaterThan(0);
  const again = await tryAndTake(new Small().zip(), orgId);
  expect(again.after).toEqual(again.before);
});

test("into a company that has holdings of its own", async () => {
  const orgId = await server.newOrganization();
  await makeSampleCompany(asking(server.url, await server.key("ADMIN", orgId)));
  const { before, after } = await tryAndTake(new Small().zip(), orgId);
  expect(before.shareClasses.length).toBe(3);
  expect(after.shareClasses.length).toBeGreaterThan(3);
  expect(Number(after.totals.outstanding)).toBeGreaterThan(Number(before.totals.outstanding));
});

test("of a package with refused objects, and with what is dated later than today", async () => {
  const orgId = await server.newOrganization();
  const small = new Small();
  const issuance = (id: string, changes: object) =>
    small.add("transactions", { ...small.get("t01"), id, security_id: id, custom_id: id, ...changes });
  issuance("refused", { quantity: "many" });
  issuance("later", { date: "2999-01-01" });
  const { after, report } = await tryAndTake(small.zip(), orgId);
  expect(report.errors.map(({ id }: { id: string }) => id)).toEqual(["refused"]);
  const rest = await tryAndTake(new Small().zip(), await server.newOrganization());
  expect(report.imported.issuances).toBe(rest.report.imported.issuances + 1);
  expect(after).toEqual(rest.after);
});

test("of a long package, while others are answered", async () => {
  const orgId = await server.newOrganization();
  const small = new Small();
  const issuance = small.get("t01");
  for (let i = 0; i < HOLDERS; i++) {
    small.add("transactions", { ...issuance, id: `more-${i}`, security_id: `more-${i}`, custom_id: `M-${i}` });
  }
  let answered = 0;
  const underWay = tryAndTake(small.zip(), orgId).finally(() => {
    answered = -1;
  });
  while (answered >= 0 && answered < 5) {
    expect((await server.api("GET", "/organization", undefined, { orgId })).status).toBe(200);
    if (answered >= 0) answered++;
  }
  expect(answered).toBe(5);
  const { after, report } = await underWay;
  expect(report.imported.issuances).toBeGreaterThan(HOLDERS);
  expect(Number(after.totals.outstanding)).toBeGreaterThan(HOLDERS);
});

test("an import itself, and how it is getting on, say nothing of it", async () => {
  const orgId = await server.newOrganization();
  expect(await send(new Small().zip(), orgId)).not.toHaveProperty("capTable");
  const { report } = (await server.api("GET", "/cap-table/ocf-import", undefined, { orgId })).json.data;
  expect(report).not.toHaveProperty("capTable");
});

test("the command line says it in a line, and as JSON what the API does", async () => {
  const orgId = await server.newOrganization();
  const zip = new Small().zip();
  const file = join(server.dataDir, "small.zip");
  writeFileSync(file, zip);
  const { capTable } = await send(zip, orgId, "?dryRun=true");
  const args = ["ocf", "import", file, "--dry-run", "--org", orgId, "--data-dir", server.dataDir];
  const said = await runProgram(args);
  const { asConverted, outstanding } = capTable.after.totals;
  expect(said.stdout.split("\n")).toContain(
    `Cap table: fully diluted 0 now, ${asConverted} after; outstanding 0 now, ${outstanding} after`,
  );
  expect(JSON.parse((await runProgram([...args, "--json"])).stdout).capTable).toEqual(capTable);
  const done = await runProgram(args.filter((each) => each !== "--dry-run"));
  expect(done.stdout).not.toContain("Cap table");
});
