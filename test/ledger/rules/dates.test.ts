// Dates bind: the days that operations take, and the limits on every day to come.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../../src/kernel/date.ts";
import { makeShareClass } from "../../kit/records.ts";
import {
  type Company,
  convertible,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  makePlan,
  makeTerms,
  option,
  outcome,
  run,
  stock,
  warrant,
} from "../support.ts";

setDefaultTimeout(60_000);

let company: Company;
const TODAY = new Date().toISOString().slice(0, 10);
const [YESTERDAY, TOMORROW, DISTANT] = [addDays(TODAY, -1), addDays(TODAY, 1), addDays(TODAY, 2)];
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

interface Table {
  readonly totals: Readonly<Record<string, string>>;
  readonly stakeholders: readonly { readonly id: string; readonly outstanding: string }[];
}

async function table(asOf: string): Promise<Table> {
  return (await get(company, `/cap-table?asOf=${asOf}`)) as unknown as Table;
}

function transferred(securityId: string, quantity: string, effectiveDate: string) {
  const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
  return done(company, "transfer", { securityId, ...parties, quantity, effectiveDate });
}

describe("the extension routes", () => {
  const routes: [string, () => Promise<Given>][] = [
    ["issue-warrant", async () => ({ ...issue(), exercisePrice: "1", stockClassId: company.common })],
    ["issue-convertible", async () => ({ ...issue(), convertibleType: "SAFE" })],
    [
      "convert",
      async () => ({ securityId: await stock(company), stockClassId: company.preferred, resultingQuantity: "1" }),
    ],
    ["repurchase", async () => ({ securityId: await stock(company), quantity: "1", pricePerShare: "1" })],
    ["retract", async () => ({ securityId: await stock(company), reason: "In error" })],
    ["split", async () => ({ stockClassId: await classOf("100"), numerator: 1, denominator: 1 })],
    ["adjust-authorized", async () => ({ stockClassId: company.preferred, newSharesAuthorized: "999" })],
    ["adjust-reserve", async () => ({ equityPlanId: company.plan, newSharesReserved: "999999" })],
    ["accelerate-vesting", async () => ({ securityId: await unvested(), quantity: "1", reason: "Sale" })],
    ["record-vesting-event", async () => ({ securityId: await unvested(), quantity: "1" })],
  ];
  test.each(routes)("%s takes no day after tomorrow", async (route, bodyOf) => {
    const tried = [DISTANT, TOMORROW].map(async (effectiveDate) =>
      outcome(await run(company, route, { ...(await bodyOf()), effectiveDate })),
    );
    const [distant, tomorrow] = await Promise.all(tried);
    expect([distant, tomorrow?.slice(0, 2)]).toEqual(["422 #/effectiveDate", "20"]);
  });

  test("start-vesting takes any day, and so does issue-shares", async () => {
    const securityId = await unvested();
    const started = { securityId, effectiveDate: "2040-01-01" };
    expect(outcome(await run(company, "start-vesting", started))).toBe("200");
    const shares = { ...issue(), stockClassId: company.common, effectiveDate: "2040-01-01" };
    expect(outcome(await run(company, "issue-shares", shares))).toBe("201");
  });

  test("tell the 422 where a body breaks a 409 of the dates, too", async () => {
    const securityId = await stock(company, { effectiveDate: "2050-01-01" });
    const body = { securityId, reason: "In error", effectiveDate: DISTANT };
    expect(outcome(await run(company, "retract", body))).toBe("422 #/effectiveDate");
  });

  test.each([
    ["repurchase", { quantity: "101", pricePerShare: "1" }, "422 #/quantity"],
    ["repurchase", { quantity: "2", vestedQuantity: "3", pricePerShare: "1" }, "422 #/vestedQuantity"],
    ["convert", { quantity: "101", resultingQuantity: "1" }, "422 #/quantity"],
    ["repurchase", { quantity: "1", pricePerShare: "1" }, "409 invalid-state"],
  ])(
    "tell the 422 of a body that is wrong for the record before the 409 of its day: %s %j",
    async (route, body, told) => {
      const securityId = await stock(company, { quantity: "100", effectiveDate: "2024-06-01" });
      const stockClass = route === "convert" ? { stockClassId: company.preferred } : {};
      const early = { securityId, ...stockClass, ...body, effectiveDate: "2024-05-31" };
      expect(outcome(await run(company, route, early))).toBe(told);
    },
  );

  const lowering: [string, (securityId: string) => Given][] = [
    ["convert", () => ({ stockClassId: company.preferred, resultingQuantity: "1" })],
    ["repurchase", () => ({ quantity: "1", pricePerShare: "1" })],
    ["retract", () => ({ reason: "In error" })],
  ];
  test.each(lowering)("%s is not dated before the latest entry on the security", async (route, more) => {
    const securityId = await stock(company, { effectiveDate: "2024-01-01" });
    await transferred(securityId, "10", "2024-06-01");
    const dated = (effectiveDate: string) =>
      run(company, route, { securityId, ...more(securityId), effectiveDate, dryRun: true }).then(outcome);
    expect([await dated("2024-05-31"), await dated("2024-06-01"), await dated(TOMORROW)]).toEqual([
      "409 invalid-state",
      "200",
      "200",
    ]);
    // What records nothing but a note does not count, and what is yet to come binds as today does.
    await company.server.api("POST", "/transactions", { type: "STOCK_TRANSFER", securityId, effectiveDate: YESTERDAY });
    expect(await dated("2024-06-01")).toBe("200");
    await transferred(securityId, "10", "2060-01-01");
    expect([await dated(YESTERDAY), await dated(TODAY)]).toEqual(["409 invalid-state", "200"]);
  });

  test("nor before the entry that made the security", async () => {
    const { newSecurityId } = await transferred(await stock(company), "10", "2024-06-01");
    const dated = (effectiveDate: string) =>
      run(company, "retract", { securityId: newSecurityId, reason: "x", effectiveDate, dryRun: true }).then(outcome);
    expect([await dated("2024-05-31"), await dated("2024-06-01")]).toEqual(["409 invalid-state", "200"]);
  });

  test.each(lowering)("%s nor before a split that the security went through", async (route, more) => {
    const stockClassId = await classOf("100000");
    const securityId = await stock(company, { stockClassId, effectiveDate: "2024-01-01" });
    const split = { stockClassId, numerator: 1, denominator: 2 };
    await done(company, "split", { ...split, effectiveDate: "2024-06-01" });
    // Made after the split, and of another class: it is nothing to them.
    const later = await stock(company, { stockClassId, effectiveDate: "2024-03-01" });
    const other = await stock(company, { effectiveDate: "2024-03-01" });
    const dated = (id: string, effectiveDate: string) =>
      run(company, route, { securityId: id, ...more(id), effectiveDate, dryRun: true }).then(outcome);
    expect([await dated(securityId, "2024-05-31"), await dated(securityId, "2024-06-01")]).toEqual([
      "409 invalid-state",
      "200",
    ]);
    expect([await dated(later, "2024-05-31"), await dated(other, "2024-05-31")]).toEqual(["200", "200"]);
  });

  test("a split is not dated before the latest entry on any security of the class", async () => {
    const stockClassId = await classOf("100000");
    await stock(company, { stockClassId, effectiveDate: "2024-01-01" });
    const safe = await convertible(company);
    const converted = { securityId: safe, stockClassId, resultingQuantity: "10", effectiveDate: "2024-06-01" };
    await done(company, "convert", converted);
    const dated = (effectiveDate: string) =>
      run(company, "split", { stockClassId, numerator: 2, denominator: 1, effectiveDate, dryRun: true }).then(outcome);
    expect([await dated("2024-05-31"), await dated("2024-06-01")]).toEqual(["409 invalid-state", "200"]);
  });

  test("nor before the transfer that made one of it, though its source is of another class since", async () => {
    const stockClassId = await classOf("100000");
    const source = await stock(company, { stockClassId, effectiveDate: "2024-01-01" });
    await transferred(source, "10", "2024-06-01");
    await company.server.api("PATCH", `/securities/${source}`, { stockClassId: company.preferred });
    const dated = (effectiveDate: string) =>
      run(company, "split", { stockClassId, numerator: 2, denominator: 1, effectiveDate, dryRun: true }).then(outcome);
    expect([await dated("2024-05-31"), await dated("2024-06-01")]).toEqual(["409 invalid-state", "200"]);
  });

  test("an adjustment is not dated before an earlier one of the same class or plan", async () => {
    const stockClassId = await classOf("100");
    const adjust = (effectiveDate: string, figure = "100") =>
      run(company, "adjust-authorized", { stockClassId, newSharesAuthorized: figure, effectiveDate }).then(outcome);
    expect([await adjust("2024-06-01"), await adjust("2024-05-31"), await adjust("2024-06-01", "200")]).toEqual([
      "200",
      "409 invalid-state",
      "200",
    ]);
  });
});

function issue(): Given {
  return { stakeholderId: company.holder, quantity: "10", certificateId: crypto.randomUUID() };
}

function classOf(initialSharesAuthorized: string): Promise<string> {
  return makeShareClass(company.server, { initialSharesAuthorized, defaultIdPrefix: "D-" });
}

async function unvested(): Promise<string> {
  const year = { trigger: { type: "TIME_BASED", periodLength: 10, periodType: "YEARS" } };
  const terms = await makeTerms(company.server, [{ id: "y", ...year, portion: { numerator: 1, denominator: 1 } }]);
  return option(company, { vestingTermsId: terms });
}

describe("limits on days to come", () => {
  test("authorized shares that come later authorize nothing today", async () => {
    const stockClassId = await classOf("100");
    const more = { stockClassId, newSharesAuthorized: "1000", effectiveDate: TOMORROW };
    await done(company, "adjust-authorized", more);
    const issued = (quantity: string, effectiveDate: string) =>
      run(company, "issue-shares", { ...issue(), stockClassId, quantity, effectiveDate });
    const refused = await issued("101", TODAY);
    expect(outcome(refused)).toBe("409 insufficient-authorized-shares");
    expect(refused.json.detail).toContain(`On ${TODAY} `);
    expect(outcome(await issued("101", "2024-01-01"))).toBe("409 insufficient-authorized-shares");
    expect(outcome(await issued("100", TODAY))).toBe("201");
    expect(outcome(await issued("900", TOMORROW))).toBe("201");
    expect(outcome(await issued("1", DISTANT))).toBe("409 insufficient-authorized-shares");
  });

  test("a security that closes later is not corrected: no quantity would be true on the days before and after", async () => {
    const stockClassId = await classOf("100");
    const held = await stock(company, { stockClassId, quantity: "10" });
    const cancel = { securityId: held, quantity: "10", cancellationReason: "FORFEITURE", effectiveDate: TOMORROW };
    await done(company, "cancel", cancel);
    const corrected = (quantity: string) => company.server.api("PATCH", `/securities/${held}`, { quantity });
    for (const quantity of ["91", "90"]) {
      const refused = await corrected(quantity);
      expect(outcome(refused)).toBe("409 invalid-state");
      expect(refused.json.detail).toContain(TOMORROW);
    }
  });

  test("shares that are cancelled later are still there, and what waits for them too", async () => {
    const stockClassId = await classOf("100");
    const held = await stock(company, { stockClassId, quantity: "100" });
    const cancel = { securityId: held, quantity: "60", cancellationReason: "FORFEITURE", effectiveDate: "2050-01-01" };
    await done(company, "cancel", cancel);
    const issued = (quantity: string, effectiveDate: string) =>
      run(company, "issue-shares", { ...issue(), stockClassId, quantity, effectiveDate }).then(outcome);
    expect(await issued("1", TODAY)).toBe("409 insufficient-authorized-shares");
    expect(await issued("60", "2050-01-01")).toBe("201");
    // Dated between them, the record as it stands would bear it.
    expect(await issued("1", "2049-12-31")).toBe("409 insufficient-authorized-shares");
  });

  test("a grant that returns later cannot be granted again before", async () => {
    const plan = await makePlan(company.server, { initialSharesReserved: "100", stockClassIds: [company.common] });
    const held = await option(company, { stockPlanId: plan, quantity: "100" });
    const cancel = { securityId: held, quantity: "100", cancellationReason: "FORFEITURE", effectiveDate: "2050-01-01" };
    await done(company, "cancel", { ...cancel, returnToPool: true });
    const given = { ...issue(), stockPlanId: plan, exercisePrice: "1", optionType: "NSO" };
    const refused = await run(company, "issue-options", { ...given, effectiveDate: TODAY });
    expect([outcome(refused), refused.json.detail]).toEqual([
      "409 insufficient-plan-reserve",
      `On ${TODAY} the equity plan's available reserve falls short by 10 shares.`,
    ]);
    expect(outcome(await run(company, "issue-options", { ...given, effectiveDate: "2050-01-01" }))).toBe("201");
  });

  test("a limit names the first day on which it does not bear", async () => {
    const stockClassId = await classOf("100");
    await stock(company, { stockClassId, quantity: "60", effectiveDate: "2050-01-01" });
    const detailOf = async (quantity: string, effectiveDate: string) =>
      (await run(company, "issue-shares", { ...issue(), stockClassId, quantity, effectiveDate })).json.detail;
    const over = (shares: number) => `the share class would have ${shares} shares outstanding with 100 authorized.`;
    expect(await detailOf("50", "2024-01-01")).toBe(`On 2050-01-01 ${over(110)}`);
    expect(await detailOf("50", "2060-01-01")).toBe(`On 2060-01-01 ${over(110)}`);
    await stock(company, { stockClassId, quantity: "40" });
    const full = await classOf("100");
    const body = { ...issue(), stockClassId: full, quantity: "101", effectiveDate: "2024-01-01" };
    expect((await run(company, "issue-shares", body)).json.detail).toBe(`On ${TODAY} ${over(101)}`);
  });

  test("what a future transfer's successor gives up is not free before it is there", async () => {
    const stockClassId = await classOf("100");
    const held = await stock(company, { stockClassId, quantity: "100" });
    const { newSecurityId } = await transferred(held, "50", "2050-01-01");
    const cancel = {
      securityId: newSecurityId,
      quantity: "50",
      cancellationReason: "FORFEITURE",
      effectiveDate: TODAY,
    };
    await done(company, "cancel", cancel);
    const body = { ...issue(), stockClassId, effectiveDate: TODAY };
    expect(outcome(await run(company, "issue-shares", body))).toBe("409 insufficient-authorized-shares");
    expect((await table(TODAY)).totals.outstanding).toBeDefined();
  });

  test("an exercise and a warrant are bound alike, and past days are not judged again", async () => {
    const stockClassId = await classOf("100");
    const grantedLater = await warrant(company, { stockClassId, quantity: "50", exercisePrice: "1" });
    await stock(company, { stockClassId, quantity: "100", effectiveDate: "2024-01-01" });
    await done(company, "adjust-authorized", { stockClassId, newSharesAuthorized: "150", effectiveDate: TOMORROW });
    const exercise = { securityId: grantedLater, quantity: "50", exercisePrice: "1" };
    expect(outcome(await run(company, "exercise", { ...exercise, effectiveDate: "2024-06-01" }))).toBe(
      "409 insufficient-authorized-shares",
    );
    expect(outcome(await run(company, "exercise", { ...exercise, effectiveDate: TOMORROW }))).toBe("201");
  });
});

describe("views", () => {
  test("take no direct edit beside a later transfer, which would lose what it moves", async () => {
    const fresh = await foundCompany();
    try {
      const id = await stock(fresh, { quantity: "100" });
      const parties = { fromStakeholderId: fresh.holder, toStakeholderId: fresh.other };
      await done(fresh, "transfer", { securityId: id, ...parties, quantity: "30", effectiveDate: "2060-01-01" });
      for (const quantity of ["90", "1"]) {
        const refused = await fresh.server.api("PATCH", `/securities/${id}`, { quantity });
        expect(outcome(refused)).toBe("409 invalid-state");
        expect(refused.json.detail).toContain("2060-01-01");
      }
      const total = async (day: string) => ((await get(fresh, `/cap-table?asOf=${day}`)).totals as Given).outstanding;
      expect([await total(YESTERDAY), await total(TODAY), await total("2060-01-01")]).toEqual(["100", "100", "100"]);
    } finally {
      await fresh.server.stop();
    }
  });

  test("take off what a retraction says, and nothing that a later transfer moves", async () => {
    const fresh = await foundCompany();
    try {
      const id = await stock(fresh, { quantity: "100" });
      const parties = { fromStakeholderId: fresh.holder, toStakeholderId: fresh.other };
      await done(fresh, "transfer", { securityId: id, ...parties, quantity: "30", effectiveDate: "2060-01-01" });
      await done(fresh, "retract", { securityId: id, reason: "In error", effectiveDate: TODAY });
      const total = async (day: string) => ((await get(fresh, `/cap-table?asOf=${day}`)).totals as Given).outstanding;
      expect([await total(YESTERDAY), await total(TODAY), await total("2060-01-01")]).toEqual(["100", "30", "30"]);
    } finally {
      await fresh.server.stop();
    }
  });
});
