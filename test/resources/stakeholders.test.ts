import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function countFound(q: string): Promise<number> {
  return (await server.api("GET", `/stakeholders?q=${encodeURIComponent(q)}`)).json.items.length;
}

test("q finds a part of a name in any case of any script, and takes % and _ as they are", async () => {
  const person = { name: { legalName: "A" }, type: "INDIVIDUAL" };
  for (const displayName of ["ΣΊΣΥΦΟΣ Straße", "Élodie 100%_x"]) {
    expect((await server.api("POST", "/stakeholders", { ...person, displayName })).status).toBe(201);
  }
  const found = ["ΣΊΣ", "σίσ", "σίσυφος", "σίσυφοσ", "STRASSE", "straße", "éLODIE", "e\u0301lodie", "100%_X"];
  for (const q of found) expect([q, await countFound(q)]).toEqual([q, 1]);
  for (const q of ["É%e", "100__", "sisyphos"]) expect([q, await countFound(q)]).toEqual([q, 0]);
  expect(await countFound("")).toBe(2);
});

test("a stakeholder whose legal name another has is warned of when it is made and changed", async () => {
  const person = (legalName: string) => ({ displayName: legalName, name: { legalName }, type: "INDIVIDUAL" });
  const first = await server.api("POST", "/stakeholders", person("Zoë O'Hara"));
  expect(first.json.warnings).toEqual([]);
  const second = await server.api("POST", "/stakeholders", person(" ZOË  O’HARA".trim()));
  const warning = { code: "same-name", detail: expect.stringContaining(first.json.id) };
  expect([second.status, second.json.warnings]).toEqual([201, [warning]]);
  const renamed = await server.api("PATCH", `/stakeholders/${second.json.id}`, { name: { legalName: "Zoe Ohara" } });
  expect(renamed.json.warnings).toEqual([]);
  const again = await server.api("PATCH", `/stakeholders/${second.json.id}`, { name: { legalName: "zoë o'hara" } });
  expect(again.json.warnings).toEqual([warning]);
});
