// A price that is corrected by PATCH is right on every day and in every view, before splits and after them, and goes out
// as the price that the security was issued at.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "../../exchange/ocf/export/support.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { type Company, differences, done, foundCompany, get, makePlan, option, stock, warrant } from "../support.ts";

setDefaultTimeout(60_000);

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(() => company.server.stop());

const DAY = "2024-03-01";
const SPLIT_DAY = "2024-07-01";

/** A class with stock at 2, a warrant and an option at 1, all of one holder; the option's plan is for the class alone. */
async function held() {
  const { server } = company;
  const [stakeholderId, stockClassId] = [await makeStakeholder(server), await makeShareClass(server)];
  const stockPlanId = await makePlan(server, { stockClassIds: [stockClassId] });
  const given = { stakeholderId, stockClassId, effectiveDate: DAY };
  const securities = {
    stock: await stock(company, { ...given, pricePerShare: "2" }),
    option: await option(company, { ...given, stockPlanId, exercisePrice: "1" }),
    warrant: await warrant(company, { ...given, exercisePrice: "1" }),
  };
  return { server, stakeholderId, stockClassId, securities };
}

type Held = Awaited<ReturnType<typeof held>>;

async function correct({ server }: Held, id: string, body: object): Promise<void> {
  expect((await server.api("PATCH", `/securities/${id}`, body)).status).toBe(200);
}

const split = ({ stockClassId }: Held, numerator = 2) =>
  done(company, "split", { stockClassId, numerator, denominator: 1, effectiveDate: SPLIT_DAY });

/** The price of each, by the record, the position of a day, and the registers as files. */
async function pricesOf({ stakeholderId, securities, server }: Held, asOf = "9999-12-31") {
  const records = await Promise.all(Object.values(securities).map((id) => get(company, `/securities/${id}`)));
  const position = await get(company, `/stakeholders/${stakeholderId}/position?asOf=${asOf}`);
  const then = new Map((position.securities as Record<string, string>[]).map((each) => [each.id, each]));
  const price = (each: Record<string, unknown> | undefined) => each?.exercisePrice ?? each?.pricePerShare ?? null;
  const ledger = (await server.api("GET", "/reports/option-ledger.csv")).text.split("\r\n");
  const row = ledger.find((line) => line.includes(securities.option))?.split(",") ?? [];
  return {
    record: records.map(price),
    position: Object.values(securities).map((id) => price(then.get(id))),
    ledger: row[(ledger[0] ?? "").split(",").findIndex((header) => header.startsWith("Exercise price"))],
  };
}

describe("a corrected price", () => {
  test("is that of every view and day, before a split and after it", async () => {
    const all = await held();
    await correct(all, all.securities.stock, { pricePerShare: "3" });
    await correct(all, all.securities.option, { exercisePrice: "4" });
    await correct(all, all.securities.warrant, { exercisePrice: "5" });
    const before = ["3", "4", "5"];
    expect(await pricesOf(all)).toEqual({ record: before, position: before, ledger: "4" });
    await split(all);
    const after = ["1.5", "2", "2.5"];
    expect(await pricesOf(all)).toEqual({ record: after, position: after, ledger: "2" });
    expect((await pricesOf(all, DAY)).position).toEqual(before);
    expect(differences(company)).toEqual([]);
  });

  test("may be corrected once more after a split, also to none, and back to what the ledger says", async () => {
    const all = await held();
    await correct(all, all.securities.option, { exercisePrice: "4" });
    await split(all, 3);
    await correct(all, all.securities.option, { exercisePrice: "0.5" });
    await correct(all, all.securities.stock, { pricePerShare: null });
    expect((await pricesOf(all)).position).toEqual([null, "0.5", "0.3333333333"]);
    expect((await pricesOf(all, DAY)).position).toEqual([null, "1.5", "1"]);
    await correct(all, all.securities.option, { exercisePrice: "0.3333333333" });
    await correct(all, all.securities.stock, { pricePerShare: "0.6666666667" });
    expect((await pricesOf(all, DAY)).position).toEqual(["2", "1", "1"]);
    expect((await pricesOf(all)).position).toEqual(["0.6666666667", "0.3333333333", "0.3333333333"]);
    expect(differences(company)).toEqual([]);
  });

  test("is exact after a reverse split, though a price as made of ten places is not", async () => {
    const all = await held();
    await done(company, "split", {
      ...{ stockClassId: all.stockClassId, numerator: 1, denominator: 3, effectiveDate: SPLIT_DAY },
    });
    await correct(all, all.securities.option, { exercisePrice: "0.1" });
    await correct(all, all.securities.stock, { pricePerShare: "1" });
    expect((await pricesOf(all)).position).toEqual(["1", "0.1", "3"]);
    expect((await pricesOf(all, DAY)).position).toEqual(["0.3333333333", "0.0333333333", "1"]);
    await split(all);
    expect(await pricesOf(all)).toMatchObject({ record: ["0.5", "0.05", "1.5"], position: ["0.5", "0.05", "1.5"] });
    expect(differences(company)).toEqual([]);
  });

  test("goes out as what the security was issued at, also from an organization that it came into", async () => {
    const { server } = company;
    const first = await server.newOrganization("Priced Inc.");
    const call = callerOf(server, first);
    const stakeholderId = await makeStakeholder(server, {}, { orgId: first });
    const stockClassId = await makeShareClass(server, {}, { orgId: first });
    const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [stockClassId] };
    const stockPlanId = (await call("POST", "/equity-plans", plan)).id;
    const grant = { stakeholderId, stockPlanId, quantity: "4800", exercisePrice: "1", optionType: "NSO" };
    const dated = { ...grant, certificateId: "ES-1", effectiveDate: DAY };
    const { securityId } = await call("POST", "/transactions/issue-options", dated);
    const halve = { stockClassId, numerator: 2, denominator: 1, effectiveDate: SPLIT_DAY };
    await call("PATCH", `/securities/${securityId}`, { exercisePrice: "4" });
    await call("POST", "/transactions/split", halve);
    expect(await strikesOf(first)).toEqual({ exported: ["4", "2"], imported: ["2"] });
    const copy = await server.newOrganization("Copy Inc.");
    await importInto(server, copy, (await exportOf(server, first)).path);
    const inCopy = callerOf(server, copy);
    const { items } = await inCopy("GET", "/securities?type=STOCK_OPTION&status=ACTIVE");
    await inCopy("PATCH", `/securities/${items[0].id}`, { exercisePrice: "3" });
    await inCopy("POST", "/transactions/split", { ...halve, effectiveDate: "2024-08-01" });
    expect(await strikesOf(copy)).toEqual({ exported: ["4", "3", "1.5"], imported: ["1.5"] });

    /** The strikes of a package's issuances, and what an organization has once it came in there. */
    async function strikesOf(orgId: string) {
      const exported = await exportOf(server, orgId);
      await expectNoProblems(exported);
      const another = await server.newOrganization("Another Inc.");
      await importInto(server, another, exported.path);
      const open = await callerOf(server, another)("GET", "/securities?type=STOCK_OPTION&status=ACTIVE");
      const issuances = ofType(exported, "TX_EQUITY_COMPENSATION_ISSUANCE");
      return {
        exported: issuances.map(({ exercise_price }) => exercise_price.amount),
        imported: open.items.map(({ exercisePrice }: { readonly exercisePrice: string }) => exercisePrice),
      };
    }
  });
});
