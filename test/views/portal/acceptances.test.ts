// Accepting in the portal: what a holder is shown, that nothing but that is accepted, and what ends it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { findFaults } from "../../../src/kernel/check.ts";
import { Acceptance } from "../../../src/resources/acceptances/schema.ts";
import { canonicalJson } from "../../../src/storage/database/log/log-hash.ts";
import { Asking, acceptWith, listed, refusal, TODAY, waitingFor } from "./acceptance-kit.ts";

setDefaultTimeout(60_000);

let asking: Asking;
beforeAll(async () => {
  asking = await Asking.start();
});
afterAll(() => asking.server.stop());

test("a holder accepts what was shown, and the record says who, when, how and what", async () => {
  const { org, planId, ada, as, security } = await asking.company();
  const securityId = await org.option(ada, planId, {
    quantity: "4800",
    certificateId: "ES-1",
    effectiveDate: "2026-05-04",
  });
  const before = await security(securityId);
  expect(before).toMatchObject({ asksAcceptance: true, acceptanceStatus: "PENDING", acceptedAt: null });
  expect(before.acceptanceAskedAt).toBe(`${TODAY}T12:00:00.000Z`);
  const person = await as([ada]);
  const waiting = await waitingFor(person, securityId);
  expect(waiting.terms.statement).toContainEqual(["Outstanding", "4,800 options"]);
  expect(waiting.text).toBe(
    "I accept, for Ada King, the option grant ES-1 of Acme, Inc.: 4,800 options, on the terms shown here.",
  );
  const { terms, documents, text } = waiting;
  const digested = canonicalJson({
    ...{ captable: 1, kind: "acceptance", orgId: org.id, securityId, stakeholderId: ada, terms, documents, text },
  });
  expect(waiting.digest).toBe(Bun.CryptoHasher.hash("sha256", digested, "hex"));
  const { status, json } = await acceptWith(person, waiting);
  expect({ status, faults: findFaults(Acceptance, json.data) }).toEqual({ status: 201, faults: [] });
  expect(json.data).toMatchObject({
    ...{ securityId, stakeholderId: ada, kind: "PORTAL", acceptedAt: `${TODAY}T12:00:00.000Z`, method: "PASSWORD" },
    ...{ digest: waiting.digest, name: "Ada Lovelace", hasSecondFactor: false, sessionId: null, userAgent: null },
  });
  const after = await security(securityId);
  expect(after).toMatchObject({ acceptanceStatus: "ACCEPTED", acceptedAt: json.data.acceptedAt });
  const [item] = await listed(person);
  expect(item).toMatchObject({ state: "ACCEPTED", acceptanceId: json.data.id, digest: waiting.digest, terms });
  const receipt = await person.file(`/portal/acceptances/${json.data.id}/receipt.pdf`);
  expect(receipt.status).toBe(200);
  expect(Buffer.from(receipt.bytes.slice(0, 5)).toString()).toBe("%PDF-");
  expect(asking.verified().differences).toEqual([]);
});

test("of two that accept at once, one does", async () => {
  const { org, planId, ada, as, security } = await asking.company();
  const securityId = await org.option(ada, planId);
  const person = await as([ada]);
  const waiting = await waitingFor(person, securityId);
  const answers = await Promise.all([1, 2, 3, 4].map(() => acceptWith(person, waiting)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect(answers.map(refusal).filter(({ status }) => status === 409)[0]?.slug).toBe("invalid-state");
  expect((await org.call("GET", `/securities/${securityId}/acceptances`)).json.items).toHaveLength(1);
  expect((await security(securityId)).acceptanceStatus).toBe("ACCEPTED");
});

test("with whatever was shown changed in between, nothing is accepted", async () => {
  const { org, planId, ada, as, security } = await asking.company();
  const { id: legendId = "" } = await org.made("/stock-legends", { name: "Act", text: "Not registered." });
  const about = [ada].map((objectId) => ({ objectType: "STAKEHOLDER", objectId }));
  const securityId = await org.option(ada, planId, { quantity: "480", expirationDate: "2034-01-01" });
  await org.made(`/securities/${securityId}`, { stockLegendIds: [legendId] }, "PATCH");
  const relatedObjects = [...about, { objectType: "SECURITY", objectId: securityId }];
  const { id: documentId = "" } = await org.made("/documents", {
    ...{ title: "Agreement", path: "agreement.txt", isSharedWithHolders: true, relatedObjects },
  });
  const put = async (text: string) => {
    const headers = { "content-type": "text/plain" };
    const path = `/documents/${documentId}/content`;
    const { status } = await asking.server.api("PUT", path, Buffer.from(text), { orgId: org.id, headers });
    expect(status).toBe(200);
  };
  await put("You get 480 options.");
  const person = await as([ada]);
  const { id: vestingTermsId = "" } = await org.made("/vesting-terms", {
    ...{ name: "Terms", description: "Once" },
    vestingConditions: [
      {
        ...{ id: "month", portion: { numerator: 1, denominator: 4 } },
        trigger: { type: "TIME_BASED", periodLength: 1, periodType: "YEARS", occurrences: 4 },
      },
    ],
  });
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "a byte of a document": () => put("You get 481 options."),
    "a document's title": () => org.made(`/documents/${documentId}`, { title: "Contract" }, "PATCH"),
    "a legend's text": () => org.made(`/stock-legends/${legendId}`, { text: "Registered." }, "PATCH"),
    "a term": () => org.made(`/securities/${securityId}`, { expirationDate: "2035-01-01" }, "PATCH"),
    "how it vests": () => org.made(`/securities/${securityId}`, { vestingTermsId }, "PATCH"),
    "the quantity": () => org.made(`/securities/${securityId}`, { quantity: "481" }, "PATCH"),
    "the holder's name": () => org.made(`/stakeholders/${ada}`, { name: { legalName: "Ada Lovelace" } }, "PATCH"),
    "the company's name": () => org.made("/organization", { legalName: "Acme Corp." }, "PATCH"),
    "a document taken back": () => org.made(`/documents/${documentId}`, { isSharedWithHolders: false }, "PATCH"),
  };
  for (const [what, change] of Object.entries(changes)) {
    const waiting = await waitingFor(person, securityId);
    expect({ what, digest: (await waitingFor(person, securityId)).digest }).toEqual({ what, digest: waiting.digest });
    await change();
    expect({ what, ...refusal(await acceptWith(person, waiting)) }).toEqual({
      ...{ what, status: 412, slug: "precondition-failed" },
    });
  }
  expect(Object.keys(changes)).toHaveLength(9);
  expect((await security(securityId)).acceptanceStatus).toBe("PENDING");
  // The control: what changes nothing that was shown is no hindrance.
  const waiting = await waitingFor(person, securityId);
  await org.made(`/securities/${securityId}`, { comments: "Between us" }, "PATCH");
  await org.made("/documents", { title: "Another's", path: "x.txt", isSharedWithHolders: true, relatedObjects: about });
  expect((await acceptWith(person, waiting)).status).toBe(201);
  expect(asking.verified().differences).toEqual([]);
});

test("no one accepts or reads what is another's, or another organization's", async () => {
  const { org, planId, ada, bob, as } = await asking.company();
  const securityId = await org.option(ada, planId);
  const [person, other] = [await as([ada]), await as([bob])];
  const waiting = await waitingFor(person, securityId);
  const stranger = await asking.company("Other, Inc.");
  const outside = await stranger.as([stranger.ada]);
  for (const each of [other, outside]) {
    expect(await listed(each)).toEqual([]);
    expect(refusal(await acceptWith(each, waiting))).toEqual({ status: 404, slug: "not-found" });
  }
  const made = await acceptWith(person, waiting);
  expect(made.status).toBe(201);
  const { id } = made.json.data;
  for (const each of [other, outside]) {
    expect((await each.file(`/portal/acceptances/${id}/receipt.pdf`)).status).toBe(404);
  }
  const foreign = ["GET /acceptances/:", "GET /acceptances/:/receipt.pdf", "GET /securities/:/acceptances"];
  for (const [at, path] of foreign.entries()) {
    const [method = "", pattern = ""] = path.split(" ");
    const address = pattern.replace(":", at === 2 ? securityId : id);
    expect({ path, status: (await stranger.org.call(method, address)).status }).toEqual({ path, status: 404 });
    expect({ path, status: (await org.call(method, address)).status }).toEqual({ path, status: 200 });
  }
  const paper = { acceptedOn: TODAY };
  expect((await stranger.org.call("POST", `/securities/${securityId}/acceptances`, paper)).status).toBe(404);
  expect((await stranger.org.call("POST", `/securities/${securityId}/ask-acceptance`)).status).toBe(404);
  const { id: elsewhere = "" } = await stranger.org.made("/documents", { title: "Theirs", path: "a.txt" });
  const second = await org.option(ada, planId);
  const body = { ...paper, documentId: elsewhere };
  expect((await org.call("POST", `/securities/${second}/acceptances`, body)).status).toBe(404);
});

test("what tells of a device is for administrators alone, and no key accepts", async () => {
  const { org, planId, ada, as } = await asking.company();
  const securityId = await org.option(ada, planId);
  const person = await as([ada]);
  const waiting = await waitingFor(person, securityId);
  expect((await org.call("POST", "/portal/acceptances", waiting)).status).toBe(403);
  expect((await org.call("GET", "/portal/acceptances")).status).toBe(403);
  const { id } = (await acceptWith(person, waiting)).json.data;
  const seen = async (role: "ADMIN" | "EDITOR" | "VIEWER") => {
    const { json } = await asking.server.api("GET", `/acceptances/${id}`, undefined, { orgId: org.id, role });
    const list = await asking.server.api("GET", `/securities/${securityId}/acceptances`, undefined, {
      ...{ orgId: org.id, role },
    });
    expect(list.json.items).toEqual([json]);
    return json.sessionId !== null;
  };
  expect([await seen("ADMIN"), await seen("EDITOR"), await seen("VIEWER")]).toEqual([true, false, false]);
});

test("a session that ended, a member that was removed or became another accepts nothing", async () => {
  const { org, planId, ada, bob, as } = await asking.company();
  const securityId = await org.option(ada, planId);
  const person = await as([ada]);
  const waiting = await waitingFor(person, securityId);
  await org.made(`/members/${person.memberId}`, { stakeholderIds: [bob] }, "PATCH");
  expect(refusal(await acceptWith(person, waiting)).status).toBe(404);
  await org.made(`/members/${person.memberId}`, { role: "VIEWER", stakeholderIds: [] }, "PATCH");
  expect(refusal(await acceptWith(person, waiting)).status).toBe(403);
  expect((await org.call("DELETE", `/members/${person.memberId}`)).status).toBe(204);
  expect([401, 403]).toContain(refusal(await acceptWith(person, waiting)).status);
  const next = await as([ada], { role: "EDITOR" });
  expect((await acceptWith(next, await waitingFor(next, securityId))).status).toBe(201);
});

test("a proof of who one is may be ten minutes old", async () => {
  const { org, planId, ada, as } = await asking.company();
  const securityId = await org.option(ada, planId);
  const person = await as([ada]);
  const waiting = await waitingFor(person, securityId);
  const before = asking.clock.nowMs;
  asking.clock.nowMs += 11 * 60_000;
  expect(refusal(await acceptWith(person, waiting))).toEqual({ status: 403, slug: "confirmation-required" });
  asking.clock.nowMs = before;
  expect((await acceptWith(person, waiting)).status).toBe(201);
});

test("a security of tomorrow waits until it is there", async () => {
  const { org, stockClassId, ada, as, security } = await asking.company();
  const securityId = await org.shares(ada, stockClassId, { effectiveDate: "2026-06-02" });
  expect((await security(securityId)).acceptanceStatus).toBe("PENDING");
  const person = await as([ada]);
  expect(await listed(person)).toEqual([]);
  const digest = "0".repeat(64);
  expect(refusal(await acceptWith(person, { securityId, digest }))).toEqual({ status: 409, slug: "invalid-state" });
  expect((await org.call("DELETE", `/members/${person.memberId}`)).status).toBe(204);
  const before = asking.clock.nowMs;
  asking.clock.nowMs += 86_400_000;
  const next = await as([ada]);
  expect((await acceptWith(next, await waitingFor(next, securityId))).status).toBe(201);
  asking.clock.nowMs = before;
});
