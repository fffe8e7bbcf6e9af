import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { Organization } from "../exchange/ocf/organization.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
const basic = { path: "board/deed.pdf" };
const MIB = 1024 * 1024;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function makeDocument(given: Readonly<Record<string, unknown>> = basic, where = {}): Promise<string> {
  return (await server.api("POST", "/documents", given, where)).json.id;
}

async function read(id: string) {
  return (await server.api("GET", `/documents/${id}`)).json;
}

function put(id: string, content: string | Uint8Array, contentType = "application/pdf", options = {}) {
  return server.api("PUT", `/documents/${id}/content`, content, {
    headers: { "content-type": contentType },
    ...options,
  });
}

async function download(id: string): Promise<Response> {
  const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
  return fetch(`${server.url}/api/v1/documents/${id}/content`, { headers });
}

test("documents behave as every resource does", () => tryCommonRules(server, "/documents", basic, "items"));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(server, "/documents", {
    required: {},
    besides: basic,
    accepted: [
      ["title", "t".repeat(200)],
      ["path", "p".repeat(2000)],
      ["md5", "d41d8cd98f00b204E9800998ECF8427E"],
      ["relatedObjects", []],
      ["relatedObjects", [{ objectType: "ISSUER", objectId: server.orgId }]],
      ["comments", "c".repeat(2000)],
    ],
    refused: [
      ["title", "t".repeat(201)],
      ["path", "p".repeat(2001)],
      ["path", ""],
      ["uri", `https:${"u".repeat(2000)}`],
      ["uri", "no-scheme"],
      ["uri", "javascript:alert(1)"],
      ["uri", " javascript:alert(1)"],
      ["uri", "data:text/html,x"],
      ["uri", "ftp://example.com/deed.pdf"],
      ["uri", "file:///etc/passwd"],
      ["uri", "https://example.com/a b"],
      ["uri", "https://exämple.com"],
      ["md5", "d41d8cd98f00b204e9800998ecf8427"],
      ["md5", "g41d8cd98f00b204e9800998ecf8427e"],
      ["md5", 5],
      ["relatedObjects", "x"],
      ["relatedObjects", [{ objectType: "STOCK_CLASS" }], "#/relatedObjects/0/objectId"],
      ["relatedObjects", [{ objectType: "SHARE", objectId: "x" }], "#/relatedObjects/0/objectType"],
      ["comments", "c".repeat(2001)],
      ["sha256", "x"],
      ["size", 5],
      ["contentType", "text/plain"],
    ],
    nullable: ["title", "uri", "md5", "comments"],
    defaulted: ["relatedObjects"],
  }));

test("a document has exactly one of path and uri, on create and as the result of a PATCH", async () => {
  const uri = "https://example.com/deed.pdf?v=1#p2";
  const none = await server.api("POST", "/documents", { title: "Deed" });
  expect(refusal(none)).toEqual([422, "validation-failed", "#/path"]);
  const both = await server.api("POST", "/documents", { ...basic, uri });
  expect(refusal(both)).toEqual([422, "validation-failed", "#/uri"]);
  const id = await makeDocument();
  expect(refusal(await server.api("PATCH", `/documents/${id}`, { uri }))).toEqual([422, "validation-failed", "#/uri"]);
  const left = await server.api("PATCH", `/documents/${id}`, { path: null });
  expect(refusal(left)).toEqual([422, "validation-failed", "#/path"]);
  const moved = await server.api("PATCH", `/documents/${id}`, { path: null, uri });
  expect(moved.json).toMatchObject({ path: null, uri });
});

test("a document that was imported with an address of another kind keeps it, and can be changed otherwise", async () => {
  const company = await Organization.make(server);
  const deed = { object_type: "DOCUMENT", id: "deed", uri: "ftp://example.com/deed.pdf", md5: "0".repeat(32) };
  await company.import(deed);
  const where = { orgId: company.orgId };
  expect((await server.api("GET", "/documents/deed", undefined, where)).json.uri).toBe(deed.uri);
  expect((await server.api("PATCH", "/documents/deed", { title: "Deed" }, where)).json.uri).toBe(deed.uri);
  const again = await server.api("PATCH", "/documents/deed", { uri: "ftp://example.com/other.pdf" }, where);
  expect(refusal(again)).toEqual([422, "validation-failed", "#/uri"]);
});

test("a document is shared with the holders that it concerns if a user sets that", async () => {
  const id = await makeDocument();
  const shared = async () => (await read(id)).isSharedWithHolders;
  expect(await shared()).toBe(false);
  await put(id, "bytes");
  expect(await shared()).toBe(false);
  expect((await server.api("PATCH", `/documents/${id}`, { isSharedWithHolders: true })).json.isSharedWithHolders).toBe(
    true,
  );
  const { items } = (await server.api("GET", "/documents")).json;
  expect(items.find((each: { id: string }) => each.id === id).isSharedWithHolders).toBe(true);
  await server.api("PATCH", `/documents/${id}`, { title: "Deed" });
  expect(await shared()).toBe(true);
  for (const wrong of [null, "yes", 1]) {
    const answer = await server.api("PATCH", `/documents/${id}`, { isSharedWithHolders: wrong });
    expect(refusal(answer)).toEqual([422, "validation-failed", "#/isSharedWithHolders"]);
  }
  const [logged] = (await server.api("GET", `/audit-log?resourceId=${id}`)).json.items.slice(1);
  expect(logged).toMatchObject({ before: { isSharedWithHolders: 0 }, after: { isSharedWithHolders: 1 } });
});

test("related objects must be there, each under its own type", async () => {
  const stockClass = await makeShareClass(server);
  const foreign = { orgId: await server.newOrganization() };
  const strange = await makeShareClass(server, {}, foreign);
  const plan = (await server.api("POST", "/equity-plans", { planName: "P", initialSharesReserved: "1" })).json.id;
  const legend = (await server.api("POST", "/stock-legends", { name: "L", text: "T" })).json.id;
  const relatedObjects = [
    { objectType: "ISSUER", objectId: server.orgId },
    { objectType: "STAKEHOLDER", objectId: await makeStakeholder(server) },
    { objectType: "STOCK_CLASS", objectId: stockClass },
    { objectType: "STOCK_PLAN", objectId: plan },
    { objectType: "STOCK_LEGEND_TEMPLATE", objectId: legend },
    { objectType: "DOCUMENT", objectId: await makeDocument() },
  ];
  const id = await makeDocument({ ...basic, relatedObjects });
  expect((await read(id)).relatedObjects).toEqual(relatedObjects);
  const wrong = [
    { objectType: "ISSUER", objectId: foreign.orgId },
    { objectType: "STOCK_CLASS", objectId: strange },
    { objectType: "STOCK_PLAN", objectId: stockClass },
    { objectType: "VALUATION", objectId: "none" },
    { objectType: "VESTING_TERMS", objectId: "none" },
  ];
  for (const related of wrong) {
    const changes = { relatedObjects: [related] };
    expect(refusal(await server.api("POST", "/documents", { ...basic, ...changes }))).toEqual([404, "not-found"]);
    expect(refusal(await server.api("PATCH", `/documents/${id}`, changes))).toEqual([404, "not-found"]);
  }
  const twice = { relatedObjects: [relatedObjects[0], relatedObjects[0]] };
  expect(refusal(await server.api("POST", "/documents", { ...basic, ...twice }))).toEqual([
    422,
    "validation-failed",
    "#/relatedObjects",
  ]);
});

describe("a document that a record names", () => {
  const valuation = { type: "BOARD", pricePerShare: "1", effectiveDate: "2026-01-15" };
  const plan = { planName: "P", initialSharesReserved: "1" };
  const action = { type: "Termination", title: "T", effectiveDate: "2026-01-15" };
  const makers: Readonly<Record<string, (document: string) => Promise<string>>> = {
    "/stakeholders": (sourceDocumentId) => makeStakeholder(server, { sourceDocumentId }),
    "/share-classes": (sourceDocumentId) => makeShareClass(server, { sourceDocumentId }),
    "/valuations": async (sourceDocumentId) => {
      const body = { ...valuation, stockClassId: await makeShareClass(server), sourceDocumentId };
      return (await server.api("POST", "/valuations", body)).json.id;
    },
    "/equity-plans": async (sourceDocumentId) =>
      (await server.api("POST", "/equity-plans", { ...plan, sourceDocumentId })).json.id,
    "/securities": async (sourceDocumentId) => {
      const holder = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
      const grant = { type: "STOCK", quantity: "1", certificateId: `D-${sourceDocumentId}`, grantDate: "2026-01-15" };
      return (await server.api("POST", "/securities", { ...holder, ...grant, sourceDocumentId })).json.id;
    },
    "/corporate-actions": async (document) =>
      (await server.api("POST", "/corporate-actions", { ...action, metadata: { documentIds: ["other", document] } }))
        .json.data.id,
    "/documents": (document) =>
      makeDocument({ ...basic, relatedObjects: [{ objectId: document, objectType: "DOCUMENT" }] }),
  };
  for (const [path, make] of Object.entries(makers)) {
    test(`cannot be deleted until it is let go: ${path}`, async () => {
      const id = await makeDocument();
      const holder = await make(id);
      expect(holder).toBeString();
      expect(refusal(await server.api("DELETE", `/documents/${id}`))).toEqual([409, "in-use"]);
      expect((await server.api("DELETE", `${path}/${holder}`)).status).toBe(204);
      expect((await server.api("DELETE", `/documents/${id}`)).status).toBe(204);
    });
  }

  test("may name itself and still go; one that is only like it holds nothing", async () => {
    const id = await makeDocument();
    await server.api("PATCH", `/documents/${id}`, { relatedObjects: [{ objectType: "DOCUMENT", objectId: id }] });
    await makeStakeholder(server, { comments: id });
    expect((await server.api("DELETE", `/documents/${id}`)).status).toBe(204);
  });
});

describe("content", () => {
  const content = new TextEncoder().encode("%PDF-1.7 a deed \u0000\u00ff");

  test("comes back as it went in, as an attachment that no browser runs", async () => {
    const id = await makeDocument();
    const stored = await put(id, content);
    expect(stored.status).toBe(200);
    expect(stored.json).toMatchObject({
      ...basic,
      uri: null,
      md5: createHash("md5").update(content).digest("hex"),
      sha256: createHash("sha256").update(content).digest("hex"),
      size: content.byteLength,
      contentType: "application/pdf",
    });
    expect(stored.json).toEqual(await read(id));
    const answer = await download(id);
    expect(answer.status).toBe(200);
    expect(await answer.bytes()).toEqual(content);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="deed.pdf"',
      "content-security-policy":
        "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(answer.headers.get("x-request-id")).toBeString();
  });

  test("may be of any type and form, JSON and no type included, and replaces what was there", async () => {
    const id = await makeDocument();
    for (const contentType of ["text/html; charset=utf-8", "application/json", "image/png"]) {
      const stored = await put(id, '{"a":', contentType);
      expect([stored.status, stored.json.contentType, stored.json.size]).toEqual([200, contentType, 5]);
    }
    for (const contentType of ["nonsense", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const odd = await put(id, "x", contentType);
      expect(odd.json).toMatchObject({ contentType: "application/octet-stream", size: 1 });
    }
    expect(await (await download(id)).text()).toBe("x");
  });

  test("gives a document known by its uri a path, and keeps a path that is there", async () => {
    const id = await makeDocument({ uri: "https://example.com/deed", md5: "0".repeat(32) });
    const stored = (await put(id, content)).json;
    expect(stored).toMatchObject({ path: `documents/${id}.pdf`, uri: null });
    expect((await download(id)).headers.get("content-disposition")).toBe(`attachment; filename="${id}.pdf"`);
    const named = await makeDocument({ path: 'a/Größe "1".txt' });
    await put(named, content, "text/plain");
    expect((await download(named)).headers.get("content-disposition")).toBe(
      `attachment; filename="Gr__e _1_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt`,
    );
  });

  test("binds what the document may say of it afterwards", async () => {
    const id = await makeDocument();
    const { md5 } = (await put(id, content)).json;
    const path = `/documents/${id}`;
    for (const [changes, pointer] of [
      [{ md5: "0".repeat(32) }, "#/md5"],
      [{ md5: null }, "#/md5"],
      [{ path: null, uri: "https://example.com/" }, "#/uri"],
    ] as const) {
      expect(refusal(await server.api("PATCH", path, changes))).toEqual([422, "validation-failed", pointer]);
    }
    const same = { md5: md5.toUpperCase(), path: "renamed.pdf" };
    expect((await server.api("PATCH", path, same)).json).toMatchObject(same);
  });

  test("is checked in the order of every request: key, role, body, query, record", async () => {
    const id = await makeDocument();
    const large = new Uint8Array(25 * MIB + 1);
    expect((await put(id, large, "a/b", { key: "pg_live_wrong" })).status).toBe(401);
    expect((await put(id, large, "a/b", { role: "VIEWER" })).status).toBe(403);
    expect((await put("none", large)).status).toBe(413);
    const odd = await server.api("PUT", "/documents/none/content?x=1", "text", { headers: { "content-type": "a/b" } });
    expect(refusal(odd)).toEqual([422, "validation-failed", "x"]);
    expect((await put("none", "text")).status).toBe(404);
    expect((await put(id, "text", "a/b", { role: "EDITOR" })).status).toBe(200);
    expect((await server.api("POST", `/documents/${id}/content`, {})).headers.get("allow")).toBe("GET, HEAD, PUT");
  });

  test("of a document without content, of another organization, or deleted, is 404", async () => {
    const empty = await makeDocument();
    expect((await download(empty)).status).toBe(404);
    const foreign = { orgId: await server.newOrganization() };
    const strange = await makeDocument(basic, foreign);
    expect((await put(strange, "x", "a/b", foreign)).status).toBe(200);
    expect((await download(strange)).status).toBe(404);
    expect((await put(strange, "x")).status).toBe(404);
    await put(empty, "x");
    await server.api("DELETE", `/documents/${empty}`);
    expect((await download(empty)).status).toBe(404);
  });

  test("is in the audit log by its digest, never by its bytes", async () => {
    const id = await makeDocument();
    await put(id, "a secret paper");
    const log = await server.api("GET", `/audit-log?limit=1&resourceId=${id}`);
    expect(log.json.items[0]).toMatchObject({ method: "PUT", resourceId: id, after: { size: 14 } });
    expect(log.text).not.toContain("secret paper");
  });
});

test("a source document that names nothing is 404, a foreign one too", async () => {
  const holder = { displayName: "H", name: { legalName: "H" }, type: "INDIVIDUAL" };
  const strange = await makeDocument(basic, { orgId: await server.newOrganization() });
  for (const sourceDocumentId of ["none", strange]) {
    const answer = await server.api("POST", "/stakeholders", { ...holder, sourceDocumentId });
    expect(refusal(answer)).toEqual([404, "not-found"]);
  }
});

test("a document may be about a security and a transaction here, which its export names by OCF's types", async () => {
  const where = { orgId: await server.newOrganization("Papers, Inc.") };
  const stockClassId = await makeShareClass(server, {}, where);
  const stakeholderId = await makeStakeholder(server, {}, where);
  const securityId = await issueShares(server, { stakeholderId, stockClassId }, where);
  const [entry] = (await server.api("GET", `/transactions?securityId=${securityId}`, undefined, where)).json.data;
  const relatedObjects = [
    { objectType: "SECURITY", objectId: securityId },
    { objectType: "TRANSACTION", objectId: entry.id },
  ];
  const md5 = "0".repeat(32);
  const id = await makeDocument({ ...basic, md5, relatedObjects }, where);
  for (const { objectType, objectId } of relatedObjects) {
    const listed = await server.api(
      "GET",
      `/documents?objectType=${objectType}&objectId=${objectId}`,
      undefined,
      where,
    );
    expect(listed.json.items.map((each: { id: string }) => each.id)).toEqual([id]);
    const unknown = { ...basic, relatedObjects: [{ objectType, objectId: crypto.randomUUID() }] };
    expect((await server.api("POST", "/documents", unknown, where)).status).toBe(404);
  }
  const headers = { authorization: `Bearer ${await server.key("VIEWER", where.orgId)}` };
  const exported = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers });
  const ocf = await readZip(new Uint8Array(await exported.arrayBuffer()));
  expect(validatePackage(ocf).problems.filter(({ severity }) => severity === "problem")).toEqual([]);
  const objects = ocf.files.flatMap(({ items }) => items) as Record<string, unknown>[];
  expect(objects.find((each) => each.id === id)?.related_objects).toEqual([
    { object_type: "TX_STOCK_ISSUANCE", object_id: entry.id },
  ]);
});
