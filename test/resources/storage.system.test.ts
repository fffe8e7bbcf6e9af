// What an organization may store, and what the disk must have left: refused beyond it, counted exactly, and told.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { zipSync } from "fflate";
import { findStoredBytes } from "../../src/resources/organization/store.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { askImport, ended } from "../exchange/spreadsheet/asking.ts";
import { signedIn } from "../kit/people.ts";
import { runProgram } from "../kit/program.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

const MEBIBYTE = 1024 * 1024;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(...given: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...given);
  closers.push(() => server.stop());
  return server;
}

/** Makes a document; answers its id. */
async function newDocument(server: TestServer, orgId = server.orgId): Promise<string> {
  const { json } = await server.api("POST", "/documents", { title: "Minutes", path: "minutes.bin" }, { orgId });
  return json.id;
}

async function put(server: TestServer, id: string, bytes: number, orgId = server.orgId) {
  const answer = await server.api("PUT", `/documents/${id}/content`, new Uint8Array(bytes), { orgId });
  const { type, used, allowed } = answer.json;
  return answer.status === 200 ? 200 : [answer.status, String(type).replace(/.*\//, ""), used, allowed];
}

const stored = (server: TestServer, orgId = server.orgId) => findStoredBytes(server.app.reader, { id: orgId });

/** A package with one stakeholder whose comments have so many bytes. */
function packageOf(bytes: number) {
  const comments = Array.from({ length: 100 }, () => "a".repeat(1000));
  const items = Array.from({ length: Math.ceil(bytes / 100_000) }, (_, at) => ({
    object_type: "STAKEHOLDER",
    id: `stakeholder-${at + 1}`,
    name: { legal_name: `Ada Lovelace ${at + 1}` },
    stakeholder_type: "INDIVIDUAL",
    comments,
  }));
  return {
    manifest: { ocf_version: "1.2.0", issuer: { id: "i", object_type: "ISSUER", legal_name: "Acme, Inc." } },
    entityFiles: { "stakeholders.json": { file_type: "OCF_STAKEHOLDERS_FILE", items } },
  };
}

describe("what an organization may store", () => {
  test("bounds uploads, of it alone, and less is always taken", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1" });
    const [first, second] = [await newDocument(server), await newDocument(server)];
    expect(await put(server, first, 700_000)).toBe(200);
    const over = [409, "storage-full", 700_000, MEBIBYTE];
    expect(await put(server, second, 400_000)).toEqual(over);
    expect(await put(server, first, 700_000 + MEBIBYTE)).toEqual(over);
    expect(await put(server, second, MEBIBYTE - 700_000)).toBe(200);
    expect(await put(server, second, MEBIBYTE - 700_000 + 1)).toEqual([409, "storage-full", MEBIBYTE, MEBIBYTE]);
    expect(await put(server, first, 100_000)).toBe(200);
    expect(stored(server)).toBe(100_000 + MEBIBYTE - 700_000);

    const other = await server.newOrganization();
    expect(await put(server, await newDocument(server, other), 900_000, other)).toBe(200);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  });

  test("is not bounded with 0", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "0" });
    expect(await put(server, await newDocument(server), 3 * MEBIBYTE)).toBe(200);
  });

  test("bounds packages by their unpacked bytes: none of one beyond it comes in, and a dry run tells", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1", CAPTABLE_BODY_LIMIT_MB: "10" });
    const large = packageOf(2 * MEBIBYTE);
    const refused = await server.api("POST", "/cap-table/ocf-import", large);
    expect([refused.status, refused.json.used, refused.json.allowed]).toEqual([409, 0, MEBIBYTE]);
    const { manifest, entityFiles } = large;
    const files = { "Manifest.ocf.json": { file_type: "OCF_MANIFEST_FILE", ...manifest }, ...entityFiles };
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, Buffer.from(JSON.stringify(file))])),
    );
    expect(zip.byteLength).toBeLessThan(MEBIBYTE / 10);
    const headers = { "content-type": "application/zip" };
    expect((await server.api("POST", "/cap-table/ocf-import", zip, { headers })).status).toBe(409);
    expect((await server.api("POST", "/cap-table/ocf-import", { ...large, dryRun: true })).status).toBe(200);
    expect((await server.api("GET", "/stakeholders")).json.items).toEqual([]);
    expect(stored(server)).toBe(0);

    const small = packageOf(MEBIBYTE / 2);
    expect((await server.api("POST", "/cap-table/ocf-import", small)).status).toBe(200);
    expect(stored(server)).toBeGreaterThan(MEBIBYTE / 2);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  });

  test("is not gone beyond by packages that are imported at once", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1", CAPTABLE_BODY_LIMIT_MB: "10" });
    const asked = Array.from({ length: 6 }, (_, n) => {
      const body = JSON.parse(JSON.stringify(packageOf(MEBIBYTE / 3)).replaceAll("stakeholder-", `stakeholder-${n}-`));
      return server.api("POST", "/cap-table/ocf-import", body);
    });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(stored(server)).toBeLessThanOrEqual(MEBIBYTE);
  });

  test("bounds imports of spreadsheets, whose previews are stored", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1" });
    const file = Buffer.from("Certificate,Holder,Class,Issue date,Quantity\nCS-1,Ada,Common,2026-01-02,5\n");
    const { id, documentId } = await askImport(server, file, { name: "Stock.csv" });
    await ended(server, id);
    const before = stored(server) ?? 0;
    expect(before).toBeGreaterThan(file.byteLength);
    expect(await put(server, await newDocument(server), MEBIBYTE - before)).toBe(200);
    expect((await server.api("POST", "/imports", { documentId })).json.type).toContain("storage-full");
    expect((await server.api("DELETE", `/imports/${id}`)).status).toBe(204);
    expect(stored(server)).toBe(MEBIBYTE - before + file.byteLength);
    expect((await server.api("POST", "/imports", { documentId })).status).toBe(201);
  });

  test("is exact through every change of what is stored, and another figure is a difference", async () => {
    const server = await serve();
    const id = await newDocument(server);
    for (const bytes of [10, 100_000, 1]) expect(await put(server, id, bytes)).toBe(200);
    await server.api("POST", "/cap-table/ocf-import", packageOf(1000));
    const { differences } = verifyDatabase(server.app.reader);
    expect(differences).toEqual([]);
    const { sqlite } = server.app.writer.db;
    sqlite.exec("UPDATE organizations SET storedBytes = storedBytes - 1");
    expect(verifyDatabase(server.app.reader).differences.map(({ code }) => code)).toEqual(["stored-bytes"]);
    // Without what keeps it, it would not follow.
    sqlite.exec("UPDATE organizations SET storedBytes = storedBytes + 1; DROP TRIGGER document_contents_bytes_changed");
    await put(server, id, 5000);
    expect(verifyDatabase(server.app.reader).differences.map(({ code }) => code)).toEqual(["stored-bytes"]);
  });

  test("is warned of by commands, which write all the same", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1" });
    const file = `${server.dataDir}/../package-${process.pid}.zip`;
    const { manifest, entityFiles } = packageOf(2 * MEBIBYTE);
    const files = { "Manifest.ocf.json": { file_type: "OCF_MANIFEST_FILE", ...manifest }, ...entityFiles };
    await Bun.write(
      file,
      zipSync(
        Object.fromEntries(Object.entries(files).map(([name, each]) => [name, Buffer.from(JSON.stringify(each))])),
      ),
    );
    const words = ["ocf", "import", file, "--data-dir", server.dataDir];
    const done = await runProgram(words, { CAPTABLE_ORG_STORAGE_MB: "1" });
    await Bun.file(file).delete();
    expect([done.status, done.stderr]).toEqual([0, expect.stringContaining("CAPTABLE_ORG_STORAGE_MB")]);
    expect((await server.api("GET", "/stakeholders")).json.items).toHaveLength(21);
  });

  test("is shown on the instance's page and in the metrics", async () => {
    const server = await serve({ CAPTABLE_ORG_STORAGE_MB: "1" });
    await put(server, await newDocument(server), 1234);
    const operator = await signedIn(server, { isOperator: true });
    const answer = await operator.api("GET", "/instance", undefined, { orgId: null });
    expect(answer.json.data?.storage).toEqual({
      bytesAllowed: MEBIBYTE,
      largest: [{ id: server.orgId, bytesStored: 1234 }],
    });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain(`captable_organization_stored_bytes{org="${server.orgId}"} 1234`);
  });
});

describe("a disk that is nearly full", () => {
  test("takes no uploads and no imports, and other writes go on", async () => {
    const disk = { freeBytes: 512 * MEBIBYTE - 1, walBytes: 0 };
    const server = await serve({}, { disk: () => disk });
    const id = await newDocument(server);
    expect(await put(server, id, 10)).toEqual([503, "disk-low", undefined, undefined]);
    const refused = await server.api("POST", "/cap-table/ocf-import", packageOf(10));
    expect([refused.status, refused.headers.get("retry-after"), refused.json.type]).toEqual([
      503,
      "60",
      expect.stringContaining("disk-low"),
    ]);
    expect(
      (
        await server.api("POST", "/stakeholders", {
          displayName: "Ada",
          name: { legalName: "Ada" },
          type: "INDIVIDUAL",
        })
      ).status,
    ).toBe(201);

    disk.freeBytes = 512 * MEBIBYTE;
    expect(await put(server, id, 10)).toBe(200);
    expect((await server.api("POST", "/imports", { documentId: id })).status).toBe(201);
    disk.walBytes = 129 * MEBIBYTE;
    expect(await put(server, id, 10)).toEqual([503, "disk-low", undefined, undefined]);
    expect((await server.api("POST", "/imports", { documentId: id })).status).toBe(503);
    disk.walBytes = 128 * MEBIBYTE;
    expect(await put(server, id, 10)).toBe(200);
  });
});
