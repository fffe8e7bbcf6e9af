// Filters of lists beyond the implemented interface: each keeps what suits and leaves out what does not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let [ann, bob, common, preferred, plan, terms, option]: string[] = [];
const stock: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  [ann, bob] = [await makeStakeholder(server), await makeStakeholder(server)];
  common = await makeShareClass(server);
  preferred = await makeShareClass(server, { name: "Series A", classType: "PREFERRED", defaultIdPrefix: "PA-" });
  const body = { planName: "Plan", initialSharesReserved: "5000", stockClassIds: [common] };
  plan = await made("/equity-plans", body);
  const trigger = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const vestingConditions = [{ id: "a", trigger, portion: { numerator: 1, denominator: 12 }, nextConditionId: "a" }];
  terms = await made("/vesting-terms", { name: "Year", description: "Monthly", vestingConditions });
  for (const [stakeholderId, stockClassId, certificateId, effectiveDate] of [
    [ann, common, "CS-1", "2026-01-15"],
    [bob, preferred, "PA-7", "2026-02-15"],
    [ann, common, "CS-3", "2026-03-15"],
  ]) {
    stock.push(await issueShares(server, { stakeholderId, stockClassId, certificateId, effectiveDate }));
  }
  const grant = { stakeholderId: bob, stockPlanId: plan, quantity: "12", exercisePrice: "1", optionType: "NSO" };
  const dated = { certificateId: "ES-1", effectiveDate: "2026-04-15", vestingTermsId: terms };
  option = await made("/transactions/issue-options", { ...grant, ...dated });
});
afterAll(() => server.stop());

async function made(path: string, body: unknown): Promise<string> {
  const answer = await server.api("POST", path, body);
  expect(`${path} ${answer.status} ${answer.status === 201 ? "" : answer.text}`).toBe(`${path} 201 `);
  return answer.json.id ?? answer.json.data.id ?? answer.json.data.securityId;
}

/** The ids that a list answers, sorted. */
async function listed(path: string, query: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const answer = await server.api("GET", `${path}?${new URLSearchParams(query as Record<string, string>)}`);
  expect(answer.status).toBe(200);
  return (answer.json.items ?? answer.json.data).map(({ id }: { id: string }) => id).sort();
}

const sorted = (...ids: (string | undefined)[]) => ids.map(String).sort();

test("securities by status, class, plan, terms, token and part of their number", async () => {
  const [first, second, third] = stock;
  const cancelled = { quantity: "1000", cancellationReason: "FORFEITURE", effectiveDate: "2026-05-01" };
  expect((await server.api("POST", "/transactions/cancel", { securityId: third, ...cancelled })).status).toBe(200);
  expect(await listed("/securities", { status: "CANCELLED" })).toEqual(sorted(third));
  expect(await listed("/securities", { status: "ACTIVE" })).toEqual(sorted(first, second, option));
  expect(await listed("/securities", { stockClassId: preferred })).toEqual(sorted(second));
  expect(await listed("/securities", { equityPlanId: plan })).toEqual(sorted(option));
  expect(await listed("/securities", { vestingTermsId: terms })).toEqual(sorted(option));
  expect(await listed("/securities", { tokenStatus: "NOT_APPLICABLE" })).toEqual(sorted(option));
  expect(await listed("/securities", { approvalId: crypto.randomUUID() })).toEqual([]);
  expect(await listed("/securities", { q: "s-1" })).toEqual(sorted(first, option));
  expect(await listed("/securities", { q: "S-1", type: "STOCK" })).toEqual(sorted(first));
  expect(await listed("/securities", { q: "%" })).toEqual([]);
  expect((await server.api("GET", "/securities?status=OPEN")).json.errors).toHaveLength(1);
});

test("entries by security, holder and effective dates, both days included", async () => {
  const of = async (query: Readonly<Record<string, string | undefined>>) => {
    const answer = await server.api("GET", `/transactions?${new URLSearchParams(query as Record<string, string>)}`);
    return answer.json.data.map(({ type, effectiveDate }: Record<string, string>) => `${type} ${effectiveDate}`);
  };
  expect(await of({ securityId: stock[1] })).toEqual(["STOCK_ISSUANCE 2026-02-15"]);
  expect(await of({ stakeholderId: bob })).toEqual(["STOCK_OPTION_ISSUANCE 2026-04-15", "STOCK_ISSUANCE 2026-02-15"]);
  expect(await of({ from: "2026-02-15", to: "2026-03-15" })).toEqual([
    "STOCK_ISSUANCE 2026-03-15",
    "STOCK_ISSUANCE 2026-02-15",
  ]);
  expect(await of({ from: "2026-02-16", to: "2026-03-14" })).toEqual([]);
  expect(await of({ stakeholderId: bob, type: "STOCK_ISSUANCE" })).toEqual(["STOCK_ISSUANCE 2026-02-15"]);
  const first = await server.api("GET", `/transactions?stakeholderId=${bob}&limit=1`);
  const next = `/transactions?stakeholderId=${bob}&limit=1&cursor=${first.json.nextCursor}`;
  expect((await server.api("GET", next)).json.data).toHaveLength(1);
  expect((await server.api("GET", next.replace(String(bob), String(ann)))).status).toBe(422);
});

test("documents by what they are about and part of their title or path", async () => {
  const about = (objectType: string, objectId = "") => ({ relatedObjects: [{ objectType, objectId }] });
  const plea = await made("/documents", { title: "Plan of 2026", path: "a/plan.pdf", ...about("STOCK_PLAN", plan) });
  const charter = await made("/documents", { title: "Charter", path: "a/b.pdf", ...about("STOCK_CLASS", common) });
  expect(await listed("/documents", { q: "PLAN" })).toEqual([plea]);
  expect(await listed("/documents", { q: "a/" })).toEqual(sorted(plea, charter));
  expect(await listed("/documents", { objectType: "STOCK_CLASS", objectId: common })).toEqual([charter]);
  expect(await listed("/documents", { objectType: "STOCK_PLAN", objectId: common })).toEqual([]);
  const half = await server.api("GET", "/documents?objectType=STOCK_PLAN");
  expect([half.status, half.json.errors?.[0]?.parameter]).toEqual([422, "objectId"]);
});

test("valuations, milestones and corporate actions by state and subject", async () => {
  const worth = { type: "409A", pricePerShare: "1.25", effectiveDate: "2026-01-15" };
  const draft = await made("/valuations", { ...worth, stockClassId: common });
  const approved = await made("/valuations", { ...worth, stockClassId: preferred, status: "APPROVED" });
  expect(await listed("/valuations", { status: "APPROVED" })).toEqual([approved]);
  expect(await listed("/valuations", { stockClassId: common })).toEqual([draft]);
  const held = await made("/vesting-milestones", { name: "First", securityId: option, quantity: "1" });
  const other = await made("/vesting-milestones", { name: "Second" });
  await server.api("POST", `/vesting-milestones/${other}/complete`, {});
  expect(await listed("/vesting-milestones", { securityId: option })).toEqual([held]);
  expect(await listed("/vesting-milestones", { status: "COMPLETED" })).toEqual([other]);
  const round = await made("/corporate-actions", { type: "Financing Round", title: "A", effectiveDate: "2026-01-15" });
  const split = { type: "Stock Split", title: "B", effectiveDate: "2026-01-15", status: "Approved" };
  const action = await made("/corporate-actions", split);
  expect(await listed("/corporate-actions", { type: "Financing Round" })).toEqual([round]);
  expect(await listed("/corporate-actions", { status: "Approved" })).toEqual([action]);
});

test("the next certificate number is the one that the class gives, and asking takes none", async () => {
  const asked = async (id = common) => (await server.api("GET", `/share-classes/${id}/next-certificate`)).json;
  expect(await asked()).toEqual({ certificateId: "CS-2" });
  expect(await asked()).toEqual({ certificateId: "CS-2" });
  const to = { securityId: stock[0], fromStakeholderId: ann, toStakeholderId: bob, effectiveDate: "2026-06-01" };
  const answer = await server.api("POST", "/transactions/transfer", { ...to, quantity: "10" });
  const { certificateId } = (await server.api("GET", `/securities/${answer.json.data.newSecurityId}`)).json;
  expect(certificateId).toBe("CS-2");
  expect(await asked()).toEqual({ certificateId: "CS-4" });
  expect((await server.api("GET", `/share-classes/${crypto.randomUUID()}/next-certificate`)).status).toBe(404);
});

test("the next number of a type goes on from the highest, parts of others apart", async () => {
  const where = { orgId: await server.newOrganization() };
  const holder = await makeStakeholder(server, {}, where);
  const stockClassId = await makeShareClass(server, { defaultIdPrefix: "CS-" }, where);
  const send = async (path: string, body: object) => (await server.api("POST", path, body, where)).json;
  const plan = { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [stockClassId] };
  const [one, other] = [(await send("/equity-plans", plan)).id, (await send("/equity-plans", plan)).id];
  const next = async (query: string) =>
    (await server.api("GET", `/securities/next-certificate?${query}`, undefined, where)).json.certificateId;
  expect(await next("type=STOCK_OPTION")).toBe("ES-1");
  expect([await next("type=WARRANT"), await next("type=CONVERTIBLE"), await next("type=STOCK")]).toEqual([
    ...["W-1", "SAFE-1", "CS-1"],
  ]);
  const grant = async (stockPlanId: string, certificateId: string) => {
    const terms = { quantity: "10", exercisePrice: "1", optionType: "NSO", effectiveDate: "2026-01-15" };
    const made = await send("/transactions/issue-options", {
      stakeholderId: holder,
      stockPlanId,
      certificateId,
      ...terms,
    });
    return made.data.securityId as string;
  };
  await grant(one, "G2-007");
  const securityId = await grant(one, "ES-9");
  await grant(other, "B-40");
  expect(await next("type=STOCK_OPTION")).toBe("B-41");
  expect(await next(`type=STOCK_OPTION&equityPlanId=${one}`)).toBe("ES-10");
  const moved = { securityId, fromStakeholderId: holder, toStakeholderId: await makeStakeholder(server, {}, where) };
  await send("/transactions/transfer", { ...moved, quantity: "1", effectiveDate: "2026-02-01" });
  expect(await next(`type=STOCK_OPTION&equityPlanId=${one}`)).toBe("ES-10");
  expect(await next(`type=STOCK&stockClassId=${stockClassId}`)).toBe("CS-1");
  expect((await server.api("GET", "/securities/next-certificate?type=SHARE", undefined, where)).status).toBe(422);
  const nowhere = `/securities/next-certificate?type=STOCK&stockClassId=${crypto.randomUUID()}`;
  expect((await server.api("GET", nowhere, undefined, where)).status).toBe(404);
});
