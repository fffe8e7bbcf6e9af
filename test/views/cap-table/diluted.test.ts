// Fully diluted means one thing: what the cap table, positions, the history and reports say of stock as converted is, to
// the digit, what the table of models says of the same day.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addDays } from "../../../src/kernel/date.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(600_000);

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as they come.
type Json = any;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

describe("worked cases", () => {
  const file = join(import.meta.dir, "../../fixtures/models/closings.json");
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly Json[] };
  const paths: Readonly<Record<string, string>> = {
    shareClasses: "/share-classes",
    stakeholders: "/stakeholders",
    equityPlans: "/equity-plans",
  };

  test.each(cases.map((each) => [each.id, each] as const))("%s", async (_id, { setup, steps }) => {
    const orgId = await server.newOrganization();
    const ids = new Map<string, string>();
    const answers = new Map<string, Json>();
    const resolved = (value: Json): Json => {
      if (typeof value === "string" && value.startsWith("@")) {
        const [name = "", ...members] = value.slice(1).split(".");
        return members.reduce((found, member) => found?.[member], answers.get(name));
      }
      if (typeof value === "string") return value.replace(/\$(\w+)/g, (text, name) => ids.get(name) ?? text);
      if (Array.isArray(value)) return value.map(resolved);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
    };
    for (const group of [...Object.keys(paths), "securities"]) {
      for (const { ref, route, body } of setup[group] ?? []) {
        const answer = await server.api("POST", paths[group] ?? `/transactions/${route}`, resolved(body), { orgId });
        expect([ref, answer.status < 300 ? "" : answer.text]).toEqual([ref, ""]);
        const made = answer.json.data ?? answer.json;
        ids.set(ref, made.securityId ?? made.id);
      }
    }
    const names = new Map([...ids].map(([ref, id]) => [id, ref]));
    for (const { name, method, path, body, query, expected } of steps) {
      const search = query ? `?${new URLSearchParams(query)}` : "";
      const answer = await server.api(method, `${resolved(path)}${search}`, body && resolved(body), { orgId });
      expect([path, answer.status]).toEqual([path, expected.status]);
      if (name) answers.set(name, answer.json);
      const { status: _status, anyOrder: _order, ...members } = expected;
      expect(withRefs(answer.json, names)).toMatchObject(inAnyOrder(members));
    }
  });
});

/** Ids as the names that stand for them. */
function withRefs(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => withRefs(each, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withRefs(member, names)]));
}

/** Lists of what must be there, wherever it stands. */
function inAnyOrder(value: Json): Json {
  if (Array.isArray(value))
    return expect.arrayContaining(value.map((each) => expect.objectContaining(inAnyOrder(each))));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inAnyOrder(member)]));
}

const BEGIN = "2024-01-01";
const DAYS = 420;
const COMPANIES = seedCount(2, 200);
const LOOKS = 20;

/** A company by the ordinary routes: ratios, splits of several classes, adjustments, warrants, transfers, plans. */
async function randomCompany(random: Random): Promise<string> {
  const orgId = await server.newOrganization();
  const ask = async (path: string, body: Json) => {
    const answer = await server.api("POST", path, body, { orgId });
    return answer.status < 300 ? (answer.json.data ?? answer.json) : null;
  };
  let numbers = 0;
  const certificateId = () => `N-${++numbers}`;
  const day = () => addDays(BEGIN, random.between(1, DAYS));
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const whole = (first: number, last: number) => String(random.between(first, last));
  const named = { initialSharesAuthorized: "100000000", votesPerShare: "1" };
  const common = await ask("/share-classes", {
    ...{ ...named, name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", seniority: 9 },
    boardApprovalDate: BEGIN,
  });
  const preferred: string[] = [];
  for (const index of [1, 2, 3]) {
    const right = { ratio: { numerator: whole(1, 4), denominator: whole(1, 3) } };
    const rounding = one(["FLOOR", "CEILING", "NORMAL"]);
    const made = await ask("/share-classes", {
      ...{ ...named, name: `Series ${index}`, classType: "PREFERRED", defaultIdPrefix: `P${index}-` },
      ...{ seniority: index, pricePerShare: "2", boardApprovalDate: BEGIN },
      votesBasis: one(["PER_SHARE", "AS_CONVERTED"]),
      ...(random.chance(0.6) ? { conversionRights: [{ ...right, rounding }] } : {}),
    });
    preferred.push(made.id);
  }
  const plans: string[] = [];
  for (const stockClassIds of [[common.id], [common.id, preferred[0]], []]) {
    const made = await ask("/equity-plans", {
      ...{ planName: `Plan ${plans.length}`, initialSharesReserved: "50000", stockClassIds },
      adoptedDate: random.chance(0.7) ? BEGIN : day(),
    });
    plans.push(made.id);
  }
  const holders: string[] = [];
  for (const displayName of ["A", "B", "C", "D", "E"]) {
    const made = await ask("/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" });
    holders.push(made.id);
  }
  const held: { readonly securityId: string; readonly holder: string }[] = [];
  const acts: readonly (() => Promise<unknown>)[] = [
    async () => {
      const holder = one(holders);
      const stockClassId = one([common.id, ...preferred]);
      const numbered = { certificateId: certificateId(), effectiveDate: day() };
      const body = { ...numbered, stakeholderId: holder, stockClassId, quantity: whole(1, 5000) };
      const made = await ask("/transactions/issue-shares", body);
      if (made) held.push({ securityId: made.securityId, holder });
    },
    () =>
      ask("/transactions/issue-options", {
        ...{ stakeholderId: one(holders), stockPlanId: one(plans), quantity: whole(1, 5000) },
        ...{ exercisePrice: "1", optionType: "NSO", certificateId: certificateId(), effectiveDate: day() },
      }),
    () =>
      ask("/transactions/issue-warrant", {
        ...{ stakeholderId: one(holders), stockClassId: one([common.id, ...preferred]) },
        ...{ quantity: whole(1, 900), exercisePrice: "1", certificateId: certificateId(), effectiveDate: day() },
      }),
    async () => {
      const { securityId, holder } = one(held);
      const toStakeholderId = one(holders.filter((id) => id !== holder));
      await ask("/transactions/transfer", {
        ...{ securityId, fromStakeholderId: holder, toStakeholderId, quantity: whole(1, 300), effectiveDate: day() },
      });
    },
    () =>
      ask("/transactions/split", {
        ...{ stockClassId: one([common.id, ...preferred]), numerator: random.between(1, 4) },
        ...{ denominator: random.between(1, 3), effectiveDate: day() },
      }),
    () =>
      ask("/transactions/adjust-conversion", {
        ...{ stockClassId: one(preferred), conversionPrice: "1.5", effectiveDate: day() },
        ratio: { numerator: whole(1, 5), denominator: whole(1, 4) },
        rounding: one(["FLOOR", "CEILING", "NORMAL"]),
      }),
  ];
  for (let index = 0; index < 8; index++) await acts[0]?.();
  for (let index = 0; index < 20; index++) await one(acts)();
  return orgId;
}

/** What the table of a day says as converted, in the form of a model's. */
function asModel({ stakeholders, byClass, totals }: Json): Json {
  return {
    holders: stakeholders
      .filter((each: Json) => each.fullyDiluted !== "0")
      .map((each: Json) => ({
        ...{ stakeholderId: each.id, outstanding: each.outstandingAsConverted, options: each.options },
        ...{ warrants: each.warrantsAsConverted, fullyDiluted: each.asConverted },
        percentOutstanding: each.percentOutstandingAsConverted,
        percentFullyDiluted: each.percentAsConverted,
        holdings: each.holdings,
      })),
    classes: byClass
      .filter((each: Json) => each.stockClassId !== null)
      .map((each: Json) => [each.stockClassId, each.outstanding, each.outstandingAsConverted]),
    pool: { available: totals.poolAvailable, percentFullyDiluted: totals.percentPoolAsConverted },
    totals: {
      ...{ outstanding: totals.outstandingAsConverted, options: totals.options, warrants: totals.warrantsAsConverted },
      ...{ poolAvailable: totals.poolAvailable, fullyDiluted: totals.asConverted },
    },
  };
}

/** The same of a model's table: holders by id, as the order of the cap table is another. */
function ofModel({ holders, classes, pool, totals }: Json): Json {
  return {
    holders: holders.map(({ name: _name, holdings, ...each }: Json) => ({
      ...each,
      holdings: holdings.map(({ name: _of, ...holding }: Json) => holding),
    })),
    classes: classes.map((each: Json) => [each.stockClassId, each.shares, each.asConverted]),
    ...{ pool, totals },
  };
}

const sorted = (table: Json): Json => ({
  ...table,
  holders: table.holders.toSorted((a: Json, b: Json) => (String(a.stakeholderId) < String(b.stakeholderId) ? -1 : 1)),
});

/** The figures of a CSV report by its rows' first column, under its headers. */
function rowsOf(csv: string): Map<string, Readonly<Record<string, string>>> {
  const [head = [], ...rows] = csv
    .replace("\uFEFF", "")
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return new Map(rows.map((row) => [row[0] ?? "", Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""]))]));
}

/** What of a day is not the same on two faces; null where all is. */
async function differsOn(orgId: string, asOf: string): Promise<string | null> {
  const ask = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const { data: table } = await ask(`/cap-table?asOf=${asOf}`);
  const model = await server.api("POST", "/models/cap-table", { asOf }, { orgId });
  const [one, other] = [sorted(asModel(table)), sorted(ofModel(model.json.data.before))];
  if (!Bun.deepEquals(one, other)) return `${asOf}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`;
  for (const { id, holdings: _held, displayName, ...figures } of table.stakeholders) {
    const { totals } = await ask(`/stakeholders/${id}/position?asOf=${asOf}`);
    const { exercisable: _exercisable, ...own } = totals;
    if (!Bun.deepEquals(own, figures)) return `${asOf}, ${displayName}: ${JSON.stringify([own, figures])}`;
  }
  const csv = (await server.api("GET", `/reports/cap-table.csv?asOf=${asOf}`, undefined, { orgId })).text;
  const rows = rowsOf(csv);
  const told = table.stakeholders.map((each: Json) => [each.displayName, each.asConverted, each.percentAsConverted]);
  const shown = told.map(([name]: string[]) => {
    const row = rows.get(name ?? "");
    return [name, row?.["Fully diluted"], row?.["% fully diluted"]];
  });
  return Bun.deepEquals(told, shown) ? null : `${asOf}: ${JSON.stringify([told, shown])}`;
}

/** The days on which the history says another thing than the cap table of the day. */
async function historyDiffers(orgId: string): Promise<readonly string[]> {
  const { data } = (await server.api("GET", "/cap-table/history", undefined, { orgId })).json;
  const wrong: string[] = [];
  for (const { date, classes, asConverted, warrantsAsConverted } of data.points) {
    const { totals, byClass } = (await server.api("GET", `/cap-table?asOf=${date}`, undefined, { orgId })).json.data;
    const stock = classes.map((each: Json) => [each.id, each.asConverted]);
    const own = byClass.filter((each: Json) => each.stockClassId !== null);
    const told = own.map((each: Json) => [each.stockClassId, each.outstandingAsConverted]);
    const same = Bun.deepEquals(
      [stock, asConverted, warrantsAsConverted],
      [told, totals.asConverted, totals.warrantsAsConverted],
    );
    if (!same) wrong.push(date);
  }
  return wrong;
}

describe("one meaning of fully diluted", () => {
  test("the cap table is the model's table, holder by holder, class by class, on every face", async () => {
    const first = firstSeed(7);
    for (let seed = first; seed < first + COMPANIES; seed++) {
      const random = new Random(seed);
      const orgId = await randomCompany(random);
      for (let look = 0; look < LOOKS; look++) {
        const asOf = addDays(BEGIN, random.between(0, DAYS + 30));
        expect([seed, await differsOn(orgId, asOf)]).toEqual([seed, null]);
      }
      expect([seed, await historyDiffers(orgId)]).toEqual([seed, []]);
    }
    const what = `companies, ${LOOKS} days each, as converted`;
    proved({ fault: "D1", what, count: COMPANIES, seed: `${first}–${first + COMPANIES - 1}`, result: "one figure" });
  });

  test("a figure that is off by one is found", async () => {
    const orgId = await randomCompany(new Random(3));
    const { data } = (await server.api("GET", `/cap-table?asOf=${addDays(BEGIN, DAYS)}`, undefined, { orgId })).json;
    const planted = structuredClone(data);
    planted.stakeholders[0].asConverted = String(Number(planted.stakeholders[0].asConverted) + 1);
    expect(Bun.deepEquals(asModel(planted), asModel(data))).toBe(false);
  });
});
