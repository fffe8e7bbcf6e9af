// What the fuzzers found, each as small as it came to be.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Route } from "../../src/route.ts";
import { nameOf, ROUTES } from "../matrix/world.ts";
import { Oracle } from "./oracle.ts";
import { Service } from "./service.ts";

let service: Service;
let oracle: Oracle;
let orgId: string;

beforeAll(async () => {
  [service, oracle] = [await Service.start(1), await Oracle.make()];
  orgId = await service.newOrganization();
});
afterAll(() => service.stop());

function routeOf(name: string): Route {
  const route = ROUTES.find((candidate) => nameOf(candidate) === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

test("a sum of figures that are as long as they may be is longer, and the reference says so", async () => {
  const rest = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "C-" };
  for (const name of ["One", "Two"]) {
    const body = { name, initialSharesAuthorized: "999999999999999", ...rest };
    expect((await service.api("POST", "/share-classes", body, { orgId })).status).toBe(201);
  }
  const answer = await service.api("GET", "/cap-table/summary", undefined, { orgId });
  expect(answer.json.data.totalAuthorized).toBe("1999999999999998");
  expect(oracle.judge(routeOf("GET /cap-table/summary"), answer)).toBeNull();
});
