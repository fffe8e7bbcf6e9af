// The organization itself: its currency, what it asks of members, and what its holders are shown.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { signedIn } from "../kit/people.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal } from "./support.ts";

setDefaultTimeout(60_000);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

function patch(body: unknown, orgId: string) {
  return server.api("PATCH", "/organization", body, { orgId });
}

async function read(orgId: string) {
  return (await server.api("GET", "/organization", undefined, { orgId, role: "VIEWER" })).json;
}

test("the currency is USD until a user sets another; records made from then on have that", async () => {
  const orgId = await server.newOrganization("Zürich AG");
  expect((await read(orgId)).currency).toBe("USD");
  expect((await server.api("PATCH", "/organization", { currency: "CHF" }, { orgId, role: "EDITOR" })).status).toBe(403);
  expect((await patch({ currency: "CHF" }, orgId)).json.currency).toBe("CHF");
  for (const wrong of ["chf", "XXQ", "", 7]) {
    expect(refusal(await patch({ currency: wrong }, orgId))).toEqual([422, "validation-failed", "#/currency"]);
  }
  const stockClassId = await makeShareClass(server, {}, { orgId });
  expect((await server.api("GET", `/share-classes/${stockClassId}`, undefined, { orgId })).json.currency).toBe("CHF");
  expect((await patch({ currency: null }, orgId)).json.currency).toBe("USD");
});

test("switches are off, take nothing but true and false, and stay as they were said", async () => {
  const orgId = await server.newOrganization("Acme, Inc.");
  const off = { requireSecondFactor: false, portalShowsOwnership: false, portalShowsValue: false, portalContact: null };
  expect(await read(orgId)).toMatchObject(off);
  const on = { portalShowsOwnership: true, portalShowsValue: true, portalContact: "Legal, +41 44 000 00 00" };
  expect((await patch(on, orgId)).json).toMatchObject(on);
  expect((await patch({ dba: "Acme" }, orgId)).json).toMatchObject(on);
  for (const name of ["requireSecondFactor", "portalShowsOwnership", "portalShowsValue"]) {
    for (const wrong of [null, "true", 1]) {
      expect(refusal(await patch({ [name]: wrong }, orgId))).toEqual([422, "validation-failed", `#/${name}`]);
    }
  }
  const long = await patch({ portalContact: "c".repeat(201) }, orgId);
  expect(refusal(long)).toEqual([422, "validation-failed", "#/portalContact"]);
  expect((await patch({ portalContact: null }, orgId)).json.portalContact).toBeNull();
});

test("a member without a second factor cannot require one, and so shuts no member out; a member with one can", async () => {
  const orgId = await server.newOrganization("Acme, Inc.");
  const ask = (browser: Awaited<ReturnType<typeof signedIn>>, body: unknown) =>
    browser.api("PATCH", "/organization", body, { orgId });
  const [without, other] = [await signedIn(server, { orgId }), await signedIn(server, { orgId, role: "VIEWER" })];
  const refused = await ask(without, { requireSecondFactor: true, dba: "Acme" });
  expect([refused.status, refused.json.type.split("/").at(-1)]).toEqual([403, "second-factor-missing"]);
  expect(await read(orgId)).toMatchObject({ requireSecondFactor: false, dba: null });
  // Turning off what is off already shuts no member out.
  expect((await ask(without, { requireSecondFactor: false })).status).toBe(200);
  const having = await signedIn(server, { orgId, hasSecondFactor: true });
  expect((await ask(having, { requireSecondFactor: true })).json.requireSecondFactor).toBe(true);
  for (const shutOut of [without, other]) {
    const answer = await shutOut.api("GET", "/organization", undefined, { orgId });
    expect([answer.status, answer.json.type.split("/").at(-1)]).toEqual([403, "second-factor-missing"]);
  }
  expect((await having.api("GET", "/organization", undefined, { orgId })).status).toBe(200);
  expect((await ask(having, { requireSecondFactor: true, dba: "Acme" })).status).toBe(200);
  expect((await ask(having, { requireSecondFactor: false })).status).toBe(200);
  expect((await other.api("GET", "/organization", undefined, { orgId })).status).toBe(200);
  // A key locks no person in or out of anything of its own.
  expect((await patch({ requireSecondFactor: true }, orgId)).status).toBe(200);
  const [logged] = (await server.api("GET", `/audit-log?accountId=${having.accountId}`, undefined, { orgId })).json
    .items;
  expect(logged).toMatchObject({
    actor: "person",
    before: { requireSecondFactor: 1 },
    after: { requireSecondFactor: 0 },
  });
});

test("a stakeholder that a member is cannot be deleted while the member is there", async () => {
  const stakeholderId = await makeStakeholder(server);
  const remove = () => server.api("DELETE", `/stakeholders/${stakeholderId}`);
  const { memberId } = await signedIn(server, { role: "STAKEHOLDER", stakeholderIds: [stakeholderId] });
  expect(refusal(await remove()).slice(0, 2)).toEqual([409, "in-use"]);
  const another = await makeStakeholder(server);
  await server.api("PATCH", `/members/${memberId}`, { stakeholderIds: [another] });
  expect((await remove()).status).toBe(204);
  expect(refusal(await server.api("DELETE", `/stakeholders/${another}`)).slice(0, 2)).toEqual([409, "in-use"]);
  await server.api("DELETE", `/members/${memberId}`);
  expect((await server.api("DELETE", `/stakeholders/${another}`)).status).toBe(204);
});
