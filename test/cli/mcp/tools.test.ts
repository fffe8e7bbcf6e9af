// The tools of `captable mcp`, each called by a client of each era; which are listed for which key; resources, prompts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/client";
import { RECORDS, RESOURCES } from "../../../cli/mcp/reading-tools.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { asking } from "../../kit/company.ts";
import { makeSampleCompany, type SampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { call, connectHere, ERAS, issueShares, YES } from "./support.ts";

const READING = [
  "get_summary",
  "get_cap_table",
  "list_holders",
  "get_position",
  "find_records",
  "get_record",
  "get_vesting",
  "list_transactions",
  "get_health",
  "get_dates",
  "get_events",
  "model_round",
  "model_exit",
  "describe_operation",
];
const WRITING = ["propose_changes", "confirm_changes", "cancel_proposal"];
const KIBIBYTE = 1024;

type Args = Record<string, unknown>;

let server: TestServer;
let company: SampleCompany;
let issued = 0;

beforeAll(async () => {
  server = await startTestServer();
  company = await makeSampleCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

const at = async (role: "VIEWER" | "EDITOR") => ({ url: server.url, key: await server.key(role) });
const head = async () => (await server.api("GET", "/ledger")).text;
const issue = (certificateId: string) =>
  issueShares({ stakeholderId: company.holders.ada, stockClassId: company.classes.common }, certificateId);

/** A call of each tool, and what its answer has. */
async function everyTool(client: Client): Promise<readonly (readonly [name: string, args: Args, has: string])[]> {
  const example = async (operation: string) => (await call(client, "describe_operation", { operation })).data.example;
  const round = await example("modelRound");
  return [
    ["get_summary", {}, "Acme Robotics, Inc."],
    ["get_cap_table", { asOf: "2024-01-01", knownAt: "2099-01-01T00:00:00Z" }, '"asOf":"2024-01-01"'],
    ["list_holders", { q: "LOVE", asOf: "2026-06-30" }, "Ada Lovelace"],
    ["get_position", { stakeholderId: company.holders.ada, asOf: "2026-06-30" }, "4420000"],
    ["find_records", { resource: "securities", filters: { type: "STOCK" }, limit: 2 }, "nextCursor"],
    ["get_record", { resource: "stakeholders", id: company.holders.kurt }, "kurt@acme.example"],
    ["get_vesting", { securityId: company.grant, asOf: "2026-06-30" }, "45000.5"],
    ["list_transactions", { type: "STOCK_ISSUANCE", limit: 1 }, "STOCK_ISSUANCE"],
    ["get_health", {}, "valuation-expired"],
    ["get_dates", { from: "2026-01-01", to: "2026-12-31" }, "isCut"],
    ["get_events", { types: "stakeholder.*", limit: 3 }, "stakeholder.created"],
    ["model_round", { body: { ...round, newClass: { ...round.newClass, name: "Series Z" } } }, "data"],
    ["model_exit", { body: await example("modelWaterfall") }, "data"],
    ["describe_operation", { operation: "issueShares" }, "certificateId"],
    ["dry_run", { operations: [issue("CS-90")] }, '"effects":[{'],
    ["propose_changes", { operations: [issue(`CS-91-${++issued}`)], reason: "Asked for by the founder" }, "proposalId"],
  ];
}

describe.each(ERAS)("a client of %s", (era) => {
  test("calls every tool, and gets data and the same as text", async () => {
    const client = await connectHere(await at("EDITOR"), { era, person: () => YES });
    const before = await head();
    const called: string[] = [];
    let proposalId = "";
    for (const [name, args, has] of await everyTool(client)) {
      const { isError, data, text } = await call(client, name, args);
      expect([name, isError ?? false, text.slice(0, 300)]).toEqual([name, false, text.slice(0, 300)]);
      expect(text).toContain(has);
      expect(JSON.parse(text)).toEqual(data);
      called.push(name);
      if (name === "propose_changes") proposalId = data.proposalId;
    }
    expect(await head()).toBe(before);
    const recorded = await call(client, "confirm_changes", { proposalId });
    expect([recorded.text, recorded.data.status]).toEqual([recorded.text, "recorded"]);
    expect(await head()).not.toBe(before);
    expect((await call(client, "cancel_proposal", { proposalId })).data.status).toBe("was confirmed before");
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect([...called, "confirm_changes", "cancel_proposal"]).toEqual(listed);
    await server.api("POST", "/transactions/retract", {
      securityId: recorded.data.results[0].body.data.securityId,
      reasonText: "test",
    });
    await client.close();
  });

  test("is listed what its key and the flag allow, in a fixed order and at most 32 KiB; nothing else can be called", async () => {
    const offers = [
      { role: "VIEWER", mayWrite: false, writes: false, expected: READING },
      { role: "EDITOR", mayWrite: true, writes: false, expected: [...READING, "dry_run"] },
      { role: "EDITOR", mayWrite: true, writes: true, expected: [...READING, "dry_run", ...WRITING] },
    ] as const;
    for (const { role, mayWrite, writes, expected } of offers) {
      const client = await connectHere(await at(role), { era, mayWrite, writes });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([...expected]);
      expect(JSON.stringify(tools).length).toBeLessThanOrEqual(32 * KIBIBYTE);
      const hints = tools.map(({ name, annotations }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
      ]);
      expect(hints).toEqual(
        expected.map((name) => [name, !WRITING.includes(name as string), name === "confirm_changes"]),
      );
      const before = await head();
      for (const name of ["dry_run", ...WRITING].filter((each) => !(expected as readonly string[]).includes(each))) {
        const refusal = await call(client, name, { operations: [issue("CS-92")], reason: "x", proposalId: "x" }).then(
          ({ isError }) => isError,
          () => true,
        );
        expect([name, refusal]).toEqual([name, true]);
      }
      expect(await head()).toBe(before);
      await client.close();
    }
  });

  test("reads resources and prompts", async () => {
    const client = await connectHere(await at("VIEWER"), { era, mayWrite: false, writes: false });
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && "text" in content ? content.text : "";
    };
    expect(await read("captable://summary")).toContain("Acme Robotics, Inc.");
    expect(JSON.parse(await read("captable://cap-table")).data.stakeholders).toHaveLength(9);
    expect(await read("captable://cap-table?asOf=2020-01-01")).toContain('"asOf":"2020-01-01"');
    expect(await read(`captable://stakeholders/${company.holders.mary}`)).toContain("mary@somerville.example");
    for (const uri of [
      "captable://api-keys/x",
      "captable://stakeholders/unknown",
      "captable://stakeholders/..",
      "captable://x",
    ]) {
      expect([
        uri,
        await client.readResource({ uri }).then(
          () => "read",
          () => "refused",
        ),
      ]).toEqual([uri, "refused"]);
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["review_cap_table", "explain_holding", "prepare_issuance"]);
    const prompt = await client.getPrompt({
      name: "prepare_issuance",
      arguments: { holder: 'Ada "A" Lovelace', quantity: "1000.5", of: "Common" },
    });
    expect(JSON.stringify(prompt.messages)).toContain("1000.5");
    expect((await client.getPrompt({ name: "review_cap_table", arguments: {} })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: "explain_holding", arguments: {} })).rejects.toThrow();
    await client.close();
  });

  test("gets refusals as errors of the tool: wrong arguments, unknown ids, another organization's, hidden kinds", async () => {
    const client = await connectHere(await at("EDITOR"), { era });
    const elsewhere = await server.newOrganization("Other, Inc.");
    const foreign = await server.api(
      "POST",
      "/stakeholders",
      { displayName: "Foreign", name: { legalName: "Foreign" }, type: "INDIVIDUAL" },
      { orgId: elsewhere },
    );
    const wrong: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
      ["get_cap_table", { asOf: "yesterday" }],
      ["get_cap_table", { asof: "2026-01-01" }],
      ["get_cap_table", { cursor: "data.nothing:5" }],
      ["get_position", {}],
      ["get_position", { stakeholderId: ".." }],
      ["get_position", { stakeholderId: 5 }],
      ["get_record", { resource: "api-keys", id: "x" }],
      ["get_record", { resource: "stakeholders", id: foreign.json.id }],
      ["get_record", { resource: "documents", id: "x/content" }],
      ["find_records", { resource: "members" }],
      ["find_records", { resource: "audit-log" }],
      ["find_records", { resource: "stakeholders", filters: { nope: "x" } }],
      ["find_records", { resource: "stakeholders", limit: 100000 }],
      ["get_events", { after: "nowhere" }],
      ["model_round", { body: {} }],
      ["describe_operation", { operation: "createApiKey" }],
      ["describe_operation", { operation: "constructor" }],
      ["dry_run", { operations: [] }],
      ["dry_run", { operations: [{ method: "POST", path: "/api/v1/api-keys", body: { name: "x", role: "ADMIN" } }] }],
      ["dry_run", { operations: [{ method: "GET", path: "/api/v1/organization" }] }],
      ["propose_changes", { operations: [issue("CS-1")], reason: "" }],
      ["propose_changes", { operations: [{ ...issue("CS-93"), body: { quantity: "1e9" } }], reason: "x" }],
      ["confirm_changes", { proposalId: "none" }],
      ["cancel_proposal", { proposalId: "none" }],
    ];
    const before = await head();
    for (const [name, args] of wrong) {
      const failed = await call(client, name, args).then(
        ({ isError }) => isError === true,
        () => true,
      );
      expect([name, args, failed]).toEqual([name, args, true]);
    }
    const { data } = await call(client, "get_cap_table", { asOf: "yesterday" });
    expect([data.error.problem, data.error.status, data.error.errors[0].parameter]).toEqual([
      "validation-failed",
      422,
      "asOf",
    ]);
    expect(await head()).toBe(before);
    await client.close();
  });
});

test("events about keys, people and endpoints are shown to no key, and all others are", async () => {
  await server.api("POST", "/api-keys", { name: "other", role: "VIEWER" });
  const client = await connectHere({ url: server.url, key: await server.key("ADMIN") }, { era: "2025-11-25" });
  const all = (await server.api("GET", "/events?limit=500")).json.items.map(({ type }: { type: string }) => type);
  expect(all).toContain("api_key.created");
  const shown: string[] = [];
  for (let after: string | undefined; ; ) {
    const { data } = await call(client, "get_events", { limit: 100, ...(after === undefined ? {} : { after }) });
    shown.push(...data.items.map(({ type }: { type: string }) => type));
    if (!data.hasMore) break;
    after = data.cursor;
  }
  expect(shown).toEqual(all.filter((type: string) => !type.startsWith("api_key.")));
  expect((await call(client, "get_events", { types: "api_key.*" })).data.items).toEqual([]);
  await client.close();
});

test("kinds of records are those of the API, without keys, people, endpoints and the log", () => {
  const routes = allRoutes("production").filter(({ method, role }) => method === "GET" && role === "VIEWER");
  const lists = routes.filter((route) => "query" in route && "cursor" in (route.query?.properties ?? {}));
  const names = lists.map(({ path }) => path.split("/").slice(3)).filter(({ length }) => length === 1);
  expect([...RESOURCES].sort() as string[]).toEqual(names.flat().sort());
  const records = routes
    .map(({ path }) => /^\/api\/v1\/([\w-]+)\/:id$/.exec(path)?.[1])
    .filter((name) => name !== undefined);
  expect([...RECORDS].sort()).toEqual([...records].sort());
});

test("every operation is described, whole, in at most 64 KiB", async () => {
  const client = await connectHere(await at("VIEWER"), { era: "2025-11-25" });
  const { data } = await call(client, "describe_operation");
  const names = data.operations.map(({ operation }: { operation: string }) => operation);
  const batched = allRoutes("production").filter(
    (r) => "run" in r && !["GET", "PUT"].includes(r.method) && !("isBatchable" in r && r.isBatchable === false),
  );
  expect(names.length).toBe(batched.filter(({ role }) => role !== "STAKEHOLDER").length + 2);
  expect(names.filter((name: string) => /apikey|member|invit|webhook|import|batch/i.test(name))).toEqual([]);
  for (const operation of names) {
    const answer = await call(client, "describe_operation", { operation });
    expect([operation, answer.isError ?? false]).toEqual([operation, false]);
    expect(JSON.stringify(answer.content).length + JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(
      64 * KIBIBYTE,
    );
    if (answer.data.schema !== null) expect(answer.data.example).not.toBe(null);
  }
  await client.close();
});
