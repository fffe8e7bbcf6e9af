// What the fuzzers found, each as small as it came to be.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { importPackage } from "../../src/exchange/ocf/import/run.ts";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import type { Route } from "../../src/resources/route.ts";
import { Small } from "../exchange/ocf/fixture.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { Service } from "../kit/in-process.ts";
import { nameOf, ROUTES } from "../matrix/world.ts";
import { TestCompany } from "./company.ts";
import { Oracle } from "./oracle.ts";

let service: Service;
let oracle: Oracle;
let orgId: string;

beforeAll(async () => {
  [service, oracle] = [await Service.start(1), await Oracle.make()];
  orgId = await service.newOrganization();
});
afterAll(() => service.stop());

function routeOf(name: string): Route {
  const route = ROUTES.find((candidate) => nameOf(candidate) === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

test("a sum of figures that are as long as they may be is longer, and the reference says so", async () => {
  const rest = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "C-" };
  for (const name of ["One", "Two"]) {
    const body = { name, initialSharesAuthorized: "999999999999999", ...rest };
    expect((await service.api("POST", "/share-classes", body, { orgId })).status).toBe(201);
  }
  const answer = await service.api("GET", "/cap-table/summary", undefined, { orgId });
  expect(answer.json.data.totalAuthorized).toBe("1999999999999998");
  expect(oracle.judge(routeOf("GET /cap-table/summary"), answer)).toBeNull();
});

test("what a transaction with an unpaired surrogate in its id makes comes in all the same", async () => {
  const holder = { object_type: "STAKEHOLDER", id: "ada", name: { legal_name: "Ada" }, stakeholder_type: "INDIVIDUAL" };
  const dated = { date: "2024-01-01", comments: [] };
  const issuance = {
    ...dated,
    object_type: "TX_CONVERTIBLE_ISSUANCE",
    stakeholder_id: "ada",
    investment_amount: { amount: "100", currency: "USD" },
    convertible_type: "SAFE",
  };
  const transactions = [
    { ...issuance, id: "i1", security_id: "s1", custom_id: "SAFE-1" },
    {
      ...dated,
      object_type: "TX_CONVERTIBLE_TRANSFER",
      id: "half \ud83d",
      security_id: "s1",
      resulting_security_ids: ["s2"],
    },
    { ...issuance, id: "i2", security_id: "s2", custom_id: "SAFE-2" },
  ];
  const entityFiles = {
    "stakeholders.json": { file_type: "OCF_STAKEHOLDERS_FILE", items: [holder] },
    "transactions.json": { file_type: "OCF_TRANSACTIONS_FILE", items: transactions },
  };
  const manifest = { ocf_version: "1.2.0", issuer: { object_type: "ISSUER", id: "issuer", legal_name: "Acme, Inc." } };
  const answer = await service.api("POST", "/cap-table/ocf-import", { manifest, entityFiles }, { orgId });
  expect(answer.status).toBe(200);
  expect(answer.json.data.imported.issuances).toBe(2);
  expect(answer.json.data.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["#/id"]);
});

test("a plan's reserve may come to more digits than one that is sent, and the cap table says so", async () => {
  const longest = "999999999999999";
  const plan = await service.api("POST", "/equity-plans", { planName: "Plan", initialSharesReserved: "1" }, { orgId });
  const adjusted = { equityPlanId: plan.json.id, newSharesReserved: longest, effectiveDate: "2026-01-01" };
  expect((await service.api("POST", "/transactions/adjust-reserve", adjusted, { orgId })).status).toBe(200);
  const patch = { initialSharesReserved: longest };
  expect((await service.api("PATCH", `/equity-plans/${plan.json.id}`, patch, { orgId })).status).toBe(200);
  const answer = await service.api("GET", "/cap-table", undefined, { orgId });
  expect(answer.json.data.equityPlans.map(({ reserved }: { reserved: string }) => reserved)).toContain(
    "1999999999999997",
  );
  expect(oracle.judge(routeOf("GET /cap-table"), answer)).toBeNull();
});

test("an imported exercise or cancellation of less than nothing neither makes options nor takes from the pool", async () => {
  const small = new Small();
  const items = ["t05", "t13", "t15"].map((id) => small.get(id));
  Object.assign(small.get("t13"), { quantity: "-1" });
  Object.assign(small.get("t15"), { quantity: "-5", balance_security_id: undefined });
  const { "stock_plans.json": plans, "stock_classes.json": classes } = Object.fromEntries(small.files);
  const transactions = { file_type: "OCF_TRANSACTIONS_FILE", items };
  const entityFiles = { "stock_classes.json": classes, "stock_plans.json": plans, "transactions.json": transactions };
  const options = { orgId: await service.newOrganization() };
  const imported = await service.api(
    "POST",
    "/cap-table/ocf-import",
    { manifest: small.manifest, entityFiles },
    options,
  );
  expect(imported.json.data.imported).toMatchObject({ issuances: 1, transactions: 2 });
  const vesting = await service.api("GET", "/securities/g-bo/vesting?asOf=2022-03-01", undefined, options);
  expect(vesting.json).toMatchObject({ quantity: "48000", exercised: "0" });
  const plan = await service.api("GET", "/equity-plans/plan", undefined, options);
  expect(plan.json.currentSharesReserved).toBe("52000");
});

test("a split that leaves a hair less than a whole share exports a package that adds up", async () => {
  const company = await TestCompany.create(service);
  const [stakeholderId, stockClassId] = [company.ids.get("stakeholders")?.[0], company.ids.get("share-classes")?.[0]];
  const body = {
    stakeholderId,
    stockClassId,
    quantity: "33.3333333333",
    certificateId: "THIRD",
    effectiveDate: "2026-01-01",
  };
  const issued = await company.api("POST", "/transactions/issue-shares", body);
  const ratio = { stockClassId, numerator: 3, denominator: 2, effectiveDate: "2026-02-01" };
  expect((await company.api("POST", "/transactions/split", ratio)).status).toBe(200);
  expect((await company.api("GET", `/securities/${issued.json.data.securityId}`)).json.quantity).toBe("49");
  const { problems } = validatePackage(await readZip(await service.download("/cap-table/ocf-export", company.orgId)));
  expect(problems.filter(({ severity }) => severity === "problem")).toEqual([]);
});

test("figures that corrections made longer than the API takes them go out and come in", async () => {
  const home = await service.newOrganization();
  const at = { orgId: home };
  const rest = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "L-" };
  const stockClass = { name: "Long", initialSharesAuthorized: "1", ...rest };
  const stockClassId = (await service.api("POST", "/share-classes", stockClass, at)).json.id;
  const adjustment = { stockClassId, newSharesAuthorized: "1000", effectiveDate: "2026-02-01" };
  expect((await service.api("POST", "/transactions/adjust-authorized", adjustment, at)).status).toBe(200);
  const patch = { initialSharesAuthorized: "999999999999999" };
  expect((await service.api("PATCH", `/share-classes/${stockClassId}`, patch, at)).status).toBe(200);
  const target = await service.newOrganization();
  const write = { writer: service.writer, call: () => commandLineCall(service.runtime, target) };
  const report = await importPackage(write, await readZip(await service.download("/cap-table/ocf-export", home)));
  expect(report.errors).toEqual([]);
  const summary = await service.api("GET", "/cap-table/summary", undefined, { orgId: target });
  expect(summary.json.data.totalAuthorized).toBe("1000000000000998");
});

test("a malformed checksum is left out of an imported document", async () => {
  const items = [{ object_type: "DOCUMENT", id: "charter", path: "charter.pdf", md5: "none", comments: [] }];
  const entityFiles = { "documents.json": { file_type: "OCF_DOCUMENTS_FILE", items } };
  const manifest = { ocf_version: "1.2.0", issuer: { object_type: "ISSUER", id: "issuer", legal_name: "Acme, Inc." } };
  await service.api("POST", "/cap-table/ocf-import", { manifest, entityFiles }, { orgId });
  expect((await service.api("GET", "/documents/charter", undefined, { orgId })).json.md5).toBeNull();
});
