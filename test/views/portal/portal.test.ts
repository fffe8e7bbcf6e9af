// The portal over a real socket: what a holder sees of its own, and that it sees nothing else.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { present } from "../../../src/kernel/assert.ts";
import { findFaults } from "../../../src/kernel/check.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { portalRoutes } from "../../../src/views/portal/routes.ts";
import { readDocumentFile } from "../../../src/views/reports/documents/read-pdf.ts";
import { type Answer, startTestServer, type TestServer } from "../../kit/service.ts";
import { Org, stockIssuance, TODAY } from "../health/support.ts";
import { member, type Person } from "./support.ts";

setDefaultTimeout(60_000);

const nowMs = Date.parse(`${TODAY}T12:00:00Z`);
const runtime = { ...systemRuntime, nowMs: () => nowMs };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime });
});
afterAll(() => server.stop());

const MONTHLY = {
  ...{ name: "Ada's very own terms", description: "Four years by the month" },
  vestingConditions: [
    {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
      portion: { numerator: 1, denominator: 48 },
    },
  ],
};

/** An organization with a class, a plan, and two holders of whom the first is signed in. */
async function company() {
  const org = new Org(server, await server.newOrganization("Acme, Inc."));
  const stockClassId = await org.shareClass({ initialSharesAuthorized: "1000000" });
  const planId = await org.plan(stockClassId, { initialSharesReserved: "50000" });
  const ada = await org.holder({ displayName: "Ada", name: { legalName: "Ada King" } });
  const bob = await org.holder({ displayName: "Bob", name: { legalName: "Robert Roe" } });
  const { id: vestingTermsId = "" } = await org.made("/vesting-terms", MONTHLY);
  const as = (stakeholderIds: string[]) => member(server, { orgId: org.id, stakeholderIds, nowMs });
  return { org, stockClassId, planId, ada, bob, vestingTermsId, as };
}

async function shown(person: Person, path: string) {
  const answer = await person.ask("GET", path);
  expect({ path, status: answer.status, text: answer.status === 200 ? "" : answer.text }).toMatchObject({
    status: 200,
  });
  const route = portalRoutes.find((each) =>
    new RegExp(`^${each.path.replace(":id", "[^/]+")}$`).test(`/api/v1${path}`),
  );
  expect(findFaults(present(route?.response, path), answer.json)).toEqual([]);
  return answer.json.data;
}

/** What a person's paper says, as JSON. */
async function textOfPaper(person: Person, path: string): Promise<string> {
  const { status, bytes } = await person.file(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return JSON.stringify(readDocumentFile(bytes));
}

const portalOf = (person: Person) => shown(person, "/portal");

function refusal({ status, json }: Answer) {
  return { status, title: json.title, detail: json.detail };
}

test("a holder sees a grant with what has vested, what is next and when, and the certificate with legend and entry", async () => {
  const { org, planId, ada, vestingTermsId, as } = await company();
  const { id: legendId = "" } = await org.made("/stock-legends", { name: "Act", text: "Not registered." });
  await org.made("/organization", { portalContact: "legal@acme.example" }, "PATCH");
  const securityId = await org.option(ada, planId, {
    ...{ quantity: "4800", exercisePrice: "0.25", vestingTermsId, effectiveDate: "2026-01-01" },
    ...{ expirationDate: "2036-01-01", certificateId: "ES-9" },
  });
  await org.made(`/securities/${securityId}`, { stockLegendIds: [legendId], comments: "between us" }, "PATCH");
  const person = await as([ada]);
  const portal = await portalOf(person);
  const { data } = (await org.call("GET", `/transactions?securityId=${securityId}`)).json;
  expect(portal).toMatchObject({
    asOf: TODAY,
    organization: { id: org.id, legalName: "Acme, Inc.", currency: "USD", portalContact: "legal@acme.example" },
    stakeholders: [{ id: ada, displayName: "Ada", legalName: "Ada King" }],
    totals: { outstanding: "0", options: "4800", vested: "500", unvested: "4300", exercisable: "500" },
    ...{ ownership: null, value: null },
  });
  expect(portal.holdings).toEqual([
    {
      ...{ securityId, stakeholderId: ada, type: "STOCK_OPTION", certificateId: "ES-9", stockClassName: "Common" },
      ...{ equityPlanName: "2024 Plan", quantity: "4800", pricePerShare: null, exercisePrice: "0.25", currency: "USD" },
      ...{ optionType: "NSO", grantDate: "2026-01-01", vestingStartDate: "2026-01-01", expirationDate: "2036-01-01" },
      ...{ vested: "500", unvested: "4300", unscheduled: "0", exercisable: "500" },
      conversion: null,
      vestingStoppedOn: null,
      nextVesting: { date: "2026-07-01", quantity: "100" },
      legends: [{ name: "Act", text: "Not registered." }],
      entry: { id: data[0].id, hash: data[0].hash },
      value: null,
    },
  ]);
  const vesting = await shown(person, `/portal/securities/${securityId}/vesting`);
  expect(vesting).toMatchObject({ quantity: "4800", vested: "500", unvested: "4300", unscheduled: "0", waiting: [] });
  expect(vesting.events).toHaveLength(48);
  expect(vesting.events[5]).toEqual({ date: "2026-07-01", quantity: "100" });
  expect(JSON.stringify([portal, vesting])).not.toContain("between us");
  expect(JSON.stringify(vesting)).not.toContain("very own");
});

test("a key has no portal, nor has a member who is no stakeholder; an admin who is one has", async () => {
  const { org, ada, stockClassId } = await company();
  await org.shares(ada, stockClassId, { quantity: "10" });
  expect((await org.call("GET", "/portal")).status).toBe(403);
  const viewer = await member(server, { orgId: org.id, role: "VIEWER", nowMs });
  expect((await viewer.ask("GET", "/portal")).status).toBe(403);
  const admin = await member(server, { orgId: org.id, role: "ADMIN", stakeholderIds: [ada], nowMs });
  expect((await portalOf(admin)).totals.outstanding).toBe("10");
});

test("what is another's is answered like what is not there", async () => {
  const { org, stockClassId, ada, bob, as } = await company();
  const securityId = await org.shares(bob, stockClassId);
  const { id: documentId = "" } = await org.made("/documents", {
    ...{ title: "Bob's", uri: "https://example.com/bob", isSharedWithHolders: true },
    relatedObjects: [{ objectType: "STAKEHOLDER", objectId: bob }],
  });
  const person = await as([ada]);
  const nowhere = "0190f5a2-6c1e-7b3a-9d4e-000000000000";
  for (const path of ["/portal/securities/{id}/vesting", "/portal/documents/{id}/content"]) {
    const unknown = await person.ask("GET", path.replace("{id}", nowhere));
    const foreign = await person.ask(
      "GET",
      path.replace("{id}", path.includes("securities") ? securityId : documentId),
    );
    expect(foreign.status).toBe(404);
    expect(refusal(foreign)).toEqual(refusal(unknown));
  }
  const cursor = (key: string) => `/portal/transactions?cursor=${Buffer.from(key).toString("base64url")}`;
  const { data } = (await org.call("GET", `/transactions?securityId=${securityId}`)).json;
  const foreign = await person.ask("GET", cursor(`${data[0].id} ${securityId}`));
  expect(foreign.status).toBe(422);
  expect(refusal(foreign)).toEqual(refusal(await person.ask("GET", cursor(`${nowhere} ${nowhere}`))));
  // The control: its holder has it.
  const own = await as([bob]);
  expect((await own.ask("GET", `/portal/securities/${securityId}/vesting`)).status).toBe(200);
  expect((await own.ask("GET", cursor(`${data[0].id} ${securityId}`))).status).toBe(200);
});

test("that vesting stopped shows with the holding and its dates, and what stopped waits for nothing", async () => {
  const { org, stockClassId, ada, vestingTermsId, as } = await company();
  const given = { quantity: "4800", vestingTermsId, effectiveDate: "2026-01-01" };
  const securityId = await org.shares(ada, stockClassId, given);
  await org.made("/transactions/terminate-service", { stakeholderId: ada, effectiveDate: "2026-03-15" });
  const person = await as([ada]);
  const [holding] = (await portalOf(person)).holdings;
  const stopped = { vested: "200", unvested: "4600", unscheduled: "4600", vestingStoppedOn: "2026-03-15" };
  expect(holding).toMatchObject({ ...stopped, nextVesting: null });
  const { data: vesting } = (await person.ask("GET", `/portal/securities/${securityId}/vesting`)).json;
  expect(vesting).toMatchObject({ ...stopped, waiting: [] });
});

test("a partial transfer shows each side its own, and neither the other", async () => {
  const { org, planId, ada, bob, vestingTermsId, as } = await company();
  const securityId = await org.option(ada, planId, { quantity: "4800", vestingTermsId, effectiveDate: "2026-01-01" });
  const newSecurityId = await org.run("transfer", {
    ...{ securityId, fromStakeholderId: ada, toStakeholderId: bob, quantity: "2400", effectiveDate: "2026-04-15" },
    ...{ pricePerShare: "3", transferReason: "Divorce" },
  });
  const [giver, receiver] = [await as([ada]), await as([bob])];
  expect((await portalOf(giver)).totals).toMatchObject({ options: "2400", vested: "250", unvested: "2150" });
  expect((await portalOf(receiver)).totals).toMatchObject({ options: "2400", vested: "250", unvested: "2150" });
  const given = await shown(giver, "/portal/transactions");
  const got = await shown(receiver, "/portal/transactions");
  const transfer = { type: "STOCK_OPTION_TRANSFER", date: "2026-04-15", quantity: "2400", price: "3" };
  expect(given[0]).toMatchObject({ ...transfer, securityId, isReceived: false });
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({ ...transfer, securityId: newSecurityId, isReceived: true });
  const { holdings } = await portalOf(receiver);
  expect(holdings[0].entry.id).toBe(got[0].id);
  const seen = [await shown(receiver, `/portal/securities/${newSecurityId}/vesting`), holdings, got];
  for (const secret of [ada, securityId, "Ada", "Divorce", "4800"]) expect(JSON.stringify(seen)).not.toContain(secret);
  expect(JSON.stringify([given, await portalOf(giver)])).not.toContain(newSecurityId);
  expect((await receiver.ask("GET", `/portal/securities/${securityId}/vesting`)).status).toBe(404);
  expect((await giver.ask("GET", `/portal/securities/${newSecurityId}/vesting`)).status).toBe(404);
});

test("stock that was bought shows the price at which its holder got it, or none: never what the seller paid", async () => {
  const { org, stockClassId, ada, bob, as } = await company();
  const preferred = await org.shareClass({
    name: "Seed",
    classType: "PREFERRED",
    defaultIdPrefix: "PS-",
    seniority: 2,
  });
  let count = 0;
  const numbered = (price: string) => ({ quantity: "10", pricePerShare: price, certificateId: `N-${++count}` });
  const paid = () => numbered("0.0137");
  const to = { fromStakeholderId: ada, toStakeholderId: bob, effectiveDate: "2025-01-03" };
  const sell = async (classId: string, more: object = {}) =>
    org.run("transfer", { securityId: await org.shares(ada, classId, paid()), quantity: "10", ...to, ...more });
  const bare = await sell(stockClassId);
  const priced = await sell(stockClassId, { pricePerShare: "3" });
  const quantities = { resultingQuantity: "10", effectiveDate: "2025-01-04" };
  const converted = await org.run("convert", { securityId: await sell(preferred), stockClassId, ...quantities });
  const divided = await org.run("transfer", {
    ...{ securityId: await sell(stockClassId), quantity: "4", fromStakeholderId: bob, toStakeholderId: ada },
    effectiveDate: "2025-01-05",
  });
  const corrected = await sell(stockClassId);
  await org.made(`/securities/${corrected}`, { pricePerShare: "2" }, "PATCH");
  const edited = await org.shares(ada, stockClassId, paid());
  await org.made(`/securities/${edited}`, { stakeholderId: bob }, "PATCH");
  const own = await org.shares(bob, stockClassId, numbered("0.5"));

  const person = await as([bob]);
  const { holdings } = await portalOf(person);
  const prices = new Map(
    holdings.map((each: { securityId: string; pricePerShare: string }) => [each.securityId, each.pricePerShare]),
  );
  const expected = { [bare]: null, [priced]: "3", [converted]: null, [corrected]: "2", [edited]: null, [own]: "0.5" };
  expect(Object.fromEntries(Object.keys(expected).map((id) => [id, prices.get(id)]))).toEqual(expected);
  expect(await shown(person, "/portal/transactions").then(JSON.stringify)).not.toContain("0.0137");
  expect(JSON.stringify(holdings)).not.toContain("0.0137");
  for (const path of [...prices.keys()].map((id) => `/portal/securities/${id}/certificate.pdf`)) {
    expect(await textOfPaper(person, path)).not.toContain("0.0137");
  }
  const statement = await textOfPaper(person, `/portal/stakeholders/${bob}/statement.pdf`);
  expect(statement).not.toContain("0.0137");
  for (const price of ["3", "2", "0.5"]) expect(statement).toContain(`"${price} USD"`);
  // Control: the seller sees what was paid, and so does the office.
  const seller = await as([ada]);
  const sold = (await portalOf(seller)).holdings;
  expect(sold.map((each: { securityId: string }) => each.securityId)).toEqual([divided]);
  expect(sold[0].pricePerShare).toBeNull();
  await org.shares(ada, stockClassId, paid());
  expect(JSON.stringify((await portalOf(seller)).holdings)).toContain("0.0137");
  const office = await server.api("GET", `/securities/${bare}`, undefined, { orgId: org.id });
  expect(office.json.pricePerShare).toBe("0.0137");
});

test("what is transferred, exercised, converted and cancelled whole is no holding, and stays in the holder's entries", async () => {
  const { org, stockClassId, planId, ada, bob, as } = await company();
  const preferred = await org.shareClass({
    name: "Seed",
    classType: "PREFERRED",
    defaultIdPrefix: "PS-",
    seniority: 2,
  });
  const option = await org.option(ada, planId, { quantity: "700", exercisePrice: "1" });
  await org.run("exercise", { securityId: option, quantity: "700", exercisePrice: "1", effectiveDate: "2025-01-01" });
  const converted = await org.shares(ada, preferred, { quantity: "11" });
  const quantities = { resultingQuantity: "22", notByRight: true, effectiveDate: "2025-01-02" };
  await org.run("convert", { securityId: converted, stockClassId, ...quantities });
  const moved = await org.shares(ada, stockClassId, { quantity: "13" });
  const to = { fromStakeholderId: ada, toStakeholderId: bob, effectiveDate: "2025-01-03" };
  await org.run("transfer", { securityId: moved, quantity: "13", ...to });
  await org.cancel(await org.shares(ada, stockClassId, { quantity: "17" }), "17", "2025-01-04");
  const person = await as([ada]);
  const { holdings, totals } = await portalOf(person);
  const quantitiesHeld = holdings.map(({ quantity }: { quantity: string }) => quantity);
  expect(quantitiesHeld).toEqual(["700", "22"]);
  expect(totals.outstanding).toBe("722");
  const types = (await shown(person, "/portal/transactions")).map(({ type }: { type: string }) => type);
  expect(types).toEqual([
    ...["STOCK_CANCELLATION", "STOCK_ISSUANCE", "STOCK_TRANSFER", "STOCK_ISSUANCE", "STOCK_ISSUANCE"],
    ...["STOCK_CANCELLATION", "STOCK_ISSUANCE", "STOCK_OPTION_EXERCISE", "STOCK_OPTION_ISSUANCE"],
  ]);
  expect(await shown(person, `/portal/securities/${moved}/vesting`)).toMatchObject({ quantity: "0", events: [] });
  expect(await shown(person, `/portal/securities/${option}/vesting`)).toMatchObject({ exercised: "700" });
});

test("a security that a correction gives to another holder shows nothing of before", async () => {
  const { org, planId, ada, bob, vestingTermsId, as } = await company();
  const securityId = await org.option(ada, planId, {
    ...{ quantity: "4800", vestingTermsId, effectiveDate: "2026-01-01", certificateId: "ES-77" },
  });
  await org.run("exercise", { securityId, quantity: "300", exercisePrice: "1", effectiveDate: "2026-05-01" });
  await org.made(`/securities/${securityId}`, { stakeholderId: bob }, "PATCH");
  const [before, after] = [await as([ada]), await as([bob])];
  expect((await before.ask("GET", `/portal/securities/${securityId}/vesting`)).status).toBe(404);
  const entries = await shown(before, "/portal/transactions");
  expect(entries.map(({ type }: { type: string }) => type)).toEqual([
    ...["STOCK_OPTION_TRANSFER", "STOCK_OPTION_EXERCISE", "STOCK_OPTION_ISSUANCE"],
  ]);
  expect(entries[0]).toMatchObject({ securityId: null, certificateId: null, quantity: "4500" });
  const received = await shown(after, "/portal/transactions");
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ securityId, certificateId: "ES-77", quantity: "4500", isReceived: true });
  const vesting = await shown(after, `/portal/securities/${securityId}/vesting`);
  expect(vesting).toMatchObject({ quantity: "4500", vested: "200", unvested: "4300", exercised: "0" });
  expect((await portalOf(after)).holdings[0]).toMatchObject({ quantity: "4500", entry: { id: received[0].id } });
});

test("splits are told by what they made of the holder's own", async () => {
  const { org, stockClassId, ada, bob, as } = await company();
  const securityId = await org.shares(ada, stockClassId, { quantity: "1000" });
  await org.shares(bob, stockClassId, { quantity: "77" });
  const split = { stockClassId, numerator: 3, denominator: 1, effectiveDate: TODAY };
  await org.made("/transactions/split", split);
  const gone = await org.shares(ada, stockClassId, { quantity: "5" });
  await org.cancel(gone, "5", TODAY);
  await org.made("/transactions/split", { ...split, numerator: 1, denominator: 2 });
  const person = await as([ada]);
  const entries = await shown(person, "/portal/transactions");
  const told = entries.filter(({ type }: { type: string }) => type === "STOCK_SPLIT");
  expect(told.map((each: Record<string, string>) => [each.securityId, each.quantity])).toEqual([
    [securityId, "-1500"],
    [securityId, "2000"],
  ]);
  expect((await portalOf(person)).totals.outstanding).toBe("1500");
});

test("ownership and value show where the organization says so, by exact figures", async () => {
  const { org, stockClassId, planId, ada, bob, as } = await company();
  await org.shares(ada, stockClassId, { quantity: "250" });
  await org.shares(bob, stockClassId, { quantity: "750" });
  await org.option(ada, planId, { quantity: "100.5", exercisePrice: "1" });
  const preferred = await org.shareClass({
    name: "Seed",
    classType: "PREFERRED",
    defaultIdPrefix: "PS-",
    seniority: 2,
  });
  await org.shares(ada, preferred, { quantity: "7" });
  await org.valuation(stockClassId, { pricePerShare: "1.23", effectiveDate: "2025-01-01" });
  await org.valuation(stockClassId, { pricePerShare: "9", effectiveDate: "2026-01-01", status: "DRAFT" });
  await org.valuation(stockClassId, { pricePerShare: "8", effectiveDate: "2026-01-01", type: "BOARD" });
  await org.valuation(stockClassId, { pricePerShare: "7", effectiveDate: "2027-01-01" });
  const person = await as([ada]);
  expect(await portalOf(person)).toMatchObject({ ownership: null, value: null });
  await org.made("/organization", { portalShowsOwnership: true }, "PATCH");
  const { totals } = (await org.call("GET", `/stakeholders/${ada}/position`)).json;
  const { percentOutstanding, percentFullyDiluted } = totals;
  expect(await portalOf(person)).toMatchObject({ ownership: { percentOutstanding, percentFullyDiluted }, value: null });
  await org.made("/organization", { portalShowsOwnership: false, portalShowsValue: true }, "PATCH");
  const portal = await portalOf(person);
  expect(portal.ownership).toBeNull();
  const worth = { pricePerShare: "1.23", asOf: "2025-01-01", currency: "USD" };
  expect(portal.holdings.map(({ value }: { value: unknown }) => value)).toEqual([
    { ...worth, amount: "307.5", unvestedAmount: "0" },
    { ...worth, amount: "23.115", unvestedAmount: "0" },
    null,
  ]);
  expect(portal.value).toEqual([{ currency: "USD", amount: "330.615", unvestedAmount: "0" }]);
  await org.made("/transactions/split", { stockClassId, numerator: 10, denominator: 1, effectiveDate: TODAY });
  const after = await portalOf(person);
  expect(after.holdings[0]).toMatchObject({ quantity: "2500", value: { pricePerShare: "0.123", amount: "307.5" } });
});

test("options are worth what exercising them leaves, of what has vested and of the rest; expired ones nothing", async () => {
  const { org, stockClassId, planId, ada, vestingTermsId, as } = await company();
  await org.valuation(stockClassId, { pricePerShare: "3", effectiveDate: "2025-01-01" });
  const unclassed = await org.plan(stockClassId, { stockClassIds: [], initialSharesReserved: "50000" });
  const vesting = { vestingTermsId, vestingStartDate: TODAY };
  await org.option(ada, planId, { quantity: "4800", exercisePrice: "5", ...vesting });
  await org.option(ada, planId, { quantity: "4800", exercisePrice: "1", ...vesting });
  await org.option(ada, unclassed, { quantity: "100", exercisePrice: "2.5" });
  await org.option(ada, planId, { quantity: "100", exercisePrice: "1", expirationDate: "2026-01-31" });
  const record = { stakeholderId: ada, type: "STOCK_OPTION", stockPlanId: planId, quantity: "10", optionType: "NSO" };
  await org.made("/securities", { ...record, grantDate: "2026-01-01", certificateId: "ES-90" });
  const warrant = { stakeholderId: ada, stockClassId, quantity: "10", exercisePrice: "1", effectiveDate: "2026-01-01" };
  await org.made("/transactions/issue-warrant", { ...warrant, certificateId: "W-1" });
  await org.made("/organization", { portalShowsValue: true }, "PATCH");
  const portal = await portalOf(await as([ada]));
  const told = portal.holdings.map(({ value }: { value: { amount: string; unvestedAmount: string } | null }) =>
    value === null ? null : [value.amount, value.unvestedAmount],
  );
  expect(told).toEqual([["0", "0"], ["0", "9600"], ["50", "0"], ["0", "0"], null, ["20", "0"]]);
  expect(portal.value).toEqual([{ currency: "USD", amount: "70", unvestedAmount: "9600" }]);
});

test("a document shows where it is shared and names the holder, and not what else it is about", async () => {
  const { org, ada, bob, as } = await company();
  const about = (...ids: string[]) => ids.map((objectId) => ({ objectType: "STAKEHOLDER", objectId }));
  const given = {
    path: "board/2026/Bob and Ada/grant.txt",
    comments: "do not tell Bob",
    relatedObjects: about(ada, bob),
  };
  const { id = "" } = await org.made("/documents", { ...given, title: "Grant letter", isSharedWithHolders: true });
  const bytes = new TextEncoder().encode("You are granted …");
  await server.api("PUT", `/documents/${id}/content`, bytes, {
    orgId: org.id,
    headers: { "content-type": "text/plain" },
  });
  await org.made("/documents", { ...given, title: "Not shared" });
  const elsewhere = { title: "Bob's alone", uri: "https://example.com/b", isSharedWithHolders: true };
  await org.made("/documents", { ...elsewhere, relatedObjects: about(bob) });
  await org.made("/documents", { ...elsewhere, relatedObjects: [{ objectType: "ISSUER", objectId: org.id }] });
  const person = await as([ada]);
  const documents = await shown(person, "/portal/documents");
  expect(documents).toHaveLength(1);
  expect(documents[0]).toMatchObject({ id, title: "Grant letter", fileName: "grant.txt", size: bytes.byteLength });
  expect(Object.keys(documents[0]).sort()).toEqual([
    "contentType",
    "createdAt",
    "fileName",
    "id",
    "size",
    "title",
    "uri",
  ]);
  const content = await person.ask("GET", `/portal/documents/${id}/content`);
  expect(content.text).toBe("You are granted …");
  expect(content.headers.get("content-disposition")).toContain('filename="grant.txt"');
  await org.made(`/documents/${id}`, { isSharedWithHolders: false }, "PATCH");
  expect(await shown(person, "/portal/documents")).toEqual([]);
  expect((await person.ask("GET", `/portal/documents/${id}/content`)).status).toBe(404);
});

test("pages go on from the last entry shown, and their cursors hold no number", async () => {
  const { org, stockClassId, ada, bob, as } = await company();
  for (const quantity of ["1", "2", "3", "4", "5"]) {
    await org.shares(ada, stockClassId, { quantity });
    await org.shares(bob, stockClassId, { quantity: `9${quantity}` });
  }
  const person = await as([ada]);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { json } = await person.ask("GET", `/portal/transactions?limit=2${more}`);
    seen.push(...json.data.map(({ quantity }: { quantity: string }) => quantity));
    cursor = json.nextCursor;
    if (seen.length === 2) await org.shares(ada, stockClassId, { quantity: "6" });
    const [id, securityId] = Buffer.from(cursor ?? "", "base64url")
      .toString()
      .split(" ");
    if (cursor !== null) expect([id?.length, securityId?.length]).toEqual([36, 36]);
  } while (cursor !== null);
  expect(seen).toEqual(["5", "4", "3", "2", "1"]);
  const wrong = await person.ask("GET", "/portal/transactions?limit=x&cursor=y&z=1");
  expect(wrong.json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
    "cursor",
    "limit",
    "z",
  ]);
});

test("shares that wait for a milestone say for which; what only records something is no entry", async () => {
  const { org, planId, ada, as } = await company();
  const securityId = await org.option(ada, planId, { quantity: "100", effectiveDate: "2026-01-01" });
  const milestone = { name: "First customer", description: "Bob's work", quantity: "40", securityId };
  await org.made("/vesting-milestones", milestone);
  const note = { type: "STOCK_OPTION_ISSUANCE", effectiveDate: TODAY, securityId, stakeholderId: ada, quantity: "999" };
  await org.made("/transactions", { ...note, metadata: { note: "a secret" } });
  const person = await as([ada]);
  const vesting = await shown(person, `/portal/securities/${securityId}/vesting`);
  expect(vesting).toMatchObject({
    vested: "60",
    unscheduled: "40",
    waiting: [{ milestone: "First customer", quantity: "40" }],
  });
  const { holdings } = await portalOf(person);
  expect(holdings[0]).toMatchObject({ vested: "60", unscheduled: "40", nextVesting: null });
  const entries = await shown(person, "/portal/transactions");
  expect(entries.map(({ quantity }: { quantity: string }) => quantity)).toEqual(["100"]);
});

test("a long ledger is read elsewhere, for the stakeholders that the person is when its turn comes", async () => {
  const long = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime, longFromEntries: 1 });
  try {
    const org = new Org(long, await long.newOrganization("Long, Inc."));
    const stockClassId = await org.shareClass();
    const [ada, bob] = [await org.holder(), await org.holder()];
    await org.shares(ada, stockClassId, { quantity: "3" });
    await org.shares(bob, stockClassId, { quantity: "5" });
    const person = await member(long, { orgId: org.id, stakeholderIds: [ada], nowMs });
    const elsewhere = await portalOf(person);
    expect(elsewhere.totals.outstanding).toBe("3");
    expect(elsewhere.stakeholders.map(({ id }: { id: string }) => id)).toEqual([ada]);
    await org.made(`/members/${person.memberId}`, { stakeholderIds: [bob] }, "PATCH");
    expect((await portalOf(person)).totals.outstanding).toBe("5");
    await org.call("DELETE", `/members/${person.memberId}`);
    expect((await person.ask("GET", "/portal")).status).toBe(401);
  } finally {
    await long.stop();
  }
});

test("an import shares nothing, and leaves whom a member is and what is shared as it was", async () => {
  const org = new Org(server, await server.newOrganization("Imported, Inc."));
  const paper = {
    ...{ object_type: "DOCUMENT", id: "paper", path: "./paper.pdf", md5: "d41d8cd98f00b204e9800998ecf8427e" },
    related_objects: [{ object_type: "STAKEHOLDER", object_id: "ada" }],
  };
  const object = { ...stockIssuance("a", "10.5"), comments: ["between us"] };
  await org.import(object, paper);
  const person = await member(server, { orgId: org.id, stakeholderIds: ["ada"], nowMs });
  const { holdings } = await portalOf(person);
  expect(holdings).toHaveLength(1);
  expect(holdings[0]).toMatchObject({ securityId: "a", certificateId: "N-a", quantity: "10.5" });
  expect(await shown(person, "/portal/documents")).toEqual([]);
  await org.made("/documents/paper", { isSharedWithHolders: true }, "PATCH");
  await org.import(object, paper, stockIssuance("b", "20")).catch(() => undefined);
  expect((await shown(person, "/portal/documents")).map(({ id }: { id: string }) => id)).toEqual(["paper"]);
  expect((await portalOf(person)).totals.outstanding).toBe("30.5");
});
