// Setting up, signing in and out, factors, confirmation: over a real socket.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { writeAdminKey } from "../../src/storage/data-dir/directory.ts";
import { Browser, makeMember, PASSWORD, signedIn } from "../kit/people.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

function slugOf(answer: Answer): [number, string] {
  return [answer.status, String(answer.json.type).split("/").at(-1) ?? ""];
}

describe("the first account", () => {
  let fresh: TestServer;
  beforeAll(async () => {
    fresh = await startTestServer();
  });
  afterAll(() => fresh.stop());
  const given = { name: "Ada Lovelace", email: "Ada@Example.com", password: PASSWORD };

  test("is made with the key of admin.key, exactly, and with no other", async () => {
    const browser = new Browser(fresh);
    expect((await browser.api("GET", "/auth/session")).json.data).toMatchObject({ state: "SETUP", account: null });
    const other = await fresh.key("ADMIN");
    // There is no file: the command line makes the first account.
    expect(slugOf(await browser.api("POST", "/auth/setup", { ...given, key: other }))).toEqual([401, "sign-in-failed"]);
    writeAdminKey(fresh.dataDir, await fresh.key("ADMIN", fresh.orgId));
    const key = readFileSync(join(fresh.dataDir, "admin.key"), "utf8").trim();
    const wrong = await fresh.api("POST", "/api-keys", { name: "another", role: "ADMIN" });
    for (const bad of [wrong.json.key, `${key}x`, "", "pg_live_"]) {
      expect(slugOf(await browser.api("POST", "/auth/setup", { ...given, key: bad }))).toEqual([401, "sign-in-failed"]);
    }
    expect(
      (await browser.api("POST", "/auth/setup", { ...given, key, password: "captable-2026" })).json.errors,
    ).toEqual([{ pointer: "#/password", detail: expect.any(String) }]);
    const both = await Promise.all([1, 2].map(() => browser.api("POST", "/auth/setup", { ...given, key })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(slugOf(await browser.api("POST", "/auth/setup", { ...given, key }))).toEqual([409, "invalid-state"]);
    const { data } = (await browser.api("GET", "/auth/session")).json;
    expect(data).toMatchObject({
      state: "SIGNED_IN",
      account: { email: "Ada@Example.com", isOperator: true, hasTotp: false },
      organizations: [{ id: fresh.orgId, role: "ADMIN" }],
    });
    expect(Date.parse(data.expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    const [newest] = (await browser.api("GET", "/audit-log?limit=1")).json.items ?? [];
    expect(newest ?? (await browser.api("GET", "/audit-log?limit=1")).json.data[0]).toMatchObject({
      actor: "person",
      accountId: data.account.id,
      actorName: "Ada Lovelace",
      resourceType: "member",
    });
  });
});

describe("a password", () => {
  test("signs in its user, by the e-mail address in any case, and no other caller", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId, { email: "Grace.Hopper@example.com" });
    const browser = new Browser(server);
    const ok = await browser.api("POST", "/auth/sign-in", { email: email.toUpperCase(), password: PASSWORD });
    expect([ok.status, ok.json.data.state]).toEqual([200, "SIGNED_IN"]);
    const [cookie] = ok.headers.getSetCookie();
    expect(cookie).toMatch(/^captable-\d+=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const wrong: [string, string][] = [
      [email, `${PASSWORD} `],
      [email, ""],
      ["unknown@example.com", PASSWORD],
      ["", ""],
      [`${email}\u0000`, PASSWORD],
    ];
    const answers = [];
    for (const [address, password] of wrong) {
      answers.push(await new Browser(server).api("POST", "/auth/sign-in", { email: address, password }));
    }
    for (const answer of answers) {
      expect(slugOf(answer)).toEqual([401, "sign-in-failed"]);
      expect(answer.json.detail).toBe(answers[0]?.json.detail);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  test("of another sign-in gives another session, and signing out ends one at once", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId);
    const [one, other] = [new Browser(server), new Browser(server)];
    for (const each of [one, other]) await each.api("POST", "/auth/sign-in", { email, password: PASSWORD });
    expect(one.token).not.toBe(other.token);
    const before = one.token;
    const out = await one.api("DELETE", "/auth/session");
    expect([out.status, out.headers.get("clear-site-data")]).toEqual([204, '"cache", "storage"']);
    one.token = before;
    expect((await one.api("GET", "/stakeholders")).status).toBe(401);
    expect((await other.api("GET", "/stakeholders")).status).toBe(200);
    expect((await one.api("GET", "/auth/session")).json.data.state).toBe("SIGNED_OUT");
  });

  test("that is wrong ten times is not looked at for a while, whether right or not; living sessions are not touched", async () => {
    const person = await signedIn(server);
    const statuses = new Map<number, number>();
    for (let n = 0; n < 12; n++) {
      const { status } = await new Browser(server).api("POST", "/auth/sign-in", {
        email: person.email,
        password: "wrong",
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 2 });
    const right = await new Browser(server).api("POST", "/auth/sign-in", { email: person.email, password: PASSWORD });
    expect([...slugOf(right), Number(right.headers.get("retry-after")) > 0]).toEqual([429, "rate-limited", true]);
    expect((await person.api("GET", "/stakeholders")).status).toBe(200);
  });
});

describe("one-time codes", () => {
  async function enrolled() {
    const person = await signedIn(server);
    const begun = await person.api("POST", "/auth/totp");
    const { secret, uri } = begun.json.data;
    expect(uri).toStartWith("otpauth://totp/captable:");
    const before = person.token;
    const done = await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    expect([done.status, done.json.data.account.hasTotp, done.json.data.hasSecondFactor]).toEqual([200, true, true]);
    expect(done.json.data.recoveryCodes).toHaveLength(10);
    expect(person.token).not.toBe(before);
    return { person, secret: String(secret), codes: done.json.data.recoveryCodes as string[], before };
  }

  test("are asked for after the right password, and each step counts once", async () => {
    const { person, secret, before } = await enrolled();
    const old = new Browser(server, before);
    expect((await old.api("GET", "/auth/account")).status).toBe(405);
    expect((await old.api("GET", "/auth/sessions")).status).toBe(401);
    const { email } = person;
    const browser = new Browser(server);
    const sign = (more: object) => browser.api("POST", "/auth/sign-in", { email, password: PASSWORD, ...more });
    expect(slugOf(await sign({}))).toEqual([401, "second-factor-required"]);
    expect(browser.token).toBeNull();
    // The step of the enrolment is used up.
    const step = stepAt(Date.now());
    const next = totpCode(secret, step + 1);
    const both = await Promise.all([sign({ code: next }), sign({ code: next })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await browser.api("GET", "/auth/session")).json.data.hasSecondFactor).toBe(true);
  });

  test("recovery codes stand in, each once, and the wrong ones run out", async () => {
    const { person, codes } = await enrolled();
    const { email } = person;
    const sign = (code: string) =>
      new Browser(server).api("POST", "/auth/sign-in", { email, password: PASSWORD, code });
    const [first = "", second = ""] = codes;
    const both = await Promise.all([sign(first), sign(first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await sign(second.toLowerCase().replace(/(.{4})/g, "$1-"))).status).toBe(200);
    expect((await person.api("GET", "/auth/session")).json.data.account.recoveryCodesLeft).toBe(8);
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push((await sign("AAAAAAAAAAAAAAAA")).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  });

  test("are in no answer, log or text of the database", async () => {
    const { person, secret, codes } = await enrolled();
    const { sqlite } = server.app.reader;
    const tables = sqlite.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    const everything = tables.map((name) => JSON.stringify(sqlite.prepare(`select * from "${name}"`).all())).join("\n");
    const all = `${everything}\n${server.log.join("\n")}`;
    for (const hidden of [secret, ...codes, PASSWORD, person.token ?? "-"]) expect(all.includes(hidden)).toBe(false);
    expect(all).toContain(person.email);
  });

  test("can be removed, and recovery codes go with them", async () => {
    const { person } = await enrolled();
    const removed = await person.api("DELETE", "/auth/totp");
    expect(removed.json.data).toMatchObject({
      hasSecondFactor: false,
      account: { hasTotp: false, recoveryCodesLeft: 0 },
    });
    expect((await person.api("DELETE", "/auth/totp")).status).toBe(404);
  });
});

describe("what needs a proof", () => {
  test("is refused after ten minutes, and allowed again after confirming", async () => {
    const person = await signedIn(server, { confirmedAt: new Date(Date.now() - 11 * 60_000).toISOString() });
    const asked: [string, string, unknown][] = [
      ["POST", "/auth/password", { password: "another sentence of hers" }],
      ["POST", "/auth/totp", undefined],
      ["DELETE", "/auth/totp", undefined],
      ["POST", "/auth/recovery-codes", undefined],
      ["PATCH", "/auth/account", { email: "other@example.com" }],
      ["POST", "/api-keys", { name: "key", role: "VIEWER" }],
      ["DELETE", "/api-keys/0190f5a2-6c1e-7b3a-9d4e-000000000000", undefined],
      ["POST", "/invitations", { email: "x@example.com", role: "VIEWER" }],
      ["DELETE", "/invitations/0190f5a2-6c1e-7b3a-9d4e-000000000000", undefined],
      ["PATCH", `/members/${person.memberId}`, { role: "ADMIN" }],
      ["DELETE", `/members/${person.memberId}`, undefined],
      ["POST", `/members/${person.memberId}/reset-link`, undefined],
    ];
    for (const [method, path, body] of asked) {
      expect([path, ...slugOf(await person.api(method, path, body))]).toEqual([path, 403, "confirmation-required"]);
    }
    // A name is harmless.
    expect((await person.api("PATCH", "/auth/account", { name: "Ada King" })).json.data.account.name).toBe("Ada King");
    expect(slugOf(await person.api("POST", "/auth/confirm", { password: "wrong" }))).toEqual([401, "sign-in-failed"]);
    expect((await person.api("POST", "/auth/confirm", {})).status).toBe(422);
    const before = person.token;
    expect((await person.api("POST", "/auth/confirm", { password: PASSWORD })).status).toBe(200);
    expect(person.token).not.toBe(before);
    expect((await new Browser(server, before).api("GET", "/stakeholders")).status).toBe(401);
    expect((await person.api("POST", "/api-keys", { name: "key", role: "VIEWER" })).status).toBe(201);
  });

  test("a new password ends all other sessions and signs in from now on", async () => {
    const person = await signedIn(server);
    const other = new Browser(server);
    await other.api("POST", "/auth/sign-in", { email: person.email, password: PASSWORD });
    const next = "another sentence of hers";
    expect((await person.api("POST", "/auth/password", { password: next })).status).toBe(200);
    expect((await other.api("GET", "/auth/session")).json.data.state).toBe("SIGNED_OUT");
    expect((await person.api("GET", "/auth/session")).json.data.state).toBe("SIGNED_IN");
    const sign = (password: string) =>
      new Browser(server).api("POST", "/auth/sign-in", { email: person.email, password });
    expect([(await sign(PASSWORD)).status, (await sign(next)).status]).toEqual([401, 200]);
    const events = (await person.api("GET", "/auth/activity")).json.items.map(({ event }: { event: string }) => event);
    expect(events).toEqual(
      expect.arrayContaining(["password-changed", "sessions-ended", "sign-in-failed", "signed-in"]),
    );
  });
});

describe("a session's next token", () => {
  test("comes with a change of a factor, and no more time to change others", async () => {
    const person = await signedIn(server, { confirmedAt: new Date(Date.now() - 9 * 60_000).toISOString() });
    const until = async () => (await person.api("GET", "/auth/session")).json.data.confirmedUntil;
    const before = await until();
    const { secret } = (await person.api("POST", "/auth/totp")).json.data;
    await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    await person.api("POST", "/auth/recovery-codes");
    await person.api("POST", "/auth/password", { password: "another sentence of hers" });
    expect(await until()).toBe(before);
    await person.api("POST", "/auth/confirm", { password: "another sentence of hers" });
    expect(Date.parse(await until()) - Date.parse(before)).toBeGreaterThan(8 * 60_000);
  });

  test("has no second factor any more, in any session, once the account has none", async () => {
    const person = await signedIn(server);
    const { secret } = (await person.api("POST", "/auth/totp")).json.data;
    await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    const other = new Browser(server);
    const code = totpCode(secret, stepAt(Date.now()) + 1);
    await other.api("POST", "/auth/sign-in", { email: person.email, password: PASSWORD, code });
    const hasFactor = async (browser: Browser) => (await browser.api("GET", "/auth/session")).json.data.hasSecondFactor;
    expect(await hasFactor(other)).toBe(true);
    // A slow change of the password, under way at the same time, does not bring it back.
    const [removed] = await Promise.all([
      person.api("DELETE", "/auth/totp"),
      new Browser(server, person.token).api("POST", "/auth/password", { password: "another sentence of hers" }),
    ]);
    expect(removed.status).toBe(200);
    const { sqlite } = server.app.reader;
    const flags = sqlite
      .prepare("select hasSecondFactor from sessions where accountId = ?")
      .pluck()
      .all(person.accountId);
    expect(flags).toEqual([0, 0]);
  });

  test("ends the session that the browser had, at a sign-in", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId);
    const browser = new Browser(server);
    const tokens: (string | null)[] = [];
    for (let n = 0; n < 3; n++) {
      await browser.api("POST", "/auth/sign-in", { email, password: PASSWORD });
      tokens.push(browser.token);
    }
    const statuses = [];
    for (const token of tokens) statuses.push((await new Browser(server, token).api("GET", "/auth/sessions")).status);
    expect(statuses).toEqual([401, 401, 200]);
  });
});

describe("an organization that wants a second factor", () => {
  test("admits sessions with one, and others only to set one up", async () => {
    const orgId = await server.newOrganization("Careful, Inc.");
    await server.api("PATCH", "/organization", { requireSecondFactor: true }, { orgId });
    const without = await signedIn(server, { orgId });
    const within = await signedIn(server, { orgId, hasSecondFactor: true });
    expect(slugOf(await without.api("GET", "/stakeholders", undefined, { orgId }))).toEqual([
      403,
      "second-factor-missing",
    ]);
    expect((await within.api("GET", "/stakeholders", undefined, { orgId })).status).toBe(200);
    const counts = async (person: Browser) =>
      (await person.api("GET", "/organizations")).json.items[0].stakeholderCount;
    expect([await counts(without), await counts(within)]).toEqual([null, 0]);
    const { secret } = (await without.api("POST", "/auth/totp")).json.data;
    await without.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    expect((await without.api("GET", "/stakeholders", undefined, { orgId })).status).toBe(200);
  });
});

test("behind a proxy of this machine the limits go by the address that it tells", async () => {
  const proxied = await startTestServer({ CAPTABLE_TRUSTED_PROXY: "loopback" });
  try {
    const { email } = await makeMember(proxied.app.writer, proxied.orgId);
    const wrong = (headers: Record<string, string>) =>
      new Browser(proxied).api("POST", "/auth/sign-in", { email, password: "wrong" }, { headers });
    for (let n = 0; n < 10; n++) await wrong({ "x-forwarded-for": "203.0.113.9, 192.0.2.1" });
    expect((await wrong({ "x-forwarded-for": "192.0.2.1" })).status).toBe(429);
    // Only the last entry is the proxy's own.
    expect((await wrong({ "x-forwarded-for": "192.0.2.1, 192.0.2.2" })).status).toBe(401);
    expect((await wrong({ "x-forwarded-for": "not an address" })).status).toBe(401);
  } finally {
    await proxied.stop();
  }
});
