// A closed organization: no route writes in it, reads answer as before, and another one goes on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { isWriting } from "../../../src/resources/route.ts";
import { endSignIns } from "../../../src/safekeeping/backup/end-sign-ins.ts";
import { makeNewKeys } from "../../../src/safekeeping/backup/new-keys.ts";
import { tellRestored } from "../../../src/safekeeping/backup/tell-restored.ts";
import { closeOrganization, reopenOrganization } from "../../../src/safekeeping/moving/closing.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { copyDatabase } from "../../../src/storage/data-dir/copy-store.ts";
import { isClosed } from "../../../src/storage/database/closed.ts";
import { recordExport, tellOf } from "../../../src/storage/database/log/audit.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { notePackageImport } from "../../../src/storage/database/package-imports.ts";
import { signedIn } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { fill, makeRecords, nameOf, pathIds, pathOf, type Records, ROUTES, withHolder } from "../../matrix/world.ts";

const WRITING = ROUTES.filter(isWriting);
const READING = ROUTES.filter((route) => route.method === "GET" && !pathOf(route).startsWith("/events/stream"));
/** Tables that a request changes by being asked: when a key and a session were last used. */
const USES = new Set(["api_keys", "sessions", "settings"]);

let plain: TestServer;
let server: TestServer;
let records: Records;
let otherId: string;
let others: Records;

beforeAll(async () => {
  plain = await startTestServer();
  records = await makeRecords(plain, plain.orgId);
  otherId = await plain.newOrganization("Other, Inc.");
  others = await makeRecords(plain, otherId);
  const reading = plain.app.reader.sqlite.prepare("select 1 from imports where state = 'READING'");
  while (reading.get() !== undefined) await Bun.sleep(10);
  server = await withHolder(plain, records.stakeholders ?? "");
  // A closed organization takes no key.
  await plain.key("VIEWER");
});
afterAll(() => plain.stop());

const callIn = (orgId: string) => commandLineCall(systemRuntime, orgId);
const close = () => plain.app.writer.submit((tx) => closeOrganization(tx, callIn(plain.orgId)));
const reopen = () => plain.app.writer.submit((tx) => reopenOrganization(tx, callIn(plain.orgId)));

/** Every row of every table that requests do not change by being asked. */
function everything(): string {
  const { sqlite } = plain.app.reader;
  const names = sqlite
    .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !USES.has(name));
  return JSON.stringify(names.map((name) => [name, sqlite.prepare(`select * from "${name}"`).all()]));
}

type Routed = (typeof ROUTES)[number];

function ask(route: Routed, ids: Records, orgId: string) {
  const path = fill(route, pathIds(route, ids));
  if (route.method === "GET" || !("body" in route && route.body)) {
    const body = route.method === "PUT" ? "bytes" : undefined;
    return server.api(route.method, path, body, { orgId });
  }
  // Whole where the route has an example; what it writes is looked for below.
  return server.api(route.method, path, ("bodyExample" in route && route.bodyExample) || {}, { orgId });
}

test("each route that writes is refused, dry runs too, and nothing is written; open, none is refused for that", async () => {
  expect(await close()).toEqual([]);
  const before = everything();
  const portal = (route: Routed) => pathOf(route).startsWith("/portal");
  for (const route of WRITING) {
    const answer = await ask(route, records, plain.orgId);
    const told = { route: nameOf(route), status: answer.status, type: answer.json.type?.split("/").at(-1) };
    expect(told).toEqual({ route: nameOf(route), status: 409, type: "organization-closed" });
  }
  const dry = { operations: [], dryRun: true };
  expect((await server.api("POST", "/batch", dry)).json.type).toEndWith("/organization-closed");
  expect(everything()).toBe(before);
  expect(WRITING.length).toBeGreaterThan(80);
  const open = new Map<number, number>();
  for (const route of WRITING.filter((each) => !portal(each))) {
    const { status, json } = await ask(route, others, otherId);
    expect({ route: nameOf(route), type: json.type ?? "" }).not.toMatchObject({
      type: expect.stringMatching(/organization-closed$/),
    });
    open.set(status, (open.get(status) ?? 0) + 1);
  }
  // The control reaches what writes.
  expect((open.get(201) ?? 0) + (open.get(200) ?? 0)).toBeGreaterThan(10);
  expect(everything()).not.toBe(before);
  // A key without the right is refused for that, as before.
  const refused = await server.api("POST", "/stakeholders", {}, { role: "VIEWER" });
  expect(refused.status).toBe(403);
  const unknown = await server.api("POST", "/stakeholders", {}, { key: "pg_test_unknown" });
  expect(unknown.status).toBe(401);
  expect(await reopen()).toBe(true);
});

/** Reads that tell of the log, which has one row more, or of what is sent out beside it; and the state itself. */
const OF_THE_LOG = /^GET .(organization$|audit-log|checkpoint$|events$|webhook-endpoints)/;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

test("every read answers what it answered, but for the organization's state and its log", async () => {
  const read = async () => {
    const answers: Record<string, string> = {};
    for (const route of READING.filter((each) => !OF_THE_LOG.test(nameOf(each)))) {
      const { status, text, headers } = await ask(route, records, plain.orgId);
      const isText = /json|text/.test(headers.get("content-type") ?? "");
      const shown = text.replaceAll(INSTANT, "then").replace(/"instance":"[^"]+"/, "");
      answers[nameOf(route)] = isText ? `${status} ${shown}` : String(status);
    }
    return answers;
  };
  const before = await read();
  expect(await close()).toEqual([]);
  expect(await read()).toEqual(before);
  for (const route of READING.filter((each) => OF_THE_LOG.test(nameOf(each)))) {
    expect([nameOf(route), (await ask(route, records, plain.orgId)).status]).toEqual([nameOf(route), 200]);
  }
  expect(Object.values(before).filter((text) => text.startsWith("200")).length).toBeGreaterThan(60);
  // The control: a write shows in what is read.
  expect(await reopen()).toBe(true);
  await server.api("POST", "/stock-legends", { name: "After", text: "x" });
  expect(await read()).not.toEqual(before);
});

test("the state is logged and an event, a wrong state is told, and verify names a false one", async () => {
  const { app, orgId } = plain;
  expect((await server.api("GET", "/organization")).json.state).toBe("OPEN");
  expect(await reopen()).toBe(false);
  expect(await close()).toEqual([]);
  expect(await close()).toBeNull();
  expect((await server.api("GET", "/organization")).json.state).toBe("CLOSED");
  // What is let through: an export, and nothing of a person's account is refused.
  const exported = { route: "/x", format: "CSV", bytes: 1, asOf: null, knownAt: null } as const;
  await app.writer.submit((tx) => recordExport(tx, callIn(orgId), exported));
  expect((await verifyWhole(app.reader, orgId)).differences).toEqual([]);
  expect(await reopen()).toBe(true);
  const { items } = (await server.api("GET", "/events?types=organization.updated&limit=500")).json;
  const told = items as { readonly data: { readonly states: { readonly state?: string } } }[];
  const states = told.flatMap(({ data }) => data.states.state ?? []);
  expect(states.slice(-2)).toEqual(["CLOSED", "OPEN"]);
  expect((await verifyWhole(app.reader, undefined)).differences).toEqual([]);
  await app.writer.submit(
    (tx) => void tx.sqlite.exec(`update organizations set state = 'CLOSED' where id = '${orgId}'`),
  );
  const named = (await verifyWhole(app.reader, orgId)).differences.map(({ subject, detail }) => `${subject} ${detail}`);
  expect(named.join("\n")).toMatch(/organization.*state/);
  await app.writer.submit((tx) => void tx.sqlite.exec(`update organizations set state = 'OPEN' where id = '${orgId}'`));
});

test("a write beside the closing comes before it or is refused, and the log ends with the closing", async () => {
  const { app, orgId } = plain;
  const count = () => app.reader.sqlite.prepare("select count(*) from stakeholders where orgId = ?").pluck().get(orgId);
  let [made, refused] = [0, 0];
  for (let round = 0; round < 5; round++) {
    const before = Number(count());
    const writes = Array.from({ length: 40 }, (_, number) =>
      server.api("POST", "/stakeholders", {
        ...{ displayName: `Racer ${round}.${number}`, name: { legalName: "Racer" }, type: "INDIVIDUAL" },
      }),
    );
    await writes[round * 4];
    expect(await close()).toEqual([]);
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    const kept = statuses.filter((status) => status === 201).length;
    expect(new Set(statuses).difference(new Set([201, 409]))).toEqual(new Set());
    expect(Number(count())).toBe(before + kept);
    made += kept;
    refused += statuses.length - kept;
    const last = app.reader.sqlite
      .prepare<[string], { after: string }>(
        "select after from audit_log where orgId = ? order by sequence desc limit 1",
      )
      .get(orgId);
    expect(JSON.parse(last?.after ?? "{}").state).toBe("CLOSED");
    expect(await reopen()).toBe(true);
  }
  expect(made).toBeGreaterThan(0);
  expect(made + refused).toBe(200);
  expect((await verifyWhole(app.reader, undefined)).differences).toEqual([]);
});

test("in one batch, what comes before the closing is kept, and what comes behind it is refused", async () => {
  const { writer, reader } = plain.app;
  const write = (what: string) =>
    writer
      .submit((tx) => tellOf(tx, callIn(plain.orgId), "transaction", what, { what }), "waiting")
      .then(
        () => "kept",
        (error: { slug?: string }) => error.slug,
      );
  const commits = writer.statistics.commits;
  const asked = [write("first"), write("second"), close(), write("third"), reopen(), write("fourth")];
  expect(await Promise.all(asked)).toEqual(["kept", "kept", [], "organization-closed", true, "kept"]);
  expect(writer.statistics.commits).toBeLessThanOrEqual(commits + 2);
  const told = reader.sqlite
    .prepare("select resourceId from audit_log where resourceId in ('first', 'second', 'third', 'fourth') order by seq")
    .pluck();
  expect(told.all()).toEqual(["first", "second", "fourth"]);
  expect((await verifyWhole(reader, plain.orgId)).differences).toEqual([]);
});

test("closing waits for long writes, imports and sent transactions; an import that was ended is waited for no more", async () => {
  const { app, orgId } = plain;
  const { sqlite } = app.writer.db;
  const at = systemRuntime.nowMs();
  const note = (ms: number | null, whose = orgId) =>
    app.writer.submit((tx) => notePackageImport(tx, whose, ms === null ? null : new Date(ms).toISOString()));
  await note(at);
  expect(await close()).toEqual(["an import of a package"]);
  await note(at - 31_000);
  expect(await close()).toEqual([]);
  await reopen();
  await note(at, otherId);
  expect(await close()).toEqual([]);
  await reopen();
  const importing = `update imports set state = 'COMMITTING' where orgId = '${orgId}'`;
  const stateOf = sqlite.prepare("select state from imports where orgId = ?").pluck();
  const was = String(stateOf.get(orgId));
  await app.writer.submit((tx) => void tx.sqlite.exec(importing));
  expect(await close()).toEqual(["an import of a spreadsheet"]);
  await app.writer.submit((tx) => void tx.sqlite.exec(`update imports set state = '${was}' where orgId = '${orgId}'`));
  expect(await close()).toEqual([]);
  await reopen();
});

test("restored, a closed organization stays closed, and what gave access is ended in it all the same", async () => {
  const { dataDir, orgId } = plain;
  await server.api("POST", "/invitations", { email: "edith@example.com", role: "VIEWER" });
  expect(await close()).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "captable-closed-"));
  try {
    copyDatabase(join(dataDir, DATABASE_FILE), join(folder, DATABASE_FILE), false);
    await tellRestored(folder, "2026-06-01T12:00:00.000Z");
    expect((await endSignIns(folder)).revokedLinks).toBeGreaterThan(0);
    expect((await makeNewKeys(folder)).keys).toEqual(expect.anything());
    const db = openReadOnly(join(folder, DATABASE_FILE));
    expect(isClosed(db, { orgId })).toBe(true);
    expect((await verifyWhole(db, undefined)).differences).toEqual([]);
    db.sqlite.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(await reopen()).toBe(true);
});

test("people sign out and change their accounts where their organization is closed", async () => {
  const person = await signedIn(plain, { role: "ADMIN", name: "Ada" });
  expect(await close()).toEqual([]);
  const renamed = await person.api("PATCH", "/auth/account", { name: "Ada Lovelace" });
  expect([renamed.status, renamed.json.type]).toEqual([200, undefined]);
  const refused = await person.api("POST", "/stock-legends", { name: "No", text: "x" }, { orgId: plain.orgId });
  expect(refused.json.type).toEndWith("/organization-closed");
  expect((await person.api("DELETE", "/auth/session")).status).toBe(204);
  expect(await reopen()).toBe(true);
});
