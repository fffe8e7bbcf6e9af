// A `503` tells the log why, and its caller that it may try again.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({});
});
afterEach(() => server.stop());

/** The lines of the log, when all are written. */
async function linesOf(status: number): Promise<readonly { readonly route: string; readonly error?: string }[]> {
  for (;;) {
    const lines = server.log.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line));
    const found = lines.filter((line) => line.status === status);
    if (found.length > 0) return found;
    await Bun.sleep(10);
  }
}

test("of a database that cannot be written: with what SQLite said, which the caller is not told", async () => {
  await server.api("GET", "/organization");
  server.app.writer.db.sqlite.pragma("query_only = ON");
  const body = { displayName: "A", name: { legalName: "A" }, type: "INDIVIDUAL" };
  const answer = await server.api("POST", "/stakeholders", body);
  expect([answer.status, answer.text.includes("readonly")]).toEqual([503, false]);
  expect((await linesOf(503))[0]?.error).toContain("attempt to write a readonly database");
  server.app.writer.db.sqlite.pragma("query_only = OFF");
});

test("of /readyz likewise", async () => {
  server.app.writer.db.sqlite.pragma("query_only = ON");
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([503, { state: "the database cannot be written" }]);
  const [line] = await linesOf(503);
  expect([line?.route, line?.error?.includes("readonly database")]).toEqual(["/readyz", true]);
  server.app.writer.db.sqlite.pragma("query_only = OFF");
});
