// Invitations and resets: bound, once, revocable, and no way for one organization to take over whom another trusts.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hashToken } from "../../src/people/sign-in/token.ts";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { Browser, joinOrganization, makeMember, PASSWORD, signedIn } from "../kit/people.ts";
import { makeStakeholder } from "../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let counter = 0;
const NEXT = "another sentence of hers";

function slugOf(answer: Answer): [number, string] {
  return [answer.status, String(answer.json.type).split("/").at(-1) ?? ""];
}

function tokenIn(answer: Answer): string {
  expect(answer.json.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(join|reset)#[0-9A-Za-z]{43}$/);
  return String(answer.json.url).split("#")[1] ?? "";
}

async function invited(given: object = {}): Promise<{ token: string; email: string; id: string; expiresAt: string }> {
  const email = `guest-${++counter}@example.com`;
  const answer = await server.api("POST", "/invitations", { email, role: "EDITOR", ...given });
  expect(answer.status).toBe(201);
  const { id, expiresAt } = answer.json;
  return { token: tokenIn(answer), email, id, expiresAt };
}

const joining = (token: string) => ({ token, name: "Grace Hopper", password: PASSWORD });

describe("an invitation", () => {
  test("makes an account with the role that it names, signed in, once", async () => {
    const { token, email } = await invited();
    const browser = new Browser(server);
    const told = await browser.api("POST", "/auth/link", { token });
    expect(told.json.data).toMatchObject({
      ...{ kind: "INVITATION", email, role: "EDITOR", hasAccount: null },
      organization: { id: server.orgId },
    });
    const both = await Promise.all(
      [browser, new Browser(server)].map((each) => each.api("POST", "/auth/accept", joining(token))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const members = (await server.api("GET", "/members")).json.items;
    expect(members[0]).toMatchObject({ email, role: "EDITOR", name: "Grace Hopper" });
    const [again, look] = [
      await browser.api("POST", "/auth/accept", { token }),
      await browser.api("POST", "/auth/link", { token }),
    ];
    expect([slugOf(again), slugOf(look)]).toEqual([
      [409, "invalid-state"],
      [409, "invalid-state"],
    ]);
    expect((await server.api("GET", "/invitations?limit=1")).json.items[0]).toMatchObject({ email, state: "USED" });
  });

  test("is accepted by a session of the account that the e-mail address has, and by no other caller", async () => {
    const orgId = await server.newOrganization("Second, Inc.");
    const person = await signedIn(server, { orgId });
    const made = await server.api("POST", "/invitations", { email: person.email.toUpperCase(), role: "VIEWER" });
    const token = tokenIn(made);
    const stranger = await signedIn(server, { orgId });
    expect(slugOf(await new Browser(server).api("POST", "/auth/accept", joining(token)))).toEqual([
      401,
      "unauthorized",
    ]);
    expect(slugOf(await stranger.api("POST", "/auth/accept", joining(token)))).toEqual([401, "unauthorized"]);
    // Whether an address has an account is told to that account alone.
    for (const [browser, hasAccount] of [
      [person, true],
      [stranger, null],
      [new Browser(server), null],
    ] as const) {
      expect((await browser.api("POST", "/auth/link", { token })).json.data.hasAccount).toBe(hasAccount);
    }
    const accepted = await person.api("POST", "/auth/accept", { token });
    expect(accepted.json.data.organizations.map(({ id }: { id: string }) => id).sort()).toEqual(
      [orgId, server.orgId].sort(),
    );
    expect((await person.api("GET", "/stakeholders")).status).toBe(200);
  });

  test("is revoked by hand, by a newer one, and by its age", async () => {
    const first = await invited();
    const newer = await server.api("POST", "/invitations", { email: first.email, role: "VIEWER" });
    const browser = new Browser(server);
    expect(slugOf(await browser.api("POST", "/auth/accept", joining(first.token)))).toEqual([409, "invalid-state"]);
    expect((await server.api("DELETE", `/invitations/${newer.json.id}`)).status).toBe(204);
    expect(slugOf(await browser.api("POST", "/auth/accept", joining(tokenIn(newer))))).toEqual([409, "invalid-state"]);
    const old = await invited();
    const expireAt = (at: string) =>
      server.app.writer.submit((tx) =>
        tx.sqlite.prepare("update links set expiresAt = ? where tokenHash = ?").run(at, hashToken(old.token)),
      );
    await expireAt("2026-01-01T00:00:00.000Z");
    expect(slugOf(await browser.api("POST", "/auth/accept", joining(old.token)))).toEqual([409, "invalid-state"]);
    await expireAt(old.expiresAt);
    expect(slugOf(await browser.api("POST", "/auth/accept", joining("x".repeat(43))))).toEqual([404, "not-found"]);
    expect(
      slugOf(await browser.api("POST", "/auth/reset", { token: (await invited()).token, password: NEXT })),
    ).toEqual([404, "not-found"]);
  });

  test("of a stakeholder names one, its own organization's, that no other member is", async () => {
    const [holder, other] = [await makeStakeholder(server), await makeStakeholder(server)];
    const invite = (given: object) =>
      server.api("POST", "/invitations", { email: "h@example.com", role: "STAKEHOLDER", ...given });
    expect((await invite({})).json.errors[0].pointer).toBe("#/stakeholderIds");
    const orgId = await server.newOrganization("Third, Inc.");
    const foreign = await makeStakeholder(server, {}, { orgId });
    expect((await invite({ stakeholderIds: [foreign] })).status).toBe(404);
    const [one, two] = [
      await invited({ role: "STAKEHOLDER", stakeholderIds: [holder, other] }),
      await invited({ stakeholderIds: [holder] }),
    ];
    expect((await new Browser(server).api("POST", "/auth/accept", joining(one.token))).status).toBe(200);
    // The second was made while the stakeholder belonged to no member.
    expect(slugOf(await new Browser(server).api("POST", "/auth/accept", joining(two.token)))).toEqual([
      409,
      "conflict",
    ]);
    expect(slugOf(await invite({ stakeholderIds: [holder] }))).toEqual([409, "conflict"]);
    const [member] = (await server.api("GET", "/members?limit=1")).json.items;
    expect(member.stakeholderIds).toEqual([holder, other]);
    // Removed, the person leaves its stakeholders to others.
    await server.api("DELETE", `/members/${member.id}`);
    expect((await invite({ stakeholderIds: [holder] })).status).toBe(201);
  });

  test("of a member is refused", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId);
    expect(slugOf(await server.api("POST", "/invitations", { email, role: "VIEWER" }))).toEqual([409, "invalid-state"]);
  });
});

describe("a reset link", () => {
  test("sets a password once, ends all sessions, and a newer one revokes it", async () => {
    const person = await signedIn(server);
    const make = () => server.api("POST", `/members/${person.memberId}/reset-link`);
    const [older, link] = [await make(), await make()];
    const browser = new Browser(server);
    const reset = (answer: Answer, more: object = {}) =>
      browser.api("POST", "/auth/reset", { token: tokenIn(answer), password: NEXT, ...more });
    expect(slugOf(await reset(older))).toEqual([409, "invalid-state"]);
    expect((await reset(link, { password: "too short" })).status).toBe(422);
    const both = await Promise.all([reset(link), reset(link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await person.api("GET", "/stakeholders")).status).toBe(401);
    const signIn = (password: string) => browser.api("POST", "/auth/sign-in", { email: person.email, password });
    expect([(await signIn(PASSWORD)).status, (await signIn(NEXT)).status]).toEqual([401, 200]);
  });

  test("asks for the second factor first", async () => {
    const person = await signedIn(server);
    const { secret } = (await person.api("POST", "/auth/totp")).json.data;
    await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    const link = await server.api("POST", `/members/${person.memberId}/reset-link`);
    const reset = (code?: string) =>
      new Browser(server).api("POST", "/auth/reset", { token: tokenIn(link), password: NEXT, ...(code && { code }) });
    expect(slugOf(await reset())).toEqual([401, "second-factor-required"]);
    expect(slugOf(await reset("000000"))).toEqual([401, "sign-in-failed"]);
    expect((await reset(totpCode(secret, stepAt(Date.now()) + 1))).status).toBe(204);
  });

  test("is made by an ADMIN of all of a person's organizations, or an operator, and by no other caller", async () => {
    const orgId = await server.newOrganization("Other, Inc.");
    const person = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
    const admin = await signedIn(server);
    const path = `/members/${person.memberId}/reset-link`;
    expect((await admin.api("POST", path)).status).toBe(200);
    await joinOrganization(server.app.writer, orgId, person.accountId, { role: "VIEWER" });
    for (const verb of [path, `/members/${person.memberId}/sessions`]) {
      const method = verb === path ? "POST" : "DELETE";
      expect(slugOf(await admin.api(method, verb))).toEqual([403, "forbidden"]);
      // A key is of one organization.
      expect(slugOf(await server.api(method, verb))).toEqual([403, "forbidden"]);
    }
    await joinOrganization(server.app.writer, orgId, admin.accountId, { role: "EDITOR" });
    expect((await admin.api("POST", path)).status).toBe(403);
    const both = await signedIn(server);
    await joinOrganization(server.app.writer, orgId, both.accountId);
    expect((await both.api("POST", path)).status).toBe(200);
    const operator = await signedIn(server, { isOperator: true, hasSecondFactor: true });
    expect((await operator.api("POST", path)).status).toBe(200);
    // An operator has rights beyond every organization.
    const chief = await makeMember(server.app.writer, server.orgId, { isOperator: true });
    expect(slugOf(await both.api("POST", `/members/${chief.memberId}/reset-link`))).toEqual([403, "forbidden"]);
    expect((await operator.api("POST", `/members/${chief.memberId}/reset-link`)).status).toBe(200);
  });
});

test("a reset link of before does not take over whom another organization trusts since, nor an operator", async () => {
  const person = await signedIn(server);
  const link = await server.api("POST", `/members/${person.memberId}/reset-link`);
  const orgId = await server.newOrganization("Since, Inc.");
  const invitation = await server.api("POST", "/invitations", { email: person.email, role: "ADMIN" }, { orgId });
  expect((await person.api("POST", "/auth/accept", { token: tokenIn(invitation) })).status).toBe(200);
  const reset = await new Browser(server).api("POST", "/auth/reset", { token: tokenIn(link), password: NEXT });
  expect(slugOf(reset)).toEqual([409, "invalid-state"]);
});

test("a reset link does nothing once its maker was removed", async () => {
  const person = await signedIn(server, { role: "VIEWER" });
  const admin = await signedIn(server);
  const link = await admin.api("POST", `/members/${person.memberId}/reset-link`);
  await server.api("DELETE", `/members/${admin.memberId}`);
  const reset = await new Browser(server).api("POST", "/auth/reset", { token: tokenIn(link), password: NEXT });
  expect(slugOf(reset)).toEqual([409, "invalid-state"]);
  expect((await person.api("GET", "/stakeholders")).status).toBe(200);
});

test("an operator resets an account where both are members, whatever the roles", async () => {
  const orgId = await server.newOrganization("Theirs, Inc.");
  const person = await makeMember(server.app.writer, orgId);
  const operator = await signedIn(server, { isOperator: true, role: "VIEWER", hasSecondFactor: true });
  // One organization has both of them: then it does not wait.
  await joinOrganization(server.app.writer, orgId, operator.accountId, { role: "VIEWER" });
  const other = await signedIn(server);
  const ask = (by: Browser) => by.api("POST", "/instance/reset-link", { email: person.email }, { orgId: null });
  expect(slugOf(await ask(other))).toEqual([403, "forbidden"]);
  const link = await ask(operator);
  expect((await new Browser(server).api("POST", "/auth/reset", { token: tokenIn(link), password: NEXT })).status).toBe(
    204,
  );
  const log = await server.api("GET", "/audit-log?resourceType=account", undefined, { orgId });
  expect((log.json.items ?? log.json.data)[0]).toMatchObject({ actor: "person", accountId: operator.accountId });
});

describe("a member", () => {
  test("gets another role at once, and is out at once", async () => {
    const person = await signedIn(server, { role: "VIEWER" });
    const body = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
    expect((await person.api("POST", "/stakeholders", body)).status).toBe(403);
    await server.api("PATCH", `/members/${person.memberId}`, { role: "EDITOR" });
    expect((await person.api("POST", "/stakeholders", body)).status).toBe(201);
    await server.api("DELETE", `/members/${person.memberId}`);
    // It was the only organization.
    expect((await person.api("GET", "/stakeholders")).status).toBe(401);
    expect((await server.api("GET", `/members/${person.memberId}`)).status).toBe(404);
  });

  test("of another organization keeps its session, and is told nothing of this one", async () => {
    const orgId = await server.newOrganization("Kept, Inc.");
    const person = await signedIn(server);
    await joinOrganization(server.app.writer, orgId, person.accountId);
    await server.api("DELETE", `/members/${person.memberId}`);
    const [gone, never] = [
      await person.api("GET", "/stakeholders"),
      await person.api("GET", "/stakeholders", undefined, { orgId: "0190f5a2-6c1e-7b3a-9d4e-000000000000" }),
    ];
    expect([gone.status, gone.json.detail]).toEqual([403, never.json.detail]);
    expect((await person.api("GET", "/stakeholders", undefined, { orgId })).status).toBe(200);
  });

  test("may be the last ADMIN and go: keys and the command line remain", async () => {
    const orgId = await server.newOrganization("Alone, Inc.");
    const person = await signedIn(server, { orgId });
    expect((await person.api("DELETE", `/members/${person.memberId}`, undefined, { orgId })).status).toBe(204);
    expect((await server.api("GET", "/members", undefined, { orgId })).json.items).toEqual([]);
  });
});

test("what is written of members is in the log, and verify finds it as it is told", async () => {
  const { verifyDatabase } = await import("../../src/safekeeping/verify/verify.ts");
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  await server.app.writer.submit((tx) => tx.sqlite.exec("update memberships set role = 'ADMIN' where role = 'VIEWER'"));
  expect(verifyDatabase(server.app.reader).differences.length).toBeGreaterThan(0);
});
