// Signing in by an OpenID Connect provider: a real one, on loopback.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { isTwoFactors } from "../../../src/people/sign-in/amr.ts";
import { hashToken } from "../../../src/people/sign-in/token.ts";
import { setSuspended, setTotp } from "../../../src/people/stores/account-store.ts";
import { listEventsOf } from "../../../src/people/stores/log-store.ts";
import { HAS_CHROMIUM, launchChromium } from "../../kit/chromium.ts";
import { Browser, beginSession, type MadeMember, makeMember } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { askingPage, onPage } from "../page.ts";
import { CLIENT_ID, CLIENT_SECRET, type Seen, startProvider, type TestProvider, Traveller } from "../provider.ts";

setDefaultTimeout(60_000);

const MINUTE_MS = 60_000;
const LONG_AGO = "2026-01-01T00:00:00.000Z";
const CALLBACK = "/api/v1/auth/oidc/callback";

const folder = mkdtempSync(join(tmpdir(), "captable-oidc-"));
const secretFile = join(folder, "client.secret");
let provider: TestProvider;
let server: TestServer;
let trusting: TestServer;
let aheadMs = 0;
let people = 0;

beforeAll(async () => {
  writeFileSync(secretFile, CLIENT_SECRET, { mode: 0o600 });
  provider = await startProvider();
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs };
  server = await startTestServer({ ...settings(), CAPTABLE_HOST: "localhost" }, { runtime });
  trusting = await startTestServer({ ...settings(), CAPTABLE_OIDC_TRUST_FACTORS: "yes" });
  provider.admit([server.url + CALLBACK, trusting.url + CALLBACK]);
});
afterAll(async () => {
  await server?.stop();
  await trusting?.stop();
  await provider?.stop();
  rmSync(folder, { recursive: true });
});

function settings(): Record<string, string> {
  return {
    CAPTABLE_OIDC_ISSUER: provider.issuer,
    CAPTABLE_OIDC_CLIENT_ID: CLIENT_ID,
    CAPTABLE_OIDC_CLIENT_SECRET_FILE: secretFile,
    CAPTABLE_OIDC_NAME: "Acme Sign-in",
  };
}

/** A new person with a browser, whom the provider authenticates from now on. */
function newcomer(seen: Partial<Seen> = {}): Traveller & { readonly seen: Seen } {
  people++;
  const person = {
    sub: `subject-${people}`,
    email: `p${people}@example.com`,
    email_verified: true,
    name: "Ada",
    ...seen,
  };
  provider.sees(person);
  return Object.assign(new Traveller(), { seen: person });
}

/** Where a way to the provider and back ends; a page of the server's. */
async function travel(person: Traveller, query: string, at: TestServer = server): Promise<string> {
  const isThere = ({ href, pathname }: URL) => href.startsWith(at.url) && pathname !== CALLBACK;
  const end = await person.follow(`${at.url}/api/v1/auth/oidc${query}`, isThere);
  return end.slice(at.url.length);
}

/** The address at which the provider sends a person back, not requested yet. */
function untilBack(person: Traveller, query = ""): Promise<string> {
  return person.follow(`${server.url}/api/v1/auth/oidc${query}`, ({ pathname }) => pathname === CALLBACK);
}

const cookieName = (at: TestServer) => `captable-${new URL(at.url).port}`;

/** The requests of a person's page, by its session. */
function pageOf(person: Traveller, at: TestServer = server): Browser {
  return new Browser(at, person.cookie(at.url, cookieName(at)));
}

async function sessionOf(person: Traveller, at: TestServer = server) {
  return (await pageOf(person, at).api("GET", "/auth/session")).json.data;
}

/** An account, and a browser that is signed in to it. */
async function member(person: Traveller, at: TestServer = server, given: Parameters<typeof beginSession>[2] = {}) {
  const made = await makeMember(at.app.writer, at.orgId);
  await signInto(person, made, at, given);
  return made;
}

async function signInto(person: Traveller, { accountId }: MadeMember, at = server, given = {}): Promise<void> {
  const { token } = await beginSession(at.app.writer, accountId, given);
  person.setCookie(at.url, cookieName(at), token);
}

/** An invitation for an e-mail address; what stands for it in an address. */
async function invite(email: string, at: TestServer = server): Promise<string> {
  const { json, status } = await at.api("POST", "/invitations", { email, role: "VIEWER" });
  expect(status).toBe(201);
  return hashToken(json.url.split("#")[1]);
}

function eventsOf(accountId: string): string[] {
  const range = { before: Number.MAX_SAFE_INTEGER, limit: 100 };
  return listEventsOf(server.app.reader, { accountId, ...range }).map(({ event }) => event);
}

test("the sign-in page names the provider, which was sent no request yet", async () => {
  expect(provider.asked).toEqual([]);
  const { methods, providerName } = await sessionOf(newcomer());
  expect([methods, providerName]).toEqual([["PASSWORD", "PASSKEY", "OIDC"], "Acme Sign-in"]);
});

describe("signing in", () => {
  test("is for the account that linked the identity, by issuer and subject, whatever the e-mail address", async () => {
    const person = newcomer();
    expect(await travel(person, "")).toBe("/sign-in?problem=sign-in-failed&for=sign-in&reason=no-account");
    const { accountId } = await member(person);
    const before = person.cookie(server.url, cookieName(server));
    expect(await travel(person, "?for=link")).toBe("/");
    const { items } = (await pageOf(person).api("GET", "/auth/identities")).json;
    expect(items).toMatchObject([{ issuer: provider.issuer, subject: person.seen.sub }]);
    expect((await new Browser(server, before).api("GET", "/auth/sessions")).status).toBe(401);

    const again = newcomer({ sub: person.seen.sub, email: "other@example.com" });
    expect(await travel(again, "?for=sign-in")).toBe("/");
    expect(await sessionOf(again)).toMatchObject({
      state: "SIGNED_IN",
      account: { id: accountId },
      hasSecondFactor: false,
    });
    const sessions = (await pageOf(again).api("GET", "/auth/sessions")).json.items;
    expect(sessions[0]).toMatchObject({ isThis: true, method: "OIDC", hasSecondFactor: false });
    expect(eventsOf(accountId)).toEqual(["signed-in", "identity-added", "signed-in", "account-made"]);
  });

  test("is not for the same e-mail address, nor for the suspended", async () => {
    const person = newcomer();
    const { accountId: id, email } = await member(person);
    expect(await travel(newcomer({ email }), "")).toContain("reason=no-account");
    newcomer(person.seen);
    await travel(person, "?for=link");
    await server.app.writer.submit((tx) => setSuspended(tx, { id, suspendedAt: LONG_AGO }));
    const again = newcomer(person.seen);
    expect(await travel(again, "")).toBe("/sign-in?problem=sign-in-failed&for=sign-in");
    expect([(await sessionOf(again)).state, eventsOf(id)[0]]).toEqual(["SIGNED_OUT", "sign-in-failed"]);
  });

  test("counts a second factor where the settings trust the provider", async () => {
    const cases = [
      [trusting, ["pwd", "otp"], true],
      [trusting, ["pwd"], false],
      [server, ["pwd", "otp"], false],
    ] as const;
    for (const [at, amr, expected] of cases) {
      const person = newcomer({ amr });
      await member(person, at);
      expect(await travel(person, "?for=link", at)).toBe("/");
      expect(await travel(newcomer(person.seen), "", at)).toBe("/");
      const again = newcomer(person.seen);
      await travel(again, "", at);
      expect((await sessionOf(again, at)).hasSecondFactor).toBe(expected);
    }
  });

  test.each([
    [["mfa"], true],
    [["pwd", "otp"], true],
    [["fpt", "hwk"], true],
    [["pwd", "pin"], false],
    [["pwd"], false],
    [["otp", "sms"], false],
    [[], false],
    ["mfa", false],
    [undefined, false],
  ])("%j are two factors: %p", (amr, expected) => {
    expect(isTwoFactors(amr)).toBe(expected);
  });
});

describe("linking", () => {
  test("needs a session and a proof of the last minutes", async () => {
    const person = newcomer();
    expect(await travel(person, "?for=link")).toBe("/sign-in?problem=unauthorized&for=link");
    await member(person, server, { confirmedAt: LONG_AGO });
    expect(await travel(person, "?for=link")).toBe("/sign-in?problem=confirmation-required&for=link");
  });

  test("takes no identity from another account", async () => {
    const [one, two] = [newcomer(), new Traveller()];
    await member(one);
    await travel(one, "?for=link");
    await member(two);
    expect(await travel(two, "?for=link")).toContain("reason=other-account");
  });

  test("and confirming leave a second factor to those who gave one, or to a provider that is trusted", async () => {
    for (const at of [server, trusting]) {
      const person = newcomer({ amr: ["mfa"] });
      const made = await member(person, at);
      expect(await travel(person, "?for=link", at)).toBe("/");
      const totp = { id: made.accountId, totpSecret: "sealed", totpLastStep: 1 };
      await at.app.writer.submit((tx) => setTotp(tx, totp));
      const thief = newcomer({ amr: ["mfa"] });
      await signInto(thief, made, at);
      expect(await travel(thief, "?for=link", at)).toBe("/sign-in?problem=second-factor-missing&for=link");
      newcomer(person.seen);
      expect(await travel(person, "?for=confirm", at)).toBe("/");
      expect((await sessionOf(person, at)).hasSecondFactor).toBe(at === trusting);
    }
  });

  test("acts for the session that began it, under any session on the way back", async () => {
    const person = newcomer();
    const first = await member(person);
    const address = await untilBack(person, "?for=link");
    await member(person);
    expect((await person.go(address, "cross-site")).location).toBe(`${server.url}/`);
    expect((await sessionOf(person)).account.id).toBe(first.accountId);
  });

  test("does nothing for a session that has ended meanwhile", async () => {
    const person = newcomer();
    await member(person);
    const address = await untilBack(person, "?for=link");
    await pageOf(person).api("DELETE", "/auth/session");
    expect((await person.go(address, "cross-site")).location).toEndWith("?problem=unauthorized&for=link");
  });

  test("is undone but for the last way in", async () => {
    const person = newcomer();
    const link = await invite(person.seen.email ?? "");
    expect(await travel(person, `?for=accept&link=${link}`)).toBe("/");
    const page = pageOf(person);
    const [{ id }] = (await page.api("GET", "/auth/identities")).json.items;
    expect((await page.api("DELETE", `/auth/identities/${id}`)).json.type).toEndWith("/invalid-state");
    expect((await page.api("POST", "/auth/password", { password: "violet rocks sing daily" })).status).toBe(200);
    const other = newcomer();
    await member(other);
    expect((await pageOf(other).api("DELETE", `/auth/identities/${id}`)).status).toBe(404);
    expect((await page.api("DELETE", `/auth/identities/${id}`)).status).toBe(200);
    expect(await travel(newcomer(person.seen), "")).toContain("reason=no-account");
  });
});

describe("accepting an invitation", () => {
  test("makes an account without a password for the verified e-mail address", async () => {
    const person = newcomer({ name: "Grace Hopper" });
    const link = await invite(person.seen.email?.toUpperCase() ?? "");
    expect(await travel(person, `?for=accept&link=${link}`)).toBe("/");
    const { account, organizations, hasSecondFactor } = await sessionOf(person);
    expect(account).toMatchObject({ name: "Grace Hopper", hasPassword: false });
    expect([organizations.length, organizations[0].role, hasSecondFactor]).toEqual([1, "VIEWER", false]);
    expect(await travel(person, `?for=accept&link=${link}`)).toBe("/sign-in?problem=invalid-state&for=accept");
    const again = newcomer(person.seen);
    expect(await travel(again, "")).toBe("/");
  });

  test.each([
    [{ email_verified: false }, "email-unverified"],
    [{ email: undefined }, "email-unverified"],
    [{ email: "another.person@example.com" }, "email-differs"],
  ])("is refused where the provider says %j", async (seen, reason) => {
    const link = await invite(`p${people + 1}@example.com`);
    const person = newcomer(seen as Partial<Seen>);
    expect(await travel(person, `?for=accept&link=${link}`)).toEndWith(`for=accept&reason=${reason}`);
    expect((await sessionOf(person)).state).toBe("SIGNED_OUT");
    // The link is as good as before.
    const right = newcomer({ sub: person.seen.sub, email: `p${people}@example.com` });
    expect(await travel(right, `?for=accept&link=${link}`)).toBe("/");
  });

  test("of an account that exists is for its own session, or for its identity", async () => {
    const person = newcomer();
    const { email, accountId } = await makeMember(server.app.writer, await server.newOrganization());
    newcomer({ ...person.seen, email });
    const link = await invite(email);
    expect(await travel(person, `?for=accept&link=${link}`)).toBe("/sign-in?problem=unauthorized&for=accept");
    await signInto(person, { accountId, email, memberId: "" });
    expect(await travel(person, "?for=link")).toBe("/");
    const elsewhere = newcomer({ ...person.seen, email });
    expect(await travel(elsewhere, `?for=accept&link=${link}`)).toBe("/");
    expect((await sessionOf(elsewhere)).organizations).toHaveLength(2);

    const second = await makeMember(server.app.writer, await server.newOrganization());
    const other = newcomer({ email: second.email });
    await signInto(other, second);
    expect(await travel(other, `?for=accept&link=${await invite(second.email)}`)).toBe("/");
    expect((await sessionOf(other)).organizations).toHaveLength(2);
    expect((await pageOf(other).api("GET", "/auth/identities")).json.items).toEqual([]);
  });

  test("is not for an identity that is another account's, nor for what is no invitation", async () => {
    const person = newcomer();
    await member(person);
    await travel(person, "?for=link");
    const link = await invite(person.seen.email ?? "");
    expect(await travel(newcomer(person.seen), `?for=accept&link=${link}`)).toContain("reason=other-account");
    expect(await travel(person, `?for=accept&link=${"0".repeat(64)}`)).toBe("/sign-in?problem=not-found&for=accept");
    expect(await travel(person, "?for=accept")).toBe("/sign-in?problem=not-found&for=accept");
  });
});

describe("confirming", () => {
  /** A person with an identity, whose session was confirmed long ago. */
  async function unconfirmed() {
    const person = newcomer();
    const made = await member(person);
    await travel(person, "?for=link");
    await signInto(person, made, server, { confirmedAt: LONG_AGO });
    return Object.assign(person, made);
  }

  test("is a sign-in of now at the provider", async () => {
    const person = await unconfirmed();
    expect((await pageOf(person).api("POST", "/auth/totp")).json.type).toEndWith("/confirmation-required");
    const begun = await person.go(`${server.url}/api/v1/auth/oidc?for=confirm`, "same-origin");
    expect(new URL(begun.location ?? "").searchParams.get("max_age")).toBe("0");
    expect(await travel(person, "?for=confirm")).toBe("/");
    expect((await pageOf(person).api("POST", "/auth/totp")).status).toBe(200);
    expect(eventsOf(person.accountId)[0]).toBe("confirmed");
  });

  test("is not another account's", async () => {
    const person = await unconfirmed();
    newcomer();
    person.forget(provider.issuer);
    expect(await travel(person, "?for=confirm")).toContain("reason=other-account");
    expect(eventsOf(person.accountId)[0]).toBe("confirmation-failed");
    expect((await pageOf(person).api("POST", "/auth/totp")).status).toBe(403);
  });

  test("is not done with a proof of before, nor without word of when", async () => {
    for (const maxAge of [null, "100000"]) {
      const person = await unconfirmed();
      aheadMs = 5 * MINUTE_MS;
      const { location } = await person.go(`${server.url}/api/v1/auth/oidc?for=confirm`, "same-origin");
      const changed = new URL(location ?? "");
      if (maxAge === null) changed.searchParams.delete("max_age");
      else changed.searchParams.set("max_age", maxAge);
      const address = await person.follow(changed.href, ({ pathname }) => pathname === CALLBACK);
      expect((await person.go(address, "cross-site")).location).toEndWith("for=confirm&reason=too-old");
      aheadMs = 0;
    }
  });
});

describe("coming back", () => {
  const BEGIN_AGAIN = "/sign-in?problem=sign-in-failed&reason=begin-again";

  /** A person with an identity, on the way back. */
  async function onTheWay() {
    const person = newcomer();
    await member(person);
    await travel(person, "?for=link");
    const again = newcomer(person.seen);
    return { person: again, address: await untilBack(again) };
  }

  /** Where an address leads, without the server's own. */
  const lead = async (person: Traveller, address: string) =>
    (await person.go(address, "cross-site")).location?.slice(server.url.length);

  test("counts once", async () => {
    const { person, address } = await onTheWay();
    expect(await lead(person, address)).toBe("/");
    expect(await lead(person, address)).toBe(BEGIN_AGAIN);
  });

  test("of two at once counts once", async () => {
    const { person, address } = await onTheWay();
    const ends = await Promise.all([1, 2, 3].map(() => lead(person, address)));
    expect(ends.sort()).toEqual(["/", BEGIN_AGAIN, BEGIN_AGAIN]);
  });

  test("with another state, or none, leads nowhere", async () => {
    const { person, address } = await onTheWay();
    expect(await lead(person, address.replace(/state=.*?(&|$)/, "state=nothing$1"))).toBe(BEGIN_AGAIN);
    expect(await lead(person, server.url + CALLBACK)).toBe(BEGIN_AGAIN);
    expect(await lead(person, address)).toBe("/");
  });

  test("in another browser leads nowhere, and the right one still goes on", async () => {
    const { person, address } = await onTheWay();
    const other = newcomer();
    expect(await lead(other, address)).toBe(BEGIN_AGAIN);
    await untilBack(other);
    expect(await lead(other, address)).toBe(BEGIN_AGAIN);
    expect(await lead(person, address)).toBe("/");
  });

  test("with a code that was used leads nowhere", async () => {
    const { person, address } = await onTheWay();
    expect(await lead(person, address)).toBe("/");
    const next = new URL(await untilBack(person));
    next.searchParams.set("code", new URL(address).searchParams.get("code") ?? "");
    expect(await lead(person, next.href)).toBe("/sign-in?problem=sign-in-failed&for=sign-in&reason=refused");
  });

  test("with a code that was given to another leads nowhere", async () => {
    const [mine, theirs] = [await onTheWay(), await onTheWay()];
    const mixed = new URL(mine.address);
    mixed.searchParams.set("code", new URL(theirs.address).searchParams.get("code") ?? "");
    expect(await lead(mine.person, mixed.href)).toContain("reason=refused");
  });

  test("after ten minutes leads nowhere", async () => {
    const { person, address } = await onTheWay();
    aheadMs = 10 * MINUTE_MS;
    expect(await lead(person, address)).toBe(BEGIN_AGAIN);
    aheadMs = 0;
  });

  test("without having agreed leads to the sign-in page", async () => {
    const person = newcomer({ cancels: true });
    expect(await travel(person, "")).toBe("/sign-in?problem=sign-in-failed&for=sign-in&reason=refused");
  });

  test("begins on a page of the server: another site cannot begin it", async () => {
    expect((await newcomer().go(`${server.url}/api/v1/auth/oidc`, "cross-site")).status).toBe(403);
  });
});

describe("a provider that does not answer as one does", () => {
  const ANSWERS: readonly [string, () => Response][] = [
    ["500", () => new Response("broken", { status: 500 })],
    ["a page", () => new Response("<html></html>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response("", { headers: { "content-type": "application/json" } })],
    ["another's word", () => Response.json({ issuer: "https://else.example.com" })],
    ["too much", () => new Response(`"${"x".repeat(2 ** 21)}"`, { headers: { "content-type": "application/json" } })],
  ];

  test.each(ANSWERS)(
    "but with %s leads to the page that says so, at the beginning and at the end",
    async (_, answer) => {
      const fresh = await startTestServer(settings());
      provider.answersWith(answer);
      expect(await travel(newcomer(), "", fresh)).toBe("/sign-in?problem=unavailable&for=sign-in");
      provider.answersWith(null);
      const person = newcomer();
      const address = await untilBack(person);
      provider.answersWith(answer);
      const { status, location } = await person.go(address, "cross-site");
      expect([status, location]).toEqual([303, `${server.url}/sign-in?problem=unavailable&for=sign-in`]);
      provider.answersWith(null);
      await fresh.app.stop();
      expect(fresh.log.join("")).toContain('"error":"the OpenID Connect provider');
    },
  );

  test("but is gone leads there, too, and the service starts all the same", async () => {
    const gone = { ...settings(), CAPTABLE_OIDC_ISSUER: "http://127.0.0.1:1" };
    const fresh = await startTestServer(gone);
    expect(await travel(newcomer(), "", fresh)).toBe("/sign-in?problem=unavailable&for=sign-in");
    await fresh.stop();
  });

  test("but takes the secret another way is sent it so", async () => {
    const fresh = await startTestServer(settings());
    provider.admit([fresh.url + CALLBACK], "client_secret_post");
    expect(await travel(newcomer(), "", fresh)).toContain("reason=no-account");
    await fresh.stop();
    provider.admit([server.url + CALLBACK, trusting.url + CALLBACK]);
  });

  test("none at all is 404", async () => {
    const none = await startTestServer();
    expect((await newcomer().go(`${none.url}/api/v1/auth/oidc`, "same-origin")).status).toBe(404);
    expect((await newcomer().go(none.url + CALLBACK, "cross-site")).status).toBe(404);
    await none.stop();
  });
});

test.skipIf(!HAS_CHROMIUM)("a real browser goes to a provider on another site and comes back signed in", async () => {
  const chromium = await launchChromium();
  const person = newcomer();
  await member(person);
  await travel(person, "?for=link");
  const page = await askingPage(await chromium.newContext());
  const { api } = await onPage(page, server.url);
  await page.evaluate('location.assign("/api/v1/auth/oidc?for=sign-in")');
  await page.waitForURL(`${server.url}/`);
  const { state, account } = (await api("GET", "/auth/session")).json.data;
  expect([state, account.hasPasskey]).toEqual(["SIGNED_IN", false]);
  const cookies = await page.context().cookies(server.url);
  expect(cookies.map(({ sameSite, httpOnly }) => [sameSite, httpOnly]).sort()).toEqual([
    ["Lax", true],
    // Of the session, and of the device.
    ["Strict", true],
    ["Strict", true],
  ]);
  await chromium.close();
});

test("no code, state, token or secret is in the log or in the database", async () => {
  const own = await startTestServer(settings());
  provider.admit([own.url + CALLBACK]);
  const person = newcomer();
  await member(person, own);
  await travel(person, "?for=link", own);
  const again = newcomer(person.seen);
  const isBack = ({ pathname }: URL) => pathname === CALLBACK;
  const address = new URL(await again.follow(`${own.url}/api/v1/auth/oidc`, isBack));
  await again.go(address.href, "cross-site");
  const database = own.app.reader.sqlite.serialize().toString("latin1");
  await own.stop();
  const log = own.log.join("");
  expect([log.includes(CALLBACK), database.includes(person.seen.sub)]).toEqual([true, true]);
  const { searchParams } = address;
  const token = again.cookie(own.url, cookieName(own));
  for (const secret of [searchParams.get("code"), searchParams.get("state"), token, CLIENT_SECRET]) {
    expect([(secret ?? "").length > 20, log.includes(`${secret}`), database.includes(`${secret}`)]).toEqual([
      true,
      false,
      false,
    ]);
  }
});
