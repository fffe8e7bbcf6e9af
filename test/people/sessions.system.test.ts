// How long sessions live, who may ask with one, and from where.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { accessRoutes } from "../../src/people/routes.ts";
import { MEMBER_ROLES } from "../../src/storage/records/member.ts";
import { runCommand } from "../kit/command.ts";
import { Browser, joinOrganization, type PersonCall, signedIn } from "../kit/people.ts";
import { proved } from "../kit/proof.ts";
import { makeStakeholder } from "../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { ROLE_OF } from "../matrix/expectations.ts";
import { fill, nameOf, ROUTES } from "../matrix/world.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const NOWHERE = {
  id: "0190f5a2-6c1e-7b3a-9d4e-000000000000",
  stepId: "0190f5a2-6c1e-7b3a-9d4e-000000000001",
  deliveryId: "0190f5a2-6c1e-7b3a-9d4e-000000000002",
};
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function slugOf(answer: Answer): [number, string] {
  return [answer.status, String(answer.json.type).split("/").at(-1) ?? ""];
}

/** Calls a route with a body that never ends: a caller is refused before a byte of it is read. */
function ask(browser: Browser, route: (typeof ROUTES)[number], call: PersonCall = {}): Promise<Answer> {
  return browser.api(route.method, fill(route, NOWHERE), route.method === "GET" ? undefined : "{", call);
}

describe("every route of an organization", () => {
  const lowest = new Map<string, string>(ROLE_OF.map(([method, path, role]) => [`${method} ${path}`, role]));
  const counts = { allowed: 0, refused: 0 };

  for (const route of ROUTES) {
    test(nameOf(route), async () => {
      const needed = MEMBER_ROLES.indexOf((lowest.get(nameOf(route)) ?? "") as "ADMIN");
      for (const role of MEMBER_ROLES) {
        const person = await people(role);
        const [status] = slugOf(await ask(person, route));
        const isAllowed = MEMBER_ROLES.indexOf(role) >= needed;
        expect({ role, isRefused: status === 401 || status === 403 }).toEqual({ role, isRefused: !isAllowed });
        counts[isAllowed ? "allowed" : "refused"]++;
      }
      for (const [kind, [browser, status, slug, call]] of Object.entries(await strangers())) {
        expect([kind, ...slugOf(await ask(browser, route, call))]).toEqual([kind, status, slug]);
        counts.refused++;
      }
    });
  }

  test("was asked by each kind of person", () => {
    const result = `${counts.allowed} let in, ${counts.refused} refused, as their role says`;
    proved({
      fault: "P1",
      what: "routes × kinds of people",
      count: counts.allowed + counts.refused,
      seed: "–",
      result,
    });
    expect(counts.allowed + counts.refused).toBe(ROUTES.length * (MEMBER_ROLES.length + 7));
  });
});

const known = new Map<string, Browser>();
async function people(role: (typeof MEMBER_ROLES)[number]): Promise<Browser> {
  const stakeholderIds = known.has(role) ? [] : [await makeStakeholder(server)];
  const person = known.get(role) ?? (await signedIn(server, { role, stakeholderIds }));
  known.set(role, person);
  return person;
}

type Stranger = readonly [browser: Browser, status: number, slug: string, call?: PersonCall];
let made: Promise<Record<string, Stranger>> | null = null;
function strangers(): Promise<Record<string, Stranger>> {
  made ??= makeStrangers();
  return made;
}

async function makeStrangers(): Promise<Record<string, Stranger>> {
  const elsewhere = await server.newOrganization("Elsewhere, Inc.");
  const [ended, expired, idle, suspended] = [
    await signedIn(server),
    await signedIn(server, { expiresAt: ago(1) }),
    await signedIn(server, { lastSeenAt: ago(61) }),
    await signedIn(server),
  ];
  await ended.api("DELETE", "/auth/session");
  await runCommand(["members", "suspend", suspended.email, "--data-dir", server.dataDir]);
  const foreign = await signedIn(server, { orgId: elsewhere });
  const noOrganization = { orgId: null };
  return {
    none: [new Browser(server), 401, "unauthorized"],
    ended: [new Browser(server, "x".repeat(43)), 401, "unauthorized"],
    expired: [expired, 401, "unauthorized"],
    idle: [idle, 401, "unauthorized"],
    suspended: [suspended, 401, "unauthorized"],
    "another organization's ADMIN": [foreign, 403, "forbidden"],
    "no organization named": [await signedIn(server), 422, "validation-failed", noOrganization],
  };
}

describe("every route of people", () => {
  for (const route of accessRoutes) {
    const name = `${route.method} ${route.path}`;
    const path = route.path.replace("/api/v1", "").replace(":id", NOWHERE.id);
    const body = route.method === "GET" ? undefined : "{";
    test(name, async () => {
      const anonymous = slugOf(await new Browser(server).api(route.method, path, body, { orgId: null }));
      expect([name, anonymous[0] === 401]).toEqual([name, route.who !== "ANYBODY"]);
      if (route.who === "ANYBODY") return;
      for (const key of [await server.key("ADMIN"), await server.key("VIEWER")]) {
        expect(slugOf(await server.api(route.method, path, body, { key }))).toEqual([403, "forbidden"]);
      }
      const { suspended, expired } = await strangers();
      for (const stranger of [suspended, expired]) {
        expect((await stranger?.[0].api(route.method, path, body, { orgId: null }))?.status).toBe(401);
      }
      const person = await signedIn(server);
      const answer = slugOf(await person.api(route.method, path, body, { orgId: null }));
      expect([name, answer[0] === 403]).toEqual([name, route.who === "OPERATOR"]);
    });
  }
});

describe("a request with a session comes from our own pages", () => {
  const WRITE = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };

  /** What a browser would send from somewhere; `null` sends no `Sec-Fetch-Site`. */
  async function from(headers: Record<string, string>, method = "POST"): Promise<[number, string]> {
    const person = await signedIn(server);
    const response = await fetch(`${server.url}/api/v1/stakeholders`, {
      method,
      headers: {
        cookie: `${person.cookieName}=${person.token}`,
        "captable-organization": server.orgId,
        ...(method === "POST" ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(method === "POST" ? { body: JSON.stringify(WRITE) } : {}),
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    const json = (await response.json()) as { type?: string };
    return [response.status, response.ok ? "" : (json.type?.split("/").at(-1) ?? "")];
  }

  const REFUSED: readonly (readonly [string, Record<string, string>])[] = [
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sister site", { "sec-fetch-site": "same-site" }],
    ["an address that was typed in", { "sec-fetch-site": "none" }],
    ["another origin, by an old browser", { origin: "https://evil.example" }],
    ["no origin that can be named", { origin: "null" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["another name of this machine", { origin: "http://localhost" }],
    ["this machine, by another name", { "sec-fetch-site": "same-origin", host: "evil.example" }],
  ];
  test.each(REFUSED)("refused: %s", async (_what, headers) => {
    expect(await from(headers)).toEqual([403, "cross-origin"]);
    expect(await from(headers, "GET")).toEqual([403, "cross-origin"]);
  });

  test("refused: a write that does not say; a read may be silent", async () => {
    expect(await from({})).toEqual([403, "cross-origin"]);
    expect(await from({}, "GET")).toEqual([200, ""]);
  });

  test("allowed: our own pages, by new browsers and old ones", async () => {
    expect(await from({ "sec-fetch-site": "same-origin" })).toEqual([201, ""]);
    expect(await from({ origin: server.url })).toEqual([201, ""]);
    const { port } = new URL(server.url);
    expect(await from({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toEqual([201, ""]);
  });

  test("refused: a form, which can send no JSON", async () => {
    const person = await signedIn(server);
    const response = await fetch(`${server.url}/api/v1/stakeholders`, {
      method: "POST",
      headers: {
        cookie: `${person.cookieName}=${person.token}`,
        "captable-organization": server.orgId,
        "sec-fetch-site": "same-origin",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "displayName=Ada",
    });
    expect(response.status).toBe(415);
  });

  test("signing in from elsewhere is refused, too", async () => {
    const [path, body] = ["/auth/sign-in", { email: "a@example.com", password: "x" }];
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { host: "evil.example" }]) {
      expect(slugOf(await new Browser(server).api("POST", path, body, { headers }))).toEqual([403, "cross-origin"]);
    }
  });

  test("a key is judged alone, whatever cookie comes with it", async () => {
    const person = await signedIn(server);
    const cookie = `${person.cookieName}=${person.token}`;
    const headers = { cookie, origin: "https://evil.example", "captable-organization": "nonsense" };
    expect((await server.api("GET", "/stakeholders", undefined, { headers })).status).toBe(200);
    expect((await server.api("GET", "/stakeholders", undefined, { key: "pg_test_wrong", headers })).status).toBe(401);
    // A key is not a session.
    expect((await server.api("GET", "/auth/session", undefined, { headers })).status).toBe(403);
    const session = await server.api("GET", "/auth/session", undefined, { headers: { cookie } });
    expect(session.json.data.state).toBe("SIGNED_OUT");
  });
});

describe("a session", () => {
  test("ended by another process is 401 at the next request", async () => {
    const person = await signedIn(server);
    expect((await person.api("GET", "/stakeholders")).status).toBe(200);
    const done = await runCommand(["members", "end-sessions", person.email, "--data-dir", server.dataDir]);
    expect(done.status).toBe(0);
    expect((await person.api("GET", "/stakeholders")).status).toBe(401);
    expect((await person.api("POST", "/stakeholders", {})).status).toBe(401);
  });

  test("lives on while it is used, and does not by what a page asks by itself", async () => {
    const person = await signedIn(server, { lastSeenAt: ago(59) });
    const idle = async (headers: Record<string, string>) => {
      await person.api("GET", "/stakeholders", undefined, { headers });
      return (
        Date.parse((await person.api("GET", "/auth/session", undefined, { headers })).json.data.idleExpiresAt) -
        Date.now()
      );
    };
    expect(await idle({ "captable-background": "1" })).toBeLessThan(2 * 60_000);
    expect(await idle({})).toBeGreaterThan(58 * 60_000);
  });

  test("is listed with others, and each can be ended", async () => {
    const person = await signedIn(server);
    const { beginSession } = await import("../kit/people.ts");
    const others = [];
    for (let n = 0; n < 3; n++) others.push(await beginSession(server.app.writer, person.accountId));
    const stranger = await signedIn(server);
    const listed = (await person.api("GET", "/auth/sessions")).json.items;
    expect(listed.map(({ isThis }: { isThis: boolean }) => isThis).sort()).toEqual([false, false, false, true]);
    expect((await stranger.api("DELETE", `/auth/sessions/${others[0]?.id}`)).status).toBe(404);
    expect((await person.api("DELETE", `/auth/sessions/${others[0]?.id}`)).status).toBe(204);
    expect((await new Browser(server, others[0]?.token ?? "").api("GET", "/stakeholders")).status).toBe(401);
    expect((await new Browser(server, others[1]?.token ?? "").api("GET", "/stakeholders")).status).toBe(200);
    expect((await person.api("DELETE", "/auth/sessions")).status).toBe(204);
    expect((await new Browser(server, others[2]?.token ?? "").api("GET", "/stakeholders")).status).toBe(401);
    expect((await person.api("GET", "/stakeholders")).status).toBe(200);
  });

  test("shows each tab its own organization", async () => {
    const orgId = await server.newOrganization("Tab, Inc.");
    const person = await signedIn(server, { role: "VIEWER" });
    await joinOrganization(server.app.writer, orgId, person.accountId, { role: "ADMIN" });
    const made = await person.api(
      "POST",
      "/stakeholders",
      { displayName: "Tabitha", name: { legalName: "T" }, type: "INDIVIDUAL" },
      { orgId },
    );
    expect(made.status).toBe(201);
    expect((await person.api("GET", `/stakeholders/${made.json.id}`)).status).toBe(404);
    const mine = (await person.api("GET", "/organizations", undefined, { orgId: null })).json.items;
    expect(mine.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [server.orgId, "VIEWER"],
      [orgId, "ADMIN"],
    ]);
  });
});

describe("settings", () => {
  test("without a dashboard no user signs in, and cookies say nothing", async () => {
    const bare = await startTestServer({ CAPTABLE_DASHBOARD: "off" });
    try {
      const person = await signedIn(bare);
      expect((await person.api("GET", "/auth/session")).status).toBe(404);
      expect(slugOf(await person.api("GET", "/stakeholders"))).toEqual([401, "unauthorized"]);
      expect((await bare.api("GET", "/members")).status).toBe(200);
    } finally {
      await bare.stop();
    }
  });

  test("over TLS the cookie is Secure and of this host alone, and every answer says so", async () => {
    const tls = await startTestServer({ CAPTABLE_PUBLIC_URL: "https://cap.example.com" });
    try {
      const { makeMember, PASSWORD } = await import("../kit/people.ts");
      const { email } = await makeMember(tls.app.writer, tls.orgId);
      const sign = (headers: Record<string, string>) =>
        tls.api("POST", "/auth/sign-in", { email, password: PASSWORD }, { key: null, headers });
      const answer = await sign({ host: "cap.example.com", origin: "https://cap.example.com" });
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-captable=\w{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
      expect((await sign({ host: "cap.example.com", origin: "http://cap.example.com" })).status).toBe(403);
    } finally {
      await tls.stop();
    }
  });

  test("without TLS and not on this machine, signing in is refused", async () => {
    const plain = await startTestServer({ CAPTABLE_PUBLIC_URL: "http://cap.example.com" });
    try {
      const { makeMember, PASSWORD } = await import("../kit/people.ts");
      const { email } = await makeMember(plain.app.writer, plain.orgId);
      const headers = { host: "cap.example.com", origin: "http://cap.example.com" };
      const answer = await plain.api("POST", "/auth/sign-in", { email, password: PASSWORD }, { key: null, headers });
      expect([...slugOf(answer), answer.json.detail]).toEqual([403, "forbidden", expect.stringContaining("TLS")]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    } finally {
      await plain.stop();
    }
  });
});
