// The progress of an import, as a client sees it that polls meanwhile.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { ImportsUnderWay } from "../../../src/exchange/ocf/import/under-way.ts";
import { newDataDir, serveProgram } from "../../kit/program.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

const IDLE = {
  state: "IDLE",
  objectsTotal: null,
  objectsDone: 0,
  startedAt: null,
  finishedAt: null,
  report: null,
};

const manifest = { ocf_version: "1.2.0", issuer: { object_type: "ISSUER", id: "issuer", legal_name: "Acme, Inc." } };

const holder = (i: number) => ({
  object_type: "STAKEHOLDER",
  id: `holder-${i}`,
  name: { legal_name: `Holder ${i}` },
  stakeholder_type: "INDIVIDUAL",
});

const packageOf = (count: number) => ({
  manifest,
  entityFiles: { "stakeholders.json": { items: Array.from({ length: count }, (_, i) => holder(i)) } },
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe("GET /cap-table/ocf-import", () => {
  const look = async (orgId: string) =>
    (await server.api("GET", "/cap-table/ocf-import", undefined, { orgId })).json.data;

  test("before any import, after a dry run, and for another organization there is no import", async () => {
    const orgId = await server.newOrganization();
    expect(await look(orgId)).toEqual(IDLE);
    await server.api("POST", "/cap-table/ocf-import", { ...packageOf(2), dryRun: true }, { orgId });
    expect(await look(orgId)).toEqual(IDLE);
    await server.api("POST", "/cap-table/ocf-import", packageOf(2), { orgId });
    expect((await look(orgId)).state).toBe("DONE");
    expect(await look(server.orgId)).toEqual(IDLE);
  });

  test("shows how far it is while it goes on, and then what it answered", async () => {
    const orgId = await server.newOrganization();
    const answer = server.api("POST", "/cap-table/ocf-import", packageOf(3000), { orgId });
    const seen = [];
    let state = await look(orgId);
    while (state.state !== "DONE") {
      seen.push(state);
      state = await look(orgId);
    }
    const running = seen.filter((each) => each.state === "RUNNING");
    expect(running.some(({ objectsTotal, objectsDone }) => objectsTotal === 3000 && objectsDone < 3000)).toBe(true);
    expect(running.every(({ report, finishedAt }) => report === null && finishedAt === null)).toBe(true);
    const { startedAt, finishedAt, ...rest } = state;
    const { data } = (await answer).json;
    expect(rest).toEqual({ state: "DONE", objectsTotal: 3000, objectsDone: 3000, report: data });
    expect(startedAt <= finishedAt).toBe(true);
    expect(data.imported.stakeholders).toBe(3000);
  });

  test("needs the role ADMIN", async () => {
    expect((await server.api("GET", "/cap-table/ocf-import", undefined, { role: "EDITOR" })).status).toBe(403);
  });
});

test("what an earlier import has to say once a later one began is passed over", () => {
  const imports = new ImportsUnderWay();
  const news = (importId: string, objectsDone: number) =>
    imports.tell({ orgId: "o", importId, state: { ...IDLE, state: "RUNNING", objectsDone } });
  news("1", 5);
  news("2", 1);
  news("1", 6);
  expect(imports.of("o").objectsDone).toBe(1);
  news("2", 2);
  expect(imports.of("o").objectsDone).toBe(2);
});

test("`serve`, whose writing thread imports, tells of it as well", async () => {
  const dataDir = newDataDir();
  const program = await serveProgram(dataDir);
  try {
    const headers = { authorization: `Bearer ${program.key}`, "content-type": "application/json" };
    const url = `${program.url}/api/v1/cap-table/ocf-import`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(packageOf(20)) });
    const { data } = (await answer.json()) as { data: unknown };
    const shown = (await (await fetch(url, { headers })).json()) as { data: object };
    expect(shown.data).toMatchObject({ state: "DONE", objectsTotal: 20, objectsDone: 20, report: data as object });
  } finally {
    await program.end();
    rmSync(dirname(dataDir), { recursive: true, force: true });
  }
});
