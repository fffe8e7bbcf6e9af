// Acceptances on the ledger's side: who is asked, what ends an acceptance, those on paper, and asking again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Asking, acceptWith, listed, refusal, TODAY, waitingFor } from "../views/portal/acceptance-kit.ts";

setDefaultTimeout(60_000);

let asking: Asking;
beforeAll(async () => {
  asking = await Asking.start();
});
afterAll(() => asking.server.stop());

type Company = Awaited<ReturnType<Asking["company"]>>;
const NOON = `${TODAY}T12:00:00.000Z`;
const PAPER = { acceptedOn: "2026-05-20" };

async function accepted({ org, security }: Company, securityId: string) {
  const { status, json, text } = await org.call("POST", `/securities/${securityId}/acceptances`, PAPER);
  expect({ status, text: status === 201 ? "" : text }).toEqual({ status: 201, text: "" });
  expect((await security(securityId)).acceptanceStatus).toBe("ACCEPTED");
  return json;
}

const stateOf = async ({ security }: Company, id: string) => {
  const { asksAcceptance, acceptanceStatus, acceptanceAskedAt, acceptedAt } = await security(id);
  return { asksAcceptance, acceptanceStatus, acceptanceAskedAt, acceptedAt };
};
const PENDING = { asksAcceptance: true, acceptanceStatus: "PENDING", acceptanceAskedAt: NOON, acceptedAt: null };
const NOT_ASKED = { ...PENDING, asksAcceptance: false, acceptanceStatus: "NOT_ASKED", acceptanceAskedAt: null };

test("an organization asks for what it issues, unless the request says otherwise; what else is made asks no one", async () => {
  const company = await asking.company();
  const { org, ada, bob, stockClassId, planId } = company;
  const asks = (asksAcceptance: boolean) => ({ asksAcceptance });
  const convertible = { stakeholderId: ada, quantity: "1000", convertibleType: "SAFE", effectiveDate: "2026-05-01" };
  const warrant = { stakeholderId: ada, quantity: "10", exercisePrice: "1", effectiveDate: "2026-05-01" };
  const create = {
    ...{ type: "STOCK", stakeholderId: ada, stockClassId, certificateId: "C-1", quantity: "5" },
    grantDate: "2026-05-01",
  };
  const made = {
    shares: await org.shares(ada, stockClassId),
    options: await org.option(ada, planId),
    warrant: await org.run("issue-warrant", { ...warrant, certificateId: "W-1" }),
    convertible: await org.run("issue-convertible", { ...convertible, certificateId: "SAFE-1" }),
    created: (await org.made("/securities", create)).id ?? "",
  };
  for (const [what, id] of Object.entries(made)) {
    expect({ what, ...(await stateOf(company, id)) }).toEqual({ what, ...PENDING });
  }
  const not = [
    await org.shares(ada, stockClassId, asks(false)),
    await org.option(ada, planId, asks(false)),
    await org.run("issue-warrant", { ...warrant, certificateId: "W-2", ...asks(false) }),
    await org.run("issue-convertible", { ...convertible, certificateId: "SAFE-2", ...asks(false) }),
    (await org.made("/securities", { ...create, certificateId: "C-2", ...asks(false) })).id ?? "",
    await org.run("exercise", { securityId: made.options, quantity: "10", exercisePrice: "1", effectiveDate: TODAY }),
    await org.run("transfer", {
      ...{
        securityId: made.shares,
        quantity: "40",
        fromStakeholderId: ada,
        toStakeholderId: bob,
        effectiveDate: TODAY,
      },
    }),
  ];
  for (const id of not) expect(await stateOf(company, id)).toEqual(NOT_ASKED);
  await org.made("/organization", asks(false), "PATCH");
  expect(await stateOf(company, await org.shares(ada, stockClassId))).toEqual(NOT_ASKED);
  expect(await stateOf(company, await org.shares(ada, stockClassId, asks(true)))).toEqual(PENDING);
  const ids = async (word: string) => {
    const { json } = await org.call("GET", `/securities?acceptanceStatus=${word}&limit=100`);
    return json.items.map(({ id }: { id: string }) => id).sort();
  };
  expect([(await ids("PENDING")).length, (await ids("NOT_ASKED")).length, (await ids("ACCEPTED")).length]).toEqual([
    6, 8, 0,
  ]);
  expect(asking.verified().differences).toEqual([]);
});

test("a direct edit, a corrected price and other terms end an acceptance, and nothing else does", async () => {
  const company = await asking.company();
  const { org, ada, bob, planId, stockClassId } = company;
  const { id: legendId = "" } = await org.made("/stock-legends", { name: "Act", text: "Not registered." });
  const patch = (id: string, body: object) => org.made(`/securities/${id}`, { ...body }, "PATCH");
  const ending: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    quantity: (id) => patch(id, { quantity: "99" }),
    holder: (id) => patch(id, { stakeholderId: bob }),
    status: (id) => patch(id, { status: "CANCELLED" }),
    price: (id) => patch(id, { exercisePrice: "2" }),
    correct: (id) => org.made("/transactions/correct", { securityId: id, reason: "Typo", quantity: "101" }),
    "correct a word": (id) => org.made("/transactions/correct", { securityId: id, reason: "Typo", comments: "x" }),
    expiration: (id) => patch(id, { expirationDate: "2033-01-01" }),
    legends: (id) => patch(id, { stockLegendIds: [legendId] }),
  };
  const keeping: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    comments: (id) => patch(id, { comments: "Between us" }),
    number: (id) => patch(id, { certificateId: `N-${id.slice(-8)}` }),
    "the same quantity": (id) => patch(id, { quantity: "100.00" }),
    "part cancelled": (id) => org.cancel(id, "10", TODAY),
    "part exercised": (id) =>
      org.run("exercise", { securityId: id, quantity: "10", exercisePrice: "1", effectiveDate: TODAY }),
    "part transferred": (id) =>
      org.run("transfer", {
        securityId: id,
        quantity: "10",
        fromStakeholderId: ada,
        toStakeholderId: bob,
        effectiveDate: TODAY,
      }),
    transferred: (id) =>
      org.run("transfer", {
        securityId: id,
        quantity: "100",
        fromStakeholderId: ada,
        toStakeholderId: bob,
        effectiveDate: TODAY,
      }),
    retracted: (id) => org.run("retract", { securityId: id, reason: "Never", effectiveDate: TODAY }),
    "not asked any more": (id) => patch(id, { asksAcceptance: false }),
    split: () => org.made("/transactions/split", { stockClassId, numerator: 2, denominator: 1, effectiveDate: TODAY }),
  };
  for (const [what, end] of Object.entries(ending)) {
    const id = await org.option(ada, planId);
    await accepted(company, id);
    await end(id);
    expect({ what, ...(await stateOf(company, id)) }).toEqual({ what, ...PENDING });
    expect((await org.call("GET", `/securities/${id}/acceptances`)).json.items).toHaveLength(1);
  }
  for (const [what, keep] of Object.entries(keeping)) {
    const id = await org.option(ada, planId);
    const { acceptedAt } = await accepted(company, id);
    await keep(id);
    const state = await stateOf(company, id);
    expect({ what, ...state }).toMatchObject({ what, acceptanceStatus: "ACCEPTED", acceptedAt });
  }
  expect([Object.keys(ending).length, Object.keys(keeping).length]).toEqual([8, 10]);
  expect(asking.verified().differences).toEqual([]);
});

test("the next holder is asked anew, and neither accepts nor reads for the one before", async () => {
  const company = await asking.company();
  const { org, ada, bob, planId, as } = company;
  const id = await org.option(ada, planId);
  const [person, next] = [await as([ada]), await as([bob])];
  const made = await acceptWith(person, await waitingFor(person, id));
  const before = asking.clock.nowMs;
  asking.clock.nowMs += 60_000;
  await org.made(`/securities/${id}`, { stakeholderId: bob }, "PATCH");
  expect(await stateOf(company, id)).toMatchObject({
    ...{ acceptanceStatus: "PENDING", acceptanceAskedAt: "2026-06-01T12:01:00.000Z" },
  });
  expect(await listed(person)).toEqual([]);
  const receipt = `/portal/acceptances/${made.json.data.id}/receipt.pdf`;
  expect([(await person.file(receipt)).status, (await next.file(receipt)).status]).toEqual([200, 404]);
  const waiting = await waitingFor(next, id);
  expect(JSON.stringify(waiting)).not.toContain("Ada");
  // A holder who is asked and becomes another, too.
  asking.clock.nowMs += 60_000;
  await org.made(`/securities/${id}`, { stakeholderId: ada }, "PATCH");
  expect(await stateOf(company, id)).toMatchObject({ acceptanceAskedAt: "2026-06-01T12:02:00.000Z" });
  expect(refusal(await acceptWith(next, waiting)).status).toBe(404);
  // What was accepted once holds no more, though the first holder has it again.
  const again = await waitingFor(person, id);
  expect((await acceptWith(person, again)).status).toBe(201);
  asking.clock.nowMs = before;
  expect(asking.verified().differences).toEqual([]);
});

test("an acceptance on paper is of a day on which there was something to sign", async () => {
  const company = await asking.company();
  const { org, ada, planId, stockClassId } = company;
  const id = await org.option(ada, planId, { effectiveDate: "2026-05-04" });
  const record = (body: object, securityId = id) => org.call("POST", `/securities/${securityId}/acceptances`, body);
  const { id: documentId = "" } = await org.made("/documents", { title: "Signed", path: "signed.pdf" });
  const pointer = ({ json }: { json: { errors?: { pointer: string }[] } }) => json.errors?.map((each) => each.pointer);
  for (const [body, at] of [
    [{}, "#/acceptedOn"],
    [{ acceptedOn: "2026-06-03" }, "#/acceptedOn"],
    [{ acceptedOn: "2026-05-03" }, "#/acceptedOn"],
    [{ acceptedOn: "2026-02-30" }, "#/acceptedOn"],
    [{ ...PAPER, documentId }, "#/documentId"],
    [{ ...PAPER, kind: "PORTAL" }, "#/kind"],
    [{ ...PAPER, comments: "x".repeat(2001) }, "#/comments"],
  ] as const) {
    const answer = await record(body);
    expect({ body, status: answer.status, at: pointer(answer) }).toEqual({ body, status: 422, at: [at] });
  }
  expect((await record({ ...PAPER, documentId: crypto.randomUUID() })).status).toBe(404);
  const headers = { "content-type": "text/plain" };
  await asking.server.api("PUT", `/documents/${documentId}/content`, Buffer.from("Ada King"), {
    orgId: org.id,
    headers,
  });
  const { status, json, headers: answered } = await record({ ...PAPER, documentId, comments: "At the office" });
  expect(status).toBe(201);
  expect(answered.get("location")).toEndWith(`/api/v1/acceptances/${json.id}`);
  const none = { shown: null, digest: null, accountId: null, name: null, email: null, method: null };
  expect(json).toMatchObject({
    ...{ securityId: id, stakeholderId: ada, kind: "PAPER", acceptedAt: "2026-05-20T00:00:00.000Z", documentId },
    ...{ comments: "At the office", hasSecondFactor: null, createdAt: NOON, ...none },
  });
  expect(refusal(await record(PAPER))).toEqual({ status: 409, slug: "invalid-state" });
  expect(refusal(await org.call("DELETE", `/documents/${documentId}`))).toEqual({ status: 409, slug: "in-use" });
  const receipt = await org.call("GET", `/acceptances/${json.id}/receipt.pdf`);
  expect({ status: receipt.status, head: receipt.headers.get("x-captable-head") }).toEqual({ status: 200, head: null });
  const ended = await org.shares(ada, stockClassId);
  await org.run("retract", { securityId: ended, reason: "Never", effectiveDate: TODAY });
  expect(refusal(await record({ acceptedOn: TODAY }, ended))).toEqual({ status: 409, slug: "invalid-state" });
  // Nothing is asked, and a paper is accepted all the same; a security of tomorrow is signed tomorrow at the earliest.
  const unasked = await org.shares(ada, stockClassId, { asksAcceptance: false, effectiveDate: "2026-06-02" });
  expect((await record({ acceptedOn: TODAY }, unasked)).status).toBe(422);
  expect((await record({ acceptedOn: "2026-06-02" }, unasked)).status).toBe(201);
  expect(await stateOf(company, unasked)).toMatchObject({ acceptanceStatus: "ACCEPTED" });
  expect(asking.verified().differences).toEqual([]);
});

test("a paper that was accepted keeps its bytes", async () => {
  const { org, ada, stockClassId } = await asking.company();
  const securityId = await org.shares(ada, stockClassId);
  const { id: documentId = "" } = await org.made("/documents", { title: "Signed", path: "signed.pdf" });
  const put = async (text: string) =>
    (await org.call("PUT", `/documents/${documentId}/content`, new TextEncoder().encode(text))).status;
  expect([await put("draft"), await put("signed")]).toEqual([200, 200]);
  const { status } = await org.call("POST", `/securities/${securityId}/acceptances`, { ...PAPER, documentId });
  expect(status).toBe(201);
  expect([await put("another"), await put("signed")]).toEqual([409, 200]);
});

test("who waits is asked again, and no other", async () => {
  const company = await asking.company();
  const { org, ada, planId } = company;
  const id = await org.option(ada, planId);
  const ask = (securityId: string) => org.call("POST", `/securities/${securityId}/ask-acceptance`);
  const before = asking.clock.nowMs;
  asking.clock.nowMs += 3_600_000;
  const again = "2026-06-01T13:00:00.000Z";
  expect((await ask(id)).json.data).toEqual({ acceptanceAskedAt: again });
  expect(await stateOf(company, id)).toEqual({ ...PENDING, acceptanceAskedAt: again });
  asking.clock.nowMs = before;
  await accepted(company, id);
  const others = [id, await org.option(ada, planId, { asksAcceptance: false })];
  for (const each of others) expect(refusal(await ask(each))).toEqual({ status: 409, slug: "invalid-state" });
  expect((await ask(crypto.randomUUID())).status).toBe(404);
});

test("the feed tells that one is asked, and that one accepted", async () => {
  const company = await asking.company();
  const { org, ada, planId } = company;
  const id = await org.option(ada, planId, { asksAcceptance: false });
  const { cursor } = (await org.call("GET", "/events?after=latest")).json;
  await org.made(`/securities/${id}`, { asksAcceptance: true }, "PATCH");
  await org.call("POST", `/securities/${id}/ask-acceptance`);
  const { id: acceptanceId } = await accepted(company, id);
  const { items } = (await org.call("GET", `/events?after=${cursor}&types=security.*,acceptance.*`)).json;
  type Told = { type: string; data: { changed: string[]; url: string | null } };
  expect(items.map(({ type, data: { changed, url } }: Told) => ({ type, changed, url }))).toEqual([
    {
      ...{ type: "security.updated", url: `/api/v1/securities/${id}` },
      changed: ["acceptanceAskedAt", "acceptanceStatus", "asksAcceptance"],
    },
    // The clock stands, so that asking again at the same instant changes nothing.
    { type: "acceptance.created", changed: [], url: `/api/v1/acceptances/${acceptanceId}` },
    {
      ...{ type: "security.updated", url: `/api/v1/securities/${id}` },
      changed: ["acceptanceStatus", "acceptedAt"],
    },
  ]);
});

test("no batch accepts, and what is in one changes who is asked as it does alone", async () => {
  const company = await asking.company();
  const { org, ada, planId } = company;
  const id = await org.option(ada, planId);
  for (const path of [`/securities/${id}/acceptances`, `/securities/${id}/ask-acceptance`, "/portal/acceptances"]) {
    const operations = [{ method: "POST", path: `/api/v1${path}`, body: {} }];
    const { status, json } = await org.call("POST", "/batch", { operations });
    expect({ path, status, at: json.errors?.[0].pointer }).toEqual({ path, status: 422, at: "#/operations/0/path" });
  }
  await accepted(company, id);
  const grant = { quantity: "10", exercisePrice: "1", optionType: "NSO", certificateId: "B-1", effectiveDate: TODAY };
  const { json } = await org.call("POST", "/batch", {
    operations: [
      { method: "PATCH", path: `/api/v1/securities/${id}`, body: { quantity: "90" } },
      {
        ...{ method: "POST", path: "/api/v1/transactions/issue-options", name: "made" },
        body: { stakeholderId: ada, stockPlanId: planId, ...grant },
      },
      { method: "PATCH", path: "/api/v1/securities/{made.securityId}", body: { asksAcceptance: false } },
    ],
  });
  const made = json.data.results[1].body.data.securityId;
  expect(await stateOf(company, id)).toEqual(PENDING);
  expect(await stateOf(company, made)).toEqual({ ...NOT_ASKED, acceptanceAskedAt: NOON });
  expect(asking.verified().differences).toEqual([]);
});

test("of a correction and an acceptance at once, what was accepted is what was shown", async () => {
  const company = await asking.company();
  const { org, ada, planId, as } = company;
  const person = await as([ada]);
  for (let round = 0; round < 12; round++) {
    const id = await org.option(ada, planId);
    const waiting = await waitingFor(person, id);
    const edit = () => org.call("PATCH", `/securities/${id}`, { quantity: "101" });
    const [first, second] =
      round % 2 === 0 ? [acceptWith(person, waiting), edit()] : [edit(), acceptWith(person, waiting)];
    const statuses = [(await first).status, (await second).status];
    const [accepting, editing] = round % 2 === 0 ? statuses : statuses.toReversed();
    expect(editing).toBe(200);
    const { acceptanceStatus } = await stateOf(company, id);
    expect({ accepting, acceptanceStatus }).toEqual({ accepting, acceptanceStatus: "PENDING" });
    const { items } = (await org.call("GET", `/securities/${id}/acceptances`)).json;
    expect(items).toHaveLength(accepting === 201 ? 1 : 0);
    if (accepting === 201) expect(items[0].digest).toBe(waiting.digest);
    else expect(accepting).toBe(412);
  }
  expect(asking.verified().differences).toEqual([]);
});
