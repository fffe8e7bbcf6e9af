// What leaves in bulk leaves a trace: a row of the log for each file of many records, before it goes out, one an hour for
// a caller and an address. What cannot be written holds no file back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import type { ReadRoute } from "../../../../src/resources/route.ts";
import { verifyDatabase } from "../../../../src/safekeeping/verify/verify.ts";
import { DATABASE_FILE, openWritable } from "../../../../src/storage/database/open.ts";
import { Browser, beginSession, signedIn } from "../../../kit/people.ts";
import { makeStakeholder } from "../../../kit/records.ts";
import { QUICK } from "../../../kit/release.ts";
import { type CallOptions, startTestServer, type TestServer } from "../../../kit/service.ts";
import { fill, makeRecords, nameOf, pathIds, type Records, ROUTES, withHolder } from "../../../matrix/world.ts";

setDefaultTimeout(120_000);

const HOUR_MS = 3_600_000;
/** Files of one record, or of none: a paper, a document's own bytes, a form to fill in. */
const NO_EXPORTS = [
  "getAcceptanceReceipt",
  "getPortalCertificate",
  "getPortalReceipt",
  "getPortalStatement",
  "downloadPortalDocument",
  "downloadDocumentContent",
  "getSecurityCertificate",
  "getStakeholderStatement",
  "getImportTemplate",
];

let server: TestServer;
/** The same server, whose portal a holder asks. */
let holders: TestServer;
let records: Records;
let later = 0;
const runtime = { ...systemRuntime, nowMs: () => Date.now() + later };
/** What is sent while it is made has no length before it is. */
const UNKNOWN = ["/api/v1/imports/:id/preview.csv", "/api/v1/imports/:id/problems.csv"];

beforeAll(async () => {
  server = await startTestServer({}, { runtime });
  // A paper bears the company's name.
  expect((await server.api("PATCH", "/organization", { legalName: "Acme, Inc." })).status).toBe(200);
  records = await makeRecords(server, server.orgId);
  const state = async () => (await server.api("GET", `/imports/${records.imports}`)).json.data.state;
  while ((await state()) === "READING") await Bun.sleep(5);
  expect(await state()).toBe("PREVIEWED");
  holders = await withHolder(server, records.stakeholders);
});
afterAll(() => server.stop());

const readRoutes = ROUTES.filter((route): route is ReadRoute => route.method === "GET");
const exporting = readRoutes.filter((route) => route.exports !== undefined);

/** The exports in the log, the oldest first. */
async function exportsIn(orgId = server.orgId) {
  const { items } = (await server.api("GET", "/audit-log?resourceType=log&limit=100", undefined, { orgId })).json;
  return items.filter(({ method }: { method: string }) => method === "exported").toReversed();
}

/** The exports that some work leaves in the log. */
async function exportsBy(work: () => Promise<unknown>, orgId?: string) {
  const before = (await exportsIn(orgId)).length;
  await work();
  return (await exportsIn(orgId)).slice(before);
}

/** Asks, and tells the number of bytes that came. */
async function take(path: string, options: Pick<CallOptions, "role" | "orgId"> = {}) {
  const key = await server.key(options.role ?? "ADMIN", options.orgId);
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.bytes()).length;
}

/** An organization of its own, whose callers have left no rows yet. */
async function another(...holders: readonly string[]) {
  const orgId = await server.newOrganization();
  const within = {
    ...server,
    api: ((...[method, path, body]) => server.api(method, path, body, { orgId })) as TestServer["api"],
  };
  for (const displayName of holders) await makeStakeholder(within, { displayName });
  return orgId;
}

/** Whether a route answers a file, and no text to be read as it is. */
function isOfFile({ fileType }: ReadRoute): boolean {
  return fileType !== undefined && fileType !== "text/plain" && fileType !== "text/event-stream";
}

describe("each route that answers a file", () => {
  test("either exports many records, or is listed as one that does not", () => {
    const files = readRoutes.filter(isOfFile);
    const others = files.filter((route) => route.exports === undefined).map(({ operationId }) => operationId);
    expect(others.toSorted()).toEqual(NO_EXPORTS.toSorted());
    expect(exporting.filter((route) => !files.includes(route))).toEqual([]);
    // All lists and reports are CSV, and no CSV is a paper.
    expect(files.filter(({ path }) => path.endsWith(".csv")).every(({ exports }) => exports === "CSV")).toBe(true);
    expect(exporting.length).toBeGreaterThan(25);
  });

  test.skipIf(QUICK)("says so: no other read answers an attachment", async () => {
    const attached: string[] = [];
    for (const route of readRoutes) {
      const answer = await holders.api("GET", fill(route, pathIds(route, records)));
      if (answer.headers.has("content-disposition")) attached.push(route.operationId);
      const isFile = isOfFile(route);
      expect([nameOf(route), answer.headers.has("content-disposition")]).toEqual([
        nameOf(route),
        isFile && answer.status === 200,
      ]);
    }
    expect(attached.length).toBeGreaterThan(exporting.length);
  });

  test("leaves a row where it exports, with who took what, and one in an hour", async () => {
    const ada = await signedIn(server, { role: "ADMIN", name: "Ada Lovelace" });
    for (const route of exporting) {
      const path = fill(route, pathIds(route, records));
      let requestId: string | null = null;
      let length = 0;
      const rows = await exportsBy(async () => {
        const { status, headers } = await ada.api("GET", path);
        expect([path, status]).toEqual([path, 200]);
        requestId = headers.get("x-request-id");
        length = Number(headers.get("content-length"));
        await ada.api("GET", path);
        await ada.api("GET", `${path}/`);
      });
      expect([path, rows.length]).toEqual([path, 1]);
      expect(rows[0]).toMatchObject({
        ...{ resourceType: "log", resourceId: null, method: "exported", before: null },
        ...{ actor: "person", accountId: ada.accountId, actorName: "Ada Lovelace", sessionId: ada.sessionId },
        ...{ path: `/api/v1${path}`, requestId },
      });
      expect(rows[0].after).toEqual({
        ...{ route: route.path, format: route.exports, asOf: null, knownAt: null },
        bytes: UNKNOWN.includes(route.path) ? null : length,
      });
    }
  });
});

test("the length is that of the body; unknown only where a file is sent while it is made", async () => {
  const viewer = { role: "EDITOR" } as const;
  const [row] = await exportsBy(async () => {
    const answer = await fetch(`${server.url}/api/v1/reports/cap-table.xlsx`, {
      headers: { authorization: `Bearer ${await server.key("EDITOR")}` },
    });
    expect((await answer.bytes()).length).toBe(Number(answer.headers.get("content-length")));
    expect((await exportsIn()).at(-1).after.bytes).toBe(Number(answer.headers.get("content-length")));
  });
  expect([row.actor, row.apiKeyId, row.after.format]).toEqual(["api-key", expect.any(String), "XLSX"]);
  const unknown = (await exportsIn()).filter(({ after }: { after: { bytes: number | null } }) => after.bytes === null);
  const routes = new Set(unknown.map(({ after }: { after: { route: string } }) => after.route));
  expect([...routes].toSorted()).toEqual(UNKNOWN);
  expect(await exportsBy(() => take("/reports/cap-table.xlsx", viewer))).toEqual([]);
});

test("the row says of which day and instant the file is, as asked", async () => {
  const orgId = await another();
  const rows = await exportsBy(async () => {
    await take("/reports/cap-table.csv?asOf=2026-01-31&knownAt=2026-02-01T01:00:00%2B01:00", { orgId });
    await take("/transactions.csv", { orgId });
  }, orgId);
  expect(rows.map(({ after }: { after: object }) => after)).toMatchObject([
    { asOf: "2026-01-31", knownAt: "2026-02-01T00:00:00.000Z" },
    { asOf: null, knownAt: null },
  ]);
});

test("another hour, caller, organization or address leaves another row; a clock that was put back does, too", async () => {
  const orgId = await another("Ada");
  const path = "/stakeholders.csv";
  const count = async (work: () => Promise<unknown>) => (await exportsBy(work, orgId)).length;
  expect(await count(() => take(path, { orgId }))).toBe(1);
  later += HOUR_MS - 60_000;
  expect(await count(() => take(path, { orgId }))).toBe(0);
  expect(await count(() => take(`${path}?bom=false`, { orgId }))).toBe(0);
  expect(await count(() => take("/%73takeholders.csv", { orgId }).catch(() => undefined))).toBe(0);
  expect(await count(() => take(path, { orgId, role: "VIEWER" }))).toBe(1);
  expect(await count(() => take("/share-classes.csv", { orgId }))).toBe(1);
  expect(await count(() => take(path))).toBe(0);
  later += 60_000;
  expect(await count(() => take(path, { orgId }))).toBe(1);
  later -= 24 * HOUR_MS;
  expect(await count(() => take(path, { orgId }))).toBe(1);
  expect(await count(() => take(path, { orgId }))).toBe(0);
  later = 0;
});

test("a person is one caller in all sessions", async () => {
  const orgId = await another();
  const ada = await signedIn(server, { orgId });
  const bob = await signedIn(server, { orgId });
  const again = new Browser(server, (await beginSession(server.app.writer, ada.accountId)).token);
  const rows = await exportsBy(async () => {
    for (const person of [ada, bob, again]) {
      expect((await person.api("GET", "/securities.csv", undefined, { orgId })).status).toBe(200);
    }
  }, orgId);
  expect(rows.map(({ accountId }: { accountId: string }) => accountId)).toEqual([ada.accountId, bob.accountId]);
});

test("a short list that is taken first does not hide the whole", async () => {
  const orgId = await another(...Array.from({ length: 40 }, (_, index) => `Holder ${index}`));
  let [short, whole] = [0, 0];
  const rows = await exportsBy(async () => {
    short = await take("/stakeholders.csv?type=INSTITUTION", { orgId });
    whole = await take("/stakeholders.csv", { orgId });
    await take("/stakeholders.csv?type=INSTITUTION", { orgId });
    await take("/stakeholders.csv", { orgId });
  }, orgId);
  expect(whole).toBeGreaterThan(2 * short);
  expect(rows.map(({ after }: { after: { bytes: number } }) => after.bytes)).toEqual([short, whole]);
});

test("what takes nothing along leaves no row: what is refused, a look at the head, a paper", async () => {
  const orgId = await another();
  const viewer = { orgId, role: "VIEWER" } as const;
  const of = (answer: { status: number }) => answer.status;
  const rows = await exportsBy(async () => {
    const statuses = [
      of(await server.api("GET", "/stakeholders.csv", undefined, { key: null })),
      of(await server.api("GET", "/audit-log.csv", undefined, viewer)),
      of(await server.api("GET", `/imports/${records.imports}/preview.csv`, undefined, { orgId })),
      of(await server.api("GET", "/reports/cap-table.csv?asOf=yesterday", undefined, viewer)),
      of(await server.api("GET", "/cap-table/ocf-export?include=nothing", undefined, viewer)),
      of(await server.api("HEAD", "/stakeholders.csv", undefined, viewer)),
    ];
    expect(statuses).toEqual([401, 403, 404, 422, 422, 200]);
  }, orgId);
  expect(rows).toEqual([]);
  expect(await exportsBy(() => take("/stakeholders.csv", viewer), orgId)).toHaveLength(1);
  const papers = await exportsBy(async () => {
    const statement = await holders.api("GET", `/portal/stakeholders/${records.stakeholders}/statement.pdf`);
    expect([statement.status, statement.text.slice(0, 4)]).toEqual([200, "%PDF"]);
    await take(`/stakeholders/${records.stakeholders}/statement.pdf`);
    await take(`/securities/${records.securities}/certificate.pdf`);
    await take(`/acceptances/${records.acceptances}/receipt.pdf`);
    await take(`/documents/${records.imported}/content`);
    await take("/imports/template.xlsx");
  });
  expect(papers).toEqual([]);
});

/** The line of the request log that a path left last. */
async function lineOf(route: string, orgId: string) {
  const lines = () =>
    server.log
      .join("")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  for (;;) {
    const found = lines().findLast((line) => line.route === route && line.orgId === orgId);
    if (found) return found;
    await Bun.sleep(10);
  }
}

describe("what cannot be written holds no file back", () => {
  test("on a full disk the file arrives, the operator reads of it, and the next one leaves its row", async () => {
    const orgId = await another("Ada");
    await server.key("ADMIN", orgId);
    const { sqlite } = server.app.writer.db;
    const pages = sqlite.pragma("page_count", { simple: true });
    sqlite.pragma(`max_page_count = ${pages}`);
    const rows = await exportsBy(async () => {
      try {
        // The control: nothing can be written, and the log's last page is as full as all others.
        const add = (count: number, text: string) =>
          server.api("POST", "/stock-legends", { name: `Legend ${count}`, text }, { orgId });
        for (const fill of [
          (count: number) => add(count, "x".repeat(2000)),
          (count: number) => add(count, "x"),
          (count: number) => server.api("PATCH", "/organization", { dba: `Name ${count}` }, { orgId }),
        ]) {
          let status = 0;
          for (let count = 0; count < 300 && status !== 503; count++) ({ status } = await fill(count));
          expect(status).toBe(503);
        }
        expect(await take("/reports/stock-ledger.csv", { orgId })).toBeGreaterThan(10);
      } finally {
        sqlite.pragma("max_page_count = 1073741823");
      }
    }, orgId);
    expect(rows).toEqual([]);
    const line = await lineOf("/api/v1/reports/stock-ledger.csv", orgId);
    expect(line).toMatchObject({ status: 200, level: "error" });
    expect(line.error).toContain("the audit log does not record this export");
    expect(line.error).toContain("full");
    expect(await exportsBy(() => take("/reports/stock-ledger.csv", { orgId }), orgId)).toHaveLength(1);
  });

  test("while another program holds the database the file arrives, and its row follows", async () => {
    const orgId = await another("Ada");
    await server.key("ADMIN", orgId);
    const other = openWritable(join(server.dataDir, DATABASE_FILE)).sqlite;
    other.exec("BEGIN IMMEDIATE");
    let isHeld = true;
    const rows = await exportsBy(async () => {
      try {
        expect(await take("/reports/option-ledger.csv", { orgId })).toBeGreaterThan(10);
        expect(isHeld).toBe(true);
      } finally {
        other.exec("ROLLBACK");
        isHeld = false;
        other.close();
      }
      await server.app.writer.drain();
    }, orgId);
    expect(rows).toHaveLength(1);
    const line = await lineOf("/api/v1/reports/option-ledger.csv", orgId);
    expect(line).toMatchObject({ status: 200, level: "error" });
    expect(line.error).toContain("still waits");
  });

  test("a client that leaves while the row waits takes nothing, and the service goes on", async () => {
    const orgId = await another("Ada");
    const key = await server.key("ADMIN", orgId);
    const other = openWritable(join(server.dataDir, DATABASE_FILE)).sqlite;
    other.exec("BEGIN IMMEDIATE");
    const leaving = new AbortController();
    const asked = fetch(`${server.url}/api/v1/reports/warrants.csv`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leaving.signal,
    }).then(
      () => "answered",
      () => "left",
    );
    // Where it has not come so far yet, it leaves earlier: what it sees is the same.
    await Bun.sleep(300);
    leaving.abort();
    expect(await asked).toBe("left");
    other.exec("ROLLBACK");
    other.close();
    expect((await lineOf("/api/v1/reports/warrants.csv", orgId)).status).toBe(499);
    expect(await take("/reports/warrants.csv", { orgId })).toBeGreaterThan(10);
  });
});

test("the log of it all verifies", async () => {
  const { organizations, differences } = verifyDatabase(server.app.reader);
  expect(organizations.length).toBeGreaterThan(5);
  expect(differences).toEqual([]);
});
