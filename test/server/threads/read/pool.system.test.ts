// Reads in threads of their own: they answer as the service would, a client that cancels one or waits too long gets
// his refusal, and the next has a thread again.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { Problem } from "../../../../src/kernel/problem.ts";
import type { ReadRoute, ReadTask } from "../../../../src/resources/route.ts";
import { ReadThreads } from "../../../../src/server/threads/read/pool.ts";
import { listCsvRoutes } from "../../../../src/views/reports/lists.ts";
import { loadListCsv } from "../../../../src/views/reports/thread-routes.ts";
import { asking, makeWholeCompany } from "../../../kit/company.ts";
import { LOADED_ROUTES } from "../../../kit/loaded-routes.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { jsonOf } from "../../../kit/reply.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";

/** Reads in threads however short its ledger. */
let server: TestServer;
let holder: string;
beforeAll(async () => {
  server = await startTestServer({}, { longFromEntries: 0 });
  await makeWholeCompany(asking(server.url, await server.key("ADMIN")));
  holder = await makeStakeholder(server);
  const stockClassId = await makeShareClass(server, { name: "Another" });
  await issueShares(server, { stakeholderId: holder, stockClassId, effectiveDate: "2026-03-04" });
});
afterAll(() => server.stop());

const pools: ReadThreads[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

test("a list as CSV is loaded with its first question, each that the service has", async () => {
  const lists = listCsvRoutes.map(({ operationId }) => operationId);
  expect(lists.length).toBeGreaterThan(10);
  for (const operationId of lists) expect((await loadListCsv(operationId))?.operationId).toBe(operationId);
  expect(await loadListCsv("listNothingCsv")).toBeNull();
  // Nothing else is taken for one: what writes is not reached by a thread that reads.
  expect(await loadListCsv("createStakeholder")).toBeNull();
});

function newPool(times: ConstructorParameters<typeof ReadThreads>[2] = {}, most = 1): ReadThreads {
  const circumstances = {
    ...{ database: server.app.reader.sqlite.name, fontDir: null },
    ...{ backupEveryHours: null, timestampEveryHours: null },
  };
  const pool = new ReadThreads(circumstances, most, times);
  pools.push(pool);
  return pool;
}

function task(operationId: string, query: ReadTask["query"] = {}, params: ReadTask["params"] = {}): ReadTask {
  return { operationId, orgId: server.orgId, params, query, nowMs: Date.UTC(2026, 5, 30) };
}

function inline({ operationId, ...request }: ReadTask): unknown {
  const route = LOADED_ROUTES.find((each) => each.operationId === operationId) as ReadRoute;
  return jsonOf(route.run(server.app.reader, request));
}

describe("a thread", () => {
  test.each([
    ["getCapTable", {}],
    ["getCapTable", { asOf: "2026-02-01" }],
    ["getCapTable", { knownAt: "2026-01-01T00:00:00Z" }],
    ["getStakeholderPosition", { asOf: "2026-06-30" }],
    ["getCapTableHealth", {}],
  ])("answers %s %o as the service itself would", async (operationId, query) => {
    const asked = task(operationId, query, { id: holder });
    expect(jsonOf(await newPool().read(asked))).toEqual(inline(asked));
  });

  test("is where the service reads a long ledger, and no client sees a difference", async () => {
    const shown = (await server.api("GET", "/cap-table?asOf=2026-03-04")).json.data;
    expect(shown.stakeholders.map(({ id }: { readonly id: string }) => id)).toContain(holder);
    expect((await server.api("GET", `/stakeholders/${holder}/position`)).json.totals.outstanding).toBe("1000");
    const missing = await server.api("GET", "/stakeholders/unknown/position?asOf=2026-03-04");
    expect([missing.status, missing.json.type.split("/").at(-1)]).toEqual([404, "not-found"]);
    expect((await server.api("GET", "/cap-table?asOf=yesterday")).status).toBe(422);
    const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
    const exported = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers });
    expect(Object.keys(unzipSync(await exported.bytes()))).toContain("ocf_manifest.json");
  });

  test("sees what was written just before", async () => {
    const id = await makeStakeholder(server, { displayName: "Just now" });
    expect((await server.api("GET", `/stakeholders/${id}/position`)).json.stakeholder.displayName).toBe("Just now");
  });

  test("refuses as the service does, and goes on", async () => {
    const pool = newPool();
    const refused = await pool.read(task("getStakeholderPosition", {}, { id: "unknown" })).catch((thrown) => thrown);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused.slug).toBe("not-found");
    const failed = await pool.read(task("noSuchOperation")).catch((thrown) => thrown);
    expect([failed.name, failed.message]).toEqual(["ErrorElsewhere", expect.stringContaining("noSuchOperation")]);
    expect((await pool.read(task("getCapTable"))).status).toBe(200);
    expect(pool.size).toBe(1);
  });

  test("that takes too long is ended, its reader told 503, and the next has another", async () => {
    const pool = newPool({ patienceMs: 0 });
    const late = await pool.read(task("getCapTable")).catch((thrown) => thrown);
    expect([late.slug, late.status]).toEqual(["unavailable", 503]);
    expect(pool.size).toBe(0);
  });

  test("is ended when none has had anything to do for a while", async () => {
    const pool = newPool({ idleMs: 0 });
    await pool.read(task("getCapTable"));
    while (pool.size > 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await pool.read(task("getCapTable"))).status).toBe(200);
  });
});

describe("a file", () => {
  test("keeps its thread until it was taken, or its client has gone", async () => {
    const pool = newPool();
    for (const use of ["taken", "let go of", "begun and let go of"]) {
      const { file } = await pool.read(task("exportOcf"));
      const content = file?.content as ReadableStream<Uint8Array>;
      let isNext = false;
      const next = pool.read(task("getCapTable")).then((reply) => {
        isNext = true;
        return reply;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect([use, isNext]).toEqual([use, false]);
      const reader = content.getReader();
      if (use === "begun and let go of") await reader.read();
      if (use === "taken") while (!(await reader.read()).done);
      else await reader.cancel();
      expect((await next).status).toBe(200);
      expect(pool.size).toBe(1);
    }
  });
});

test("a closed pool refuses, and what it was at is rejected", async () => {
  const pool = newPool();
  const under = pool.read(task("getCapTable")).catch((thrown: Error) => thrown.message);
  pool.close();
  expect(await under).toContain("closed");
  await expect(pool.read(task("getCapTable"))).rejects.toThrow("closed");
});
