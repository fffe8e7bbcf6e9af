// The export as a stream: one moment, bounded, and let go of when nobody reads on.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { unzipSync } from "fflate";
import { readInclude } from "../../../src/ocf/export/include.ts";
import { openExport } from "../../../src/ocf/export/open.ts";
import { makeStakeholder } from "../../support/make.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { exportOf } from "./support.ts";

setDefaultTimeout(60_000);

const HOLDERS = 3_000;
const EXPORTS_MAX = 8;

let server: TestServer;

/** A large organization, written straight into the table: names that do not compress, so that its export is large. */
beforeAll(async () => {
  server = await startTestServer();
  await server.app.writer.submit((tx) => {
    tx.sqlite.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HOLDERS})
      INSERT INTO stakeholders (orgId, id, createdAt, updatedAt, displayName, name, type, status, relationships, searchText)
      SELECT '${server.orgId}', 'holder-' || i, '2026-01-01', '2026-01-01', 'x',
        json_object('legalName', hex(randomblob(1000))), 'INDIVIDUAL', 'CURRENT', '[]', 'x' FROM n`);
  });
});
afterAll(() => server.stop());

const begin = () => openExport(server.app.reader.sqlite.name, server.orgId, readInclude(undefined), Date.now());

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

test("shows the moment at which it began, whatever is written meanwhile", async () => {
  const { content } = begin();
  const late = await makeStakeholder(server);
  const file = unzipSync(await bytesOf(content))["stakeholders.json"] ?? new Uint8Array();
  const ids = JSON.parse(new TextDecoder().decode(file)).items.map((item: { id: string }) => item.id);
  expect(ids.length).toBe(HOLDERS);
  expect(ids).not.toContain(late);
});

test("lets other requests through while it runs", async () => {
  const exporting = exportOf(server);
  let slowestMs = 0;
  let count = 0;
  let isRunning = true;
  const done = exporting.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const started = performance.now();
    await server.api("GET", "/stakeholders?limit=1");
    slowestMs = Math.max(slowestMs, performance.now() - started);
    count++;
  }
  await done;
  expect(count).toBeGreaterThan(3);
  expect(slowestMs).toBeLessThan(1000);
});

test("takes a few at once, refuses more with 429 and a time to wait, and has room again when they are let go of", async () => {
  const open = Array.from({ length: EXPORTS_MAX }, begin);
  const refused = await server.api("GET", "/cap-table/ocf-export", undefined, { role: "VIEWER" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  await Promise.all(open.map(({ content }) => content.cancel()));
  const again = begin();
  await again.content.cancel();
});

test("is let go of when the client hangs up", async () => {
  const authorization = `Bearer ${await server.key("VIEWER")}`;
  for (let i = 0; i < EXPORTS_MAX * 2; i++) {
    const hangUp = new AbortController();
    const response = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, {
      headers: { authorization },
      signal: hangUp.signal,
    });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    hangUp.abort();
    await Bun.sleep(20);
  }
});
