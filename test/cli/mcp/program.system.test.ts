// `captable mcp` as it is started: clients of both eras, what stands on standard output, how it ends, kill -9 between.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { asking } from "../../kit/company.ts";
import { newDataDir, PROGRAM, programEnvironment, serveProgram } from "../../kit/program.ts";
import { makeSampleCompany, type SampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { keyFileOf, programTransport } from "./process.ts";
import { call, clientOf, ERAS, issueShares, sequenceOf, YES } from "./support.ts";

let server: TestServer;
let company: SampleCompany;
let certificates = 100;

beforeAll(async () => {
  server = await startTestServer();
  company = await makeSampleCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

const sequence = () => sequenceOf(server);
const issue = () => {
  const to = { stakeholderId: company.holders.ada, stockClassId: company.classes.common };
  return issueShares(to, `CS-${certificates++}`);
};

/** Starts the program for what is written to it by hand. */
function start(...args: readonly string[]) {
  return Bun.spawn([...PROGRAM, "mcp", ...args], {
    env: programEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

test.each(ERAS)("a client of %s reads the summary from the program", async (era) => {
  const client = clientOf(era);
  await client.connect(programTransport(server.url, await server.key("VIEWER")));
  expect(client.getNegotiatedProtocolVersion()).toBe(era);
  const { data, text } = await call(client, "get_summary");
  expect(data.organization.legalName).toBe("Acme Robotics, Inc.");
  expect(data.summary.stakeholderCount).toBe(9);
  expect(JSON.parse(text)).toEqual(data);
  await client.close();
});

test("what the key and the flag do not allow is not listed", async () => {
  const count = async (role: "VIEWER" | "EDITOR", ...more: readonly string[]) => {
    const client = clientOf("2025-11-25");
    await client.connect(programTransport(server.url, await server.key(role), ...more));
    const { tools } = await client.listTools();
    await client.close();
    return tools.length;
  };
  expect([
    await count("VIEWER", "--allow-writes"),
    await count("EDITOR"),
    await count("EDITOR", "--allow-writes"),
  ]).toEqual([14, 15, 18]);
});

test("standard output has JSON-RPC and nothing else, whatever comes in; the end of the input is exit 0", async () => {
  const key = await server.key("EDITOR");
  const child = start("--server", server.url, "--key-file", keyFileOf(key), "--allow-writes");
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const lines = [
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    "this is no JSON",
    '{"jsonrpc":"1.0","id":5}',
    "[]",
    JSON.stringify({ jsonrpc: "2.0", id: 2, method: "nope" }),
    JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "nope", arguments: {} } }),
    JSON.stringify({ jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "get_health", arguments: {} } }),
    JSON.stringify({
      jsonrpc: "2.0",
      id: 6,
      method: "tools/call",
      params: { name: "get_cap_table", arguments: { asOf: "\u0000" } },
    }),
  ];
  child.stdin.write(`${lines.join("\n")}\n`);
  await child.stdin.flush();
  const answered = new Set<unknown>();
  let rest = "";
  let all = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    all += text;
    const whole = (rest + text).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) {
      const message = JSON.parse(line);
      expect([message.jsonrpc, "result" in message || "error" in message || "method" in message]).toEqual([
        "2.0",
        true,
      ]);
      if (message.id !== undefined) answered.add(message.id);
    }
    if ([1, 2, 3, 4, 6].every((id) => answered.has(id))) {
      await child.stdin.end();
      break;
    }
  }
  expect([await child.exited, rest]).toEqual([0, ""]);
  expect(all + (await new Response(child.stderr).text())).not.toContain(key);
});

test("how it ends: 0 without a word, 1 without a server, 2 for wrong use, 3 for a key that is refused", async () => {
  const viewer = keyFileOf(await server.key("VIEWER"));
  const cases: readonly (readonly [status: number, args: readonly string[]])[] = [
    [0, ["--server", server.url, "--key-file", viewer]],
    [1, ["--server", "http://127.0.0.1:9", "--key-file", viewer]],
    [2, ["--server", server.url]],
    [2, ["--server", server.url, "--key-file", viewer, "--confirm", "somewhere"]],
    [2, ["--server", "http://cap.example.com", "--key-file", viewer]],
    [3, ["--server", server.url, "--key-file", keyFileOf("pg_test_unknown")]],
  ];
  for (const [status, args] of cases) {
    const child = start(...args);
    await child.stdin.end();
    const [out, said] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()];
    expect([args.join(" "), await child.exited, out]).toEqual([args.join(" "), status, ""]);
    expect([status, said === ""]).toEqual([status, status === 0]);
  }
});

test("the end of the input ends a request that has no answer, too", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      if (url.endsWith("/batch")) {
        const problem = { type: "http://x/problems/forbidden", title: "No", status: 403, detail: "No", instance: "" };
        const headers = { "content-type": "application/problem+json" };
        return new Response(JSON.stringify(problem), { status: 403, headers });
      }
      asked.resolve();
      return new Promise<Response>(() => undefined);
    },
  });
  const child = start("--server", silent.url.origin, "--key-file", keyFileOf("pg_test_some"));
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_health", arguments: {} } };
  child.stdin.write(`${JSON.stringify(request)}\n`);
  await child.stdin.flush();
  await asked.promise;
  await child.stdin.end();
  expect([await child.exited, await new Response(child.stdout).text()]).toEqual([0, ""]);
  await silent.stop(true);
});

test.each(ERAS)(
  "%s: kill -9 before, while and after the person is asked: nothing is done, or it is done once",
  async (era) => {
    const key = await server.key("EDITOR");
    for (const moment of ["proposed", "asked", "recorded"] as const) {
      const asked = Promise.withResolvers<void>();
      const person = () => {
        asked.resolve();
        return moment === "asked" ? new Promise(() => undefined) : YES;
      };
      const transport = programTransport(server.url, key, "--allow-writes");
      const client = clientOf(era, person);
      await client.connect(transport);
      const before = await sequence();
      const { data } = await call(client, "propose_changes", { operations: [issue()], reason: "x" });
      const { proposalId } = data;
      if (moment !== "proposed") {
        const confirmed = call(client, "confirm_changes", { proposalId });
        confirmed.catch(() => undefined);
        await asked.promise;
        if (moment === "recorded") await confirmed;
      }
      process.kill(transport.pid ?? 0, "SIGKILL");
      await client.close();
      const again = clientOf(era, () => YES);
      await again.connect(programTransport(server.url, key, "--allow-writes"));
      const refusal = await call(again, "confirm_changes", { proposalId });
      expect([moment, refusal.isError, await sequence()]).toEqual([
        moment,
        true,
        before + (moment === "recorded" ? 1 : 0),
      ]);
      await again.close();
    }
  },
);

test("the server killed while it records: confirmed again after its restart, it is done once", async () => {
  const dataDir = newDataDir();
  const first = await serveProgram(dataDir);
  const port = new URL(first.url).port;
  const ask = asking(first.url, first.key);
  const holder = await ask("POST", "/stakeholders", {
    displayName: "Ada",
    name: { legalName: "Ada" },
    type: "INDIVIDUAL",
  });
  const client = clientOf("2026-07-28", () => YES);
  await client.connect(programTransport(first.url, first.key, "--allow-writes"));
  const operations = [
    { method: "PATCH", path: `/api/v1/stakeholders/${holder.id}`, body: { email: "ada@example.com" } },
  ];
  const { data } = await call(client, "propose_changes", { operations, reason: "x" });
  await first.end("SIGKILL");
  const lost = await call(client, "confirm_changes", { proposalId: data.proposalId });
  expect([lost.isError, lost.data.error?.problem]).toEqual([true, "no-answer"]);
  const second = await serveProgram(dataDir, {}, { more: ["--port", port] });
  const { data: done } = await call(client, "confirm_changes", { proposalId: data.proposalId });
  expect(done.status).toBe("recorded");
  const again = await call(client, "confirm_changes", { proposalId: data.proposalId });
  expect(again.data).toEqual(done);
  const { email } = await asking(second.url, first.key)("GET", `/stakeholders/${holder.id}`);
  expect(email).toBe("ada@example.com");
  await client.close();
  await second.end();
});
