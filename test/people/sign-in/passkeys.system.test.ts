// Passkeys, as Chromium has them.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser as Chromium } from "playwright-core";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { setPasswordHash, setSuspended } from "../../../src/people/stores/account-store.ts";
import { listEventsOf } from "../../../src/people/stores/log-store.ts";
import { HAS_CHROMIUM, launchChromium } from "../../kit/chromium.ts";
import { Browser, beginSession, type MadeMember, makeMember, PASSWORD } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { matchingCode } from "../codes.ts";
import { askingPage, cookieOf, onPage, openPage, type PasskeyPage, releasePages } from "../page.ts";

setDefaultTimeout(60_000);
const MINUTE_MS = 60_000;
const LONG_AGO = "2026-01-01T00:00:00.000Z";

let chromium: Chromium;
let server: TestServer;
let other: TestServer;
let aheadMs = 0;

beforeAll(async () => {
  if (!HAS_CHROMIUM) return void process.stdout.write("not tested: there is no Chromium for this machine\n");
  chromium = await launchChromium();
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + aheadMs };
  server = await startTestServer({ CAPTABLE_HOST: "localhost" }, { runtime });
  other = await startTestServer({ CAPTABLE_HOST: "localhost" });
});
afterEach(async () => {
  if (HAS_CHROMIUM) await releasePages(chromium);
});
afterAll(async () => {
  await chromium?.close();
  await server?.stop();
  await other?.stop();
});

/** A person with a page of the service open, signed in by password. */
async function signedInPerson(given: Parameters<typeof beginSession>[2] = {}): Promise<PasskeyPage & MadeMember> {
  const member = await makeMember(server.app.writer, server.orgId);
  const { token } = await beginSession(server.app.writer, member.accountId, given);
  return Object.assign(await openPage(chromium, server.url, { token }), member);
}

/** The same with a passkey. */
async function withPasskey() {
  const person = await signedInPerson();
  const added = await person.add();
  expect(added.status).toBe(201);
  return Object.assign(person, { added });
}

const signIn = (page: Pick<PasskeyPage, "api">, credential: unknown) =>
  page.api("POST", "/auth/passkey", { credential });

/** What happened to an account, newest first. */
function eventsOf({ accountId }: MadeMember): string[] {
  const range = { before: Number.MAX_SAFE_INTEGER, limit: 100 };
  return listEventsOf(server.app.reader, { accountId, ...range }).map(({ event }) => event);
}

describe.skipIf(!HAS_CHROMIUM)("a passkey", () => {
  test("is made, and alone signs in as two factors", async () => {
    const person = await signedInPerson();
    const before = (await person.page.context().cookies())[0]?.value;
    const { json, status } = await person.add();
    expect(status).toBe(201);
    expect(json.data.recoveryCodes).toHaveLength(10);
    expect(json.data).toMatchObject({ hasSecondFactor: true, account: { hasPasskey: true, recoveryCodesLeft: 10 } });
    // The token is another, and the one of before counts no more.
    const after = (await person.page.context().cookies())[0]?.value;
    expect([typeof after, after === before]).toEqual(["string", false]);
    expect((await new Browser(server, before ?? null).api("GET", "/auth/passkeys")).status).toBe(401);

    const listed = (await person.api("GET", "/auth/passkeys")).json.items;
    expect(listed).toEqual([{ ...json.data.passkey, name: "Ada's laptop", lastUsedAt: null }]);
    expect((await person.api("DELETE", "/auth/session")).status).toBe(204);
    expect((await person.api("GET", "/auth/session")).json.data.state).toBe("SIGNED_OUT");

    const signedIn = await signIn(person, await person.answerTo("sign-in"));
    expect(signedIn.status).toBe(200);
    expect(signedIn.json.data).toMatchObject({ state: "SIGNED_IN", hasSecondFactor: true });
    expect(signedIn.json.data.account.id).toBe(person.accountId);
    const { items } = (await person.api("GET", "/auth/sessions")).json;
    expect(items[0]).toMatchObject({ isThis: true, method: "PASSKEY", hasSecondFactor: true });
    expect((await person.api("GET", "/auth/passkeys")).json.items[0].lastUsedAt).not.toBeNull();
    expect(eventsOf(person).toReversed()).toEqual([
      ...["account-made", "signed-in", "recovery-codes-made", "passkey-added", "signed-out", "signed-in"],
    ]);
  });

  test("makes no other in the same authenticator, and codes only the first time", async () => {
    const person = await withPasskey();
    const { json } = await person.api("POST", "/auth/passkeys/options");
    expect(json.data.excludeCredentials).toHaveLength(1);
    await expect(person.make(json.data)).rejects.toThrow("InvalidStateError");
    // Another authenticator, which has none yet.
    await person.setCounted(0);
    const forced = await person.api("POST", "/auth/passkeys/options");
    const second = await person.make({ ...forced.json.data, excludeCredentials: [] });
    const added = await person.api("POST", "/auth/passkeys", { credential: second });
    expect([added.status, added.json.data.recoveryCodes]).toEqual([201, null]);
    expect(added.json.data.passkey.name).toBe("Passkey");
  });

  test("answers once: the second use is refused, and of two at once exactly one wins", async () => {
    const person = await withPasskey();
    const answer = await person.answerTo("sign-in");
    expect((await signIn(person, answer)).status).toBe(200);
    expect((await signIn(person, answer)).json.type).toEndWith("/sign-in-failed");
    const next = await person.answerTo("sign-in");
    const both = await Promise.all([1, 2, 3, 4].map(() => signIn(person, next)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test("whose count goes back is refused, and the account's log tells", async () => {
    const person = await withPasskey();
    await person.setCounted(50);
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(200);
    await person.setCounted(7);
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(401);
    expect(eventsOf(person)[0]).toBe("passkey-counter-went-back");
    const confirmed = await person.api("POST", "/auth/confirm", { passkey: await person.answerTo("confirm") });
    expect([confirmed.status, eventsOf(person)[0]]).toEqual([401, "passkey-counter-went-back"]);
    await person.setCounted(60);
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(200);
  });

  test("must have verified its user", async () => {
    const person = await withPasskey();
    await person.verifies(false);
    const { json } = await person.api("POST", "/auth/passkey/options");
    expect(json.data.userVerification).toBe("required");
    await expect(person.use(json.data)).rejects.toThrow("NotAllowedError");
    const careless = await person.use({ ...json.data, userVerification: "discouraged" });
    expect((await signIn(person, careless)).status).toBe(401);
    const { token } = await beginSession(server.app.writer, person.accountId, { hasSecondFactor: true });
    const simple = await openPage(chromium, server.url, { token, canVerify: false });
    const { data } = (await simple.api("POST", "/auth/passkeys/options")).json;
    expect(data.authenticatorSelection).toMatchObject({ userVerification: "required", residentKey: "preferred" });
    const made = await simple.make({ ...data, authenticatorSelection: { userVerification: "discouraged" } });
    const added = await simple.api("POST", "/auth/passkeys", { credential: made });
    expect([added.status, added.json.errors[0].pointer]).toEqual([422, "#/credential"]);
  });

  test("signs for the page's own server: not for another on the same host", async () => {
    const person = await withPasskey();
    const { json } = await person.api("POST", "/auth/passkey/options");
    const page = await onPage(person.page, other.url);
    const elsewhere = await page.use(json.data);
    const home = await onPage(person.page, server.url);
    expect((await signIn(home, elsewhere)).status).toBe(401);
    expect(eventsOf(person)[0]).toBe("sign-in-failed");
  });

  test("signs for what it was asked, within five minutes", async () => {
    const person = await withPasskey();
    const forSignIn = await person.answerTo("sign-in");
    expect((await person.api("POST", "/auth/confirm", { passkey: forSignIn })).status).toBe(401);
    expect((await signIn(person, await person.answerTo("confirm"))).status).toBe(401);
    const late = await person.answerTo("sign-in");
    aheadMs = 5 * MINUTE_MS;
    expect((await signIn(person, late)).status).toBe(401);
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(200);
    aheadMs = 0;
  });

  test("of another account does not confirm", async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    const { json } = await one.api("POST", "/auth/passkey/options", { for: "confirm" });
    const foreign = await two.use({ ...json.data, allowCredentials: [] });
    expect((await one.api("POST", "/auth/confirm", { passkey: foreign })).status).toBe(401);
    const own = await one.answerTo("confirm");
    expect((await one.api("POST", "/auth/confirm", { passkey: own })).status).toBe(200);
  });

  test("confirms, and gives a session its second factor", async () => {
    const person = await withPasskey();
    const { token } = await beginSession(server.app.writer, person.accountId, { confirmedAt: LONG_AGO });
    await person.page.context().addCookies([cookieOf(server.url, token)]);
    const refused = await person.api("POST", "/auth/passkeys/options");
    expect(refused.json.type).toEndWith("/confirmation-required");
    const confirmed = await person.api("POST", "/auth/confirm", { passkey: await person.answerTo("confirm") });
    expect([confirmed.status, confirmed.json.data.hasSecondFactor]).toEqual([200, true]);
    expect((await person.api("POST", "/auth/passkeys/options")).status).toBe(200);
  });

  test("of a suspended account does not sign in; of one without organizations it does", async () => {
    const person = await withPasskey();
    const { memberId, accountId: id } = person;
    expect((await server.api("DELETE", `/members/${memberId}`)).status).toBe(204);
    const alone = await signIn(person, await person.answerTo("sign-in"));
    expect([alone.status, alone.json.data.organizations]).toEqual([200, []]);
    await server.app.writer.submit((tx) => setSuspended(tx, { id, suspendedAt: LONG_AGO }));
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(401);
    await server.app.writer.submit((tx) => setSuspended(tx, { id, suspendedAt: null }));
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(200);
  });

  test("that is removed goes with the recovery codes, but not where it is the only way in", async () => {
    const person = await withPasskey();
    const { accountId: id } = person;
    const { passkey } = person.added.json.data;
    expect((await person.api("DELETE", "/auth/passkeys/nothing")).status).toBe(404);
    const stranger = await withPasskey();
    expect((await stranger.api("DELETE", `/auth/passkeys/${passkey.id}`)).status).toBe(404);
    const passwordHash = await Bun.password.hash(PASSWORD);
    await server.app.writer.submit((tx) => setPasswordHash(tx, { id, passwordHash: null }));
    const refused = await person.api("DELETE", `/auth/passkeys/${passkey.id}`);
    expect([refused.status, refused.json.type]).toEqual([409, expect.stringMatching(/invalid-state$/)]);
    expect((await person.api("GET", "/auth/passkeys")).json.items).toHaveLength(1);
    await server.app.writer.submit((tx) => setPasswordHash(tx, { id, passwordHash }));
    const removed = await person.api("DELETE", `/auth/passkeys/${passkey.id}`);
    const account = { hasPasskey: false, recoveryCodesLeft: 0 };
    expect(removed.json.data).toMatchObject({ state: "SIGNED_IN", hasSecondFactor: false, account });
    expect((await signIn(person, await person.answerTo("sign-in"))).status).toBe(401);
  });

  test("guards what stands beside it: with the password alone no factor is changed", async () => {
    const person = await withPasskey();
    const { token } = await beginSession(server.app.writer, person.accountId);
    const thief = new Browser(server, token);
    const { secret } = (await thief.api("POST", "/auth/totp")).json.data;
    const tries = [
      await thief.api("POST", "/auth/totp/verify", { code: matchingCode(secret) }),
      await thief.api("POST", "/auth/recovery-codes"),
      await thief.api("DELETE", `/auth/passkeys/${person.added.json.data.passkey.id}`),
    ];
    for (const { status, json } of tries)
      expect([status, json.type]).toEqual([403, expect.stringMatching(/second-factor-missing$/)]);
    const [code] = person.added.json.data.recoveryCodes;
    expect((await thief.api("POST", "/auth/confirm", { code })).status).toBe(200);
    expect((await thief.api("POST", "/auth/recovery-codes")).status).toBe(200);
  });

  test("that no authenticator made is refused in words", async () => {
    const person = await withPasskey();
    const answer = await person.answerTo("sign-in");
    const wrong = { ...answer, response: { ...answer.response, clientDataJSON: "AAAA" } };
    expect((await signIn(person, wrong)).json.type).toEndWith("/sign-in-failed");
    const again = await person.answerTo("sign-in");
    expect((await signIn(person, { ...again, id: "AAAA", rawId: "AAAA" })).status).toBe(401);
    const forged = await person.answerTo("sign-in");
    const { signature } = answer.response;
    expect((await signIn(person, { ...forged, response: { ...forged.response, signature } })).status).toBe(401);
    expect((await signIn(person, {})).status).toBe(422);
    const unasked = await person.api("POST", "/auth/passkeys", {
      credential: { ...answer, response: { clientDataJSON: "AAAA", attestationObject: "AAAA" } },
    });
    expect([unasked.status, unasked.json.type]).toEqual([409, expect.stringMatching(/invalid-state$/)]);
  });
});

describe.skipIf(!HAS_CHROMIUM)("one browser", () => {
  test("is signed in at two instances of one host at once", async () => {
    const context = await chromium.newContext();
    const sites = await Promise.all(
      [server, other].map(async (each) => {
        const { email } = await makeMember(each.app.writer, each.orgId);
        const page = await onPage(await askingPage(context), each.url);
        return { email, page };
      }),
    );
    for (const { email, page } of sites) {
      expect((await page.api("POST", "/auth/sign-in", { email, password: PASSWORD })).status).toBe(200);
    }
    for (const { email, page } of sites) {
      const { state, account } = (await page.api("GET", "/auth/session")).json.data;
      expect([state, account.email]).toEqual(["SIGNED_IN", email]);
    }
    expect((await sites[0]?.page.api("DELETE", "/auth/session"))?.status).toBe(204);
    expect((await sites[1]?.page.api("GET", "/auth/session"))?.json.data.state).toBe("SIGNED_IN");
  });
});

test("where the public address is a number there are no passkeys, and that is said", async () => {
  const numbered = await startTestServer();
  const page = new Browser(numbered);
  expect((await page.api("GET", "/auth/session")).json.data.methods).toEqual(["PASSWORD"]);
  const refused = await page.api("POST", "/auth/passkey/options");
  expect([refused.status, refused.json.type]).toEqual([409, expect.stringMatching(/invalid-state$/)]);
  await numbered.stop();
});

test("one address cannot fill the memory with challenges", async () => {
  const nowMs = systemRuntime.nowMs();
  const runtime = { ...systemRuntime, nowMs: () => nowMs };
  const local = await startTestServer({ CAPTABLE_HOST: "localhost" }, { runtime });
  const page = new Browser(local);
  const statuses = new Set<number>();
  let asked = 0;
  for (; asked < 400 && !statuses.has(429); asked++) {
    statuses.add((await page.api("POST", "/auth/passkey/options")).status);
  }
  expect([asked, ...statuses]).toEqual([301, 200, 429]);
  await local.stop();
});
