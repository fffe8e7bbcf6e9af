// Imported objects are exported as they came, except for later changes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../../src/exchange/ocf/json.ts";
import { MATERIAL } from "../../../kit/ocf-material.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType, tool } from "./support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const usd = (amount: string) => ({ amount, currency: "USD" });

const STAKEHOLDERS = [
  {
    object_type: "STAKEHOLDER",
    id: "ann",
    name: { legal_name: "Ann Author", first_name: "Ann" },
    stakeholder_type: "INDIVIDUAL",
    current_relationship: "OFFICER",
    contact_info: {
      emails: [
        { email_type: "PERSONAL", email_address: "ann@example.com" },
        { email_type: "BUSINESS", email_address: "ann@work.example" },
      ],
      phone_numbers: [{ phone_type: "MOBILE", phone_number: "+1 555 010 0199" }],
    },
    comments: ["one", "two"],
  },
  { object_type: "STAKEHOLDER", id: "ben", name: { legal_name: "Ben" }, stakeholder_type: "INDIVIDUAL" },
  { object_type: "STAKEHOLDER", id: "idle", name: { legal_name: "Idle" }, stakeholder_type: "INDIVIDUAL" },
];
const stockClass = (id: string, seniority: string) => ({
  object_type: "STOCK_CLASS",
  id,
  name: id,
  class_type: "COMMON",
  default_id_prefix: `${id}-`,
  initial_shares_authorized: "1000000.00",
  votes_per_share: "1",
  seniority,
});
const PLANS = [
  {
    object_type: "STOCK_PLAN",
    id: "plan",
    plan_name: "Plan",
    initial_shares_reserved: "5000",
    stock_class_id: "low",
    default_cancellation_behavior: "HOLD_AS_CAPITAL_STOCK",
  },
];
const TRANSACTIONS = [
  {
    object_type: "TX_STOCK_ISSUANCE",
    id: "issue-1",
    date: "2024-01-01",
    security_id: "share-1",
    custom_id: "1",
    stakeholder_id: "ann",
    security_law_exemptions: [{ description: "Reg D", jurisdiction: "US" }],
    stock_class_id: "low",
    share_price: usd("1.0"),
    quantity: "1000.00",
    stock_legend_ids: [],
    share_numbers_issued: [{ starting_share_number: "1", ending_share_number: "1000" }],
  },
  { object_type: "TX_STOCK_ACCEPTANCE", id: "accept-1", date: "2024-01-02", security_id: "share-1" },
  {
    object_type: "TX_PLAN_SECURITY_ISSUANCE",
    id: "grant-1",
    date: "2024-02-01",
    security_id: "option-1",
    custom_id: "O-1",
    stakeholder_id: "ben",
    security_law_exemptions: [],
    stock_plan_id: "plan",
    compensation_type: "OPTION_NSO",
    quantity: "300",
    exercise_price: usd("0.5"),
    expiration_date: null,
    termination_exercise_windows: [{ reason: "VOLUNTARY_OTHER", period: 3, period_type: "MONTHS" }],
  },
];
const FINANCINGS = [
  { object_type: "FINANCING", id: "seed", name: "Seed", issuance_ids: ["issue-1"], date: "2024-01-01" },
];

/** Imports the small package above into a new organization. */
async function imported(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "captable-imported-"));
  const file = (name: string, fileType: string, items: readonly unknown[]) =>
    writeFileSync(join(folder, name), JSON.stringify({ file_type: fileType, items }));
  const issuer = {
    object_type: "ISSUER",
    id: "their-issuer",
    legal_name: "Imported Inc.",
    formation_date: "2020-02-29",
    country_of_formation: "US",
    dba: "Imp",
  };
  const manifest = { file_type: "OCF_MANIFEST_FILE", ocf_version: "1.2.0", issuer, as_of: "2024-12-31" };
  writeFileSync(join(folder, "Manifest.ocf.json"), JSON.stringify(manifest));
  file("S.json", "OCF_STAKEHOLDERS_FILE", STAKEHOLDERS);
  file("C.json", "OCF_STOCK_CLASSES_FILE", [stockClass("low", "1.5"), stockClass("high", "7")]);
  file("P.json", "OCF_STOCK_PLANS_FILE", PLANS);
  file("T.json", "OCF_TRANSACTIONS_FILE", TRANSACTIONS);
  file("F.json", "OCF_FINANCINGS_FILE", FINANCINGS);
  const orgId = await server.newOrganization("Renamed later");
  const { errors } = await importInto(server, orgId, folder);
  expect(errors).toEqual([]);
  return orgId;
}

describe("an untouched import", () => {
  test("goes out object by object as it came, in its order, financings too", async () => {
    const orgId = await imported();
    const exported = await exportOf(server, orgId);
    expect(exported.files["stakeholders.json"].items).toEqual(STAKEHOLDERS);
    expect(exported.files["transactions.json"].items).toEqual(TRANSACTIONS);
    expect(exported.files["stock_plans.json"].items).toEqual(PLANS);
    expect(exported.files["financings.json"].items).toEqual(FINANCINGS);
    expect(exported.files["issuer.json"]).toMatchObject({ id: "their-issuer", dba: "Imp" });
    expect(exported.files["ocf_manifest.json"].financings_files.length).toBe(1);
    const alone = await exportOf(server, orgId, "?include=ocf_manifest");
    expect(alone.files["ocf_manifest.json"].financings_files).toEqual([]);
  });

  test("loses nothing of any package at hand", async () => {
    const folders = ["packages", "packages-derived"].map((name) => join(MATERIAL, name));
    for (const path of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
      const orgId = await server.newOrganization("Any");
      const report = await importInto(server, orgId, path);
      const refused = report.errors.map(({ objectType, id }) => `missing\t${objectType} ${id}`);
      const exported = await exportOf(server, orgId);
      const lines = (await tool("ocf-diff.mjs", path, exported.path)).trim().split("\n");
      expect([path, lines.slice(0, -1).filter((line) => !refused.includes(line))]).toEqual([path, []]);
    }
  }, 60_000);
});

describe("a changed import", () => {
  test("differs in just the members that were changed", async () => {
    const orgId = await imported();
    const call = callerOf(server, orgId);
    const [ann = {}] = STAKEHOLDERS as readonly JsonObject[];
    await call("PATCH", "/stakeholders/ann", { displayName: "Shown only" });
    expect(ofType(await exportOf(server, orgId), "STAKEHOLDER")[0]).toEqual(ann);
    await call("PATCH", "/stakeholders/ann", { email: "new@example.com", issuerAssignedId: "7" });
    const contact = ann.contact_info as Shape;
    const emails = [{ email_type: "PERSONAL", email_address: "new@example.com" }, contact.emails[1]];
    expect(ofType(await exportOf(server, orgId), "STAKEHOLDER")[0]).toEqual({
      ...ann,
      issuer_assigned_id: "7",
      contact_info: { ...contact, emails },
    });
    await call("PATCH", "/equity-plans/plan", { stockClassIds: ["high"], planName: "Renamed" });
    const { stock_class_id: _, ...plan } = PLANS[0] as JsonObject;
    expect(ofType(await exportOf(server, orgId), "STOCK_PLAN")).toEqual([
      { ...plan, plan_name: "Renamed", stock_class_ids: ["high"] },
    ]);
    await call("PATCH", "/organization", { legalName: "New name" });
    expect((await exportOf(server, orgId)).files["issuer.json"]).toMatchObject({
      id: "their-issuer",
      legal_name: "New name",
      dba: "Imp",
    });
  });

  test("a correction by hand shows in the imported issuance, which keeps all else", async () => {
    const orgId = await imported();
    await callerOf(server, orgId)("PATCH", "/securities/share-1", { quantity: "1200", stakeholderId: "ben" });
    const [issuance] = ofType(await exportOf(server, orgId), "TX_STOCK_ISSUANCE");
    expect(issuance).toEqual({ ...TRANSACTIONS[0], quantity: "1200", stakeholder_id: "ben" });
  });

  test("operations on imported securities follow the originals, and a balance keeps their terms", async () => {
    const orgId = await imported();
    const call = callerOf(server, orgId);
    const part = { securityId: "option-1", quantity: "100", cancellationReason: "TERMINATION" };
    await call("POST", "/transactions/cancel", { ...part, effectiveDate: "2024-05-01", returnToPool: true });
    const { objects, path } = await exportOf(server, orgId);
    const items = objects.filter(({ object_type: type }) => String(type).startsWith("TX_"));
    expect(items.slice(0, 3)).toEqual(TRANSACTIONS as JsonObject[]);
    const [cancellation, returned, balance] = items.slice(3) as Shape[];
    expect(cancellation).toMatchObject({ security_id: "option-1", quantity: "100" });
    expect(returned).toMatchObject({ stock_plan_id: "plan", quantity: "100" });
    expect(balance).toMatchObject({
      object_type: "TX_PLAN_SECURITY_ISSUANCE",
      security_id: cancellation.balance_security_id,
      quantity: "200",
      date: "2024-05-01",
      termination_exercise_windows: [{ reason: "VOLUNTARY_OTHER" }],
    });
    await expectNoProblems({ path });
  });

  test("a deleted record's original goes only while something exported names it", async () => {
    const orgId = await imported();
    const call = callerOf(server, orgId);
    await call("DELETE", "/stakeholders/idle");
    await call("DELETE", "/securities/option-1");
    await call("DELETE", "/stakeholders/ben");
    const exported = await exportOf(server, orgId);
    expect(ofType(exported, "STAKEHOLDER").map(({ id }) => id)).toEqual(["ann", "ben"]);
    expect(ofType(exported, "TX_EQUITY_COMPENSATION_RETRACTION").length).toBe(1);
  });

  test("a class made beside imported ones fits between their seniorities", async () => {
    const orgId = await imported();
    const given = { name: "Mid", classType: "COMMON", defaultIdPrefix: "M-", initialSharesAuthorized: "1" };
    const call = callerOf(server, orgId);
    const ranks = async () =>
      ofType(await exportOf(server, orgId), "STOCK_CLASS").map(({ name, seniority }) => [name, seniority]);
    await call("POST", "/share-classes", { ...given, votesPerShare: "1", seniority: 3 });
    expect(await ranks()).toEqual([
      ["low", "1.5"],
      ["high", "7"],
      ["Mid", "0.5"],
    ]);
  });
});
