// What random histories (test/property) found, each as a short history that showed it.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/kernel/date.ts";
import { makeShareClass } from "../support/make.ts";
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

test("a correction of what was transferred whole brings its vesting back, not vested shares", async () => {
  const condition = {
    id: "month",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
    portion: { numerator: 1, denominator: 10 },
    nextConditionId: "month",
  };
  const vestingTermsId = await makeTerms(company.server, [condition]);
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
