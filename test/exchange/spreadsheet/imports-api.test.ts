// Imports over HTTP: the file as a document, read in the background, looked at, committed or deleted, by whom it may
// be.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { templateBytes } from "../../../src/exchange/spreadsheet/file/template-file.ts";
import { unguarded } from "../../../src/kernel/files/csv.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { whole } from "../../views/reports/made.ts";
import { askImport, ended, upload } from "./asking.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const STOCK = "Certificate,Holder,Class,Issue date,Quantity\n";

describe("the example", () => {
  test("is read, previewed, committed, and named in ledger, log and records", async () => {
    const orgId = await server.newOrganization("Example, Inc.");
    const template = await server.api("GET", "/imports/template.xlsx?example=true", undefined, { orgId });
    expect([template.status, template.headers.get("content-disposition")]).toEqual([
      200,
      expect.stringContaining("captable-example.xlsx"),
    ]);
    const asked = await askImport(server, await whole(templateBytes(true)), { orgId });
    expect(asked.state).toBe("READING");
    const preview = await ended(server, asked.id, orgId);
    expect(preview).toMatchObject({
      state: "PREVIEWED",
      format: "CAPTABLE",
      mode: "FULL",
      problemCount: 0,
      failure: null,
    });
    expect(preview.counts.stock).toEqual({ create: 5, unchanged: 0, differs: 0, leftOut: 0 });
    expect(preview.sha256).toHaveLength(64);
    expect((await server.api("GET", "/stakeholders", undefined, { orgId })).json.items).toEqual([]);

    const committing = await server.api("POST", `/imports/${asked.id}/commit`, undefined, { orgId });
    expect([committing.status, committing.json.data.state]).toEqual([200, "COMMITTING"]);
    const done = await ended(server, asked.id, orgId);
    expect(done).toMatchObject({ state: "COMMITTED", firstSequence: 1, committedAt: expect.any(String) });
    const { json: table } = await server.api("GET", "/cap-table", undefined, { orgId });
    expect(table.data.totals).toMatchObject({ outstanding: "4855000", options: "31000", warrants: "10000" });
    const { json: stakeholders } = await server.api("GET", "/stakeholders", undefined, { orgId });
    const { json: securities } = await server.api("GET", "/securities?limit=100", undefined, { orgId });
    for (const made of [...stakeholders.items, ...securities.items])
      expect(made.sourceDocumentId).toBe(asked.documentId);
    const { json: entries } = await server.api("GET", "/transactions?limit=100", undefined, { orgId });
    expect(entries.data[0].sequence).toBe(done.lastSequence);
    for (const { metadata } of entries.data)
      expect(metadata).toMatchObject({ importId: asked.id, importRow: expect.any(String) });
    const { json: log } = await server.api("GET", "/audit-log?limit=100", undefined, { orgId });
    const made = log.items.filter(({ resourceType }: { resourceType: string }) => resourceType === "security");
    expect(made.length).toBeGreaterThan(5);
    for (const { path, actor, requestId } of made) {
      expect([path, actor, requestId]).toEqual([
        `/api/v1/imports/${asked.id}/commit`,
        "api-key",
        committing.headers.get("x-request-id"),
      ]);
    }
    expect(verifyDatabase(server.app.reader, orgId).differences).toEqual([]);
    const { json: classes } = await server.api("GET", "/share-classes", undefined, { orgId });
    for (const { tokenizationStatus } of classes.items) expect(tokenizationStatus).toBe("NOT_STARTED");

    // Again: nothing is added, and that is committed as such.
    const again = await ended(server, (await askImport(server, await whole(templateBytes(true)), { orgId })).id, orgId);
    for (const { create } of Object.values<{ create: number }>(again.counts)) expect(create).toBe(0);
    await server.api("POST", `/imports/${again.id}/commit`, undefined, { orgId });
    expect(await ended(server, again.id, orgId)).toMatchObject({ state: "COMMITTED", firstSequence: null });
    expect(
      (await server.api("GET", "/imports", undefined, { orgId })).json.items.map(({ id }: { id: string }) => id),
    ).toEqual([again.id, asked.id]);
  });
});

describe("an import", () => {
  test("tells all that is wrong, also as CSV, and is not committed then", async () => {
    const orgId = await server.newOrganization();
    const rows = "=1+1,Zed Zander,Common,2026-01-02,5\nCS-2,Zed Zander,Common,1/2/26,-5\n";
    const { id } = await askImport(server, Buffer.from(STOCK + rows), { orgId, name: "Stock.csv" });
    const read = await ended(server, id, orgId);
    const codes = read.problems.map(({ code, cell }: { code: string; cell: string }) => `${code} ${cell}`);
    const row3 = ["bad-date D3", "negative E3"];
    expect(codes).toEqual([
      ...row3,
      ...["B2", "C2", "B3", "C3"].map((at, index) => `unknown-${index % 2 === 0 ? "holder" : "class"} ${at}`),
    ]);
    const refused = await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    expect([refused.status, refused.json.type]).toEqual([409, expect.stringContaining("invalid-state")]);
    const { text } = await server.api("GET", `/imports/${id}/problems.csv`, undefined, { orgId });
    const told = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(told.map(({ severity, code, cell }) => [severity, code, cell])).toEqual(
      codes.map((code: string) => ["problem", ...code.split(" ")]),
    );
    const preview = await server.api("GET", `/imports/${id}/preview.csv`, undefined, { orgId });
    expect(parse(preview.text, { bom: true, columns: true })).toMatchObject([
      { sheet: "Stock", row: "2", action: "problem", record: "stock", certificate: "'=1+1", quantity: "5" },
      { row: "3", action: "problem" },
    ]);
    for (const file of ["problems", "preview", "terms"]) {
      const path = `/imports/${id}/${file}.csv`;
      const [commas, tabs] = await Promise.all(
        ["", "?separator=TAB&guard=false"].map(
          async (query) => (await server.api("GET", path + query, undefined, { orgId })).text,
        ),
      );
      const records = [parse(commas ?? "", { bom: true }), parse(tabs ?? "", { bom: true, delimiter: "\t" })];
      expect(records[1]).toEqual(
        records[0]?.map((record) => (record as string[]).map((field) => unguarded(field))) ?? [],
      );
    }
  });

  test("of a file that cannot be read is FAILED, with one line that says why", async () => {
    for (const [bytes, name, why] of [
      [Buffer.from('a,b\n"never closed\n'), "x.csv", /CSV/],
      [Buffer.from("Colour\nred\n"), "Colours.csv", /format of the file is unknown/],
      [Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), "x.xls", /Save it as/],
    ] as const) {
      const { id } = await askImport(server, bytes, { name });
      const read = await ended(server, id);
      expect([read.state, read.failure]).toEqual(["FAILED", expect.stringMatching(why)]);
      expect((await server.api("GET", `/imports/${id}/preview.csv`)).status).toBe(409);
      expect((await server.api("POST", `/imports/${id}/commit`)).status).toBe(409);
    }
  });

  test("keeps its document until it is deleted", async () => {
    const { id, documentId } = await askImport(server, Buffer.from(STOCK), { name: "Stock.csv" });
    await ended(server, id);
    const held = await server.api("DELETE", `/documents/${documentId}`);
    expect([held.status, held.json.type]).toEqual([409, expect.stringContaining("in-use")]);
    expect((await server.api("DELETE", `/imports/${id}`)).status).toBe(204);
    expect((await server.api("GET", `/imports/${id}`)).status).toBe(404);
    expect((await server.api("DELETE", `/documents/${documentId}`)).status).toBe(204);
  });

  test("is PREVIEWED anew where what is recorded changed meanwhile", async () => {
    const orgId = await server.newOrganization();
    const { id } = await askImport(server, Buffer.from("Holder,Type\nAda,Individual\n"), {
      orgId,
      name: "Stakeholders.csv",
    });
    expect((await ended(server, id, orgId)).counts.stakeholders.create).toBe(1);
    const ada = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
    await server.api("POST", "/stakeholders", ada, { orgId });
    await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    const anew = await ended(server, id, orgId);
    expect(anew).toMatchObject({ state: "PREVIEWED", failure: expect.stringContaining("changed") });
    expect(anew.counts.stakeholders).toEqual({ create: 0, unchanged: 1, differs: 0, leftOut: 0 });
    expect((await server.api("GET", "/stakeholders", undefined, { orgId })).json.items).toHaveLength(1);
    await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    expect((await ended(server, id, orgId)).state).toBe("COMMITTED");
    expect((await server.api("DELETE", `/imports/${id}`, undefined, { orgId })).status).toBe(409);
  });

  test("does not take another content of its document", async () => {
    const orgId = await server.newOrganization();
    const { id, documentId } = await askImport(server, Buffer.from("Holder,Type\nAda,Individual\n"), {
      orgId,
      name: "Stakeholders.csv",
    });
    await ended(server, id, orgId);
    await upload(server, documentId, Buffer.from("Holder,Type\nEve,Individual\n"), orgId);
    await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    expect(await ended(server, id, orgId)).toMatchObject({
      state: "PREVIEWED",
      failure: expect.stringContaining("another content"),
    });
    expect((await server.api("GET", "/stakeholders", undefined, { orgId })).json.items).toEqual([]);
  });
});

test("a file without numbers commits however often, and adds nothing after the first time", async () => {
  const orgId = await server.newOrganization();
  const columns = { Who: "holder", When: "issueDate", Shares: "quantity" };
  const table = { sheet: ["*"], headerHas: ["Who"], to: "stock", columns, constants: { class: "Common" } };
  const tables = [{ ...table, fallback: { certificate: "NEXT" } }];
  const more = { format: "MAPPING", mapping: { captableMapping: 1, name: "x", mode: "OUTSTANDING", tables } };
  const bytes = Buffer.from("Who,When,Shares\nAda,2024-01-02,10\nAda,2024-01-02,10\n");
  for (const [create, unchanged] of [
    [2, 0],
    [0, 2],
  ]) {
    const asked = await askImport(server, bytes, { orgId, name: "Any.csv", more });
    expect((await ended(server, asked.id, orgId)).counts.stock).toEqual({ create, unchanged, differs: 0, leftOut: 0 });
    await server.api("POST", `/imports/${asked.id}/commit`, undefined, { orgId });
    expect(await ended(server, asked.id, orgId)).toMatchObject({ state: "COMMITTED", failure: null });
    const { json } = await server.api("GET", "/cap-table", undefined, { orgId });
    expect(json.data.totals.outstanding).toBe("20");
  }
  expect(verifyDatabase(server.app.reader, orgId).differences).toEqual([]);
});

describe("what is asked for", () => {
  test("wrongly is refused, each member named", async () => {
    const { json: document } = await server.api("POST", "/documents", { title: "x", path: "x.csv" });
    const empty = await server.api("POST", "/imports", { documentId: document.id });
    expect([empty.status, empty.json.type]).toEqual([409, expect.stringContaining("invalid-state")]);
    expect((await server.api("POST", "/imports", { documentId: Bun.randomUUIDv7() })).status).toBe(404);
    const table = { sheet: ["*"], to: "stock", columns: {} };
    const mapping = { captableMapping: 1, name: "x", mode: "FULL", tables: [table] };
    const wrong: readonly (readonly [object, string])[] = [
      [{ format: "XLS" }, "#/format"],
      [{ format: "MAPPING" }, "#/mapping"],
      [{ mapping }, "#/mapping"],
      [{ format: "MAPPING", mapping: { ...mapping, more: 1 } }, "#/mapping/more"],
      [{ format: "MAPPING", mapping: { ...mapping, tables: [{ ...table, zzz: 1 }] } }, "#/mapping/tables/0/zzz"],
      [
        { format: "MAPPING", mapping: { ...mapping, tables: [{ ...table, columns: { No: "number" } }] } },
        "#/mapping/tables/0/columns/No",
      ],
      [{ options: { dateOrder: "YMD" } }, "#/options/dateOrder"],
      [{ options: { colour: "red" } }, "#/options/colour"],
    ];
    for (const [more, pointer] of wrong) {
      const { status, json } = await server.api("POST", "/imports", { documentId: document.id, ...more });
      expect([status, json.errors?.[0]?.pointer]).toEqual([422, pointer]);
    }
  });

  test("twice with one key is one import", async () => {
    const orgId = await server.newOrganization();
    const headers = { "Idempotency-Key": "once" };
    const first = await askImport(server, Buffer.from(STOCK), { orgId, name: "Stock.csv", headers });
    const body = { documentId: first.documentId };
    const second = await server.api("POST", "/imports", body, { orgId, headers });
    expect([second.status, second.json.data.id, second.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.id,
      "true",
    ]);
    await ended(server, first.id, orgId);
  });

  test("by others than administrators is refused, and no caller sees another organization's", async () => {
    const { id } = await askImport(server, Buffer.from(STOCK), { name: "Stock.csv" });
    await ended(server, id);
    for (const role of ["VIEWER", "EDITOR"] as const) {
      for (const [method, path] of [
        ["GET", "/imports"],
        ["GET", `/imports/${id}`],
        ["GET", "/imports/template.xlsx"],
        ["GET", `/imports/${id}/problems.csv`],
        ["POST", `/imports/${id}/commit`],
        ["DELETE", `/imports/${id}`],
      ] as const) {
        expect((await server.api(method, path, undefined, { role })).status).toBe(403);
      }
    }
    const orgId = await server.newOrganization();
    expect((await server.api("GET", `/imports/${id}`, undefined, { orgId })).status).toBe(404);
    expect((await server.api("POST", `/imports/${id}/commit`, undefined, { orgId })).status).toBe(404);
  });
});
