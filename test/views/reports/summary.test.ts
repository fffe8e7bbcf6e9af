// The sheet Summary where classes were split: prices and preferences are those of the day, and the models' own.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const DAYS = { issued: "2026-01-15", before: "2026-02-28", split: "2026-03-01", again: "2026-04-01" } as const;

/** An organization with 1,000 preferred shares of a price of 2, and what can be asked of it. */
async function newCompany(multiple: string) {
  const where = { orgId: await server.newOrganization("Split, Inc.") };
  const holder = await makeStakeholder(server, {}, where);
  await makeShareClass(server, {}, where);
  const given = { classType: "PREFERRED", name: "Pref", defaultIdPrefix: "PA-", pricePerShare: "2" };
  const pref = await makeShareClass(server, { ...given, liquidationPreferenceMultiple: multiple }, where);
  await issueShares(server, { stakeholderId: holder, stockClassId: pref, effectiveDate: DAYS.issued }, where);
  const post = async (path: string, body: object) => {
    const answer = await server.api("POST", path, body, where);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json.data;
  };
  return {
    split: (numerator: number, denominator: number, effectiveDate: string) =>
      post("/transactions/split", { stockClassId: pref, numerator, denominator, effectiveDate }),
    /** Outstanding, issue price and preference as of a day. */
    async line(query: string) {
      const headers = { authorization: `Bearer ${await server.key("VIEWER", where.orgId)}` };
      const answer = await fetch(`${server.url}/api/v1/reports/summary.csv?${query}`, { headers });
      const rows: Record<string, string>[] = parse(Buffer.from(await answer.bytes()), { bom: true, columns: true });
      const row = rows.find(({ Class }) => Class === "Pref");
      return [row?.Outstanding, row?.["Issue price (USD)"], row?.["Liquidation preference (USD)"]];
    },
    async claim(asOf: string) {
      const { points } = await post("/models/waterfall", { asOf, exitValues: ["1"] });
      return points[0].units.find(({ kind }: { kind: string }) => kind === "PREFERRED").claim;
    },
    async knownNow() {
      return (await server.api("GET", "/transactions?limit=1", undefined, where)).json.data[0].createdAt;
    },
  };
}

test("a split divides the price from its day on, and leaves the preference as it was", async () => {
  const { split, line, claim, knownNow } = await newCompany("1");
  const known = await knownNow();
  await split(2, 1, DAYS.split);
  expect(await line(`asOf=${DAYS.before}`)).toEqual(["1000", "2", "2000"]);
  expect(await line(`asOf=${DAYS.split}`)).toEqual(["2000", "1", "2000"]);
  await split(5, 1, DAYS.again);
  expect(await line(`asOf=${DAYS.before}`)).toEqual(["1000", "2", "2000"]);
  expect(await line(`asOf=${DAYS.split}`)).toEqual(["2000", "1", "2000"]);
  expect(await line(`asOf=${DAYS.again}`)).toEqual(["10000", "0.2", "2000"]);
  expect(await claim(DAYS.again)).toBe("2000");
  // What was not recorded yet changed nothing.
  expect(await line(`asOf=${DAYS.again}&knownAt=${known}`)).toEqual(["1000", "2", "2000"]);
});

test("where a price is rounded the preference is the models' claim", async () => {
  const { split, line, claim } = await newCompany("1.5");
  await split(3, 1, DAYS.split);
  expect(await line(`asOf=${DAYS.before}`)).toEqual(["1000", "2", "3000"]);
  expect(await line(`asOf=${DAYS.split}`)).toEqual(["3000", "0.6666666667", await claim(DAYS.split)]);
});

test("after a split the pool says what the cap table says, and what was cancelled in shares of now", async () => {
  const where = { orgId: await server.newOrganization() };
  const send = async (path: string, body: object) => {
    const { status, json, text } = await server.api("POST", path, body, where);
    expect(`${path} ${status} ${status < 300 ? "" : text}`).toMatch(/ 20[01] $/);
    return json.data ?? json;
  };
  const stakeholderId = await makeStakeholder(server, {}, where);
  const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "1000000" }, where);
  const plan = { planName: "Plan", initialSharesReserved: "100000", stockClassIds: [stockClassId] };
  const stockPlanId = (await send("/equity-plans", { ...plan, adoptedDate: "2020-01-01" })).id;
  const grant = { stakeholderId, stockPlanId, quantity: "3000", exercisePrice: "1", optionType: "NSO" };
  const { securityId } = await send("/transactions/issue-options", {
    ...{ ...grant, certificateId: "ES-1", effectiveDate: "2021-01-01" },
  });
  const exercise = { securityId, quantity: "1000", exercisePrice: "1", effectiveDate: "2022-01-01" };
  await send("/transactions/exercise", exercise);
  const cancel = { securityId, quantity: "500", cancellationReason: "FORFEITURE", returnToPool: true };
  await send("/transactions/cancel", { ...cancel, effectiveDate: "2022-06-01" });
  await send("/transactions/split", { stockClassId, numerator: 3, denominator: 1, effectiveDate: "2023-01-01" });
  const { equityPlans } = (await server.api("GET", "/cap-table", undefined, where)).json.data;
  expect(equityPlans).toMatchObject([{ granted: "9000", exercised: "3000" }]);
  const { text } = await server.api("GET", "/reports/pool.csv?bom=false", undefined, where);
  const [header = "", row = ""] = text.split("\r\n");
  const cells = new Map(header.split(",").map((name, at) => [name, row.split(",")[at]]));
  const told = ["Options granted", "Adjusted", "Exercised", "Cancelled", "Options outstanding"];
  expect(told.map((name) => cells.get(name))).toEqual(["9000", "0", "3000", "1500", "4500"]);
});
