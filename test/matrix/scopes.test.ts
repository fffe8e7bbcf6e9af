// Every route × every role × every set of scopes that a key of the role may have, over a real socket: let in where role and
// scope allow it, and else refused with the scope's name. What a key that only reads asks for changes nothing, whatever it
// sends; and a replayed answer is for keys alone that could write it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { type Route, scopesFor } from "../../src/resources/route.ts";
import { refuseLackingScope } from "../../src/server/http/authorization.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { ROLES, type Role, SCOPES, type Scope, scopesOfRole } from "../../src/storage/records/api-key.ts";
import { differingColumns, dump } from "../faults/support/checked.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { until } from "../tokens/jobs/support/tokens.ts";
import { ROLE_OF } from "./expectations.ts";
import { fill, makeRecords, nameOf, pathIds, type Records, ROUTES } from "./world.ts";

setDefaultTimeout(180_000);

const NOWHERE = {
  id: "0190f5a2-6c1e-7b3a-9d4e-000000000000",
  stepId: "0190f5a2-6c1e-7b3a-9d4e-000000000001",
  deliveryId: "0190f5a2-6c1e-7b3a-9d4e-000000000002",
};

interface Limited {
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly key: string;
}

let server: TestServer;
const keys: Limited[] = [];

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
  for (const role of ROLES) {
    const all = scopesOfRole(role);
    const isTried = (set: readonly Scope[]) => RELEASE || set.length === 1 || set.length >= all.length - 1;
    for (const scopes of subsetsOf(all).filter(isTried)) keys.push(await limited(role, scopes));
  }
});
afterAll(() => server.stop());

/** Every set of them but the empty one; over a socket, those of one scope, of all, and of all but one. */
function subsetsOf(scopes: readonly Scope[]): Scope[][] {
  const sets = Array.from({ length: 2 ** scopes.length }, (_, bits) => scopes.filter((_scope, at) => (bits >> at) & 1));
  return sets.filter((set) => set.length > 0);
}

async function limited(role: Role, scopes: readonly Scope[]): Promise<Limited> {
  const call = commandLineCall(systemRuntime, server.orgId);
  const given = { name: scopes.join(), role, scopes: [...scopes], expiresAt: "9999-12-31T00:00:00Z" };
  const { key } = await server.app.writer.submit((tx) => createKey(tx, call, server.app.environment, given));
  return { role, scopes, key };
}

const expectedOf = new Map(ROLE_OF.map(([method, path, role, ...scopes]) => [`${method} ${path}`, { role, scopes }]));

/** Where what is let in differs from what is expected, by route and scopes. */
function differences(decide: (route: Route, scopes: readonly Scope[]) => boolean): string[] {
  return ROUTES.flatMap((route) =>
    subsetsOf(SCOPES)
      .filter((set) => decide(route, set) !== expectedOf.get(nameOf(route))?.scopes.some((each) => set.includes(each)))
      .map((set) => `${nameOf(route)}: ${set.join()}`),
  );
}

function letsIn(route: Route, scopes: readonly Scope[]): boolean {
  try {
    refuseLackingScope(route, scopes);
    return true;
  } catch {
    return false;
  }
}

test("every route is in a scope, by hand, and a role may have the scopes of what it may use, and no other", () => {
  expect(ROUTES.map(nameOf).filter((name) => !expectedOf.get(name)?.scopes.length)).toEqual([]);
  for (const route of ROUTES) expect([...scopesFor(route)]).toEqual([...(expectedOf.get(nameOf(route))?.scopes ?? [])]);
  for (const role of ROLES) {
    const own = ROLE_OF.filter(([, , lowest]) => ROLES.indexOf(role) >= ROLES.indexOf(lowest as Role));
    const used = new Set(own.filter(([, , lowest]) => lowest !== "STAKEHOLDER").flatMap(([, , , ...scopes]) => scopes));
    // A VIEWER meets `import` nowhere: what only reads needs `read` or that.
    expect(SCOPES.filter((scope) => used.has(scope))).toEqual([...scopesOfRole(role)]);
  }
});

test("the matrix finds a route that asks for another scope, and one that asks for none", () => {
  expect(differences(letsIn)).toEqual([]);
  const faults = {
    "reads may be had by writing": (route: Route, scopes: readonly Scope[]) =>
      letsIn(route, scopes) || (scopes.includes("write") && route.method === "GET"),
    "a dry run is taken for a read": (route: Route, scopes: readonly Scope[]) =>
      letsIn(route, scopes) || (scopes.includes("read") && route.path.startsWith("/api/v1/transactions/issue-shares")),
    "members are written as other records": (route: Route, scopes: readonly Scope[]) =>
      route.path.startsWith("/api/v1/members") && route.method !== "GET"
        ? scopes.includes("write")
        : letsIn(route, scopes),
    "one route asks for nothing": (route: Route, scopes: readonly Scope[]) =>
      route.operationId === "revokeApiKey" || letsIn(route, scopes),
  };
  for (const [fault, decide] of Object.entries(faults))
    expect([fault, differences(decide).length > 0]).toEqual([fault, true]);
});

describe("a key is let in where its role and a scope of it allow it, and else refused by name", () => {
  for (const route of ROUTES) {
    test(nameOf(route), async () => {
      const { role: lowest, scopes: needed } = expectedOf.get(nameOf(route)) ?? { role: "ADMIN", scopes: [] };
      for (const { role, scopes, key } of keys) {
        const body = route.method === "GET" ? undefined : "{";
        const answer = await server.api(route.method, fill(route, NOWHERE), body, { key });
        const isHighEnough = lowest !== "STAKEHOLDER" && ROLES.indexOf(role) >= ROLES.indexOf(lowest);
        const isAllowed = isHighEnough && needed.some((scope) => scopes.includes(scope));
        expect({ role, scopes, isLetIn: answer.status !== 403 }).toEqual({ role, scopes, isLetIn: isAllowed });
        if (isAllowed) continue;
        expect(answer.json.type).toEndWith("/problems/forbidden");
        if (isHighEnough) expect(answer.json.detail).toContain(`needs the scope ${needed.join(" or ")}; the key has`);
      }
    });
  }
});

const examples = new ExampleBook(ROUTES);
/** What routes take besides, in their query. */
const QUERIES = ["", "?dryRun=false", "?revokeKeys=true", "?asOf=2026-01-01", "?_method=DELETE"];

/** Asks for everything with one key, with ids that are there, the documentation's own bodies, and a key for retries. */
async function askForAll(records: Records, key: string): Promise<number> {
  let letIn = 0;
  for (const [index, route] of ROUTES.entries()) {
    const path = fill(route, pathIds(route, records));
    const takesBody = route.method !== "GET";
    const body = takesBody
      ? route.body
        ? examples.body(route as never)
        : route.method === "PUT"
          ? "x"
          : {}
      : undefined;
    for (const query of QUERIES) {
      const headers = { ...(takesBody && { "idempotency-key": `all-${index}`, "x-http-method-override": "DELETE" }) };
      const { status } = await server.api(route.method, path + query, body, { key, headers });
      if (status !== 403) letIn++;
    }
  }
  return letIn;
}

/** Notes of a key's use and of a write tried, and of the follow thread, which works by itself. */
const BY_THEMSELVES = ["api_keys.lastUsed", "settings", "webhook_deliveries"];

/** What of the database differs after something was done, but for what changes by itself. */
async function changesBy(work: () => Promise<unknown>): Promise<string[]> {
  const db = new Database(join(server.dataDir, "captable.db"), { readonly: true });
  const before = dump(db);
  await work();
  await server.app.writer.submit(() => undefined);
  const found = differingColumns(before, dump(db));
  db.close();
  return found.filter((name) => !BY_THEMSELVES.some((begins) => name.startsWith(begins)));
}

describe("with records of every kind", () => {
  let records: Records;
  beforeAll(async () => {
    records = await makeRecords(server, server.orgId);
    // Background work of before is no change by a key.
    await until("a preview", async () => {
      const { state } = (await server.api("GET", `/imports/${records.imports}`)).json.data;
      return state === "PREVIEWED" ? state : null;
    });
  });
  const keyOf = (scopes: readonly Scope[]) =>
    keys.find((each) => each.role === "ADMIN" && each.scopes.join() === scopes.join())?.key ?? "";

  test("a key that only reads changes nothing in the database, whatever it asks for", async () => {
    let letIn = 0;
    const changed = await changesBy(async () => {
      letIn = await askForAll(records, keyOf(["read"]));
    });
    expect(changed.filter((name) => !name.startsWith("audit_log"))).toEqual([]);
    expect(letIn).toBeGreaterThan(100);
    // A file that leaves in bulk may leave a trace; that is all that the log may tell of a key that only reads.
    const { items } = (await server.api("GET", "/audit-log?limit=200&actor=api-key")).json;
    const { id } = (await server.api("GET", "/api-keys?limit=200")).json.items.find(
      (each: { name: string; role: string }) => each.role === "ADMIN" && each.name === "read",
    );
    const told = items.filter(
      (row: { apiKeyId: string; method: string }) => row.apiKeyId === id && row.method !== "exported",
    );
    expect(told).toEqual([]);
  });

  test("a stored answer is given to no key that could not have written it", async () => {
    const body = { displayName: "Grace", name: { legalName: "Grace" }, type: "INDIVIDUAL" };
    const headers = { "idempotency-key": "once" };
    const by = (key: string) => server.api("POST", "/stakeholders", body, { key, headers });
    const made = await by(keyOf(["write"]));
    expect([made.status, made.json.displayName]).toEqual([201, "Grace"]);
    const refused = await by(keyOf(["read", "import", "manage-keys"]));
    expect([refused.status, refused.text.includes("Grace")]).toEqual([403, false]);
    const again = await by(keyOf(["write"]));
    expect([again.status, again.json.id]).toEqual([201, made.json.id]);
    // A key that only writes has answers to its writes, and no other.
    expect(
      (await server.api("GET", `/stakeholders/${made.json.id}`, undefined, { key: keyOf(["write"]) })).status,
    ).toBe(403);
  });

  test("a key that only manages keys changes nothing but keys, members and invitations", async () => {
    const changed = await changesBy(() => askForAll(records, keyOf(["manage-keys"])));
    const tables = [...new Set(changed.map((name) => name.split(".")[0]))];
    const allowed = [
      "webhook_endpoints",
      "api_keys",
      "links",
      "memberships",
      "sessions",
      "account_log",
      "audit_log",
      "sqlite_sequence",
    ];
    expect(tables.filter((name) => !allowed.includes(name ?? ""))).toEqual([]);
    expect(tables).toContain("memberships");
  });
});
