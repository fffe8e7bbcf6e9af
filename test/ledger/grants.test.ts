// Grants and what becomes of them: issue-options, exercise, and the plan's reserve.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import {
  available,
  type Company,
  differences,
  done,
  foundCompany,
  freshCertificate,
  type Given,
  get,
  lastEntries,
  makePlan,
  makeTerms,
  option,
  outcome,
  run,
  standing,
  stock,
  warrant,
} from "./support.ts";

let company: Company;
beforeAll(async () => {
  company = await foundCompany({ CAPTABLE_CHAIN: "on" });
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

const EARLIER_DATE = "2024-06-30";

describe("issue-options", () => {
  test("makes an ACTIVE option under the plan's only class that expires after ten years, and draws on the plan", async () => {
    const before = Number(await available(company));
    const certificateId = freshCertificate();
    const id = await option(company, { quantity: "400.50", certificateId, effectiveDate: "2024-02-29" });
    expect(await get(company, `/securities/${id}`)).toMatchObject({
      type: "STOCK_OPTION",
      status: "ACTIVE",
      quantity: "400.50",
      stakeholderId: company.holder,
      stockClassId: company.common,
      equityPlanId: company.plan,
      certificateId,
      exercisePrice: "0.25",
      optionType: "ISO",
      pricePerShare: null,
      purchasePrice: null,
      grantDate: "2024-02-29",
      vestingStartDate: "2024-02-29",
      expirationDate: "2034-02-28",
      tokenStatus: "NOT_APPLICABLE",
    });
    expect(Number(await available(company))).toBe(before - 400.5);
    const [entry] = await lastEntries(company, 1);
    expect(entry).toMatchObject({ type: "STOCK_OPTION_ISSUANCE", securityId: id, stakeholderId: company.holder });
    expect(entry).toMatchObject({ quantity: "400.50", effectiveDate: "2024-02-29", recordOnly: false });
  });

  const missing = "00000000-0000-7000-8000-000000000000";
  const rows: [string, Given, string][] = [
    [
      "everything that is optional",
      { expirationDate: "2030-01-01", vestingStartDate: "2024-03-01", description: "x" },
      "201",
    ],
    ["another class than the plan's", { stockClassId: "preferred" }, "201"],
    ["the whole of the reserve and more", { quantity: "100001" }, "409 insufficient-plan-reserve"],
    ["an unknown holder", { stakeholderId: missing }, "404 not-found"],
    ["an unknown plan", { stockPlanId: missing }, "404 not-found"],
    ["an unknown class", { stockClassId: missing }, "404 not-found"],
    ["unknown terms", { vestingTermsId: missing }, "404 not-found"],
    ["an unknown valuation", { valuationId: missing }, "404 not-found"],
    ["a certificate that another has", { certificateId: "TAKEN" }, "409 duplicate-certificate-id"],
    ["a quantity of zero", { quantity: "0.0" }, "422 #/quantity"],
    ["a number for a decimal", { exercisePrice: 1 }, "422 #/exercisePrice"],
    ["another kind of option", { optionType: "RSU" }, "422 #/optionType"],
    ["a day that is not", { effectiveDate: "2023-02-30" }, "422 #/effectiveDate"],
    ["a member it does not have", { optionTyp: "ISO" }, "422 #/optionTyp"],
    ["no expiration, which has a default", { expirationDate: null }, "422 #/expirationDate"],
  ];
  test.each(rows)("with %s", async (_what, given, expected) => {
    if (given.certificateId === "TAKEN") await option(company, { certificateId: "TAKEN" }).catch(() => undefined);
    const body = {
      stakeholderId: company.holder,
      stockPlanId: company.plan,
      quantity: "10",
      exercisePrice: "0.25",
      optionType: "NSO",
      certificateId: freshCertificate(),
      effectiveDate: "2024-01-01",
      ...given,
      ...(given.stockClassId === "preferred" ? { stockClassId: company.preferred } : {}),
    };
    expect(outcome(await run(company, "issue-options", body))).toBe(expected);
  });

  test("without a class of its own where the plan has none or several", async () => {
    const several = await makePlan(company.server, { stockClassIds: [company.common, company.preferred] });
    const id = await option(company, { stockPlanId: several });
    expect(await get(company, `/securities/${id}`)).toMatchObject({ stockClassId: null, equityPlanId: several });
  });
});

describe("exercise", () => {
  const rows: [string, "option" | "warrant" | "stock", Given, Given, string][] = [
    ["part of an option", "option", {}, { quantity: "400" }, "201 | ACTIVE 600"],
    ["the whole of an option", "option", {}, {}, "201 | EXERCISED 0"],
    ["a warrant", "warrant", {}, { exercisePrice: "1.5" }, "201 | EXERCISED 0"],
    ["the strike written otherwise", "option", {}, { exercisePrice: "0.2500" }, "201 | EXERCISED 0"],
    ["on the day it expires", "option", { expirationDate: "2024-06-30" }, {}, "201 | EXERCISED 0"],
    ["the day after", "option", { expirationDate: "2024-06-29" }, {}, "409 invalid-state | ACTIVE 1000"],
    ["another price", "option", {}, { exercisePrice: "0.26" }, "422 #/exercisePrice | ACTIVE 1000"],
    [
      "too much at another price",
      "option",
      {},
      { quantity: "1000.01", exercisePrice: "1" },
      "422 #/quantity #/exercisePrice | ACTIVE 1000",
    ],
    ["stock", "stock", {}, {}, "422 #/securityId | ACTIVE 1000"],
    ["an unknown way of paying", "option", {}, { paymentMethod: "BARTER" }, "422 #/paymentMethod | ACTIVE 1000"],
    ["in an unknown class", "option", {}, { stockClassId: "unknown" }, "404 not-found | ACTIVE 1000"],
  ];
  test.each(rows)("%s", async (_what, kind, grant, given, expected) => {
    const makers = { option, warrant, stock } as const;
    const securityId = await makers[kind](company, { ...grant, quantity: "1000" });
    const body = { securityId, quantity: "1000", exercisePrice: "0.25", effectiveDate: EARLIER_DATE, ...given };
    const answer = await run(company, "exercise", body);
    expect(`${outcome(answer)} | ${await standing(company, securityId)}`).toBe(expected);
  });

  test("makes stock that inherits from the option, at the strike, with the class's next number", async () => {
    const securityId = await option(company, { valuationId: null, vestingTermsId: null });
    const body = { securityId, quantity: "400.0", exercisePrice: "0.250", effectiveDate: EARLIER_DATE };
    const { transactionId, newSecurityId } = await done(company, "exercise", { ...body, paymentMethod: "CASHLESS" });
    expect(await get(company, `/securities/${newSecurityId}`)).toMatchObject({
      type: "STOCK",
      status: "ACTIVE",
      quantity: "400.0",
      stakeholderId: company.holder,
      stockClassId: company.common,
      equityPlanId: company.plan,
      originSecurityId: securityId,
      pricePerShare: "0.250",
      purchasePrice: "100",
      optionType: "ISO",
      grantDate: EARLIER_DATE,
      vestingStartDate: "2024-01-01",
      certificateId: expect.stringMatching(/^CS-\d+$/),
      tokenStatus: "PENDING",
    });
    expect(await get(company, `/transactions/${transactionId}`)).toMatchObject({
      type: "STOCK_OPTION_EXERCISE",
      securityId,
      stakeholderId: company.holder,
      quantity: "400.0",
      metadata: { newSecurityId, toStakeholderId: company.holder, paymentMethod: "CASHLESS", exercisePrice: "0.250" },
    });
  });

  test("yields the body's class only where neither the option nor its plan says one", async () => {
    const bare = await makePlan(company.server);
    const securityId = await option(company, { stockPlanId: bare });
    const body = { securityId, quantity: "1", exercisePrice: "0.25", effectiveDate: EARLIER_DATE };
    expect(outcome(await run(company, "exercise", body))).toBe("422 #/stockClassId");
    const { newSecurityId } = await done(company, "exercise", { ...body, stockClassId: company.preferred });
    expect(await get(company, `/securities/${newSecurityId}`)).toMatchObject({ stockClassId: company.preferred });
    await company.server.api("PATCH", `/equity-plans/${bare}`, { stockClassIds: [company.common] });
    const again = await done(company, "exercise", { ...body, stockClassId: company.preferred });
    expect(await get(company, `/securities/${again.newSecurityId}`)).toMatchObject({ stockClassId: company.common });
  });

  test("beyond the authorized shares is refused", async () => {
    const tiny = await makeShareClass(company.server, { initialSharesAuthorized: "100", defaultIdPrefix: "TI-" });
    const securityId = await warrant(company, { stockClassId: tiny, quantity: "101" });
    const body = { securityId, exercisePrice: "1.5", effectiveDate: EARLIER_DATE };
    expect(outcome(await run(company, "exercise", { ...body, quantity: "101" }))).toBe(
      "409 insufficient-authorized-shares",
    );
    expect(outcome(await run(company, "exercise", { ...body, quantity: "100" }))).toBe("201");
  });

  test("of the whole, raced by twenty, succeeds once", async () => {
    const securityId = await option(company, { quantity: "10" });
    const body = { securityId, quantity: "10", exercisePrice: "0.25", effectiveDate: EARLIER_DATE };
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(company, "exercise", body)));
    const outcomes = Map.groupBy(answers.map(outcome), (line) => line);
    expect([...outcomes].map(([line, all]) => [line, all.length]).sort()).toEqual([
      ["201", 1],
      ["409 invalid-state", 19],
    ]);
  });

  test("of what has not vested needs earlyExercise; what was exercised counts", async () => {
    const monthly = { id: "m", trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" } };
    const vestingTermsId = await makeTerms(company.server, [
      { ...monthly, portion: { numerator: 1, denominator: 10 }, nextConditionId: "m" },
    ]);
    const securityId = await option(company, { vestingTermsId, quantity: "1000" });
    const exercise = (quantity: string, effectiveDate: string, more: Given = {}) =>
      run(company, "exercise", { securityId, quantity, exercisePrice: "0.25", effectiveDate, ...more }).then(outcome);
    const rows = [
      [await exercise("1", "2024-01-31"), "409 unvested-quantity"],
      [await exercise("100", "2024-02-01"), "201"],
      [await exercise("0.0000000001", "2024-02-29"), "409 unvested-quantity"],
      [await exercise("101", "2024-03-01"), "409 unvested-quantity"],
      [await exercise("100", "2024-03-01"), "201"],
      [await exercise("300", "2024-03-01", { earlyExercise: true }), "201"],
      [await exercise("1", "2024-03-01"), "409 unvested-quantity"],
      [await exercise("500", "2024-11-01"), "201"],
    ];
    expect(rows.map(([is]) => is)).toEqual(rows.map(([, should]) => should));
    expect(await standing(company, securityId)).toBe("EXERCISED 0");
  });
});

describe("the plan's reserve", () => {
  const steps: [string, (id: string) => Promise<unknown>, string][] = [
    ["a transfer moves the grant, and the reserve not", transferAll, "9000"],
    ["an exercise moves nothing", exerciseAll, "9000"],
    ["a cancellation keeps the shares", (id) => cancelAll(id, false), "9000"],
    ["a cancellation to the pool gives them back", (id) => cancelAll(id, true), "10000"],
    ["a retraction gives them back", retractAll, "10000"],
    ["a deletion gives them back", (id) => company.server.api("DELETE", `/securities/${id}`), "10000"],
    ["a lower quantity gives the difference back", (id) => patch(id, { quantity: "400" }), "9600"],
    ["a higher quantity takes the difference", (id) => patch(id, { quantity: "1400" }), "8600"],
    ["a status of its own leaves it", (id) => patch(id, { status: "CANCELLED" }), "9000"],
    ["another plan gives them back here", (id) => patch(id, { stockPlanId: company.plan }), "10000"],
    ["a transferred grant that is retracted gives them back", async (id) => retractAll(await transferAll(id)), "10000"],
    ["what an exercise made gives back what it was made of", async (id) => retractAll(await exerciseAll(id)), "10000"],
    ["and it can be cancelled to the pool", async (id) => cancelAll(await exerciseAll(id), true), "10000"],
  ];
  test.each(steps)("of 10,000 with 1,000 granted: %s", async (_what, step, left) => {
    const plan = await makePlan(company.server, { initialSharesReserved: "10000", stockClassIds: [company.common] });
    const id = await option(company, { stockPlanId: plan, quantity: "1000" });
    expect(await available(company, plan)).toBe("9000");
    await step(id);
    expect(await available(company, plan)).toBe(left);
  });

  test("is drawn on by stock issued under the plan, and not by warrants", async () => {
    const plan = await makePlan(company.server, { initialSharesReserved: "10000" });
    const create = (given: Given) =>
      company.server.api("POST", "/securities", {
        stakeholderId: company.holder,
        stockClassId: company.common,
        stockPlanId: plan,
        certificateId: freshCertificate(),
        quantity: "100",
        grantDate: "2024-01-01",
        ...given,
      });
    expect(outcome(await create({ type: "STOCK" }))).toBe("201");
    expect(await available(company, plan)).toBe("9900");
    const wide = await create({ type: "WARRANT", quantity: "500000" });
    expect(outcome(wide)).toBe("201");
    expect(await available(company, plan)).toBe("9900");
    await cancelAll(wide.json.id, true);
    expect(await available(company, plan)).toBe("9900");
    expect(outcome(await create({ type: "STOCK", quantity: "9900.0000000001" }))).toBe("409 insufficient-plan-reserve");
  });

  async function transferAll(securityId: string): Promise<string> {
    const { quantity } = await get(company, `/securities/${securityId}`);
    const fromStakeholderId = company.holder;
    const toStakeholderId = await makeStakeholder(company.server);
    const body = { securityId, fromStakeholderId, toStakeholderId, quantity, effectiveDate: EARLIER_DATE };
    return (await done(company, "transfer", body)).newSecurityId ?? "";
  }
  async function exerciseAll(securityId: string): Promise<string> {
    const { quantity } = await get(company, `/securities/${securityId}`);
    const body = { securityId, quantity, exercisePrice: "0.25", effectiveDate: EARLIER_DATE };
    return (await done(company, "exercise", body)).newSecurityId ?? "";
  }
  async function cancelAll(securityId: string, returnToPool: boolean): Promise<unknown> {
    const { quantity } = await get(company, `/securities/${securityId}`);
    const cancellationReason = "TERMINATION";
    return done(company, "cancel", {
      securityId,
      quantity,
      cancellationReason,
      returnToPool,
      effectiveDate: EARLIER_DATE,
    });
  }
  function retractAll(securityId: string): Promise<unknown> {
    return done(company, "retract", { securityId, reason: "Never approved", effectiveDate: EARLIER_DATE });
  }
  async function patch(securityId: string, body: Given): Promise<void> {
    const answer = await company.server.api("PATCH", `/securities/${securityId}`, body);
    expect(answer.status).toBe(200);
  }
});
