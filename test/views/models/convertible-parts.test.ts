// A fixed number of shares, and a percentage, are of the principal as issued: a holder of a part has that part of
// them, after transfers, cancellations and conversions of a part; and a day before a split counts the number of then.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime, toUtcDate } from "../../../src/kernel/runtime.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { exportOf, importElsewhere } from "./elsewhere.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;
type Conversion = Readonly<Record<"principal" | "shares" | "basis", string>>;

const TODAY = toUtcDate(systemRuntime.nowMs());
const YESTERDAY = toUtcDate(systemRuntime.nowMs() - 86_400_000);

/** A company with 8,000,000 common shares and a convertible of 500,000. */
async function company(mechanism: Given) {
  const orgId = await server.newOrganization();
  const where = { orgId };
  const ask = async (method: string, path: string, body?: Given) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const named = (name: string) => ({ displayName: name, name: { legalName: name } });
  const [fund, other] = [
    await makeStakeholder(server, named("Fund"), where),
    await makeStakeholder(server, named("Other"), where),
  ];
  const common = await makeShareClass(server, { initialSharesAuthorized: "900000000" }, where);
  const act = (operation: string, body: Given) => ask("POST", `/transactions/${operation}`, body);
  const stock = { stakeholderId: other, stockClassId: common, quantity: "8000000", certificateId: "CS-1" };
  await act("issue-shares", { ...stock, effectiveDate: "2023-01-31" });
  const trigger = { type: "AUTOMATIC_ON_CONDITION", condition: "A financing", mechanism };
  const terms = { convertibleType: "CONVERTIBLE_SECURITY", triggers: [trigger] };
  const issued = { stakeholderId: fund, quantity: "500000", certificateId: "CN-1", convertibleTerms: terms };
  const { securityId } = await act("issue-convertible", { ...issued, effectiveDate: "2024-01-31" });
  const round = (asOf = TODAY) => ({
    asOf,
    closingDate: asOf,
    newClass: { name: "Series A" },
    valuation: { kind: "PRE_MONEY", amount: "15000000" },
    investors: [{ stakeholderId: fund, amount: "5000000" }],
  });
  const shares = async (asOf?: string): Promise<readonly string[]> => {
    const { conversions } = await ask("POST", "/models/round", round(asOf));
    return conversions.map((each: Conversion) => `${each.principal} ${each.basis} ${each.shares}`);
  };
  const paid = async (): Promise<readonly string[]> => {
    const asked = { exitValues: ["100000000"], breakpoints: false, detail: "UNITS" };
    const { points } = await ask("POST", "/models/waterfall", asked);
    const units: readonly Given[] = points[0].units;
    return units.filter(({ kind }) => kind === "CONVERTIBLE").map(({ proceeds }) => String(proceeds));
  };
  const parties = { fromStakeholderId: fund, toStakeholderId: other };
  return {
    orgId,
    common,
    securityId,
    ask,
    act,
    round,
    shares,
    paid,
    transfer: (quantity: string, effectiveDate = "2024-06-01"): Promise<{ newSecurityId: string }> =>
      act("transfer", { securityId, ...parties, quantity, effectiveDate }),
    split: (numerator: number, denominator: number) =>
      act("split", { stockClassId: common, numerator, denominator, effectiveDate: TODAY }),
  };
}

const FIXED = { type: "FIXED", quantity: "1000000" };

describe("the part of the principal that is left", () => {
  test("after a transfer of a quarter of it, and of a third of that", async () => {
    const { shares, transfer, act, ask } = await company(FIXED);
    const { newSecurityId } = await transfer("125000");
    expect(await shares()).toEqual(["375000 FIXED 750000", "125000 FIXED 250000"]);
    const cancelled = { quantity: "50000", cancellationReason: "FORFEITURE", effectiveDate: "2024-07-01" };
    await act("cancel", { securityId: newSecurityId, ...cancelled });
    expect(await shares()).toEqual(["375000 FIXED 750000", "75000 FIXED 150000"]);
    const { convertibleTerms } = await ask("GET", `/securities/${newSecurityId}`);
    expect(convertibleTerms.triggers[0].mechanism).toEqual(FIXED);
  });

  test("after a conversion of nine tenths of it", async () => {
    const { shares, act, common, securityId } = await company(FIXED);
    const made = { securityId, stockClassId: common, quantity: "450000", resultingQuantity: "900000" };
    await act("convert", { ...made, effectiveDate: "2024-06-01" });
    expect(await shares()).toEqual(["50000 FIXED 100000"]);
  });

  test("a corrected principal is the one that the terms were made for", async () => {
    const { shares, ask, securityId, transfer } = await company(FIXED);
    await ask("PATCH", `/securities/${securityId}`, { quantity: "400000" });
    expect(await shares()).toEqual(["400000 FIXED 1000000"]);
    await transfer("100000");
    expect(await shares()).toEqual(["300000 FIXED 750000", "100000 FIXED 250000"]);
  });

  test("is what a closing issues, and an exit pays", async () => {
    const { ask, round, transfer, paid } = await company(FIXED);
    const [whole] = await paid();
    await transfer("250000");
    const parts = await paid();
    expect(parts).toHaveLength(2);
    expect(parts.reduce((sum, each) => sum + Number(each), 0)).toBeCloseTo(Number(whole), 1);
    const model = round();
    const { digest } = await ask("POST", "/models/round", model);
    const closed = await ask("POST", "/models/round/close", { model, digest });
    expect(closed.securities.map(({ kind, quantity }: Given) => `${kind} ${quantity}`).slice(0, 2)).toEqual([
      "CONVERSION 500000",
      "CONVERSION 500000",
    ]);
  });

  test("of a percentage, in a round and at an exit", async () => {
    const { shares, paid, transfer } = await company({ type: "PERCENT", percent: "30" });
    const [[whole], [paidWhole]] = [await shares(), await paid()];
    await transfer("250000");
    const half = Number(whole?.split(" ")[2]) / 2;
    expect((await shares()).map((each) => Math.abs(Number(each.split(" ")[2]) - half) < 1)).toEqual([true, true]);
    expect((await paid()).map(Number)).toEqual([Number(paidWhole) / 2, Number(paidWhole) / 2]);
  });

  test("is the same where the company was exported to", async () => {
    const { shares, transfer, split, orgId, round } = await company(FIXED);
    await transfer("125000");
    await split(10, 1);
    const here = await shares();
    expect(here).toEqual(["375000 FIXED 7500000", "125000 FIXED 2500000"]);
    const there = await importElsewhere(server, (await exportOf(server, orgId)).zip);
    const model = { ...round(), investors: [{ name: "Lead", amount: "5000000" }] };
    const answer = await server.api("POST", "/models/round", model, { orgId: there });
    const told = answer.json.data.conversions.map((each: Conversion) => `${each.principal} ${each.shares}`);
    expect([...told].sort()).toEqual(["125000 2500000", "375000 7500000"]);
  });
});

test("what was divided after a split is in parts where the company was exported to, too", async () => {
  const { shares, transfer, split, act, securityId, orgId, round } = await company(FIXED);
  await split(2, 1);
  const { newSecurityId } = await transfer("200000", TODAY);
  const some = { quantity: "50000", cancellationReason: "FORFEITURE", effectiveDate: TODAY };
  await act("cancel", { securityId: newSecurityId, ...some });
  await act("cancel", { securityId, ...some });
  expect(await shares()).toEqual(["250000 FIXED 1000000", "150000 FIXED 600000"]);
  const there = await importElsewhere(server, (await exportOf(server, orgId)).zip);
  const model = { ...round(), investors: [{ name: "Lead", amount: "5000000" }] };
  const { conversions } = (await server.api("POST", "/models/round", model, { orgId: there })).json.data;
  const told = conversions.map((each: Conversion) => `${each.principal} ${each.shares}`);
  expect([...told].sort()).toEqual(["150000 600000", "250000 1000000"]);
});

describe("a day before a split", () => {
  test("counts the number of then, exactly, where a split rounded it and after a correction", async () => {
    const { shares, split, ask, securityId } = await company({ type: "FIXED", quantity: "100000" });
    await split(10, 1);
    expect([await shares(YESTERDAY), await shares()]).toEqual([["500000 FIXED 100000"], ["500000 FIXED 1000000"]]);
    await split(1, 3);
    expect([await shares(YESTERDAY), await shares()]).toEqual([["500000 FIXED 100000"], ["500000 FIXED 333333"]]);
    const mechanism = { type: "FIXED", quantity: "400000" };
    const triggers = [{ type: "AUTOMATIC_ON_CONDITION", condition: "A financing", mechanism }];
    const convertibleTerms = { convertibleType: "CONVERTIBLE_SECURITY", triggers };
    await ask("PATCH", `/securities/${securityId}`, { convertibleTerms });
    expect([await shares(YESTERDAY), await shares()]).toEqual([["500000 FIXED 120000"], ["500000 FIXED 400000"]]);
  });

  test("of what was handed on after it with a day before it", async () => {
    const { shares, split, transfer } = await company({ type: "FIXED", quantity: "100000" });
    await split(10, 1);
    await transfer("250000");
    expect(await shares(YESTERDAY)).toEqual(["250000 FIXED 50000", "250000 FIXED 50000"]);
    expect(await shares()).toEqual(["250000 FIXED 500000", "250000 FIXED 500000"]);
  });
});
