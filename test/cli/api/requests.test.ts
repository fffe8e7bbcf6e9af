// Each command of `captable api` from the OpenAPI document's example: the request is the raw one, and so is the answer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import {
  api,
  argumentsOf,
  commands,
  type Example,
  exampleOf,
  fileOf,
  flagsOf,
  folder,
  type Got,
  recorder,
} from "./support.ts";

const ANSWER = '{"id":"made","note":"as it came:  1.10"}';
let real: TestServer;
beforeAll(async () => {
  real = await startTestServer();
});
afterAll(async () => {
  await real.stop();
});

const json = (text = ANSWER) => new Response(text, { headers: { "content-type": "application/json" } });

/** What a request is, as far as its route says it. */
function meaning({ method, path, query, headers, body }: Got) {
  const isJson = headers.get("content-type")?.includes("json") && body !== "";
  const told = Buffer.from(body, "latin1").toString("utf8");
  return { method, path, query, type: headers.get("content-type"), body: isJson ? JSON.parse(told) : told };
}

test("each command's request equals the raw one of the document's example", async () => {
  const server = recorder(() => json());
  let [bodies, queries] = [0, 0];
  for (const entry of commands) {
    const { args, path } = argumentsOf(entry);
    const example = exampleOf(entry);
    const values = entry.query.map(({ name, kind }, at) => [name, kind === "text" ? `v ${at}&=ü` : "true"] as const);
    const query = entry.takesZip ? {} : Object.fromEntries(values);
    const flags = entry.takesZip ? [] : flagsOf(entry.query, query);
    const body = entry.body === undefined ? null : (example ?? {});
    if (body !== null) bodies++;
    if (Object.keys(query).length > 0) queries++;
    const more = [
      ...(entry.isDangerous ? ["--yes"] : []),
      ...(entry.isUpload ? ["--data", fileOf("bytes.pdf", new Uint8Array([0, 255, 10]))] : []),
      ...(entry.file === undefined ? ["--json"] : ["--out", join(folder, "out")]),
    ];
    const given = body === null ? [] : flagsOf(entry.body ?? [], body);
    server.got.length = 0;
    const ended = await api(server.url, ...entry.words, ...args, ...flags, ...given, ...more);
    expect([entry.words.join(" "), ended.status, ended.stderr]).toEqual([entry.words.join(" "), 0, ""]);
    const raw = await fetch(`${server.url}${path}?${new URLSearchParams(query)}`, {
      method: entry.method,
      ...(body === null
        ? entry.isUpload
          ? { body: new Uint8Array([0, 255, 10]), headers: { "content-type": "application/pdf" } }
          : {}
        : isEmptyBody(entry.isBodyOptional, body)
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    await raw.text();
    expect(server.got).toHaveLength(2);
    const [byCommand, byHand] = server.got;
    if (byCommand === undefined || byHand === undefined) throw new Error("not two requests");
    expect(meaning(byCommand)).toEqual(meaning(byHand));
    expect(byCommand.headers.has("idempotency-key")).toBe(entry.isKeyed === true);
    if (entry.file === undefined) expect(ended.stdout).toBe(`${ANSWER}\n`);
  }
  server.stop();
  expect([bodies > 60, queries > 60]).toEqual([true, true]);
}, 60_000);

function isEmptyBody(isBodyOptional: true | undefined, body: Example): boolean {
  return isBodyOptional === true && Object.keys(body).length === 0;
}

test("the body of a file is sent as it is, and options go over it", async () => {
  const server = recorder(() => json());
  const text = '{ "displayName": "Ada", "quantity": 1.10, "name": {"legalName": "A", "firstName": "B"} }';
  const file = fileOf("body.json", text);
  await api(server.url, "stakeholders", "create", "--data", file);
  await api(server.url, "stakeholders", "create", "--data", file, "--name.legal-name", "Ada King", "--unset", "email");
  expect(server.got.map(({ body }) => body)).toEqual([
    text,
    '{"displayName":"Ada","quantity":1.1,"name":{"legalName":"Ada King","firstName":"B"},"email":null}',
  ]);
  server.stop();
});

test("a batch is a file's body, and a dry run of it an option over that", async () => {
  const server = recorder(() => json('{"items":[],"cursor":"c7","hasMore":true}'));
  const text = '{"operations": [{"method":"DELETE","path":"/api/v1/stakeholders/a"}]}';
  const file = fileOf("batch.json", text);
  await api(server.url, "batch", "--data", file, "--idempotency-key", "one");
  await api(server.url, "batch", "--data", file, "--dry-run");
  const [whole, dry] = server.got;
  expect([whole?.path, whole?.body, whole?.headers.get("idempotency-key")]).toEqual(["/api/v1/batch", text, "one"]);
  expect(JSON.parse(dry?.body ?? "")).toEqual({ ...JSON.parse(text), dryRun: true });
  expect((await api(server.url, "events", "get", "--json")).stderr).toContain("--after c7");
  server.stop();
});

test("a zip archive goes as one, with its parameters in the query", async () => {
  const server = recorder(() => json());
  const zip = fileOf("package.zip", new Uint8Array([0x50, 0x4b, 3, 4, 0, 255]));
  await api(server.url, "cap-table", "ocf-import", "--data", zip, "--dry-run");
  const [one] = server.got;
  expect([one?.headers.get("content-type"), one?.query, one?.body]).toEqual([
    "application/zip",
    { dryRun: "true" },
    "PK\u0003\u0004\u0000\u00ff",
  ]);
  server.stop();
});

test("values that look like options, booleans and lists are what they are", async () => {
  const server = recorder(() => json());
  const flags = ["--comments", "-5 --x", "--relationships", "FOUNDER", "--relationships=EMPLOYEE"];
  await api(server.url, "stakeholders", "update", "a", ...flags, "--if-match", '"0011"');
  await api(server.url, "transactions", "cancel", "--dry-run", "--return-to-pool=false", "--quantity", "5");
  await api(server.url, "models", "round", "--as-of", "2026-01-01");
  await api(server.url, "models", "round", "close", "--dry-run", "--title", "A");
  expect(server.got.map(({ body }) => JSON.parse(body))).toEqual([
    { comments: "-5 --x", relationships: ["FOUNDER", "EMPLOYEE"] },
    { quantity: "5", returnToPool: false, dryRun: true },
    { asOf: "2026-01-01" },
    { title: "A", dryRun: true },
  ]);
  expect(server.got[0]?.headers.get("if-match")).toBe('"0011"');
  expect(server.got.map(({ path }) => path).slice(2)).toEqual(["/api/v1/models/round", "/api/v1/models/round/close"]);
  server.stop();
});

test("any request may be sent by its path", async () => {
  const server = recorder(() => json());
  const data = fileOf("any.json", '{"a":1}');
  await api(server.url, "GET", "/api/v1/cap-table", "--query", "asOf=2026-01-01", "--query", "x=a=b");
  await api(server.url, "POST", "/api/v1/stakeholders", "--data", data, "--idempotency-key", "mine");
  await api(server.url, "POST", "/api/v1/stakeholders", "--data", data);
  await api(server.url, "DELETE", "/api/v1/stakeholders/a", "--yes");
  const [get, post, keyed, gone] = server.got;
  expect([get?.query, post?.body, post?.headers.get("idempotency-key")]).toEqual([
    { asOf: "2026-01-01", x: "a=b" },
    '{"a":1}',
    "mine",
  ]);
  expect(keyed?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  expect([gone?.method, gone?.path]).toEqual(["DELETE", "/api/v1/stakeholders/a"]);
  server.stop();
});

test("each reading command without an argument answers what the service answers", async () => {
  const { key } = real;
  const adminFile = fileOf("admin", await key("ADMIN"));
  const { runCommand } = await import("../../kit/command.ts");
  await real.api("POST", "/stakeholders", {
    displayName: 'A "b", \u202e\nc',
    name: { legalName: "A" },
    type: "INDIVIDUAL",
  });
  let count = 0;
  for (const entry of commands) {
    const isPlain = entry.method === "GET" && entry.file === undefined && !entry.path.includes(":");
    if (!isPlain || entry.query.some(({ isRequired }) => isRequired)) continue;
    count++;
    const ended = await runCommand(["api", ...entry.words, "--json", "--server", real.url, "--key-file", adminFile]);
    const { text, status } = await real.api("GET", entry.path.slice("/api/v1".length));
    const timeless = (answer: string) =>
      JSON.parse(answer.replace(/"(knownAt|checkedAt|asOf|lastUsedAt|generatedAt|checked|at)":"[^"]*"/g, '"$1":""'));
    expect([entry.words.join(" "), status, ended.status]).toEqual([entry.words.join(" "), 200, 0]);
    expect(timeless(ended.stdout)).toEqual(timeless(text));
    expect(ended.stdout).not.toContain("\u202e");
  }
  expect(count).toBeGreaterThan(20);
});
