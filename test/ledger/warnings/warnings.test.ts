// What is allowed and odd is told by the answer that did it, and by no reading: operations and vesting terms.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { allRoutes } from "../../../src/server/routes.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function newCompany(authorized = "1000000", reserved = "1000") {
  const where = { orgId: await server.newOrganization() };
  const ann = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: authorized }, where);
  const send = async (method: string, path: string, body: Given) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const plan = {
    planName: "Plan",
    initialSharesReserved: reserved,
    stockClassIds: [common],
    adoptedDate: "2024-01-01",
  };
  const stockPlanId = (await send("POST", "/equity-plans", plan)).id;
  const operate = (route: string, body: Given) => send("POST", `/transactions/${route}`, body);
  const grant = (more: Given = {}) => {
    const terms = { quantity: "10", exercisePrice: "1", optionType: "NSO", certificateId: crypto.randomUUID() };
    const body = { stakeholderId: ann, stockPlanId, effectiveDate: "2026-01-15", ...terms, ...more };
    return operate("issue-options", body);
  };
  const codes = (data: { readonly warnings: readonly { readonly code: string }[] }) =>
    data.warnings.map(({ code }) => code);
  return { where, ann, common, stockPlanId, send, operate, grant, codes };
}

describe("issues that do not fit together", () => {
  const issued = async (more: Given = {}, authorized?: string) => {
    const company = await newCompany(authorized);
    const { ann, common, operate } = company;
    const shares = { stakeholderId: ann, stockClassId: common, quantity: "100", effectiveDate: "2026-01-15" };
    const issue = (body: Given) =>
      operate("issue-shares", { ...shares, certificateId: crypto.randomUUID(), ...more, ...body });
    return { ...company, issue };
  };

  test("a grant after its plan expired, in the run, the dry run and the record", async () => {
    const { grant, send, stockPlanId, codes, ann, common } = await issued();
    await send("PATCH", `/equity-plans/${stockPlanId}`, { expirationDate: "2026-01-31" });
    expect((await grant({ effectiveDate: "2026-01-31" })).warnings).toEqual([]);
    const late = { effectiveDate: "2026-02-01" };
    expect((await grant(late)).warnings).toEqual([
      { code: "plan-expired", detail: "The grant is dated 2026-02-01, after Plan expired on 2026-01-31." },
    ]);
    expect(codes(await grant({ ...late, dryRun: true }))).toEqual(["plan-expired"]);
    const record = { stakeholderId: ann, type: "STOCK_OPTION", quantity: "1", exercisePrice: "1", optionType: "NSO" };
    const more = { stockClassId: common, stockPlanId, grantDate: "2026-02-01", certificateId: "ES-9" };
    const made = await send("POST", "/securities", { ...record, ...more });
    expect(codes(made)).toEqual(["plan-expired"]);
    expect(codes(await send("PATCH", `/securities/${made.id}`, { comments: "Late" }))).toEqual([]);
  });

  test("an expiration before the grant", async () => {
    const { grant, codes, send, operate, ann } = await issued();
    expect(codes(await grant({ expirationDate: "2026-01-15" }))).toEqual([]);
    const made = await grant({ expirationDate: "2026-01-14" });
    expect(made.warnings).toMatchObject([{ code: "expires-before-grant" }]);
    expect(made.warnings[0].detail).toContain("2026-01-14, before it is granted on 2026-01-15");
    const corrected = await send("PATCH", `/securities/${made.securityId}`, { expirationDate: "2026-01-13" });
    expect(codes(corrected)).toEqual(["expires-before-grant"]);
    const warrant = { stakeholderId: ann, quantity: "10", exercisePrice: "1", certificateId: "W-1" };
    const days = { effectiveDate: "2026-01-15", expirationDate: "2025-01-15" };
    expect(codes(await operate("issue-warrant", { ...warrant, ...days }))).toEqual(["expires-before-grant"]);
  });

  test("an issue and a transfer to a former holder, and no exercise by one", async () => {
    const { issue, grant, operate, codes, where, ann, send } = await issued();
    const former = await makeStakeholder(server, { displayName: "Fay", status: "FORMER" }, where);
    expect((await issue({ stakeholderId: former })).warnings).toEqual([
      { code: "holder-former", detail: "Fay is a former stakeholder." },
    ]);
    const { securityId } = await issue({});
    const moved = { securityId, fromStakeholderId: ann, toStakeholderId: former, quantity: "40" };
    expect(codes(await operate("transfer", { ...moved, effectiveDate: "2026-02-01" }))).toEqual(["holder-former"]);
    expect(codes(await send("PATCH", `/securities/${securityId}`, { stakeholderId: former }))).toContain(
      "holder-former",
    );
    const option = await grant();
    await send("PATCH", `/stakeholders/${ann}`, { status: "FORMER" });
    const exercise = { securityId: option.securityId, quantity: "5", exercisePrice: "1", earlyExercise: true };
    const exercised = await operate("exercise", { ...exercise, effectiveDate: "2026-03-01" });
    expect(codes(exercised)).not.toContain("holder-former");
  });

  test("a quantity and a price in each other's place, by the class's price or by a fraction of a share", async () => {
    const { issue, codes, send, common } = await issued();
    const odd = async (quantity: string, pricePerShare: string) =>
      codes(await issue({ quantity, pricePerShare, dryRun: true })).includes("price-and-quantity-swapped");
    await send("PATCH", `/share-classes/${common}`, { pricePerShare: "1.25" });
    expect(await odd("1.25", "10000")).toBe(true);
    expect(await odd("99", "1250")).toBe(true);
    expect(await odd("99", "1249.99")).toBe(false);
    expect(await odd("100", "1250")).toBe(false);
    await send("PATCH", `/share-classes/${common}`, { pricePerShare: null });
    expect(await odd("1.25", "1000")).toBe(true);
    expect(await odd("1.25", "999.99")).toBe(false);
    expect(await odd("2", "1000")).toBe(false);
  });

  test("a cancellation that leaves the shares used up where the plan returns them", async () => {
    const { grant, issue, operate, codes, send, stockPlanId } = await issued();
    const option = await grant();
    const cancel = (securityId: string, more: Given = {}) => {
      const body = { securityId, quantity: "5", cancellationReason: "FORFEITURE", effectiveDate: "2026-02-01" };
      return operate("cancel", { ...body, ...more });
    };
    expect(codes(await cancel(option.securityId, { returnToPool: true }))).toEqual([]);
    expect(codes(await cancel(option.securityId, { quantity: "1" }))).toEqual(["left-in-plan"]);
    expect(codes(await cancel((await issue({})).securityId))).toEqual([]);
    await send("PATCH", `/equity-plans/${stockPlanId}`, { defaultCancellationBehavior: "RETIRE" });
    expect(codes(await cancel(option.securityId, { quantity: "1" }))).toEqual([]);
  });

  test("a split of a class with a par value, which stays", async () => {
    const { operate, send, common, codes } = await issued();
    const split = { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2026-06-01" };
    await send("PATCH", `/share-classes/${common}`, { parValue: null });
    expect(codes(await operate("split", { ...split, dryRun: true }))).toEqual([]);
    await send("PATCH", `/share-classes/${common}`, { parValue: "0.0001" });
    expect(codes(await operate("split", { ...split, dryRun: true }))).toEqual(["par-value-unchanged"]);
    const { warnings } = await operate("split", split);
    expect(warnings[0].detail).toContain("stays 0.0001: the charter decides");
  });

  test("a grant date that the ledger does not follow", async () => {
    const { issue, send, codes } = await issued();
    const { securityId } = await issue({});
    const changed = await send("PATCH", `/securities/${securityId}`, { grantDate: "2026-02-15" });
    expect(changed.warnings).toEqual([
      {
        code: "day-differs",
        detail:
          "The grant date is 2026-02-15 now; the ledger keeps 2026-01-15, and the cap table counts from that day.",
      },
    ]);
    expect(codes(await send("PATCH", `/securities/${securityId}`, { grantDate: "2026-01-15" }))).toEqual([]);
  });
});

describe("operations", () => {
  test("what is not odd has none, and a dry run tells the same as the run", async () => {
    const { grant } = await newCompany();
    expect(await grant({ dryRun: true })).toMatchObject({ transactionId: null, warnings: [] });
    expect((await grant()).warnings).toEqual([]);
  });

  test("a split names the options and warrants that it leaves as they are", async () => {
    const { common, ann, send, operate, grant, codes } = await newCompany();
    const split = { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2026-06-01" };
    await grant();
    expect(codes(await operate("split", { ...split, dryRun: true }))).toEqual([]);
    const plan = (await send("POST", "/equity-plans", { planName: "Of no class", initialSharesReserved: "100" })).id;
    await grant({ stockPlanId: plan, certificateId: "OPT-7" });
    const warrant = { stakeholderId: ann, quantity: "10", exercisePrice: "1", certificateId: "W-1" };
    await operate("issue-warrant", { ...warrant, effectiveDate: "2026-01-15" });
    expect((await operate("split", split)).warnings).toEqual([
      {
        code: "left-unsplit",
        detail:
          "OPT-7 and 1 more: options and warrants that name no class, by themselves or by their plan, stay as they are.",
      },
    ]);
  });

  test("taking back what was made of another security says that this does not come back", async () => {
    const { ann, operate, codes, where, common } = await newCompany();
    const securityId = await issueShares(server, { stakeholderId: ann, stockClassId: common, quantity: "100" }, where);
    const bob = await makeStakeholder(server, {}, where);
    const moved = { securityId, fromStakeholderId: ann, toStakeholderId: bob, quantity: "40" };
    const { newSecurityId } = await operate("transfer", { ...moved, effectiveDate: "2026-02-01" });
    const taken = { reason: "Entered twice", effectiveDate: "2026-02-02" };
    const { warnings } = await operate("retract", { ...taken, securityId: newSecurityId });
    expect(warnings).toMatchObject([{ code: "source-not-restored" }, { code: "counts-until" }]);
    expect(warnings[0].detail).toContain("which stays ACTIVE with 60");
    expect(codes(await operate("retract", { ...taken, securityId }))).toEqual(["counts-until"]);
  });

  test("a grant below, on and above the price of the 409A in force, and after it", async () => {
    const { common, send, grant, codes } = await newCompany();
    const worth = { type: "409A", status: "APPROVED", stockClassId: common, pricePerShare: "2" };
    await send("POST", "/valuations", { ...worth, effectiveDate: "2025-03-01" });
    expect(codes(await grant({ exercisePrice: "1.99" }))).toEqual(["strike-below-valuation"]);
    expect(codes(await grant({ exercisePrice: "1.99", dryRun: true }))).toEqual(["strike-below-valuation"]);
    expect(codes(await grant({ exercisePrice: "2" }))).toEqual([]);
    expect(codes(await grant({ effectiveDate: "2026-03-01", exercisePrice: "1.99" }))).toEqual([
      "strike-below-valuation",
    ]);
    expect(codes(await grant({ effectiveDate: "2026-03-02", exercisePrice: "9" }))).toEqual(["valuation-expired"]);
    expect(codes(await grant({ effectiveDate: "2025-02-28", exercisePrice: "1" }))).toEqual([]);
  });

  test("a valuation's price is compared in the shares of the day of the grant", async () => {
    const { common, send, operate, grant, codes } = await newCompany();
    const worth = { type: "409A", status: "APPROVED", stockClassId: common, pricePerShare: "2" };
    await send("POST", "/valuations", { ...worth, effectiveDate: "2025-03-01" });
    await operate("split", { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2025-06-01" });
    expect(codes(await grant({ exercisePrice: "1" }))).toEqual([]);
    expect(codes(await grant({ exercisePrice: "0.99" }))).toEqual(["strike-below-valuation"]);
  });

  test("an ISO for an institution, and a grant before its plan", async () => {
    const { where, grant, codes } = await newCompany();
    const fund = await makeStakeholder(server, { type: "INSTITUTION" }, where);
    // The plan was adopted more than two years before, and no stockholders' approval is on record.
    const iso = await grant({ stakeholderId: fund, optionType: "ISO" });
    expect(codes(iso)).toEqual(["iso-to-institution", "iso-plan-approval"]);
    expect(codes(await grant({ stakeholderId: fund }))).toEqual([]);
    expect(codes(await grant({ optionType: "ISO" }))).toEqual(["iso-plan-approval"]);
    expect(codes(await grant({ effectiveDate: "2023-12-31" }))).toEqual(["granted-before-plan"]);
    expect(codes(await grant({ effectiveDate: "2024-01-01" }))).toEqual([]);
  });

  test("an operation that is dated before the security was issued", async () => {
    const { where, ann, common, operate, codes } = await newCompany();
    const given = { stakeholderId: ann, stockClassId: common, effectiveDate: "2026-03-01" };
    const securityId = await issueShares(server, given, where);
    const gone = { securityId, quantity: "1", cancellationReason: "FORFEITURE" };
    expect(codes(await operate("cancel", { ...gone, effectiveDate: "2026-02-28" }))).toEqual(["dated-before-issue"]);
    expect(codes(await operate("cancel", { ...gone, effectiveDate: "2026-03-01" }))).toEqual([]);
  });

  test("too few authorized for stock, options, warrants, reserves and what preferred converts into", async () => {
    const { where, ann, common, operate, grant, codes } = await newCompany("1500");
    const issue = (stockClassId: string, quantity: string) => {
      const dated = { certificateId: crypto.randomUUID(), effectiveDate: "2026-01-15" };
      return operate("issue-shares", { stakeholderId: ann, stockClassId, quantity, ...dated });
    };
    expect(codes(await issue(common, "500"))).toEqual([]);
    const [short] = (await issue(common, "1")).warnings;
    expect(short.code).toBe("short-of-reserved");
    expect(short.detail).toContain("needs 1501 shares");
    // A grant out of the reserve needs no share more, and the class is as short as before.
    expect(codes(await grant())).toEqual(["short-of-reserved"]);
    const raise = { stockClassId: common, newSharesAuthorized: "1501", effectiveDate: "2026-01-16" };
    expect(codes(await operate("adjust-authorized", raise))).toEqual([]);
    const warrant = { stakeholderId: ann, stockClassId: common, quantity: "1", certificateId: "W-1" };
    const issued = { ...warrant, exercisePrice: "1", effectiveDate: "2026-01-16" };
    expect(codes(await operate("issue-warrant", issued))).toEqual(["short-of-reserved"]);
    expect(codes(await operate("adjust-authorized", { ...raise, newSharesAuthorized: "1502" }))).toEqual([]);
    const preferred = await makeShareClass(server, { classType: "PREFERRED", defaultIdPrefix: "PA-" }, where);
    expect(codes(await issue(preferred, "1"))).toEqual(["short-of-reserved"]);
    expect(codes(await operate("adjust-authorized", { ...raise, newSharesAuthorized: "1503" }))).toEqual([]);
    const ratio = { numerator: "2", denominator: "1" };
    const adjust = { stockClassId: preferred, ratio, conversionPrice: "1", effectiveDate: "2026-01-17" };
    expect(codes(await operate("adjust-conversion", adjust))).toEqual(["short-of-reserved", "ratio-not-one"]);
    expect(codes(await operate("adjust-authorized", { ...raise, newSharesAuthorized: "1504" }))).toEqual([]);
  });
});

test("options that a split made more than their plan reserves count as many as they are", async () => {
  const { where, ann, common, stockPlanId, send, operate, grant, codes } = await newCompany("2000", "100");
  const second = await makeShareClass(server, { defaultIdPrefix: "CB-" }, where);
  await send("PATCH", `/equity-plans/${stockPlanId}`, { stockClassIds: [common, second] });
  await issueShares(server, { stakeholderId: ann, stockClassId: common, quantity: "10" }, where);
  await grant({ stockClassId: common, quantity: "100" });
  const effectiveDate = new Date().toISOString().slice(0, 10);
  await operate("split", { stockClassId: common, numerator: 5, denominator: 1, effectiveDate });
  const lower = { stockClassId: common, effectiveDate };
  expect(codes(await operate("adjust-authorized", { ...lower, newSharesAuthorized: "550" }))).toEqual([]);
  const [short] = (await operate("adjust-authorized", { ...lower, newSharesAuthorized: "549" })).warnings;
  expect(short.detail).toContain("needs 550 shares");
});

describe("records that are made and changed by themselves", () => {
  test("a grant made as a record has the warnings of one that an operation makes", async () => {
    const { where, ann, common, stockPlanId, send, codes } = await newCompany();
    const fund = await makeStakeholder(server, { type: "INSTITUTION" }, where);
    const worth = { type: "409A", status: "APPROVED", stockClassId: common, pricePerShare: "2" };
    await send("POST", "/valuations", { ...worth, effectiveDate: "2023-03-01" });
    const option = (more: Given) => {
      const given = { type: "STOCK_OPTION", stakeholderId: ann, stockPlanId, quantity: "10", optionType: "NSO" };
      const dated = { exercisePrice: "2", certificateId: crypto.randomUUID(), grantDate: "2024-01-15" };
      return send("POST", "/securities", { ...given, ...dated, ...more });
    };
    const made = await option({});
    expect(made.warnings).toEqual([]);
    expect(codes(await option({ exercisePrice: "1.99" }))).toEqual(["strike-below-valuation"]);
    expect(codes(await option({ stakeholderId: fund, optionType: "ISO" }))).toEqual(["iso-to-institution"]);
    expect(codes(await option({ grantDate: "2023-12-31" }))).toEqual(["granted-before-plan"]);
    expect(codes(await option({ grantDate: "2026-01-15" }))).toEqual(["valuation-expired"]);
    expect((await server.api("GET", `/securities/${made.id}`, undefined, where)).json.warnings).toBeUndefined();
  });

  test("a reserve, an authorized figure and a quantity that leave a class short, and nothing else of them", async () => {
    const { ann, common, stockPlanId, send, codes } = await newCompany("2000");
    const plan = `/equity-plans/${stockPlanId}`;
    expect(codes(await send("PATCH", plan, { initialSharesReserved: "2000" }))).toEqual([]);
    expect(codes(await send("PATCH", plan, { initialSharesReserved: "2001" }))).toEqual(["short-of-reserved"]);
    expect(codes(await send("PATCH", plan, { comments: "x" }))).toEqual([]);
    const shares = `/share-classes/${common}`;
    expect(codes(await send("PATCH", shares, { initialSharesAuthorized: "2002" }))).toEqual([]);
    expect(codes(await send("PATCH", shares, { initialSharesAuthorized: "2000" }))).toEqual(["short-of-reserved"]);
    expect(codes(await send("PATCH", shares, { name: "Ordinary" }))).toEqual([]);
    await send("PATCH", shares, { initialSharesAuthorized: "2002" });
    const stock = { type: "STOCK", stakeholderId: ann, stockClassId: common, quantity: "1", grantDate: "2026-01-15" };
    const made = await send("POST", "/securities", { ...stock, certificateId: "CS-1" });
    expect(made.warnings).toEqual([]);
    const own = `/securities/${made.id}`;
    expect(codes(await send("PATCH", own, { quantity: "2" }))).toEqual(["counts-from-today", "short-of-reserved"]);
    expect(codes(await send("PATCH", own, { comments: "x" }))).toEqual([]);
    const second = { ...stock, certificateId: "CS-2" };
    expect(codes(await send("POST", "/securities", second))).toEqual(["short-of-reserved"]);
  });
});

test("all that makes or changes a record tells warnings, in data where the answer has it, and nothing that reads", () => {
  const told = allRoutes("test")
    .filter((route) => route.response !== undefined && "run" in route)
    // Those of an import are the file's, and stay with it.
    .filter(({ operationId }) => operationId !== "getImport")
    .map(({ method, status, operationId, response }) => {
      const { data } = response?.properties ?? {};
      const members = data?.properties ?? response?.properties ?? {};
      return { operationId, isWrite: status === 201 || method === "PATCH", tells: "warnings" in members, method };
    });
  expect(told.filter(({ isWrite, tells }) => isWrite && !tells)).toEqual([]);
  const reading = told.filter(({ method, tells }) => method === "GET" && tells);
  // Views of a day may lie before the ledger's first entry.
  expect(reading.map(({ operationId }) => operationId).sort()).toEqual(["getCapTable", "getStakeholderPosition"]);
});

describe("vesting terms", () => {
  const cliff = {
    id: "cliff",
    trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS" },
    portion: { numerator: 12, denominator: 48 },
  };
  const monthly = {
    id: "monthly",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
    portion: { numerator: 1, denominator: 48 },
    cliffConditionId: "cliff",
    nextConditionId: "monthly",
  };
  const schedule = { totalMonths: 48, cliffMonths: 12, cliffPercent: 25, vestingFrequency: "MONTHLY" };
  const terms = (vestingConditions: readonly Given[], more: Given = { schedule }) => {
    return { name: "Terms", description: "Four years", vestingConditions, ...more };
  };

  test("conditions that do as the schedule says have none; GET and the list never have", async () => {
    const { where, send } = await newCompany();
    const made = await send("POST", "/vesting-terms", terms([cliff, monthly]));
    expect(made.warnings).toEqual([]);
    const read = (await server.api("GET", `/vesting-terms/${made.id}`, undefined, where)).json;
    const [listed] = (await server.api("GET", "/vesting-terms", undefined, where)).json.items;
    const { warnings: _none, ...record } = made;
    expect([read, listed]).toEqual([record, record]);
  });

  test("a cliff of no months, another end, and portions that do not reach the whole", async () => {
    const { send, codes } = await newCompany();
    const { cliffConditionId: _cliff, ...atOnce } = monthly;
    const noCliff = await send("POST", "/vesting-terms", terms([atOnce]));
    expect(codes(noCliff)).toEqual(["cliff-differs"]);
    expect(noCliff.warnings[0].detail).toBe(
      "The schedule says a cliff of 12 months with 25%; by the conditions 2.08% first vests after 1 month.",
    );
    const short = { ...monthly, trigger: { ...monthly.trigger, occurrences: 24 }, nextConditionId: null };
    const ends = await send("POST", "/vesting-terms", terms([cliff, short]));
    expect(ends.warnings).toEqual([
      {
        code: "end-differs",
        detail: "The schedule says 48 months; by the conditions the last shares vest after 36 months.",
      },
      { code: "never-complete", detail: "From 36 months after the start on, 1/4 of a grant never vests." },
    ]);
    const changed = await send("PATCH", `/vesting-terms/${ends.id}`, { vestingConditions: [cliff, monthly] });
    expect(changed.warnings).toEqual([]);
    const without = await send("POST", "/vesting-terms", terms([cliff, { ...cliff, id: "other" }], {}));
    expect(without.warnings).toEqual([
      { code: "never-complete", detail: expect.stringContaining("1/2 of a grant never vests.") },
    ]);
  });

  test("months that stand there without a schedule are compared as its months", async () => {
    const { send, codes } = await newCompany();
    const { cliffConditionId: _cliff, ...atOnce } = monthly;
    const months = { totalVestingMonths: 48, cliffMonths: 12 };
    expect(codes(await send("POST", "/vesting-terms", terms([cliff, monthly], months)))).toEqual([]);
    const noCliff = await send("POST", "/vesting-terms", terms([atOnce], { ...months, totalVestingMonths: 36 }));
    expect(noCliff.warnings).toEqual([
      {
        code: "cliff-differs",
        detail: "The terms say a cliff of 12 months; by the conditions 2.08% first vests after 1 month.",
      },
      {
        code: "end-differs",
        detail: "The terms say 36 months; by the conditions the last shares vest after 48 months.",
      },
    ]);
    expect(codes(await send("POST", "/vesting-terms", terms([atOnce], { cliffMonths: 0 })))).toEqual([]);
  });

  test("events have no days to be compared; they count for the whole", async () => {
    const { send, codes } = await newCompany();
    const event = { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } };
    expect(codes(await send("POST", "/vesting-terms", terms([event])))).toEqual([]);
  });
});
