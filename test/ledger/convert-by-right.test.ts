// Stock converts by the right of its class: the number is the ratio's as of the day, and another one is told.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

const right = (numerator: string, denominator: string, more: Given = {}) => ({
  classType: "PREFERRED",
  pricePerShare: "2",
  conversionRights: [{ ratio: { numerator, denominator }, ...more }],
});

/** A company with common stock, and 5,000 of a preferred class. */
async function newCompany(preferred: Given = right("3", "2")) {
  const where = { orgId: await server.newOrganization() };
  const common = await makeShareClass(server, { name: "Common", initialSharesAuthorized: "100000000" }, where);
  const series = await makeShareClass(server, { name: "Series A", defaultIdPrefix: "PA-", ...preferred }, where);
  const holder = await makeStakeholder(server, {}, where);
  const send = (path: string, body: Given) => server.api("POST", path, body, where);
  const done = async (path: string, body: Given) => {
    const answer = await send(path, body);
    expect(`${path} ${answer.status < 300 ? "done" : answer.text}`).toBe(`${path} done`);
    return answer.json.data ?? answer.json;
  };
  const issued = { stakeholderId: holder, stockClassId: series, quantity: "5000", effectiveDate: "2024-01-15" };
  const { securityId } = await done("/transactions/issue-shares", { ...issued, certificateId: "PA-1" });
  const asked = (more: Given) => ({ securityId, stockClassId: common, effectiveDate: "2024-03-01", ...more });
  const convert = (more: Given) => done("/transactions/convert", asked(more));
  const refused = async (more: Given) => pointersOf(await send("/transactions/convert", asked(more)));
  const read = async (path: string) => {
    const { json } = await server.api("GET", path, undefined, where);
    return json.data ?? json;
  };
  return { where, common, series, holder, securityId, done, convert, refused, read };
}

function pointersOf({ status, json }: Answer): readonly [number, readonly string[]] {
  return [status, (json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
}

const codesOf = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
  warnings.map(({ code }) => code);

describe("the number by right", () => {
  test("is the default, rounded as the right says, and is answered", async () => {
    const { convert, read } = await newCompany();
    const { resultingQuantity, newSecurityId, warnings } = await convert({ quantity: "1001" });
    expect([resultingQuantity, warnings]).toEqual(["1501", []]);
    expect((await read(`/securities/${newSecurityId}`)).quantity).toBe("1501");
  });

  test("is what a dry run tells", async () => {
    const { convert } = await newCompany();
    expect(await convert({ quantity: "1001", dryRun: true })).toMatchObject({
      resultingQuantity: "1501",
      newSecurityId: null,
    });
  });

  for (const [rounding, result] of [
    ["FLOOR", "333"],
    ["CEILING", "334"],
    ["NORMAL", "333"],
  ] as const) {
    test(`is rounded ${rounding}`, async () => {
      const { convert } = await newCompany(right("1", "3", { rounding }));
      expect((await convert({ quantity: "1000" })).resultingQuantity).toBe(result);
    });
  }

  test("goes without saying 1:1 into the oldest common class", async () => {
    const { convert, refused } = await newCompany({ classType: "PREFERRED" });
    expect(await refused({ quantity: "1000", resultingQuantity: "5000000" })).toEqual([422, ["#/resultingQuantity"]]);
    expect((await convert({ quantity: "1000" })).resultingQuantity).toBe("1000");
  });

  test("may be said, also with `notByRight`", async () => {
    const { convert } = await newCompany();
    const said = { quantity: "1000", resultingQuantity: "1500.00" };
    expect(codesOf(await convert(said))).toEqual([]);
    expect(codesOf(await convert({ ...said, notByRight: true }))).toEqual([]);
  });
});

describe("another number", () => {
  test("is refused where it stands", async () => {
    const { refused } = await newCompany();
    expect(await refused({ quantity: "1001", resultingQuantity: "5000000" })).toEqual([422, ["#/resultingQuantity"]]);
  });

  test("is recorded with `notByRight`, warned of, and the entries say both", async () => {
    const { convert, read } = await newCompany();
    const made = await convert({ quantity: "1000", resultingQuantity: "1600", notByRight: true });
    expect(codesOf(made)).toEqual(["not-by-right"]);
    const { metadata } = await read(`/transactions/${made.transactionId}`);
    expect(metadata).toMatchObject({ resultingQuantity: "1600", notByRight: true, byRight: "1500" });
    expect((await read(`/securities/${made.newSecurityId}`)).quantity).toBe("1600");
  });

  test("is needed where by right nothing results", async () => {
    const { convert, refused } = await newCompany(right("1", "3"));
    expect(await refused({ quantity: "2" })).toEqual([422, ["#/quantity"]]);
    expect(await refused({ quantity: "2", notByRight: true })).toEqual([422, ["#/resultingQuantity"]]);
    expect(codesOf(await convert({ quantity: "2", notByRight: true, resultingQuantity: "1" }))).toEqual([
      "not-by-right",
    ]);
  });
});

describe("without a right", () => {
  test("stock says how many result, and that is warned of", async () => {
    const { where, convert, refused } = await newCompany();
    const other = await makeShareClass(server, { name: "Series B", classType: "PREFERRED" }, where);
    expect(await refused({ stockClassId: other, quantity: "10" })).toEqual([422, ["#/resultingQuantity"]]);
    const said = { stockClassId: other, quantity: "10", resultingQuantity: "7" };
    expect(await refused({ ...said, notByRight: true })).toEqual([422, ["#/notByRight"]]);
    expect(codesOf(await convert(said))).toEqual(["no-conversion-right"]);
  });

  test("convertibles say it too, and nothing is warned of", async () => {
    const { common, holder, done, convert, refused } = await newCompany();
    const note = {
      stakeholderId: holder,
      certificateId: "SAFE-1",
      quantity: "50000",
      convertibleType: "SAFE",
      effectiveDate: "2024-01-01",
    };
    const { securityId } = await done("/transactions/issue-convertible", note);
    expect(await refused({ securityId, stockClassId: common })).toEqual([422, ["#/resultingQuantity"]]);
    expect(await refused({ securityId, stockClassId: common, resultingQuantity: "9", notByRight: true })).toEqual([
      422,
      ["#/notByRight"],
    ]);
    const made = await convert({ securityId, stockClassId: common, resultingQuantity: "9" });
    expect([codesOf(made), made.resultingQuantity]).toEqual([[], "9"]);
  });
});

describe("the ratio is that of the day", () => {
  test("before and after an adjustment", async () => {
    const { series, done, convert } = await newCompany();
    const to = { ratio: { numerator: "2", denominator: "1" }, conversionPrice: "1", effectiveDate: "2024-06-01" };
    await done("/transactions/adjust-conversion", { stockClassId: series, ...to });
    expect((await convert({ quantity: "10", effectiveDate: "2024-05-31" })).resultingQuantity).toBe("15");
    expect((await convert({ quantity: "10", effectiveDate: "2024-06-01" })).resultingQuantity).toBe("20");
  });

  test("in the shares that are counted after a recorded split, whatever the day", async () => {
    const { common, series, done, convert } = await newCompany();
    const split = { numerator: 10, denominator: 1, effectiveDate: "2024-06-01" };
    await done("/transactions/split", { stockClassId: common, ...split });
    expect((await convert({ quantity: "10", effectiveDate: "2024-07-01" })).resultingQuantity).toBe("150");
    await done("/transactions/split", { stockClassId: series, ...split, numerator: 2, effectiveDate: "2024-08-01" });
    expect((await convert({ quantity: "10", effectiveDate: "2024-08-01" })).resultingQuantity).toBe("75");
  });
});

test("a package says what was recorded, and comes in as it says", async () => {
  const { where, convert, read } = await newCompany();
  await convert({ quantity: "1000", resultingQuantity: "1600", notByRight: true });
  const headers = { authorization: `Bearer ${await server.key("VIEWER", where.orgId)}` };
  const answer = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { problems } = validatePackage(await readZip(bytes));
  expect(problems.filter(({ severity }) => severity === "problem")).toEqual([]);
  const orgId = await server.newOrganization();
  const zip = { orgId, headers: { "content-type": "application/zip" } };
  const imported = await server.api("POST", "/cap-table/ocf-import", bytes, zip);
  expect(imported.json.data.errors).toEqual([]);
  const copy = (await server.api("GET", "/cap-table", undefined, { orgId })).json.data;
  expect(copy.totals).toEqual((await read("/cap-table")).totals);
});
