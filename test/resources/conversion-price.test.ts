// A class whose conversion price is not what its price and ratio come to: reported when one of them is set, and in a
// round that would adjust it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const right = (conversionPrice: string, numerator = "1") => ({
  conversionRights: [{ ratio: { numerator, denominator: "1" }, conversionPrice }],
});

async function company(antiDilution: string) {
  const where = { orgId: await server.newOrganization() };
  const holder = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: "90000000" }, where);
  const named = { name: "Seed", classType: "PREFERRED", defaultIdPrefix: "S-", pricePerShare: "3", antiDilution };
  const seed = await makeShareClass(server, { ...named, ...right("3") }, where);
  const send = (method: string, path: string, body: object) => server.api(method, path, body, where);
  for (const stockClassId of [common, seed]) {
    const issued = { stakeholderId: holder, stockClassId, quantity: "1000", effectiveDate: "2025-01-01" };
    const certificateId = `N-${stockClassId}`;
    expect((await send("POST", "/transactions/issue-shares", { ...issued, certificateId })).status).toBe(201);
  }
  const codes = async (patch: object) => {
    const { status, json } = await send("PATCH", `/share-classes/${seed}`, patch);
    expect(status).toBe(200);
    return (json.data ?? json).warnings.map(({ code }: { code: string }) => code);
  };
  const round = async () => {
    const body = {
      newClass: { name: "Series A" },
      valuation: { kind: "PRE_MONEY", amount: "1000000" },
      investors: [{ name: "Lead", amount: "500000" }],
    };
    const { json } = await send("POST", "/models/round", body);
    return json.data.warnings.filter(({ code }: { code: string }) => code === "conversion-price-differs");
  };
  return { codes, round };
}

test("a PATCH of price or right says that the conversion price differs", async () => {
  const { codes } = await company("NONE");
  expect(await codes(right("2.5"))).toEqual(["conversion-price-differs"]);
  expect(await codes({ name: "Seed stock" })).toEqual([]);
  expect(await codes({ pricePerShare: "2.5" })).toEqual([]);
  expect(await codes({ pricePerShare: "3" })).toEqual(["conversion-price-differs"]);
  expect(await codes(right("2.999998"))).toEqual([]);
  expect(await codes(right("2.999996"))).toEqual(["conversion-price-differs"]);
  expect(await codes(right("1", "3"))).not.toContain("conversion-price-differs");
  expect(await codes({ pricePerShare: "0.0000000001", ...right("0.0000000001") })).toEqual([]);
});

test("a round says so where the class is protected", async () => {
  for (const [protection, count] of [
    ["BROAD_BASED", 1],
    ["NONE", 0],
  ] as const) {
    const { codes, round } = await company(protection);
    expect(await round()).toHaveLength(0);
    await codes(right("2.5"));
    expect(await round()).toHaveLength(count);
  }
});
