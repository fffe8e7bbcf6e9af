// Every figure that a guided form fills in is one that the API answers: a page that computes one of its own may come to
// another, and a person records what the page says.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Facts, fieldsOf, type Values } from "../../src/web/pages/actions/spec.ts";
import { ACTIONS } from "../../src/web/pages/actions/specs.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "off" });
});
afterAll(() => server.stop());

/** A company in which every form has something to begin with, and what its forms read of it. */
async function company() {
  const where = { orgId: await server.newOrganization() };
  const send = async (method: string, path: string, body?: object) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, {}, where);
  const price = { pricePerShare: "1.25", initialSharesAuthorized: "100000" };
  const stockClassId = await makeShareClass(server, price, where);
  const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [stockClassId] };
  const stockPlanId = (await send("POST", "/equity-plans", plan)).id;
  const condition = {
    id: "month",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
    portion: { numerator: 1, denominator: 48 },
  };
  const terms = { name: "Monthly", description: "Monthly", vestingConditions: [condition] };
  const vestingTermsId = (await send("POST", "/vesting-terms", terms)).id;
  const valuation = { type: "409A", status: "APPROVED", stockClassId, pricePerShare: "2.5" };
  await send("POST", "/valuations", { ...valuation, effectiveDate: "2026-10-01" });
  const grant = { stakeholderId: holder, stockPlanId, quantity: "4800", exercisePrice: "0.75", optionType: "NSO" };
  const days = { effectiveDate: "2024-01-01", certificateId: "ES-7", vestingTermsId, expirationDate: "2030-01-01" };
  const option = (await send("POST", "/transactions/issue-options", { ...grant, ...days })).securityId;
  const exercise = { securityId: option, quantity: "333", exercisePrice: "0.75", effectiveDate: "2026-02-01" };
  await send("POST", "/transactions/exercise", exercise);
  const asOf = "2026-11-20";
  const security = await send("GET", `/securities/${option}`);
  const position = await send("GET", `/stakeholders/${holder}/position?asOf=${asOf}`);
  const held = position.securities.find(({ id }: { readonly id: string }) => id === option);
  const facts = {
    today: asOf,
    classes: (await send("GET", "/share-classes")).items,
    plans: (await send("GET", "/equity-plans")).items,
    terms: (await send("GET", "/vesting-terms")).items,
    valuations: (await send("GET", "/valuations")).items,
    holders: new Map(),
    security,
    vesting: await send("GET", `/securities/${option}/vesting?asOf=${asOf}`),
    inForce: await send("GET", `/valuations/in-force?on=${asOf}&equityPlanId=${stockPlanId}`),
    exercisable: held.exercisable,
    nextCertificate: (await send("GET", "/securities/next-certificate?type=STOCK_OPTION")).certificateId,
    table: await send("GET", "/cap-table"),
  } as unknown as Facts;
  return { send, facts, values: { stockClassId, stockPlanId, securityId: option, effectiveDate: asOf } as Values };
}

/** Every text and number that stands anywhere in an answer. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

/** The figures that forms put in by themselves, by operation and field. */
function figuresGiven(facts: Facts, values: Values): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const { operation, groups } of Object.values(ACTIONS)) {
    for (const { name, kind, given: giving } of fieldsOf(groups)) {
      if (kind !== "decimal" && kind !== "whole" && name !== "certificateId") continue;
      // A customary number of days is a proposal, and no figure of the record.
      if (name === "exerciseWithinDays") continue;
      const figure = giving?.(values, facts);
      if (figure) given.set(`${operation} ${name}`, figure);
    }
  }
  return given;
}

test("every figure that a form fills in is one that the API answers", async () => {
  const { facts, values } = await company();
  const answered = new Set(textsIn(facts));
  const given = figuresGiven(facts, values);
  expect([...given].filter(([, figure]) => !answered.has(figure))).toEqual([]);
  // The walk meets the forms that matter.
  expect(given.get("exercise quantity")).toBe("3067");
  expect(given.get("issue-options certificateId")).toBe("ES-8");
  expect(given.size).toBeGreaterThan(6);
});

test("a figure that a page makes up is found", async () => {
  const { facts, values } = await company();
  const answered = new Set(textsIn({ ...facts, exercisable: "0" }));
  const made = figuresGiven(facts, values);
  expect([...made].filter(([, figure]) => !answered.has(figure))).toEqual([["exercise quantity", "3067"]]);
});

test("after a split of ten for one the form offers a tenth of the 409A's price, and that is not below it", async () => {
  const { send, facts, values } = await company();
  const { stockClassId, stockPlanId } = values;
  await send("POST", "/transactions/split", {
    stockClassId,
    numerator: 10,
    denominator: 1,
    effectiveDate: "2026-11-20",
  });
  const path = `/valuations/in-force?on=${values.effectiveDate}&equityPlanId=${stockPlanId}`;
  const after = { ...facts, inForce: await send("GET", path) } as Facts;
  expect(figuresGiven(facts, values).get("issue-options exercisePrice")).toBe("2.5");
  expect(figuresGiven(after, values).get("issue-options exercisePrice")).toBe("0.25");
  const strike = fieldsOf(ACTIONS["issue-options"].groups).find(({ name }) => name === "exercisePrice");
  expect(strike?.note?.({ ...values, exercisePrice: "0.25" }, after)).toMatch(/^The 409A in force is 0.25 /);
  expect(strike?.note?.({ ...values, exercisePrice: "0.24" }, after)).toMatch(/^Below the 409A in force, 0.25 /);
});
