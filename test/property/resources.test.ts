// What every resource promises, whichever it is, read off the route table: PATCH changes what it names and nothing
// else, and pages put together are the list, whatever happens meanwhile.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Route, WriteRoute } from "../../src/resources/route.ts";
import { makeBody } from "../fuzz/bodies.ts";
import { TestCompany } from "../fuzz/company.ts";
import { Service } from "../kit/in-process.ts";
import { firstSeed, mustMeetAll, proved, seedCount, seedsUntil } from "../kit/proof.ts";
import { type Pick, seeded } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import type { Answer } from "../kit/service.ts";
import { nameOf, pathOf, ROUTES } from "../matrix/world.ts";

type Fields = Record<string, unknown>;

const PATCHES = { quick: 150, most: 1000, release: 10_000 };
const WALKS = seedCount(4, 10_000);
const BUSY_WALKS = RELEASE ? 100 : 3;
const PAGERS = 20;
const TIMEOUT_MS = 1_800_000;

/** Resources with a list, a create and a PATCH of their own. */
const RESOURCES = ROUTES.filter(
  (route): route is WriteRoute =>
    // Members come by invitation.
    route.method === "PATCH" && /^\/(?!members)[a-z-]+\/\{id\}$/.test(pathOf(route)),
);
const LISTS = ROUTES.filter(
  // The portal's are for people.
  (route) =>
    route.method === "GET" &&
    route.query?.properties.cursor &&
    route.role !== "STAKEHOLDER" &&
    !pathOf(route).includes("{"),
);

let service: Service;
let company: TestCompany;

beforeAll(async () => {
  service = await Service.start(firstSeed());
  company = await TestCompany.create(service);
});
afterAll(() => service.stop());

function routeNamed(name: string): Route {
  const route = ROUTES.find((candidate) => nameOf(candidate) === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

/** The record in an answer; `warnings` are the write's, and no member of it. */
function recordIn({ json }: Answer): Fields {
  const { warnings, ...record } = json.data ?? json;
  return record;
}

/** Where a body's member has another name in the answer. */
const ANSWERED_AS: Readonly<Record<string, string>> = {
  planName: "name",
  stockPlanId: "equityPlanId",
  totalConsideration: "purchasePrice",
};
/** What is shown in full, with what stands for members that were left out. */
const FILLED: Readonly<Record<string, (value: unknown, after: Fields) => unknown>> = {
  conversionRights: (rights) =>
    (rights as Fields[]).map((right) => ({
      ...{ stockClassId: null, conversionPrice: null, rounding: "FLOOR", convertsToFutureRound: null },
      ...right,
    })),
  // A dividend is simple where nothing else is said; without one there is nothing to compound.
  // Without a stated amount, it is what the price makes of the quantity.
  totalConsideration: (value, { purchasePrice, pricePerShare }) =>
    value ?? (pricePerShare === null ? null : purchasePrice),
  dividendCompounding: (value, { dividendType }) => value ?? (dividendType === "NONE" ? null : "SIMPLE"),
};
/** What follows from other members, by the member that was changed; `updatedAt` from all. */
const FOLLOWS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/share-classes": {
    initialSharesAuthorized: ["currentSharesAuthorized"],
    // With a dividend comes how it compounds, and what was assumed of votes goes with the kind of stock.
    dividendType: ["dividendCompounding"],
    classType: ["votesBasis"],
    "*": ["tokenizationStatus"],
  },
  "/equity-plans": {
    initialSharesReserved: ["currentSharesReserved", "totalSharesReserved"],
    planName: ["planName"],
    boardApprovalDate: [],
  },
  // In shares of today, by the class, its splits and the day.
  "/valuations": { "*": ["pricePerShareToday"] },
  "/securities": {
    // An edit, a correction or another start of vesting may be an entry of a day to come, and ends an acceptance.
    "*": ["tokenStatus", "ahead", "acceptanceStatus", "acceptanceAskedAt", "acceptedAt"],
    quantity: ["planCharge", "purchasePrice"],
    pricePerShare: ["purchasePrice"],
    stockPlanId: ["planCharge"],
  },
  "/webhook-endpoints": {
    status: ["disabledReason", "failingSince", "nextAttemptAt", "lastError"],
    // The change is an event itself.
    "*": ["pendingEvents", "oldestPendingAt"],
  },
  "/vesting-terms": {
    "*": [
      "allocationType",
      "periodLengthUnits",
      "periodLength",
      "totalPeriods",
      "cliffPeriods",
      "totalVestingMonths",
      "cliffMonths",
    ],
  },
  "/documents": { path: ["path"], uri: ["uri"] },
};

function mayFollow(segment: string, patch: Fields): Set<string> {
  const rules = FOLLOWS[segment] ?? {};
  const named = Object.keys(patch).map((name) => ANSWERED_AS[name] ?? name);
  return new Set([
    ...named,
    "updatedAt",
    ...(rules["*"] ?? []),
    ...Object.keys(patch).flatMap((name) => rules[name] ?? []),
  ]);
}

function changedMembers(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !Bun.deepEquals(before[name], after[name], true));
}

async function freshRecord(segment: string, pick: Pick): Promise<string | null> {
  const create = routeNamed(`POST ${segment}`) as WriteRoute;
  for (let attempt = 0; attempt < 10; attempt++) {
    const body = makeBody(create, company, pick) as Fields;
    if (body.status !== undefined && segment === "/securities") body.status = "ACTIVE";
    // A model takes hardly anything that is made at random, and a scenario's stays the same.
    if (segment === "/scenarios") Object.assign(body, { model: "CAP_TABLE", input: {} });
    const answer = await company.api("POST", segment, body);
    if (answer.status === 201) return String(recordIn(answer).id);
  }
  return null;
}

async function checkPatch(route: WriteRoute, pick: Pick): Promise<boolean> {
  const segment = pathOf(route).replace("/{id}", "");
  const id = await freshRecord(segment, pick);
  if (id === null) return false;
  const path = `${segment}/${id}`;
  const before = recordIn(await company.api("GET", path));
  const patch = makeBody(route, company, pick) as Fields;
  const answer = await company.api("PATCH", path, patch);
  const after = recordIn(await company.api("GET", path));
  if (answer.status >= 400) {
    expect(after).toEqual(before);
    return false;
  }
  expect(answer.status).toBe(200);
  expect(recordIn(answer)).toEqual(after);
  const allowed = mayFollow(segment, patch);
  expect(changedMembers(before, after).filter((name) => !allowed.has(name))).toEqual([]);
  for (const [name, value] of Object.entries(patch)) {
    const shown = FILLED[name]?.(value, after) ?? value;
    expect({ name, value: after[ANSWERED_AS[name] ?? name] }).toEqual({ name, value: shown });
  }
  const traces = async () =>
    (await company.api("GET", "/audit-log?limit=1")).text + (await company.api("GET", "/transactions?limit=1")).text;
  const traced = await traces();
  expect(recordIn(await company.api("PATCH", path, patch))).toEqual(after);
  expect(recordIn(await company.api("GET", path))).toEqual(after);
  expect(recordIn(await company.api("PATCH", path, {}))).toEqual(after);
  expect(await traces()).toBe(traced);
  return true;
}

test(
  "P7: random PATCHes change what they name, and the same again changes nothing",
  async () => {
    expect(RESOURCES.length).toBeGreaterThanOrEqual(11);
    const done = new Map<string, number>();
    const isOften = (route: Route) => (done.get(nameOf(route)) ?? 0) > 5;
    let count = 0;
    for (const seed of seedsUntil(() => RESOURCES.every(isOften), PATCHES)) {
      if (count++ % 500 === 0) company = await TestCompany.create(service);
      const route = RESOURCES[seed % RESOURCES.length] as WriteRoute;
      try {
        if (await checkPatch(route, seeded(seed))) done.set(nameOf(route), (done.get(nameOf(route)) ?? 0) + 1);
      } catch (error) {
        throw new Error(`${nameOf(route)}: CAPTABLE_SEED=${seed} bun test test/property/resources.test.ts -t P7`, {
          cause: error,
        });
      }
    }
    if (mustMeetAll(count))
      for (const route of RESOURCES)
        expect({ route: nameOf(route), done: isOften(route) }).toEqual({ route: nameOf(route), done: true });
    expect(service.differences(company.orgId)).toEqual([]);
    const seed = `${firstSeed()}-${firstSeed() + count - 1}`;
    proved({
      fault: "P7",
      what: "PATCHes of every resource, twice",
      count,
      seed,
      result: "only named members change",
    });
  },
  TIMEOUT_MS,
);

/** Reads a list page by page; `meanwhile` runs between two pages. */
async function walk(path: string, limit: string, meanwhile?: () => Promise<unknown>): Promise<Fields[]> {
  const rows: Fields[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, json }: Answer = await company.api(
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${more}`,
    );
    expect(status).toBe(200);
    const page: Fields[] = json.items ?? json.data;
    expect(page.length).toBeLessThanOrEqual(Math.min(100, Math.max(1, Number(limit))));
    rows.push(...page);
    cursor = json.nextCursor;
    await meanwhile?.();
  } while (cursor !== null);
  return rows;
}

async function fill(count: number, pick: Pick): Promise<void> {
  const creates = RESOURCES.map((route) => pathOf(route).replace("/{id}", ""));
  for (let index = 0; index < count; index++) await freshRecord(creates[pick(creates.length)] ?? "", pick);
}

test(
  `P6: in ${WALKS} walks of any list with any limit and filter, the pages put together are the list`,
  async () => {
    company = await TestCompany.create(service);
    await fill(150, seeded(firstSeed()));
    let [rows, turned] = [0, 0];
    for (let index = 0; index < WALKS; index++) {
      const seed = firstSeed() + index;
      const pick = seeded(seed);
      const route = LISTS[pick(LISTS.length)] as Route;
      const filters = new URLSearchParams();
      const whole = await walk(pathOf(route), "100");
      const parameters = Object.keys(("query" in route && route.query?.properties) || {});
      for (const name of parameters.filter((each) => each !== "cursor")) {
        const sample =
          whole[pick(Math.max(1, whole.length))]?.[
            name === "status" && pathOf(route) === "/approvals" ? "state" : name
          ];
        if (typeof sample === "string" && pick(2) === 0) filters.set(name, sample);
      }
      const path = `${pathOf(route)}?${filters}`;
      try {
        const all = await walk(path, "100");
        const limit = String(1 + pick(30));
        expect(await walk(path, limit)).toEqual(all);
        if (parameters.includes("sort")) {
          expect(await walk(`${path}&sort=createdAt`, limit)).toEqual(all.toReversed());
          turned++;
        }
        const isKept = (row: Fields) =>
          [...filters].every(
            ([name, value]) => row[name === "status" && pathOf(route) === "/approvals" ? "state" : name] === value,
          );
        expect(all).toEqual(whole.filter(isKept));
        rows += all.length;
      } catch (error) {
        throw new Error(`${path}: CAPTABLE_SEED=${seed} bun test test/property/resources.test.ts -t P6`, {
          cause: error,
        });
      }
    }
    expect(rows).toBeGreaterThan(WALKS);
    if (WALKS > 1) expect(turned).toBeGreaterThan(0);
    const seed = `${firstSeed()}-${firstSeed() + WALKS - 1}`;
    proved({
      fault: "P6",
      what: "walks of lists by pages",
      count: WALKS,
      seed,
      result: "pages put together are the list",
    });
  },
  TIMEOUT_MS,
);

test(
  `C8: in ${BUSY_WALKS} rounds ${PAGERS} readers page through a list that grows and shrinks, and miss nothing that stays`,
  async () => {
    company = await TestCompany.create(service);
    for (let round = 0; round < BUSY_WALKS; round++) {
      const pick = seeded(firstSeed() + round);
      const make = async () =>
        String((await company.api("POST", "/stock-legends", { name: `Legend ${pick(1e6)}`, text: "Text" })).json.id);
      const staying = await Promise.all(Array.from({ length: 30 }, make));
      const leaving = await Promise.all(Array.from({ length: 30 }, make));
      const churn = async () => {
        const gone = leaving.splice(pick(Math.max(1, leaving.length)), 1)[0];
        if (gone !== undefined) await company.api("DELETE", `/stock-legends/${gone}`);
        await make();
      };
      const walks = await Promise.all(
        Array.from({ length: PAGERS }, () => walk("/stock-legends", String(1 + pick(12)), churn)),
      );
      for (const rows of walks) {
        const ids = rows.map(({ id }) => String(id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(staying.filter((id) => !ids.includes(id))).toEqual([]);
      }
      for (const { id } of await walk("/stock-legends", "100")) await company.api("DELETE", `/stock-legends/${id}`);
    }
    const seed = `${firstSeed()}-${firstSeed() + BUSY_WALKS - 1}`;
    proved({
      fault: "C8",
      what: `rounds of ${PAGERS} readers during writes`,
      count: BUSY_WALKS,
      seed,
      result: "0 skipped, 0 repeated",
    });
  },
  TIMEOUT_MS,
);
