// GET /stakeholders/{id}/position, and what of holdings has vested in GET /cap-table: over a real socket.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { toTimestamp } from "../../../src/kernel/runtime.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let nowMs = Date.UTC(2026, 5, 1, 12);

beforeAll(async () => {
  const runtime = { nowMs: () => nowMs, elapsedMs: () => nowMs, newId: () => Bun.randomUUIDv7(), random: () => 0 };
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime });
});
afterAll(() => server.stop());

const MONTHLY = {
  id: "monthly",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
  portion: { numerator: 1, denominator: 12 },
  nextConditionId: "monthly",
};

async function newCompany() {
  const orgId = await server.newOrganization();
  const where = { orgId };
  const [ann, bob] = [await makeStakeholder(server, {}, where), await makeStakeholder(server, {}, where)];
  const common = await makeShareClass(server, { votesPerShare: "2.5" }, where);
  const send = async (path: string, body: object) => {
    const answer = await server.api("POST", path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const plan = { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [common] };
  const stockPlanId = (await send("/equity-plans", plan)).id;
  const year = { name: "Year", description: "Monthly", vestingConditions: [MONTHLY] };
  const vestingTermsId = (await send("/vesting-terms", year)).id;
  const grant = async (stakeholderId: string, quantity: string, more: object = {}) => {
    const terms = { exercisePrice: "1", optionType: "NSO", certificateId: crypto.randomUUID(), vestingTermsId };
    const body = { stakeholderId, stockPlanId, quantity, effectiveDate: "2026-01-01", ...terms, ...more };
    return (await send("/transactions/issue-options", body)).securityId as string;
  };
  const read = async (path: string) => {
    const answer = await server.api("GET", path, undefined, { ...where, role: "VIEWER" });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json;
  };
  const position = (id: string, query = "") => read(`/stakeholders/${id}/position${query}`);
  return { orgId, where, ann, bob, common, stockPlanId, vestingTermsId, send, grant, read, position };
}

test("stock, options, warrants and a convertible, with what has vested, was exercised and can be", async () => {
  const { ann, bob, common, where, send, grant, position, read } = await newCompany();
  await issueShares(server, { stakeholderId: ann, stockClassId: common, quantity: "100" }, where);
  await issueShares(server, { stakeholderId: bob, stockClassId: common, quantity: "300" }, where);
  const option = await grant(ann, "120");
  const exercised = { quantity: "20", exercisePrice: "1", effectiveDate: "2026-04-01" };
  await send("/transactions/exercise", { securityId: option, ...exercised });
  const dated = { effectiveDate: "2026-01-01", certificateId: "W-1", expirationDate: "2026-05-31" };
  await send("/transactions/issue-warrant", { stakeholderId: ann, quantity: "7", exercisePrice: "2", ...dated });
  const safe = { stakeholderId: ann, quantity: "1", certificateId: "SAFE-1", convertibleType: "SAFE" };
  await send("/transactions/issue-convertible", { ...safe, effectiveDate: "2026-01-01" });
  const told = await position(ann);
  expect(told.stakeholder).toEqual(await read(`/stakeholders/${ann}`));
  expect(told.totals).toEqual({
    outstanding: "120",
    options: "100",
    warrants: "7",
    vested: "157",
    unvested: "70",
    fullyDiluted: "227",
    exercisable: "30",
    ...{ outstandingAsConverted: "120", warrantsAsConverted: "7", asConverted: "227" },
    percentOutstanding: "28.571429",
    percentFullyDiluted: "16.133618",
    ...{ percentOutstandingAsConverted: "28.571429", percentAsConverted: "16.133618" },
  });
  expect(told.byClass).toMatchObject([
    { stockClassId: common, outstanding: "120", options: "100", warrants: "0", fullyDiluted: "220", votes: "300" },
    { stockClassId: null, outstanding: "0", options: "0", warrants: "7", fullyDiluted: "7", votes: "0" },
  ]);
  const figures = (each: Record<string, string>) => [each.type, each.quantity, each.vested, each.exercised];
  expect(told.securities.map(figures)).toEqual([
    ["STOCK", "100", "100", "0"],
    ["STOCK_OPTION", "100", "30", "20"],
    ["STOCK", "20", "20", "0"],
    ["WARRANT", "7", "7", "0"],
  ]);
  expect(told.securities[1]).toMatchObject({ id: option, unvested: "70", exercisable: "30" });
  expect(told.securities[1].exercisableUntil).toBe("2036-01-01");
  // The warrant's last day was yesterday.
  expect(told.securities[3]).toMatchObject({ exercisable: "0", exercisableUntil: "2026-05-31" });
  expect((await position(ann, "?asOf=2026-05-31")).totals.exercisable).toBe("27");
  expect(told.convertibles.map(({ certificateId }: Record<string, string>) => certificateId)).toEqual(["SAFE-1"]);
});

test("the cap table tells of each holder and class what positions tell, and its classes add up", async () => {
  const { ann, bob, common, where, grant, position, read } = await newCompany();
  await issueShares(server, { stakeholderId: ann, stockClassId: common, quantity: "100" }, where);
  const empty = await makeShareClass(server, { name: "Series A", classType: "PREFERRED" }, where);
  await grant(ann, "120");
  await grant(bob, "24", { vestingStartDate: "2026-03-01" });
  const { data } = await read("/cap-table");
  for (const [id, unvested, vested] of [
    [ann, "70", "150"],
    [bob, "18", "6"],
  ] as const) {
    const row = data.stakeholders.find((each: { id: string }) => each.id === id);
    expect(row).toMatchObject({ unvested, vested });
    expect((await position(id)).totals).toMatchObject({ unvested, vested, fullyDiluted: row.fullyDiluted });
  }
  expect(data.byClass).toMatchObject([
    { stockClassId: common, outstanding: "100", options: "144", warrants: "0", fullyDiluted: "244", votes: "250" },
    { stockClassId: empty, outstanding: "0", options: "0", warrants: "0", fullyDiluted: "0", votes: "0" },
  ]);
});

describe("at another moment", () => {
  test("a position holds what there was: holder, quantity and vesting of the day", async () => {
    const { ann, bob, common, where, send, grant, position } = await newCompany();
    const stock = await issueShares(server, { stakeholderId: ann, stockClassId: common, quantity: "100" }, where);
    const option = await grant(ann, "120");
    const to = { fromStakeholderId: ann, toStakeholderId: bob };
    await send("/transactions/transfer", { securityId: stock, ...to, quantity: "100", effectiveDate: "2026-03-01" });
    const gone = { quantity: "60", cancellationReason: "TERMINATION", effectiveDate: "2026-05-02" };
    await send("/transactions/cancel", { securityId: option, ...gone });
    const then = await position(ann, "?asOf=2026-02-28");
    expect(then.securities.map(({ quantity, status }: Record<string, string>) => [quantity, status])).toEqual([
      ["100", "ACTIVE"],
      ["120", "ACTIVE"],
    ]);
    expect(then.totals).toMatchObject({ vested: "110", unvested: "110" });
    const now = await position(ann);
    expect(now.totals).toMatchObject({ outstanding: "0", options: "60", vested: "50", unvested: "10" });
    expect((await position(bob, "?asOf=2026-02-28")).securities).toEqual([]);
    expect((await position(bob)).totals.outstanding).toBe("100");
  });

  test("what was recorded later is not known then: an acceleration, a milestone, a start of vesting", async () => {
    const { ann, send, grant, position, where } = await newCompany();
    const option = await grant(ann, "120");
    const before = `?asOf=2026-06-01&knownAt=${toTimestamp(nowMs)}`;
    const known = await position(ann, before);
    expect(known.totals).toMatchObject({ vested: "50", unvested: "70" });
    nowMs += 1000;
    const held = { name: "First sale", securityId: option, quantity: "100" };
    const milestone = (await send("/vesting-milestones", held)).id;
    const attached = `?asOf=2026-06-01&knownAt=${toTimestamp(nowMs)}`;
    expect((await position(ann, attached)).totals.unvested).toBe("100");
    nowMs += 1000;
    await send(`/vesting-milestones/${milestone}/complete`, {});
    const accelerated = { securityId: option, quantity: "5", effectiveDate: "2026-06-01" };
    nowMs += 1000;
    const early = { securityId: option, effectiveDate: "2025-06-01" };
    await send("/transactions/start-vesting", early);
    expect((await position(ann)).totals.unvested).toBe("0");
    expect((await server.api("POST", "/transactions/accelerate-vesting", accelerated, where)).status).toBe(422);
    expect((await position(ann, attached)).totals.unvested).toBe("100");
    expect((await position(ann, before)).totals).toEqual(known.totals);
  });
});

test("terms, start and terms' rules that were changed later are not known then, in no face of it", async () => {
  const { ann, send, grant, position, read, where, vestingTermsId } = await newCompany();
  const option = await grant(ann, "120");
  const patch = async (path: string, body: object) => {
    nowMs += 1000;
    const answer = await server.api("PATCH", path, body, where);
    expect([path, answer.status, answer.text]).toMatchObject([path, 200, expect.anything()]);
  };
  const at = () => `asOf=2026-06-01&knownAt=${toTimestamp(nowMs)}`;
  const faces = async (query: string) => {
    const { totals } = await position(ann, `?${query}`);
    const csv = await server.api("GET", `/reports/option-ledger.csv?${query}`, undefined, where);
    const table = (await read(`/cap-table?${query}`)).data.stakeholders[0];
    return [
      totals.vested,
      table.vested,
      totals.unvested,
      totals.exercisable,
      csv.status,
      csv.text.split("\r\n").slice(0, 8),
    ];
  };
  const known: [query: string, seen: readonly unknown[]][] = [];
  const note = async () => known.push([at(), await faces(at())]);
  await note();
  const half = { ...MONTHLY, portion: { numerator: 1, denominator: 24 } };
  await patch(`/vesting-terms/${vestingTermsId}`, { vestingConditions: [half] });
  await note();
  nowMs += 1000;
  const slow = {
    name: "Slow",
    description: "Slow",
    vestingConditions: [{ ...half, portion: { numerator: 1, denominator: 60 } }],
  };
  const { id: slower } = await send("/vesting-terms", slow);
  await patch(`/securities/${option}`, { vestingTermsId: slower });
  await note();
  await patch(`/securities/${option}`, { vestingStartDate: "2026-05-01" });
  await note();
  nowMs += 1000;
  await send("/transactions/start-vesting", { securityId: option, effectiveDate: "2026-03-01" });
  await note();
  await patch(`/securities/${option}`, { vestingTermsId: null });
  await note();
  await patch(`/securities/${option}`, { expirationDate: "2026-05-31" });
  expect((await position(ann)).totals.exercisable).toBe("0");
  expect(known.map(([, seen]) => seen[0])).toEqual(["50", "25", "10", "2", "6", "120"]);
  for (const [query, seen] of known) expect([query, ...(await faces(query))]).toEqual([query, ...seen]);
});

test("an unknown holder, another organization's holder, and malformed days are refused", async () => {
  const { orgId } = await newCompany();
  const [foreign] = [await makeStakeholder(server)];
  const get = async (path: string) => (await server.api("GET", path, undefined, { orgId })).status;
  expect(await get(`/stakeholders/${foreign}/position`)).toBe(404);
  expect(await get(`/stakeholders/${foreign}/position?asOf=2026-02-30`)).toBe(422);
});
