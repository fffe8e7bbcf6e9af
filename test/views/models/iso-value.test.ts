// The value by which the $100,000 limit counts: a grant's own valuation, else the 409A in force on its day, else its strike.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function company() {
  const where = { orgId: await server.newOrganization() };
  const ask = async (method: string, path: string, body?: Given) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, { relationships: ["EMPLOYEE"] }, where);
  const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "900000000" }, where);
  const plan = { planName: "Plan", initialSharesReserved: "10000000", stockClassIds: [stockClassId] };
  const { id: stockPlanId } = await ask("POST", "/equity-plans", plan);
  const worth = { type: "409A", status: "APPROVED", stockClassId };
  return {
    value: async (pricePerShare: string, effectiveDate: string): Promise<string> =>
      (await ask("POST", "/valuations", { ...worth, pricePerShare, effectiveDate })).id,
    grant: (body: Given) => {
      const terms = { stakeholderId: holder, stockPlanId, exercisePrice: "1", optionType: "ISO", certificateId: "O-1" };
      return ask("POST", "/transactions/issue-options", { ...terms, effectiveDate: "2026-01-10", ...body });
    },
    split: () =>
      ask("POST", "/transactions/split", { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2026-01-05" }),
    rows: async () => (await ask("GET", "/compliance/iso-limit?asOf=2026-12-31")).holders[0].rows,
  };
}

test("100,000 at 1 under a 409A of 4 are 25,000 incentive options", async () => {
  const { value, grant, rows } = await company();
  await value("4", "2025-12-01");
  await grant({ quantity: "100000" });
  const row = { fairMarketValue: "4", valueFrom: "IN_FORCE", iso: "25000", nso: "75000" };
  expect(await rows()).toMatchObject([row]);
});

test("a split between the 409A and the grant divides it", async () => {
  const { value, grant, rows, split } = await company();
  await value("4", "2025-12-01");
  await split();
  await grant({ quantity: "100000" });
  expect(await rows()).toMatchObject([{ fairMarketValue: "2", valueFrom: "IN_FORCE", iso: "50000", nso: "50000" }]);
});

test("a grant's own valuation comes first, and without one in force its strike counts", async () => {
  const named = await company();
  const valuationId = await named.value("5", "2025-12-01");
  await named.value("4", "2025-12-15");
  await named.grant({ quantity: "100000", valuationId });
  expect(await named.rows()).toMatchObject([{ fairMarketValue: "5", valueFrom: "NAMED", iso: "20000" }]);
  const old = await company();
  await old.value("4", "2024-01-01");
  await old.grant({ quantity: "100000" });
  expect(await old.rows()).toMatchObject([{ fairMarketValue: "1", valueFrom: "STRIKE", iso: "100000" }]);
});
