// From where attempts to sign in come: by network of the caller, by what a trusted proxy says, and by the device on
// which an account signed in before, which strangers cannot keep out.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { Browser, makeMember, PASSWORD, signedIn } from "../kit/people.ts";
import { RELEASE } from "../kit/release.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_TRUSTED_PROXY: "loopback" });
});
afterAll(() => server.stop());

const NEXT = "another sentence of hers";
let strangers = 0;

interface Attempt {
  readonly email: string;
  readonly password?: string;
  readonly code?: string;
  /** The device's cookie, as `name=value`. */
  readonly device?: string | undefined;
  readonly from?: string;
}

function attempt(on: TestServer, { email, password = "wrong", code, device, from }: Attempt): Promise<Answer> {
  const headers = {
    "x-forwarded-for": from ?? `198.51.100.${++strangers % 250}`,
    ...(device !== undefined && { cookie: device }),
  };
  const body = { email, password, ...(code !== undefined && { code }) };
  return new Browser(on).api("POST", "/auth/sign-in", body, { headers, orgId: null });
}

function deviceIn(answer: Answer): string {
  const cookies = answer.headers.getSetCookie().filter((each) => each.includes("captable-device"));
  expect(cookies).toHaveLength(1);
  return (cookies[0] ?? "").split(";")[0] ?? "";
}

/** An account and the cookie of a device on which it has signed in. */
async function withDevice(): Promise<{ readonly email: string; readonly device: string; readonly accountId: string }> {
  const { email, accountId } = await makeMember(server.app.writer, server.orgId);
  const answer = await attempt(server, { email, password: PASSWORD });
  expect(answer.status).toBe(200);
  return { email, accountId, device: deviceIn(answer) };
}

const SHARED = "203.0.113.200";

/**
 * A client gets the password wrong until attempts are refused unread: from the address that the person shares, or, where
 * there is time for the many attempts that it takes, each from another one.
 */
async function shutOut(email: string): Promise<void> {
  const statuses = [];
  const from = RELEASE ? undefined : SHARED;
  for (let n = 0; n < (RELEASE ? 51 : 11); n++)
    statuses.push((await attempt(server, { email, ...(from && { from }) })).status);
  expect(statuses.at(-1)).toBe(429);
}

describe("a device cookie", () => {
  test("is set at a sign-in, for 180 days, for this server's pages alone", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId);
    const answer = await attempt(server, { email, password: PASSWORD });
    const port = new URL(server.url).port;
    const [session, device, ...more] = answer.headers.getSetCookie();
    expect(session).toStartWith(`captable-${port}=`);
    expect(device).toMatch(
      new RegExp(`^captable-device-${port}=[^;]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000$`),
    );
    expect(more).toEqual([]);
    expect(statSync(join(server.dataDir, "accounts.key")).mode & 0o777).toBe(0o600);
    // A confirmation begins no session.
    const browser = new Browser(server, /=([^;]*)/.exec(session ?? "")?.[1] ?? null);
    const confirmed = await browser.api("POST", "/auth/confirm", { password: PASSWORD });
    expect([confirmed.status, confirmed.headers.getSetCookie().length]).toEqual([200, 1]);
  });

  test("by https is of the host alone", async () => {
    const secure = await startTestServer({ CAPTABLE_PUBLIC_URL: "https://cap.example.com" });
    try {
      const { email } = await makeMember(secure.app.writer, secure.orgId);
      const headers = { host: "cap.example.com" };
      const body = { email, password: PASSWORD };
      const answer = await new Browser(secure).api("POST", "/auth/sign-in", body, { headers, orgId: null });
      expect(answer.headers.getSetCookie()[1]).toMatch(
        /^__Host-captable-device=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
      );
    } finally {
      await secure.stop();
    }
  });

  test("lets its account in where strangers have used up all attempts", async () => {
    const { email, device } = await withDevice();
    await shutOut(email);
    expect((await attempt(server, { email, password: PASSWORD, from: SHARED })).status).toBe(429);
    expect((await attempt(server, { email, password: PASSWORD, from: SHARED, device })).status).toBe(200);
  });

  test("counts its own failures, ten in a quarter of an hour, and they count for no one else", async () => {
    const { email, device } = await withDevice();
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await attempt(server, { email, device })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await attempt(server, { email, password: PASSWORD, device })).status).toBe(429);
    expect((await attempt(server, { email, password: PASSWORD })).status).toBe(200);
  });

  test("is nothing for another account, changed by one character, or once the password is newer", async () => {
    const [own, other] = [await withDevice(), await withDevice()];
    await shutOut(other.email);
    const asOther = { email: other.email, password: PASSWORD, from: SHARED };
    const changed = other.device.replace(/=(.)/, (_, first) => `=${first === "0" ? "1" : "0"}`);
    const last = other.device.slice(0, -1) + (other.device.endsWith("A") ? "E" : "A");
    for (const device of [own.device, changed, last, "captable-device-1=x", other.device.split(".")[0]]) {
      expect((await attempt(server, { ...asOther, device })).status).toBe(429);
    }
    const person = await signedIn(server);
    const answer = await attempt(server, { email: person.email, password: PASSWORD });
    const device = deviceIn(answer);
    expect((await person.api("POST", "/auth/password", { password: NEXT })).status).toBe(200);
    await shutOut(person.email);
    expect((await attempt(server, { email: person.email, password: NEXT, device, from: SHARED })).status).toBe(429);
  });

  test("gives no access by itself", async () => {
    const { device } = await withDevice();
    const browser = new Browser(server);
    const answer = await browser.api("GET", "/auth/session", undefined, { headers: { cookie: device } });
    expect(answer.json.data.state).toBe("SIGNED_OUT");
  });

  test("keeps wrong codes of strangers who know the password from keeping its person out", async () => {
    const person = await signedIn(server);
    const { secret } = (await person.api("POST", "/auth/totp")).json.data;
    const now = stepAt(Date.now());
    const begun = await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, now - 1) });
    expect(begun.status).toBe(200);
    const own = { email: person.email, password: PASSWORD };
    const answer = await attempt(server, { ...own, code: begun.json.data.recoveryCodes[0] });
    expect(answer.status).toBe(200);
    const device = deviceIn(answer);
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await attempt(server, { ...own, code: "AAAAAAAAAAAAAAAA" })).status);
    expect(statuses.at(-1)).toBe(429);
    const code = begun.json.data.recoveryCodes[1];
    expect((await attempt(server, { ...own, code })).status).toBe(429);
    expect((await attempt(server, { ...own, code, device })).status).toBe(200);
  });
});

describe("a caller of IPv6", () => {
  test("has ten attempts in all of a /64, and an address of IPv4 is one in both forms", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId);
    const of = async (addresses: readonly string[]) => {
      const statuses = [];
      for (const from of addresses) statuses.push((await attempt(server, { email, from })).status);
      return statuses;
    };
    const own = await of(Array.from({ length: 11 }, (_, n) => `2001:db8:7:1:${n}::1`));
    expect(own).toEqual([...Array(10).fill(401), 429]);
    expect(await of(["2001:db8:7:2::1"])).toEqual([401]);
    const both = await of(Array.from({ length: 11 }, (_, n) => (n % 2 ? "::ffff:203.0.113.7" : "203.0.113.7")));
    expect(both).toEqual([...Array(10).fill(401), 429]);
  });

  test("is refused with its whole /48 after ten times as many, for unknown keys", async () => {
    const limited = await startTestServer({
      CAPTABLE_TRUSTED_PROXY: "loopback",
      CAPTABLE_RATE_LIMIT: "6000",
    });
    try {
      const of = async (from: string) =>
        (await limited.api("GET", "/stakeholders", undefined, { key: "x", headers: { "x-forwarded-for": from } }))
          .status;
      let asked = 0;
      // As time goes by some become free again: how many there are at least is what counts.
      while (asked < 5000 && (await of(`2001:db8:9:${asked.toString(16)}::1`)) === 401) asked++;
      expect(asked).toBeGreaterThanOrEqual(600);
      expect(asked).toBeLessThan(5000);
      expect(await of("2001:db8:a:1::1")).toBe(401);
    } finally {
      await limited.stop();
    }
  });
});

describe("a proxy", () => {
  /** How the last of 62 requests with an unknown key is answered: for one address there are 60 a minute. */
  const failing = async (on: TestServer, from: string) => {
    const statuses = [];
    for (let n = 0; n < 62; n++) {
      const headers = { "x-forwarded-for": from.replace("N", String(n)) };
      statuses.push((await on.api("GET", "/stakeholders", undefined, { key: "x", headers })).status);
    }
    return statuses.includes(429) ? 429 : 401;
  };

  test.each([
    ["127.0.0.0/8", 401],
    ["10.0.0.0/8, 127.0.0.1/32", 401],
    ["loopback,10.0.0.0/8", 401],
    ["10.0.0.0/8", 429],
    ["none", 429],
  ])("trusted as %j tells the client's address: %d", async (trusted, status) => {
    const proxied = await startTestServer({
      CAPTABLE_TRUSTED_PROXY: trusted,
      CAPTABLE_RATE_LIMIT: "6000",
    });
    try {
      expect(await failing(proxied, "192.0.2.N")).toBe(status);
      // With a port, as some write it; and only the last entry is the proxy's own.
      if (status === 401) {
        expect(await failing(proxied, "192.0.2.N:4711")).toBe(401);
        expect(await failing(proxied, "192.0.2.N, 203.0.113.1")).toBe(429);
      }
    } finally {
      await proxied.stop();
    }
  });

  test.each(["loop", "10.0.0.1/8", "10.0.0.0/33", "1.1.1.1", "", Array(9).fill("10.0.0.0/8").join(",")])(
    "is not trusted as %j: the setting is wrong",
    async (trusted) => {
      await expect(startTestServer({ CAPTABLE_TRUSTED_PROXY: trusted })).rejects.toThrow("CAPTABLE_TRUSTED_PROXY");
    },
  );

  test("that goes unread before a service by https is warned of, once", async () => {
    const said = async (environment: Record<string, string>, headers: Record<string, string>) => {
      const sentences: string[] = [];
      const onReport = (sentence: string) => void sentences.push(sentence);
      const started = await startTestServer(environment, { onReport });
      try {
        for (let n = 0; n < 3; n++) await started.api("GET", "/stakeholders", undefined, { headers });
      } finally {
        await started.stop();
      }
      return sentences.filter((each) => each.includes("X-Forwarded-For"));
    };
    const url = { CAPTABLE_PUBLIC_URL: "https://cap.example.com" };
    const forwarded = { "x-forwarded-for": "192.0.2.1" };
    const [warning, ...more] = await said(url, forwarded);
    expect(warning).toContain("CAPTABLE_TRUSTED_PROXY=loopback");
    expect(more).toEqual([]);
    expect(await said(url, {})).toEqual([]);
    expect(await said({}, forwarded)).toEqual([]);
    expect(await said({ ...url, CAPTABLE_TRUSTED_PROXY: "loopback" }, forwarded)).toEqual([]);
  });
});
