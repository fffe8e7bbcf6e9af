// What a valuation says of a share after splits: in its own shares, in today's, and in those of any day that is asked for.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;
const NOTHING = { valuation: null, pricePerShare: null };

/** A company of one class and a plan for it, and how it is asked. */
async function company() {
  const where = { orgId: await server.newOrganization() };
  const ask = async (method: string, path: string, body?: Given) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json;
  };
  const common = await makeShareClass(server, {}, where);
  const plan = { planName: "Plan", initialSharesReserved: "100000", stockClassIds: [common] };
  const equityPlanId = (await ask("POST", "/equity-plans", plan)).id;
  const value = (given: Given): Promise<Given & { readonly id: string }> => {
    return ask("POST", "/valuations", { type: "409A", status: "APPROVED", stockClassId: common, ...given });
  };
  const split = (effectiveDate: string, numerator: number, denominator = 1, stockClassId = common) =>
    ask("POST", "/transactions/split", { stockClassId, numerator, denominator, effectiveDate });
  const inForce = async (on: string, of: string = `stockClassId=${common}`) =>
    (await ask("GET", `/valuations/in-force?on=${on}&${of}`)).data;
  return { where, ask, common, equityPlanId, value, split, inForce };
}

describe("the price in today's shares", () => {
  test("a 409A of 10 is 1 after ten for one, in lists, reads, the summary and the file", async () => {
    const { where, ask, value, split } = await company();
    const { id, pricePerShareToday } = await value({ pricePerShare: "10", effectiveDate: "2026-01-15" });
    expect(pricePerShareToday).toBe("10");
    await split("2026-03-01", 10);
    const shown = { id, pricePerShare: "10", pricePerShareToday: "1" };
    expect((await ask("GET", "/valuations")).items).toMatchObject([shown]);
    expect(await ask("GET", `/valuations/${id}`)).toMatchObject(shown);
    expect(await ask("PATCH", `/valuations/${id}`, { provider: "Fair" })).toMatchObject(shown);
    const { latestValuation } = (await ask("GET", "/cap-table/summary")).data;
    expect(latestValuation).toEqual({ ...shown, type: "409A", effectiveDate: "2026-01-15" });
    const [head = "", row = ""] = (await server.api("GET", "/valuations.csv", undefined, where)).text.split("\r\n");
    expect(row.split(",")[head.split(",").indexOf("pricePerShareToday")]).toBe("1");
  });

  test("only splits of its class count, after its day", async () => {
    const { where, ask, value, split } = await company();
    const other = await makeShareClass(server, { name: "Other", defaultIdPrefix: "O-" }, where);
    await split("2026-01-15", 2);
    await split("2026-02-01", 3, 1, other);
    await split("2026-02-02", 1, 4);
    await value({ pricePerShare: "1.250", effectiveDate: "2026-01-15" });
    await value({ pricePerShare: "7", effectiveDate: "2026-02-02" });
    const prices = (await ask("GET", "/valuations")).items.map((each: Given) => each.pricePerShareToday);
    expect(prices).toEqual(["7", "5"]);
  });
});

describe("the 409A in force", () => {
  test("is priced in shares of the day, by class and by plan, and a strike at that price is not below", async () => {
    const { ask, where, common, equityPlanId, value, split, inForce } = await company();
    const { id } = await value({ pricePerShare: "10", effectiveDate: "2026-01-15" });
    await split("2026-03-01", 10);
    expect(await inForce("2026-02-28")).toMatchObject({
      valuation: { id, pricePerShareToday: "1" },
      pricePerShare: "10",
    });
    const after = await inForce("2026-03-01", `equityPlanId=${equityPlanId}`);
    expect(after).toMatchObject({ valuation: { id, pricePerShare: "10" }, pricePerShare: "1" });
    const stakeholderId = await makeStakeholder(server, {}, where);
    const grant = {
      stakeholderId,
      stockPlanId: equityPlanId,
      quantity: "10",
      certificateId: "ES-1",
      optionType: "NSO",
      effectiveDate: "2026-04-01",
    };
    const codesAt = async (exercisePrice: string) => {
      const { warnings } = (await ask("POST", "/transactions/issue-options", { ...grant, exercisePrice, dryRun: true }))
        .data;
      return warnings.map(({ code }: { readonly code: string }) => code);
    };
    expect(await codesAt(after.pricePerShare)).not.toContain("strike-below-valuation");
    expect(await codesAt("0.99")).toContain("strike-below-valuation");
    expect(await inForce("2026-01-14")).toEqual(NOTHING);
    expect(await inForce("2027-01-16")).toEqual(NOTHING);
    expect((await inForce("2027-01-15")).valuation.stockClassId).toBe(common);
  });

  test("is never unapproved, of another kind or class, or deleted; a plan of no class has the common one", async () => {
    const { where, ask, value, inForce } = await company();
    const other = await makeShareClass(server, { name: "Other", defaultIdPrefix: "O-" }, where);
    const worth = { pricePerShare: "2", effectiveDate: "2026-01-15" };
    await value({ ...worth, status: "DRAFT" });
    await value({ ...worth, type: "BOARD" });
    await value({ ...worth, stockClassId: other });
    expect(await inForce("2026-02-01")).toEqual(NOTHING);
    const { id } = await value({ ...worth, pricePerShare: "3", status: "EXPIRED", expirationDate: "2026-02-01" });
    expect((await inForce("2026-02-01")).pricePerShare).toBe("3");
    expect(await inForce("2026-02-02")).toEqual(NOTHING);
    const free = { planName: "Free", initialSharesReserved: "1", stockClassIds: [] };
    const ofNone = `equityPlanId=${(await ask("POST", "/equity-plans", free)).id}`;
    expect((await inForce("2026-02-01", ofNone)).valuation.id).toBe(id);
    await server.api("DELETE", `/valuations/${id}`, undefined, where);
    expect(await inForce("2026-02-01")).toEqual(NOTHING);
    expect((await ask("GET", "/valuations")).items).toHaveLength(3);
  });

  test("wants a day and one of class and plan, of this organization", async () => {
    const { where, common, equityPlanId } = await company();
    const refused = async (query: string) => {
      const { status, json } = await server.api("GET", `/valuations/in-force?${query}`, undefined, where);
      return [status, json.errors?.[0]?.parameter];
    };
    expect(await refused("on=2026-01-01")).toEqual([422, "stockClassId"]);
    expect(await refused(`on=2026-01-01&stockClassId=${common}&equityPlanId=${equityPlanId}`)).toEqual([
      422,
      "stockClassId",
    ]);
    expect(await refused(`stockClassId=${common}`)).toEqual([422, "on"]);
    expect(await refused(`on=2026-02-30&stockClassId=${common}`)).toEqual([422, "on"]);
    const foreign = await makeShareClass(server);
    expect(await refused(`on=2026-01-01&stockClassId=${foreign}`)).toEqual([404, undefined]);
    expect(await refused(`on=2026-01-01&equityPlanId=${common}`)).toEqual([404, undefined]);
  });
});
