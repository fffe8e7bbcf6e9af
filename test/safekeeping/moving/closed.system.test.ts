// Closing and reopening an organization by the command line, beside a running server: jobs and endpoints rest and go on.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import { readFiles } from "../../../src/safekeeping/backup/format.ts";
import { knownMovedManifest } from "../../../src/safekeeping/moving/moved-manifest.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { notePackageImport } from "../../../src/storage/database/package-imports.ts";
import { type Receiver, startReceiver } from "../../exchange/webhooks/receiver.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { classWith, QUICK, securityWith, until } from "../../tokens/jobs/support/tokens.ts";

setDefaultTimeout(120_000);

let server: TestServer;
let other: TestServer;
let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  receiver = await startReceiver();
  folder = dirname(newDataDir());
  server = await startTestServer(
    { CAPTABLE_CHAIN: "on", CAPTABLE_WEBHOOK_ALLOW: "public,127.0.0.0/8" },
    { jobsTiming: QUICK },
  );
  await server.api("PATCH", "/organization", { legalName: "Acme, Inc." });
  const otherId = await server.newOrganization("Other, Inc.");
  other = { ...server, api: (method, path, body) => server.api(method, path, body, { orgId: otherId }) };
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

const org = (...args: string[]) => runCommand(["org", ...args, "--data-dir", server.dataDir]);

/** Rows of the background work of the first organization. */
function work(): unknown {
  const { sqlite } = server.app.reader;
  const rows = (table: string) => sqlite.prepare(`select * from ${table} where orgId = ?`).all(server.orgId);
  return { jobs: rows("outbox"), operations: rows("chain_operations") };
}

test("a closed organization's jobs and endpoints rest, another's go on, and reopened they go on where they were", async () => {
  const stockClassId = await makeShareClass(server);
  const stakeholderId = await makeStakeholder(server);
  await classWith(server, stockClassId, "DEPLOYED");
  const first = await issueShares(server, { stakeholderId, stockClassId, quantity: "10" });
  await securityWith(server, first, "MINTED");
  const types = ["organization.updated", "stock_legend.created"];
  for (const [of, path] of [
    [server, "/acme"],
    [other, "/other"],
  ] as const) {
    expect((await of.api("POST", "/webhook-endpoints", { url: `${receiver.url}${path}`, types })).status).toBe(201);
    await of.api("POST", "/stock-legends", { name: "Before", text: "x" });
  }
  await until("a delivery", async () => (receiver.received.length >= 2 ? true : null));
  // Many, of which most wait while a few are sent.
  const issued = await Promise.all(
    Array.from({ length: 30 }, () => issueShares(server, { stakeholderId, stockClassId, quantity: "1" })),
  );
  const closed = await org("close", "Acme, Inc.");
  expect([closed.status, closed.stderr, closed.stdout]).toEqual([0, "", expect.stringContaining("is closed")]);
  const before = work();
  const received = receiver.received.length;
  // What others do meanwhile shows that the loop and the dispatcher work.
  const otherClass = await makeShareClass(other);
  await classWith(other, otherClass, "DEPLOYED");
  const otherShares = { stakeholderId: await makeStakeholder(other), stockClassId: otherClass, quantity: "5" };
  await securityWith(other, await issueShares(other, otherShares), "MINTED");
  await other.api("POST", "/stock-legends", { name: "Meanwhile", text: "x" });
  await until("a delivery", async () => (receiver.received.length > received ? true : null));
  expect(receiver.received.length).toBe(received + 1);
  expect(work()).toEqual(before);
  const reopened = await org("reopen", server.orgId);
  expect([reopened.status, reopened.stderr]).toEqual([0, ""]);
  for (const id of issued) await securityWith(server, id, "MINTED");
  // The closing and the reopening are its next events.
  await until("a delivery", async () => (receiver.received.length >= received + 3 ? true : null));
  const states = receiver.received.slice(received + 1).map(({ body }) => JSON.parse(String(body)).data.states.state);
  expect(states).toEqual(["CLOSED", "OPEN"]);
  expect(server.log.join("").match(/could not/g)).toBeNull();
  expect((await verifyWhole(server.app.reader, undefined)).differences).toEqual([]);
});

test("commands that write in it are refused, those that read are not, and the export is the move", async () => {
  const exported = async (name: string) => {
    const out = join(folder, name);
    const { status, stdout, stderr } = await org("export", server.orgId, "--out", out);
    expect([status, stderr]).toEqual([0, ""]);
    const manifest = readFiles(out, { into: null, onProgress: () => undefined, known: knownMovedManifest });
    return { isCopy: stdout.includes("a copy:"), closed: manifest.closed };
  };
  expect(await exported("open.organization")).toEqual({ isCopy: true, closed: false });
  expect((await org("reopen", server.orgId)).status).toBe(3);
  const shown = await org("close", server.orgId, "--json");
  expect([shown.status, JSON.parse(shown.stdout).state]).toEqual([0, "CLOSED"]);
  const again = await org("close", server.orgId);
  expect([again.status, again.stdout, again.stderr]).toEqual([3, "", expect.stringContaining("closed already")]);
  expect((await org("close", "None, Inc.")).status).toBe(3);
  expect(await exported("closed.organization")).toEqual({ isCopy: false, closed: true });
  const csv = join(folder, "Stakeholders.csv");
  writeFileSync(csv, "Holder,Type\nAda,Individual\n");
  const ocf = join(folder, "acme.ocf.zip");
  const named = ["--org", server.orgId, "--data-dir", server.dataDir];
  expect((await runCommand(["ocf", "export", "--out", ocf, ...named])).status).toBe(0);
  const head = () =>
    server.app.reader.sqlite.prepare("select count(*) from audit_log where method is not 'exported'").pluck().get();
  const rows = head();
  for (const args of [
    ["import", "spreadsheet", csv, "--commit"],
    ["import", "spreadsheet", csv],
    ["ocf", "import", ocf],
    ["ocf", "import", ocf, "--dry-run"],
    ["keys", "create", "--name", "No", "--role", "VIEWER"],
    ["members", "invite", "--email", "ada@example.com", "--role", "VIEWER"],
  ]) {
    const { status, stderr } = await runCommand([...args, ...named]);
    expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 3, expect.stringContaining("is closed")]);
  }
  const updated = await org("update", server.orgId, "--set", "dba=Acme");
  expect([updated.status, updated.stderr]).toEqual([3, expect.stringContaining("is closed")]);
  expect(head()).toBe(rows);
  expect((await org("reopen", server.orgId)).status).toBe(0);
  expect((await runCommand(["keys", "create", "--name", "Yes", "--role", "VIEWER", ...named])).status).toBe(0);
});

test("closing waits until an import has ended", async () => {
  const { writer } = server.app;
  const note = (at: string | null) => writer.submit((tx) => notePackageImport(tx, server.orgId, at));
  await note(toTimestamp(systemRuntime.nowMs()));
  let isOver = false;
  const closing = org("close", server.orgId).finally(() => {
    isOver = true;
  });
  for (let round = 0; round < 5; round++) {
    await Bun.sleep(100);
    expect((await server.api("POST", "/stock-legends", { name: `W ${round}`, text: "x" })).status).toBe(201);
  }
  expect(isOver).toBe(false);
  await note(null);
  expect((await closing).status).toBe(0);
  expect((await server.api("POST", "/stock-legends", { name: "No", text: "x" })).status).toBe(409);
  expect((await org("reopen", server.orgId)).status).toBe(0);
});
