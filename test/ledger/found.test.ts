// What random histories (test/property) found, each as a short history that showed it.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/kernel/date.ts";
import { makeShareClass } from "../kit/records.ts";
import {
  type Company,
  differences,
  done,
  foundCompany,
  get,
  makePlan,
  makeTerms,
  option,
  outcome,
  run,
  stock,
} from "./support.ts";

setDefaultTimeout(60_000);

const TODAY = new Date().toISOString().slice(0, 10);

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterEach(() => expect(differences(company)).toEqual([]));
afterAll(() => company.server.stop());

/** `vested/quantity` on a day. */
async function vested(securityId: string, asOf = TODAY): Promise<string> {
  const { vested: part, quantity } = await get(company, `/securities/${securityId}/vesting?asOf=${asOf}`);
  return `${part}/${quantity}`;
}

test("a split dated tomorrow is not refused for what is dated ahead of another class", async () => {
  const common = await makeShareClass(company.server, { defaultIdPrefix: "S-", initialSharesAuthorized: "10000" });
  const plan = await makePlan(company.server, { stockClassIds: [common], initialSharesReserved: "120" });
  await option(company, { stockPlanId: plan, quantity: "25" });
  await stock(company, { stockClassId: common });
  await stock(company, { effectiveDate: addDays(TODAY, 400) });
  const body = { stockClassId: common, numerator: 5, denominator: 1, effectiveDate: addDays(TODAY, 1) };
  expect(outcome(await run(company, "split", body))).toBe("200");
  expect(await get(company, `/equity-plans/${plan}`)).toMatchObject({ currentSharesReserved: "475" });
});

test("what a milestone holds is multiplied by a split that follows", async () => {
  const common = await makeShareClass(company.server, { defaultIdPrefix: "M-" });
  const id = await stock(company, { stockClassId: common, quantity: "100" });
  const given = { name: "Launch", securityId: id, quantity: "40" };
  await company.server.api("POST", "/vesting-milestones", given);
  expect(await vested(id)).toBe("60/100");
  await done(company, "split", { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: TODAY });
  expect(await vested(id)).toBe("120/200");
});

/** Terms by which a tenth vests each month. */
function monthly(): Promise<string> {
  const condition = {
    id: "month",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
    portion: { numerator: 1, denominator: 10 },
    nextConditionId: "month",
  };
  return makeTerms(company.server, [condition]);
}

test("a correction of what was transferred whole brings its vesting back, not vested shares", async () => {
  const vestingTermsId = await monthly();
  const id = await option(company, { quantity: "1000", vestingTermsId, effectiveDate: "2024-01-01" });
  const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
  const body = { securityId: id, ...parties, quantity: "1000", effectiveDate: "2024-06-15" };
  await done(company, "transfer", body);
  await company.server.api("PATCH", `/securities/${id}`, { quantity: "100", status: "ACTIVE" });
  const parcels = (await get(company, `/securities/${id}/vesting`)).parcels as { date: string; quantity: string }[];
  expect(parcels.map(({ date, quantity }) => `${date} ${quantity}`).slice(0, 2)).toEqual([
    "2024-02-01 10",
    "2024-03-01 10",
  ]);
  expect(parcels).toHaveLength(10);
});

test("vesting as of a day before a split has the shares of that day, whatever was dated back since", async () => {
  const common = await makeShareClass(company.server, { defaultIdPrefix: "V-" });
  const given = { vestingTermsId: await monthly(), effectiveDate: "2024-01-01", quantity: "200" };
  const id = await stock(company, { stockClassId: common, ...given });
  await done(company, "split", { stockClassId: common, numerator: 1, denominator: 2, effectiveDate: TODAY });
  const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
  const body = { securityId: id, ...parties, quantity: "100", effectiveDate: "2024-06-15" };
  const { newSecurityId = "" } = await done(company, "transfer", body);
  expect([await vested(id, "2024-06-15"), await vested(newSecurityId, "2024-06-15")]).toEqual(["50/100", "50/100"]);
  expect([await vested(id), await vested(newSecurityId)]).toEqual(["0/0", "100/100"]);
});

test("what is dated back to before a grant takes nothing of its vesting until the grant is there", async () => {
  const id = await stock(company, { effectiveDate: "2025-01-01", quantity: "100" });
  const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
  const body = { securityId: id, ...parties, quantity: "40", effectiveDate: "2024-06-15" };
  const { newSecurityId = "" } = await done(company, "transfer", body);
  const both = async (asOf: string) => [await vested(id, asOf), await vested(newSecurityId, asOf)];
  expect(await both("2024-12-31")).toEqual(["0/100", "0/0"]);
  expect(await both("2025-01-01")).toEqual(["60/60", "40/40"]);
});
