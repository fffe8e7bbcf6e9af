import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { RememberedAnswers } from "../../../../src/server/http/answers/remembered-answers.ts";
import { DATABASE_FILE, openWritable } from "../../../../src/storage/database/open.ts";
import { makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("an answer is the same until the next commit, and another organization never gets it", async () => {
  const id = await makeStakeholder(server);
  const other = await server.newOrganization();
  const look = async (path: string, orgId = server.orgId) => (await server.api("GET", path, undefined, { orgId })).text;
  const [list, one] = [await look("/stakeholders"), await look(`/stakeholders/${id}`)];
  expect([await look("/stakeholders"), await look(`/stakeholders/${id}`)]).toEqual([list, one]);
  expect(await look("/stakeholders", other)).toBe('{"items":[],"nextCursor":null}');
  expect((await server.api("GET", `/stakeholders/${id}`, undefined, { orgId: other })).status).toBe(404);

  await server.api("PATCH", `/stakeholders/${id}`, { displayName: "Changed here" });
  expect(await look("/stakeholders")).toContain("Changed here");
  expect(await look(`/stakeholders/${id}`)).toContain("Changed here");

  const another = openWritable(join(server.dataDir, DATABASE_FILE));
  another.sqlite.prepare("update stakeholders set displayName = 'Changed there' where id = ?").run(id);
  another.sqlite.close();
  expect(await look("/stakeholders")).toContain("Changed there");
  expect(await look(`/stakeholders/${id}`)).toContain("Changed there");

  await server.api("DELETE", `/stakeholders/${id}`);
  expect(await look("/stakeholders")).toBe('{"items":[],"nextCursor":null}');
  expect((await server.api("GET", `/stakeholders/${id}`)).status).toBe(404);
});

test("what is remembered has a bound", () => {
  const answers = new RememberedAnswers();
  const answer = { status: 200, body: "x".repeat(1024 * 1024), location: null };
  for (let n = 0; n < 5; n++) answers.keep("o", `/${n}`, answer);
  expect([0, 1, 2, 3, 4].map((n) => answers.find("o", `/${n}`) !== null)).toEqual([false, false, false, true, true]);
});
