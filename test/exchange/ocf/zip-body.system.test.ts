// A zip archive as the body of ocf-import and ocf-validate: what the export gives comes in, a dry run keeps nothing, and
// an archive of which nothing can be made is refused by the name of its file.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { runCommand } from "../../kit/command.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(120_000);

const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");
const FILES = Object.fromEntries(
  readdirSync(SMALL).map((name) => [name, new Uint8Array(readFileSync(join(SMALL, name)))]),
);
const ZIP = { "content-type": "application/zip" };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const send = (path: string, bytes: Uint8Array, orgId: string) =>
  server.api("POST", `/cap-table/${path}`, bytes, { orgId, headers: ZIP });
const count = async (orgId: string) => (await server.api("GET", "/cap-table/summary", undefined, { orgId })).json.data;

test("a zip comes in as the same package parsed does, and its dry run told so and kept nothing", async () => {
  const [zipped, parsed] = [await server.newOrganization(), await server.newOrganization()];
  const dry = await send("ocf-import?dryRun=true", zipSync(FILES), zipped);
  expect([dry.status, (await count(zipped)).stakeholderCount]).toEqual([200, 0]);
  const done = await send("ocf-import", zipSync(FILES), zipped);
  const { capTable: _capTable, ...told } = dry.json.data;
  expect(done.json.data).toEqual(told);
  const contents = Object.entries(FILES).map(([name, bytes]) => [name, JSON.parse(new TextDecoder().decode(bytes))]);
  const manifest = contents.find(([, value]) => value.file_type === "OCF_MANIFEST_FILE")?.[1];
  const entityFiles = Object.fromEntries(contents.filter(([, value]) => value !== manifest));
  const dryParsed = { manifest, entityFiles, dryRun: true };
  const said = await server.api("POST", "/cap-table/ocf-import", dryParsed, { orgId: parsed });
  expect((await count(parsed)).totalIssued).toBe("0");
  const body = await server.api("POST", "/cap-table/ocf-import", { manifest, entityFiles }, { orgId: parsed });
  expect(body.json.data.imported).toEqual(said.json.data.imported);
  expect(body.json.data.imported).toEqual(done.json.data.imported);
  expect((await count(parsed)).totalIssued).toBe((await count(zipped)).totalIssued);
  expect((await send("ocf-import?dryRun=perhaps", zipSync(FILES), zipped)).status).toBe(422);
  expect((await send("ocf-import?dry=true", zipSync(FILES), zipped)).status).toBe(422);
  expect(readdirSync(server.dataDir).filter((name) => name.startsWith("dry-run-"))).toEqual([]);
});

test("what the export gives is taken as it is", async () => {
  const [from, to] = [await server.newOrganization("From, Inc."), await server.newOrganization()];
  await send("ocf-import", zipSync(FILES), from);
  const key = await server.key("VIEWER", from);
  const exported = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = await send("ocf-import", new Uint8Array(await exported.arrayBuffer()), to);
  expect([answer.status, answer.json.data.errors]).toEqual([200, []]);
  expect((await count(to)).totalIssued).toBe((await count(from)).totalIssued);
});

test("validation answers what the command prints, of a zip and of parsed files, and keeps nothing", async () => {
  const orgId = await server.newOrganization();
  const { stdout } = await runCommand(["ocf", "validate", SMALL, "--json"]);
  const answer = await send("ocf-validate", zipSync(FILES), orgId);
  expect([answer.status, answer.json]).toEqual([200, JSON.parse(stdout)]);
  const wrong = { manifest: { ocf_version: "1.2.0" }, entityFiles: { "a.json": { items: [{ id: "x" }] } } };
  const said = await server.api("POST", "/cap-table/ocf-validate", wrong, { orgId });
  expect(said.json.problems.length).toBeGreaterThan(1);
  expect((await count(orgId)).stakeholderCount).toBe(0);
  expect((await send("ocf-validate?dryRun=true", zipSync(FILES), orgId)).status).toBe(422);
});

test("an archive of which nothing can be made is refused by the name of its file", async () => {
  const orgId = await server.newOrganization();
  const refused = async (bytes: Uint8Array) => {
    const { status, json } = await send("ocf-import", bytes, orgId);
    return [status, String(json.type).split("/").at(-1), json.detail];
  };
  const broken = zipSync({ ...FILES, "transactions.json": strToU8('{"items": [') });
  expect(await refused(broken)).toEqual([400, "malformed-json", expect.stringMatching(/^transactions\.json: /)]);
  expect(await refused(strToU8("not a zip"))).toEqual([400, "malformed-json", expect.stringMatching(/^The archive: /)]);
  expect((await refused(new Uint8Array()))[0]).toBe(400);
  expect((await count(orgId)).stakeholderCount).toBe(0);
  // The command's findings stay to be had: validation is there to explain.
  expect((await send("ocf-validate", broken, orgId)).json.problems[0]).toMatchObject({ file: "transactions.json" });
});

test("other operations take no zip", async () => {
  const answer = await server.api("POST", "/stakeholders", zipSync(FILES), { headers: ZIP });
  expect(answer.status).toBe(415);
});
