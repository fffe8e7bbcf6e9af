// The recorder of behaviour: two recordings of one build are equal, and an answer that changed is found.
import { expect, test } from "bun:test";
import { needing, type ReadRoute, type Route } from "../../src/resources/route.ts";
import { companiesRecorded, differingNames, isDocument, ROUTES, withCountedIds } from "./recording.ts";

const COMPANIES = 1;
const CHANGED = "listSecurities";
const RECORDED = ROUTES.filter((route) => !isDocument(route));

/** The route with another answer: a location that it does not have. */
function changed(route: Route): Route {
  if (route.operationId !== CHANGED || route.method !== "GET") return route;
  const run: ReadRoute["run"] = (db, request) => ({ ...route.run(db, request), location: "/moved" });
  return { ...route, run: needing(route.run, run) };
}

const recorded = (routes: readonly Route[]) => withCountedIds(() => companiesRecorded(COMPANIES, routes));

test("two recordings of one build are equal, and a changed answer is reported by its route", async () => {
  const before = await recorded(RECORDED);
  expect(Object.keys(before).length).toBeGreaterThan(COMPANIES * 50);

  // All that did not change is equal here, and the one that did is recorded twice as it was.
  const after = await recorded(RECORDED.map(changed));
  expect(differingNames(before, after)).toEqual([`company 1 ${CHANGED}`]);
  const again = await recorded(RECORDED.filter(({ operationId }) => operationId === CHANGED));
  expect(Object.keys(again)).toContain(`company 1 ${CHANGED}`);
  expect(again).toEqual(Object.fromEntries(Object.keys(again).map((name) => [name, before[name] ?? ""])));
});
