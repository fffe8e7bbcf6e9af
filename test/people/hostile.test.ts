// Requests with cookies, keys, origins, hosts and organization headers mixed at random, held against the rules written
// down a second time: no caller gets what it may not have, and no answer is a failure of ours.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { accessRoutes } from "../../src/people/routes.ts";
import { MEMBER_ROLES, type MemberRole } from "../../src/storage/records/member.ts";
import { beginSession, joinOrganization, makeMember, signedIn } from "../kit/people.ts";
import { proved } from "../kit/proof.ts";
import { Random } from "../kit/random.ts";
import { makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { ROLE_OF } from "../matrix/expectations.ts";

setDefaultTimeout(600_000);

const REQUESTS = RELEASE ? 20_000 : 500;
const SEED = 16;
const UNKNOWN_ID = "0190f5a2-6c1e-7b3a-9d4e-000000000000";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Whose cookie it is, and what that person is in which organization. */
interface Whose {
  readonly cookie: string;
  readonly isLiving: boolean;
  readonly isOperator?: boolean;
  readonly roles: Readonly<Record<string, MemberRole>>;
  /** Whether that person is a stakeholder anywhere. */
  readonly isHolder?: boolean;
}

/** The organization's routes that only read or are refused before their body, by what they need. */
const ORG_ROUTES = ROLE_OF.filter(([method]) => method !== "PUT");

/** Routes of people that read, or that a body that is no JSON does not get through. */
const PEOPLES_ROUTES = accessRoutes
  .filter(({ method, body, isFromElsewhere }) => !isFromElsewhere && (method === "GET" || body))
  .map(({ method, path, who }) => [method, path.replace("/api/v1", ""), who] as const);

async function cast(): Promise<{
  people: readonly Whose[];
  orgs: readonly string[];
  keys: Map<string, [string, MemberRole]>;
}> {
  const { writer } = server.app;
  const [here, there] = [server.orgId, await server.newOrganization("There, Inc.")];
  const name = `captable-${new URL(server.url).port}`;
  const people: Whose[] = [];
  for (const role of MEMBER_ROLES) {
    const stakeholderIds = role === "STAKEHOLDER" ? [await makeStakeholder(server)] : [];
    const { token } = await signedIn(server, { role, stakeholderIds });
    const isHolder = role === "STAKEHOLDER";
    people.push({ cookie: `${name}=${token}`, isLiving: true, isHolder, roles: { [here]: role } });
  }
  const both = await makeMember(writer, here, { role: "VIEWER" });
  await joinOrganization(writer, there, both.accountId, { role: "ADMIN" });
  const { token } = await beginSession(writer, both.accountId);
  people.push({ cookie: `x=1; ${name}=${token}`, isLiving: true, roles: { [here]: "VIEWER", [there]: "ADMIN" } });
  const operator = await signedIn(server, { orgId: there, role: "VIEWER", isOperator: true });
  people.push({ cookie: `${name}=${operator.token}`, isLiving: true, isOperator: true, roles: { [there]: "VIEWER" } });
  const expired = await signedIn(server, { expiresAt: "2026-01-01T00:00:00.000Z" });
  people.push({ cookie: `${name}=${expired.token}`, isLiving: false, roles: { [here]: "ADMIN" } });
  people.push({ cookie: `${name}=${"z".repeat(43)}`, isLiving: false, roles: {} });
  people.push({ cookie: `${name}=`, isLiving: false, roles: {} });
  const keys = new Map<string, [string, MemberRole]>();
  for (const role of ["VIEWER", "ADMIN"] as const) keys.set(await server.key(role), [here, role]);
  keys.set(await server.key("ADMIN", there), [there, "ADMIN"]);
  return { people, orgs: [here, there, UNKNOWN_ID], keys };
}

const SITES = [null, "same-origin", "same-origin", "same-origin", "same-site", "cross-site", "none", "Same-Origin", ""];

/** What a run came to: how many of each kind, and the first answer that is not as the rules say. */
interface Run {
  readonly counts: ReadonlyMap<string, number>;
  readonly wrong: string | null;
}

/** Sends requests that follow from a seed, and holds each answer against `isFromElsewhere` and the other rules. */
async function run(requests: number, seed: number, elsewhere: typeof isFromElsewhere): Promise<Run> {
  const random = new Random(seed);
  const one = <T>(items: readonly T[]): T => items[random.below(items.length)] as T;
  const { people, orgs, keys } = await cast();
  const { host, origin, port } = new URL(server.url);
  const hosts = [
    host,
    host,
    host,
    `localhost:${port}`,
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1.evil.example",
  ];
  const origins = [
    null,
    null,
    origin,
    `http://localhost:${port}`,
    "https://evil.example",
    "null",
    `${origin}.evil.example`,
  ];
  const counts = new Map<string, number>();
  for (let n = 0; n < requests; n++) {
    const whose = random.below(5) === 0 ? null : one(people);
    const key = random.below(8) === 0 ? one([...keys.keys(), "pg_live_wrong", "hello"]) : null;
    const [site, from, to, org] = [one(SITES), one(origins), one(hosts), one([...orgs, null, "../x", ""])];
    const isOfPeople = random.below(4) === 0;
    const [method, path, needed] = isOfPeople ? one(PEOPLES_ROUTES) : one(ORG_ROUTES);
    const headers: Record<string, string> = { host: to };
    if (whose) headers.cookie = whose.cookie;
    if (key !== null) headers.authorization = `Bearer ${key}`;
    if (site !== null) headers["sec-fetch-site"] = site;
    if (from !== null) headers.origin = from;
    if (org !== null) headers["captable-organization"] = org;
    const address = `${server.url}/api/v1${path.replace(/\{\w+\}/g, UNKNOWN_ID)}`;
    // A body that is no JSON: a caller that is let in is refused for it, and changes nothing.
    const answer = await fetch(address, { method, headers, ...(method === "GET" ? {} : { body: "{" }) });
    await answer.bytes();
    const asked = {
      method,
      needed,
      host: to,
      local: `http://${to}`,
      own: origin,
      site,
      origin: from,
      org,
      whose,
      key,
      keys,
    };
    const expected = (isOfPeople ? refusalOfPeople : refusal)(asked, elsewhere(asked));
    const isRefused = answer.status === 401 || answer.status === 403 || (expected === "422" && answer.status === 422);
    const got = isRefused ? String(answer.status) : "in";
    if (got !== expected || answer.status >= 500) {
      const { keys: _keys, ...shown } = asked;
      return {
        counts,
        wrong: `request ${n}: ${answer.status}, expected ${expected}: ${JSON.stringify({ path, ...shown })}`,
      };
    }
    counts.set(got, (counts.get(got) ?? 0) + 1);
  }
  return { counts, wrong: null };
}

test("mixed at random, no caller gets what it may not have", async () => {
  const { counts, wrong } = await run(REQUESTS, SEED, isFromElsewhere);
  expect(wrong).toBeNull();
  for (const kind of ["in", "401", "403", "422"]) expect(counts.get(kind) ?? 0).toBeGreaterThan(REQUESTS / 200);
  const result = `0 let in wrongly, 0 × 5xx (${[...counts].map(([kind, count]) => `${kind}: ${count}`).join(", ")})`;
  proved({ fault: "P2", what: "hostile requests of people", count: REQUESTS, seed: String(SEED), result });
});

test("control: a rule that trusts sister sites is found to be another than the server's", async () => {
  const { wrong } = await run(REQUESTS, SEED, (asked) => asked.site !== "same-site" && isFromElsewhere(asked));
  expect(wrong).toContain('"site":"same-site"');
});

interface AskedFor {
  readonly method: string;
  readonly needed: string;
  readonly host: string;
  readonly local: string;
  readonly own: string;
  readonly site: string | null;
  readonly origin: string | null;
  readonly org: string | null;
  readonly whose: Whose | null;
  readonly key: string | null;
  readonly keys: ReadonlyMap<string, readonly [string, MemberRole]>;
}

/** What refuses a request, the first reason that applies; `in` where nothing does. */
function refusal({ needed, whose, key, keys, org, host }: AskedFor, isElsewhere: boolean): string {
  if (key !== null) {
    const known = keys.get(key);
    if (!known) return "401";
    return reaches(known[1], needed) && needed !== "STAKEHOLDER" ? "in" : "403";
  }
  if (whose === null) return "401";
  if (!isOwnHost(host)) return "403";
  if (!whose.isLiving) return "401";
  if (isElsewhere) return "403";
  if (org === null || !/^[0-9A-Za-z-]+$/.test(org)) return "422";
  const role = whose.roles[org];
  const isOpen = needed !== "STAKEHOLDER" || whose.isHolder === true;
  return role && reaches(role, needed) && isOpen ? "in" : "403";
}

/** The same of a route of people. */
function refusalOfPeople({ needed, whose, key, keys, host }: AskedFor, isElsewhere: boolean): string {
  if (needed === "ANYBODY") {
    if (!isOwnHost(host) || isElsewhere) return "403";
    return "in";
  }
  if (key !== null) return keys.has(key) ? "403" : "401";
  if (!isOwnHost(host)) return "403";
  if (!whose?.isLiving) return "401";
  if (isElsewhere) return "403";
  return needed === "OPERATOR" && !whose.isOperator ? "403" : "in";
}

function isOwnHost(host: string): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function isFromElsewhere({ method, site, origin, own, local, host }: AskedFor): boolean {
  if (site !== null) return site !== "same-origin";
  if (origin === null) return method !== "GET";
  return origin !== own && !(origin === local && isOwnHost(host));
}

function reaches(role: MemberRole, needed: string): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed as MemberRole);
}
