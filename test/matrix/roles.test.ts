// Every route × every kind of caller, over a real socket.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKey } from "../../src/resources/api-keys/key.ts";
import { ROLES, type Role } from "../../src/storage/records/api-key.ts";
import type { MemberRole } from "../../src/storage/records/member.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { ROLE_OF, TAKES_IDEMPOTENCY_KEY } from "./expectations.ts";
import { fill, nameOf, pathOf, ROUTES } from "./world.ts";

const NOWHERE = {
  id: "0190f5a2-6c1e-7b3a-9d4e-000000000000",
  stepId: "0190f5a2-6c1e-7b3a-9d4e-000000000001",
  deliveryId: "0190f5a2-6c1e-7b3a-9d4e-000000000002",
};

let server: TestServer;
let strangers: Record<string, string | null>;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_ENV: "test" });
  const revoked = await server.api("POST", "/api-keys", { name: "gone", role: "ADMIN" });
  await server.api("DELETE", `/api-keys/${revoked.json.id}`);
  strangers = {
    none: null,
    "not a key": "hello",
    "too short": "pg_test_0123456789",
    unknown: generateKey("test"),
    "of the other environment": generateKey("production"),
    revoked: revoked.json.key,
  };
});
afterAll(() => server.stop());

function call(name: string, path: string, key: string | null): Promise<Answer> {
  const method = name.split(" ")[0] ?? "";
  // A body that is not JSON: a caller without the right must be refused before a byte of it is read.
  return server.api(method, path, method === "GET" ? undefined : "{", { key });
}

test("the table of expectations and the routes are the same list", () => {
  const expected = ROLE_OF.map(([method, path]) => `${method} ${path}`);
  expect(ROUTES.map(nameOf).sort()).toEqual(expected.sort());
});

test("exactly the operations that the contract names take Idempotency-Key", () => {
  const taking = ROUTES.filter((route) => route.method !== "GET" && route.isIdempotent === true).map(nameOf);
  expect(taking.sort()).toEqual([...TAKES_IDEMPOTENCY_KEY, "PATCH /corporate-actions/{id}"].sort());
});

describe("a caller without a valid key is refused with 401, whatever the route", () => {
  for (const route of ROUTES) {
    test(nameOf(route), async () => {
      for (const [kind, key] of Object.entries(strangers)) {
        const answer = await call(nameOf(route), fill(route, NOWHERE), key);
        expect({ kind, status: answer.status }).toEqual({ kind, status: 401 });
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
        expect(answer.json).toMatchObject({ title: "Unauthorized", status: 401 });
        expect(answer.json.type).toEndWith("/problems/unauthorized");
      }
    });
  }
});

describe("a key may use what its role or a lower one may", () => {
  const lowest = new Map<string, MemberRole>(ROLE_OF.map(([method, path, role]) => [`${method} ${path}`, role]));
  for (const route of ROUTES) {
    test(nameOf(route), async () => {
      const needed = lowest.get(nameOf(route));
      expect(needed).toBeDefined();
      for (const role of ROLES) {
        const answer = await call(nameOf(route), fill(route, NOWHERE), await server.key(role));
        const isAllowed = needed !== "STAKEHOLDER" && ROLES.indexOf(role) >= ROLES.indexOf(needed as Role);
        if (!isAllowed) {
          expect({ role, status: answer.status }).toEqual({ role, status: 403 });
          expect(answer.json.type).toEndWith("/problems/forbidden");
        } else {
          expect({ role, status: answer.status, path: pathOf(route) }).toEqual({
            role,
            status: allowedStatus(route),
            path: pathOf(route),
          });
        }
      }
    });
  }
});

/** What a caller who is let in gets here: a list, the missing record, or a complaint about the query or body. */
function allowedStatus(route: (typeof ROUTES)[number]): number {
  if (pathOf(route) === "/valuations/in-force") return 422;
  const isOfRecord = pathOf(route).includes("{");
  if (route.method === "GET" || route.method === "DELETE" || !route.body) return isOfRecord ? 404 : 200;
  return 400;
}
