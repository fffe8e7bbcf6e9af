// A leaver's lost shares are exported as cancellations with their returns, and a copy equals the original.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeStakeholder } from "../../../kit/records.ts";
import { type Company, done, foundCompany, get, makePlan, makeTerms, option } from "../../../ledger/support.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "./support.ts";

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(() => company.server.stop());

test("a leaver is exported as cancellations with their returns, and imported alike", async () => {
  const { server } = company;
  const trigger = { type: "TIME_BASED", periodType: "YEARS", periodLength: 1, occurrences: 4 };
  const vestingTermsId = await makeTerms(server, [{ id: "y", trigger, portion: { numerator: 1, denominator: 4 } }]);
  const retiring = await makePlan(server, {
    stockClassIds: [company.common],
    defaultCancellationBehavior: "RETIRE",
  });
  const stakeholderId = await makeStakeholder(server, { relationships: ["EMPLOYEE"] });
  const returned = await option(company, { stakeholderId, vestingTermsId });
  const retired = await option(company, { stakeholderId, vestingTermsId, stockPlanId: retiring });
  const leaving = { stakeholderId, effectiveDate: "2025-06-30", exerciseWithinDays: 90 };
  const { transactionIds } = await done(company, "terminate-service", leaving);
  const exported = await exportOf(server);
  await expectNoProblems(exported);
  const cancellations = ofType(exported, "TX_EQUITY_COMPENSATION_CANCELLATION");
  expect(cancellations.map(({ id, security_id, quantity, date }) => [id, security_id, quantity, date])).toEqual([
    [transactionIds?.[0], returned, "750", "2025-06-30"],
    [transactionIds?.[1], retired, "750", "2025-06-30"],
  ]);
  const returns = ofType(exported, "TX_STOCK_PLAN_RETURN_TO_POOL");
  expect(returns.map(({ security_id, quantity }) => [security_id, quantity])).toEqual([[returned, "750"]]);
  const [leaver] = ofType(exported, "STAKEHOLDER").filter(({ id }) => id === stakeholderId);
  expect(leaver).toMatchObject({ current_relationship: "EX_EMPLOYEE" });

  const copy = await server.newOrganization("Copy");
  expect((await importInto(server, copy, exported.path)).errors).toEqual([]);
  const shown = callerOf(server, copy);
  for (const plan of [company.plan, retiring]) {
    const { currentSharesReserved } = await get(company, `/equity-plans/${plan}`);
    expect(await shown("GET", `/equity-plans/${plan}`)).toMatchObject({ currentSharesReserved });
  }
  const held = (await shown("GET", `/securities?stakeholderId=${stakeholderId}`)).items;
  const open = held.filter(({ status }: Record<string, unknown>) => status === "ACTIVE");
  expect(open).toMatchObject([
    { quantity: "250", expirationDate: "2025-09-28" },
    { quantity: "250", expirationDate: "2025-09-28" },
  ]);
  for (const { id } of open) {
    const vesting = await shown("GET", `/securities/${id}/vesting?asOf=2029-01-01`);
    expect(vesting).toMatchObject({ quantity: "250", vested: "250" });
  }
});
