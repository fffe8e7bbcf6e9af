// Whose company a package is of, and which money: a second issuer is refused or reported, amounts go out in the
// currency that they came in, and the command line writes a backup before it adds to a ledger.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { runProgram } from "../../kit/program.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "./export/support.ts";
import { packageWith } from "./import-support.ts";
import { type Fields, grant, note, RECORDS, stock } from "./objects.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  await server.stop();
});

/** The same objects with every amount in euros. */
const inEuro = (objects: readonly Fields[]): Fields[] =>
  JSON.parse(JSON.stringify(objects).replaceAll('"currency":"USD"', '"currency":"EUR"'));

async function take(orgId: string, objects: readonly Fields[], issuer: object = {}) {
  const call = () => commandLineCall(systemRuntime, orgId);
  return importPackage({ writer: server.app.writer, call }, packageWith([...RECORDS, ...objects], issuer));
}

const HOLDINGS = [stock("s1", "2024-01-01", "100"), grant("g1", "2024-01-01", "40"), note("n1", "2024-01-01", "500")];
const codes = (report: { readonly warnings: readonly { readonly code: string }[] }) =>
  report.warnings.map(({ code }) => code);

describe("two issuers in one organization", () => {
  test("by API the second comes in, told first of all, and leaves the first one remembered", async () => {
    const orgId = await server.newOrganization("Acme");
    const show = callerOf(server, orgId);
    expect(await show("GET", "/organization")).toMatchObject({ ocfIssuerId: null });
    const first = await take(orgId, HOLDINGS);
    expect(first.issuer).toEqual({ id: "issuer", legalName: "Acme", isOther: false });
    expect(codes(first)).toEqual([]);
    const second = await take(orgId, [stock("s2", "2024-01-01", "1")], { id: "other", legal_name: "Other, Inc." });
    expect(second.issuer).toEqual({ id: "other", legalName: "Other, Inc.", isOther: true });
    expect(second.warnings[0]).toMatchObject({ code: "other-issuer", objectType: "ISSUER", id: "other" });
    for (const said of ['"Other, Inc."', '"other"', '"Acme"', '"issuer"'])
      expect(second.warnings[0]?.detail).toContain(said);
    expect(await show("GET", "/organization")).toMatchObject({ legalName: "Acme", ocfIssuerId: "issuer" });
    expect((await take(orgId, HOLDINGS)).issuer).toMatchObject({ isOther: false });
  });

  test("the answer of the API says it", async () => {
    const orgId = await server.newOrganization("Acme");
    const manifest = { ocf_version: "1.2.0", issuer: { object_type: "ISSUER", id: "a", legal_name: "Acme" } };
    const entityFiles = { "stakeholders.json": { file_type: "OCF_STAKEHOLDERS_FILE", items: [] } };
    const post = (id: string) => {
      const body = { manifest: { ...manifest, issuer: { ...manifest.issuer, id } }, entityFiles };
      return server.api("POST", "/cap-table/ocf-import", body, { orgId });
    };
    expect((await post("a")).json.data.issuer).toEqual({ id: "a", legalName: "Acme", isOther: false });
    const { issuer, warnings } = (await post("b")).json.data;
    expect([issuer, warnings[0].code]).toEqual([{ id: "b", legalName: "Acme", isOther: true }, "other-issuer"]);
    const nameless = await server.api("POST", "/cap-table/ocf-import", { manifest: {}, entityFiles }, { orgId });
    expect(nameless.json.data.issuer).toBeNull();
  });

  test("another name is the first warning, once the organization is named; its own export is never another's", async () => {
    const named = await server.newOrganization("Another");
    expect(codes(await take(named, HOLDINGS))).toEqual(["other-name"]);
    const exported = await exportOf(server, named);
    expect((await importInto(server, named, exported.path)).issuer).toMatchObject({ id: "issuer", isOther: false });
    const fresh = await server.newOrganization("Fresh");
    await makeStakeholder(server, {}, { orgId: fresh });
    const own = await importInto(server, fresh, (await exportOf(server, fresh)).path);
    expect([own.issuer, codes(own)]).toEqual([{ id: fresh, legalName: "Fresh", isOther: false }, []]);
    expect(await callerOf(server, fresh)("GET", "/organization")).toMatchObject({ ocfIssuerId: null });
  });
});

describe("a euro company", () => {
  test("is one: its amounts stay in euros through operations, an export and the import of that", async () => {
    const orgId = await server.newOrganization("Acme");
    const call = callerOf(server, orgId);
    expect(await call("GET", "/organization")).toMatchObject({ currency: "USD" });
    expect(codes(await take(orgId, inEuro(HOLDINGS)))).toEqual([]);
    expect(await call("GET", "/organization")).toMatchObject({ currency: "EUR" });
    const classes = await call("GET", "/share-classes");
    expect(classes.items.map(({ currency }: Fields) => currency)).toEqual(["EUR", "EUR"]);
    const day = { effectiveDate: "2024-06-01" };
    const move = { fromStakeholderId: "ada", toStakeholderId: "bob", ...day };
    const { newSecurityId: moved } = await call("POST", "/transactions/transfer", {
      ...{ ...move, securityId: "s1", quantity: "40" },
    });
    const { newSecurityId: made } = await call("POST", "/transactions/exercise", {
      ...{ ...day, securityId: "g1", quantity: "10", exercisePrice: "1" },
    });
    await call("POST", "/transactions/transfer", { ...move, securityId: "n1", quantity: "200" });
    await call("POST", "/transactions/repurchase", { ...day, securityId: moved, quantity: "5", pricePerShare: "2" });
    for (const id of [moved, made]) expect(await call("GET", `/securities/${id}`)).toMatchObject({ currency: "EUR" });
    const issued = { stakeholderId: "ada", quantity: "5", certificateId: "NEW", pricePerShare: "3", ...day };
    await call("POST", "/transactions/issue-shares", { ...issued, stockClassId: "common" });
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    const text = JSON.stringify(exported.files);
    expect([text.includes('"USD"'), text.includes('"EUR"')]).toEqual([false, true]);
    expect(JSON.stringify(exported.files["ocf_manifest.json"].comments ?? [])).not.toMatch(/currency/);
    const copy = await server.newOrganization("Acme");
    expect(codes(await importInto(server, copy, exported.path))).toEqual([]);
    expect(await callerOf(server, copy)("GET", "/organization")).toMatchObject({ currency: "EUR" });
  });

  test("in an organization of dollars is warned of, and nothing is converted", async () => {
    const orgId = await server.newOrganization("Acme");
    const call = callerOf(server, orgId);
    await call("PATCH", "/organization", { currency: "USD" });
    const report = await take(orgId, inEuro(HOLDINGS));
    expect(report.warnings).toMatchObject([{ code: "other-currency", detail: expect.stringContaining("3 in EUR") }]);
    expect(await call("GET", "/organization")).toMatchObject({ currency: "USD" });
    expect(await call("GET", "/securities/s1")).toMatchObject({ currency: "EUR", pricePerShare: "1" });
    // What came without an amount is the organization's.
    expect(await call("GET", "/share-classes/common")).toMatchObject({ currency: "USD" });
  });

  test("with some dollars is warned of, too, and is a euro company", async () => {
    const orgId = await server.newOrganization("Acme");
    const report = await take(orgId, [...inEuro(HOLDINGS), stock("s2", "2024-01-01", "7")]);
    expect(codes(report)).toEqual(["other-currency"]);
    const call = callerOf(server, orgId);
    expect(await call("GET", "/organization")).toMatchObject({ currency: "EUR" });
    expect(await call("GET", "/securities/s2")).toMatchObject({ currency: "USD" });
  });
});

describe("organization.currency", () => {
  test("is of what is made from then on; a later one changes no record's, and options take their class's", async () => {
    const orgId = await server.newOrganization("Acme");
    const call = callerOf(server, orgId);
    const where = { orgId };
    const dollars = await makeShareClass(server, {}, where);
    expect(await call("PATCH", "/organization", { currency: "CHF" })).toMatchObject({ currency: "CHF" });
    const francs = await makeShareClass(server, {}, where);
    const stakeholderId = await makeStakeholder(server, {}, where);
    const day = { effectiveDate: "2024-06-01" };
    const optionOf = async (stockClassId: string) => {
      const plan = { planName: stockClassId, initialSharesReserved: "100", stockClassIds: [stockClassId] };
      const stockPlanId = (await call("POST", "/equity-plans", plan)).id;
      const given = { stakeholderId, stockPlanId, quantity: "1", exercisePrice: "1", optionType: "NSO", ...day };
      const made = await call("POST", "/transactions/issue-options", { ...given, certificateId: stockClassId });
      return (await call("GET", `/securities/${made.securityId}`)).currency;
    };
    expect([await optionOf(dollars), await optionOf(francs)]).toEqual(["USD", "CHF"]);
    expect(await call("PATCH", "/organization", { currency: null })).toMatchObject({ currency: "USD" });
    const currencies = (await call("GET", "/share-classes")).items.map(({ currency }: Fields) => currency);
    expect(currencies).toEqual(["CHF", "USD"]);
  });

  test("is one of ISO 4217, and no record's can be sent", async () => {
    for (const currency of ["usd", "XXY", "EURO", 1]) {
      expect((await server.api("PATCH", "/organization", { currency })).status).toBe(422);
    }
    const sent = await server.api("PATCH", "/organization", { ocfIssuerId: "mine" });
    expect(sent.json.errors).toMatchObject([{ pointer: "#/ocfIssuerId" }]);
  });

  test("that is not stated is the default, which the manifest of an export says", async () => {
    const orgId = await server.newOrganization("Acme");
    await makeShareClass(server, { parValue: "0.01" }, { orgId });
    const exported = await exportOf(server, orgId);
    expect(ofType(exported, "STOCK_CLASS")[0]?.par_value).toEqual({ amount: "0.01", currency: "USD" });
    expect(exported.files["ocf_manifest.json"].comments.join()).toContain("has not said its currency");
    await callerOf(server, orgId)("PATCH", "/organization", { currency: "USD" });
    const said = (await exportOf(server, orgId)).files["ocf_manifest.json"].comments ?? [];
    expect(said.join()).not.toContain("currency");
  });
});

test("records of before currencies were kept show the organization's, and go out in it, which the manifest says", async () => {
  // Not the server of the other tests: the log does not tell what is done to its rows here.
  const old = await startTestServer();
  try {
    const call = callerOf(old, old.orgId);
    const stockClassId = await makeShareClass(old, { parValue: "0.01" });
    const [stakeholderId, toStakeholderId] = [await makeStakeholder(old), await makeStakeholder(old)];
    const day = { effectiveDate: "2024-06-01" };
    const issued = { stakeholderId, stockClassId, quantity: "5", certificateId: "OLD", pricePerShare: "3", ...day };
    const { securityId } = await call("POST", "/transactions/issue-shares", issued);
    for (const table of ["share_classes", "securities"]) {
      old.app.writer.db.sqlite.exec(`update ${table} set currency = null`);
    }
    await call("PATCH", "/organization", { currency: "EUR" });
    const move = { securityId, fromStakeholderId: stakeholderId, toStakeholderId, quantity: "2", ...day };
    const { newSecurityId } = await call("POST", "/transactions/transfer", move);
    const shown = [
      await call("GET", `/share-classes/${stockClassId}`),
      (await call("GET", "/share-classes")).items[0],
      await call("PATCH", `/share-classes/${stockClassId}`, { comments: "Old" }),
      await call("GET", `/securities/${securityId}`),
      ...(await call("GET", "/securities")).items,
      await call("PATCH", `/securities/${newSecurityId}`, { comments: "Old" }),
    ];
    expect(shown.map(({ currency }) => currency)).toEqual(shown.map(() => "EUR"));
    const exported = await exportOf(old, old.orgId);
    const comments = exported.files["ocf_manifest.json"].comments.join("\n");
    expect(comments).toContain(
      "No currency is recorded with amounts of share classes; the organization's, EUR, exported.",
    );
    expect(comments).toContain("No currency is recorded with amounts of securities; the organization's, EUR, exported");
    expect(JSON.stringify(exported.files)).not.toContain('"USD"');
  } finally {
    await old.stop();
  }
});

describe("captable ocf import", () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-whose-"));
  const dataDir = join(folder, "data");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const written = (name: string, objects: readonly Fields[], issuer: object) => {
    const path = join(folder, name);
    const { manifest, files } = packageWith([...RECORDS, ...objects], issuer);
    const all = files.map((file) => [file.name, { file_type: file.fileType, items: file.items }] as const);
    Bun.spawnSync(["mkdir", "-p", path]);
    for (const [file, content] of [["manifest.json", { file_type: "OCF_MANIFEST_FILE", ...manifest }] as const, ...all])
      writeFileSync(join(path, file), JSON.stringify(content));
    return path;
  };
  const take = (path: string, ...flags: string[]) =>
    runProgram(["ocf", "import", path, "--data-dir", dataDir, ...flags]);
  const backups = () => {
    const found = readdirSync(dataDir).includes("backups") ? readdirSync(join(dataDir, "backups")) : [];
    return found.filter((name) => name.startsWith("before-import-"));
  };

  test("refuses another company's package before it writes anything, unless told to", async () => {
    const acme = written("acme", HOLDINGS, {});
    const other = written("other", [stock("s9", "2024-01-01", "9")], { id: "other", legal_name: "Other, Inc." });
    expect((await take(acme)).status).toBe(0);
    expect(backups()).toEqual([]);
    for (const flags of [[], ["--dry-run"]]) {
      const refused = await take(other, ...flags);
      expect([refused.status, refused.stdout]).toEqual([3, ""]);
      for (const said of ["Other, Inc.", "issuer other", "Acme", "issuer issuer"])
        expect(refused.stderr).toContain(said);
    }
    expect(backups()).toEqual([]);
    expect((await take(other, "--dry-run", "--into-other-issuer")).status).toBe(0);
    const taken = await take(other, "--into-other-issuer", "--no-backup", "--json");
    expect(JSON.parse(taken.stdout)).toMatchObject({
      issuer: { id: "other", isOther: true },
      imported: { issuances: 1 },
    });
    expect(backups()).toEqual([]);
  });

  test("writes a backup first where there is a ledger, and keeps the newest five", async () => {
    const acme = join(folder, "acme");
    const names: string[] = [];
    for (let round = 0; round < 7; round++) {
      const taken = await take(acme);
      expect(taken.status).toBe(0);
      const name = /before-import-\S+\.captable/.exec(taken.stderr)?.[0] ?? "";
      expect(backups()).toContain(name);
      names.push(name);
    }
    expect(backups().sort()).toEqual(names.slice(-5));
    expect((await take(acme, "--dry-run")).stderr).not.toContain("backup");
    const restored = await runProgram([
      ...["restore", join(dataDir, "backups", names[6] ?? ""), "--data-dir", join(folder, "restored")],
    ]);
    expect(restored.status).toBe(0);
  });
});
