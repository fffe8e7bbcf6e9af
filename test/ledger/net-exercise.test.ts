// A net exercise with the value of a share: the strike is paid with shares that are withheld.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function newGrant(given: Given = {}) {
  const where = { orgId: await server.newOrganization("Net, Inc.") };
  const ann = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, {}, where);
  const send = async (path: string, body: Given) => {
    const answer = await server.api("POST", path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const read = async (path: string) => {
    const { json } = await server.api("GET", path, undefined, where);
    return json.data ?? json;
  };
  const plan = { planName: "Plan", initialSharesReserved: "5000", stockClassIds: [common] };
  const stockPlanId = (await send("/equity-plans", plan)).id;
  const trigger = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const vestingConditions = [{ id: "m", trigger, portion: { numerator: 1, denominator: 12 }, nextConditionId: "m" }];
  const terms = (await send("/vesting-terms", { name: "Year", description: "Monthly", vestingConditions })).id;
  const grant = { stakeholderId: ann, stockPlanId, quantity: "1200", exercisePrice: "0.25", optionType: "NSO" };
  const dated = { certificateId: "ES-1", effectiveDate: "2024-01-01", vestingTermsId: terms };
  const option = (await send("/transactions/issue-options", { ...grant, ...dated, ...given })).securityId;
  const exercising = (more: Given) => ({
    securityId: option,
    quantity: "1000",
    exercisePrice: "0.25",
    effectiveDate: "2024-11-01",
    paymentMethod: "NET_EXERCISE",
    ...more,
  });
  const exercise = (more: Given) => send("/transactions/exercise", exercising(more));
  const refused = async (more: Given) => {
    const { status, json } = await server.api("POST", "/transactions/exercise", exercising(more), where);
    return [status, json.errors?.map(({ pointer }: { pointer: string }) => pointer)];
  };
  return { where, ann, common, stockPlanId, option, send, read, exercise, refused };
}

test("issues the net number, whose charge it has; what is withheld is gone from option and plan", async () => {
  const { option, stockPlanId, read, exercise } = await newGrant();
  const { newSecurityId, transactionId, warnings } = await exercise({ fairMarketValue: "1.5" });
  expect(warnings).toEqual([]);
  const stock = await read(`/securities/${newSecurityId}`);
  // 1000 × 1.25 ÷ 1.5 = 833.3…
  expect(stock).toMatchObject({ quantity: "833", planCharge: "833", purchasePrice: "250", pricePerShare: "0.25" });
  expect(await read(`/securities/${option}`)).toMatchObject({ quantity: "200", planCharge: "200", status: "ACTIVE" });
  const entry = await read(`/transactions/${transactionId}`);
  expect(entry.quantity).toBe("1000");
  expect(entry.metadata).toMatchObject({ resultingQuantity: "833", withheld: "167", fairMarketValue: "1.5" });
  expect(await read(`/equity-plans/${stockPlanId}`)).toMatchObject({ currentSharesReserved: "3800" });
  expect(await read(`/securities/${option}/vesting?asOf=2024-11-01`)).toMatchObject({
    quantity: "1033",
    vested: "833",
    unvested: "200",
    exercised: "833",
  });
  expect(await read(`/securities/${newSecurityId}/vesting?asOf=2024-11-01`)).toMatchObject({ vested: "833" });
  const [plan] = (await read("/cap-table?asOf=2024-11-01")).equityPlans;
  expect(plan).toMatchObject({ granted: "1200", exercised: "833", available: "3800" });
});

test("a dry run tells the same figures, and the whole option ends as EXERCISED", async () => {
  const { option, read, exercise } = await newGrant();
  const whole = { quantity: "1200", effectiveDate: "2025-01-01", fairMarketValue: "1" };
  const { effects } = await exercise({ ...whole, dryRun: true });
  const quantities = effects.filter(({ field }: { field: string }) => field === "quantity");
  expect(quantities.map(({ after }: { after: string }) => after)).toEqual(["0", "900"]);
  const { newSecurityId } = await exercise(whole);
  expect(await read(`/securities/${option}`)).toMatchObject({ quantity: "0", status: "EXERCISED", planCharge: null });
  expect((await read(`/securities/${newSecurityId}`)).quantity).toBe("900");
});

test("fractions are rounded down to 10 places where the option has some, else to whole shares", async () => {
  const { read, exercise } = await newGrant({ quantity: "1200.5", vestingTermsId: null });
  const { newSecurityId } = await exercise({ quantity: "10", fairMarketValue: "1.5" });
  expect((await read(`/securities/${newSecurityId}`)).quantity).toBe("8.3333333333");
});

test("without the value the gross number is issued, and the answer says so", async () => {
  const { read, exercise } = await newGrant();
  const { newSecurityId, warnings } = await exercise({});
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(["net-without-value"]);
  expect((await read(`/securities/${newSecurityId}`)).quantity).toBe("1000");
});

test("a value that is not above the strike, leaves no share, or goes with another way to pay is refused there", async () => {
  const { refused } = await newGrant();
  const there = [422, ["#/fairMarketValue"]];
  expect(await refused({ fairMarketValue: "0.25" })).toEqual(there);
  expect(await refused({ fairMarketValue: "0.1" })).toEqual(there);
  expect(await refused({ quantity: "1", fairMarketValue: "1.5" })).toEqual(there);
  expect(await refused({ fairMarketValue: "1.5", earlyExercise: true })).toEqual(there);
  expect(await refused({ fairMarketValue: "1.5", paymentMethod: "CASH" })).toEqual(there);
  // What has not vested is refused as ever: the gross number counts.
  expect((await refused({ quantity: "1001", fairMarketValue: "1.5" }))[0]).toBe(409);
});

describe("a net number that is said", () => {
  test("is exactly what the stock has, the rest is withheld, and no value is made up", async () => {
    const { option, read, exercise } = await newGrant();
    const { newSecurityId, transactionId, warnings } = await exercise({ resultingQuantity: "667" });
    expect(warnings).toEqual([]);
    expect(await read(`/securities/${newSecurityId}`)).toMatchObject({ quantity: "667", purchasePrice: "250" });
    const { quantity, metadata } = await read(`/transactions/${transactionId}`);
    expect(quantity).toBe("1000");
    expect(metadata).toMatchObject({ resultingQuantity: "667", withheld: "333" });
    expect(metadata).not.toHaveProperty("fairMarketValue");
    expect(await read(`/securities/${option}`)).toMatchObject({ quantity: "200", planCharge: "200" });
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  });

  test("may be all of it, and may stand beside the value that gives it", async () => {
    const { read, exercise } = await newGrant();
    const all = await exercise({ quantity: "10", resultingQuantity: "10" });
    expect([all.warnings, (await read(`/securities/${all.newSecurityId}`)).quantity]).toEqual([[], "10"]);
    const both = await exercise({ quantity: "900", fairMarketValue: "1.5", resultingQuantity: "750" });
    expect((await read(`/securities/${both.newSecurityId}`)).quantity).toBe("750");
  });

  test("is refused where it stands", async () => {
    const { refused } = await newGrant();
    const there = [422, ["#/resultingQuantity"]];
    expect(await refused({ resultingQuantity: "0" })).toEqual(there);
    expect(await refused({ resultingQuantity: "1000.1" })).toEqual(there);
    expect(await refused({ resultingQuantity: "667", paymentMethod: "CASH" })).toEqual(there);
    expect(await refused({ resultingQuantity: "667", paymentMethod: "CASHLESS" })).toEqual(there);
    expect(await refused({ resultingQuantity: "667", earlyExercise: true })).toEqual(there);
    expect(await refused({ resultingQuantity: "832", fairMarketValue: "1.5" })).toEqual(there);
  });
});

describe("what went out", () => {
  test("is an exercise of the net and a cancellation of the rest, valid, and comes in with the same totals", async () => {
    const { where, ann, common, exercise, read, send } = await newGrant();
    await exercise({ fairMarketValue: "1.5" });
    const warrant = { stakeholderId: ann, stockClassId: common, quantity: "90", exercisePrice: "1" };
    const issued = { ...warrant, certificateId: "W-1", effectiveDate: "2024-01-01" };
    const securityId = (await send("/transactions/issue-warrant", issued)).securityId;
    const half = { securityId, quantity: "60", exercisePrice: "1", effectiveDate: "2024-11-01", fairMarketValue: "3" };
    await send("/transactions/exercise", { ...half, paymentMethod: "NET_EXERCISE" });
    const key = await server.key("VIEWER", where.orgId);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const ocf = await readZip(bytes);
    expect(validatePackage(ocf).problems.filter(({ severity }) => severity === "problem")).toEqual([]);
    const objects = ocf.files.flatMap(({ items }) => items) as Given[];
    const ofType = (type: string) => objects.filter(({ object_type }) => object_type === type);
    expect(ofType("TX_EQUITY_COMPENSATION_EXERCISE").map(({ quantity }) => quantity)).toEqual(["833"]);
    expect(ofType("TX_EQUITY_COMPENSATION_CANCELLATION")).toEqual([
      expect.objectContaining({ quantity: "167", reason_text: "Withheld in a net exercise" }),
    ]);
    // OCF's exercise of a warrant has no quantity: what it makes and what is left say it.
    expect(ofType("TX_WARRANT_EXERCISE")).toEqual([
      expect.objectContaining({ comments: [expect.stringContaining("20 were withheld")] }),
    ]);
    const orgId = await server.newOrganization();
    const zip = { orgId, headers: { "content-type": "application/zip" } };
    const imported = await server.api("POST", "/cap-table/ocf-import", bytes, zip);
    expect(imported.json.data.errors).toEqual([]);
    const copy = (await server.api("GET", "/cap-table", undefined, { orgId })).json.data;
    const own = await read("/cap-table");
    expect(copy.totals).toEqual(own.totals);
    expect(copy.stakeholders[0]).toMatchObject({ unvested: own.stakeholders[0].unvested });
    expect(copy.equityPlans[0]).toMatchObject({ available: own.equityPlans[0].available, exercised: "833" });
  });

  test("and verify finds nothing", async () => {
    const { exercise } = await newGrant();
    await exercise({ fairMarketValue: "1.5" });
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  });
});
