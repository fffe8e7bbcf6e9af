// The vesting of securities as the ledger tells it: starts, events, accelerations, and what becomes of them when shares
// move. The schedule itself is tested in test/vesting.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass } from "../kit/records.ts";
import {
  type Company,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  lastEntries,
  makePlan,
  makeTerms,
  option,
  outcome,
  run,
  stock,
} from "./support.ts";

const TENTHS = {
  id: "month",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
  portion: { numerator: 1, denominator: 10 },
  nextConditionId: "month",
};
const HALF_BY_TIME = {
  id: "year",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "YEARS" },
  portion: { numerator: 1, denominator: 2 },
};
const HALF_BY_EVENT = {
  id: "sale",
  trigger: { type: "EVENT_BASED", eventDescription: "The company is sold" },
  portion: { numerator: 1, denominator: 2 },
};

let company: Company;
let monthly: string;
let mixed: string;
beforeAll(async () => {
  company = await foundCompany();
  monthly = await makeTerms(company.server, [TENTHS]);
  mixed = await makeTerms(company.server, [HALF_BY_TIME, HALF_BY_EVENT], { triggerType: "HYBRID" });
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

/** `vested/quantity` on a day. */
async function vested(securityId: string | undefined, asOf: string): Promise<string> {
  const { vested: part, quantity } = await get(company, `/securities/${securityId}/vesting?asOf=${asOf}`);
  return `${part}/${quantity}`;
}

async function act(route: string, body: Given): Promise<Record<string, string>> {
  return done(company, route, { effectiveDate: "2024-03-15", ...body });
}

describe("GET /securities/{id}/vesting", () => {
  test("shows what has vested, what has not, and every event", async () => {
    const id = await option(company, { vestingTermsId: mixed, quantity: "1000" });
    expect(await get(company, `/securities/${id}/vesting?asOf=2024-12-31`)).toEqual({
      quantity: "1000",
      vested: "0",
      unvested: "1000",
      unscheduled: "500",
      exercised: "0",
      earlyExercised: "0",
      vestingStoppedOn: null,
      grantSecurityId: id,
      events: [{ date: "2025-01-01", quantity: "500", conditionId: "year" }],
      parcels: [
        { date: "2025-01-01", conditionId: "year", occurrence: 1, milestoneId: null, quantity: "500" },
        { date: null, conditionId: "sale", occurrence: 1, milestoneId: null, quantity: "500" },
      ],
    });
    await act("record-vesting-event", { securityId: id, conditionId: "sale" });
    expect(await get(company, `/securities/${id}/vesting?asOf=2024-12-31`)).toMatchObject({
      quantity: "1000",
      vested: "500",
      unvested: "500",
      unscheduled: "0",
      exercised: "0",
      events: [
        { date: "2024-03-15", quantity: "500", conditionId: "sale" },
        { date: "2025-01-01", quantity: "500", conditionId: "year" },
      ],
    });
  });

  test("without terms all has vested, today by default", async () => {
    const id = await stock(company);
    const { vested: part, unvested } = await get(company, `/securities/${id}/vesting`);
    expect([part, unvested]).toEqual(["1000", "0"]);
  });

  const refused: [string, string][] = [
    ["/securities/unknown/vesting", "404 not-found"],
    ["/securities/SELF/vesting?asOf=2023-02-30", "422 asOf"],
    ["/securities/SELF/vesting?on=2023-02-28", "422 on"],
  ];
  test.each(refused)("%s is %s", async (path, expected) => {
    const id = await stock(company, { quantity: "1" });
    expect(outcome(await company.server.api("GET", path.replace("SELF", id)))).toBe(expected);
  });

  test("holds pending milestones back, and gives completed ones their day", async () => {
    const id = await stock(company, { quantity: "1000" });
    const body = { name: "Launch", securityId: id, quantity: "400" };
    const milestone = (await company.server.api("POST", "/vesting-milestones", body)).json.id;
    expect(await vested(id, "2999-01-01")).toBe("600/1000");
    await company.server.api("POST", `/vesting-milestones/${milestone}/complete`);
    expect(await vested(id, "2999-01-01")).toBe("1000/1000");
  });
});

describe("start-vesting", () => {
  test("moves the whole schedule and the security's start; the entry says so", async () => {
    const securityId = await option(company, { vestingTermsId: monthly });
    expect(await vested(securityId, "2024-03-15")).toBe("200/1000");
    await act("start-vesting", { securityId });
    expect(await vested(securityId, "2024-05-14")).toBe("100/1000");
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ vestingStartDate: "2024-03-15" });
    const entry = { type: "VESTING_START", securityId, stakeholderId: company.holder, quantity: null };
    expect(await lastEntries(company, 1)).toMatchObject([{ ...entry, effectiveDate: "2024-03-15" }]);
  });

  test("is followed by a PATCH of the start date", async () => {
    const securityId = await option(company, { vestingTermsId: monthly });
    await act("start-vesting", { securityId });
    await company.server.api("PATCH", `/securities/${securityId}`, { vestingStartDate: "2024-01-01" });
    expect(await vested(securityId, "2024-03-15")).toBe("200/1000");
    expect(await lastEntries(company, 1)).toMatchObject([{ type: "VESTING_START", effectiveDate: "2024-01-01" }]);
  });

  test("of one condition moves that one", async () => {
    const securityId = await option(company, { vestingTermsId: mixed });
    await act("start-vesting", { securityId, conditionId: "year" });
    expect([await vested(securityId, "2025-03-14"), await vested(securityId, "2025-03-15")]).toEqual([
      "0/1000",
      "500/1000",
    ]);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ vestingStartDate: "2024-01-01" });
  });
});

describe("what the vesting operations refuse", () => {
  const rows: [string, string, Given, string][] = [
    ["start-vesting", "an unknown condition", { conditionId: "unknown" }, "422 #/conditionId"],
    ["start-vesting", "a condition that waits for an event", { conditionId: "sale" }, "422 #/conditionId"],
    ["record-vesting-event", "an unknown condition", { conditionId: "unknown" }, "422 #/conditionId"],
    ["record-vesting-event", "a condition of time", { conditionId: "year" }, "422 #/conditionId"],
    ["record-vesting-event", "neither condition nor quantity", {}, "422 #/conditionId"],
    ["record-vesting-event", "both", { conditionId: "sale", quantity: "1" }, "422 #/quantity"],
    ["record-vesting-event", "more than there is", { quantity: "1001" }, "422 #/quantity"],
    ["record-vesting-event", "a quantity", { quantity: "1000" }, "200"],
    ["accelerate-vesting", "more than there is", { quantity: "1001", reason: "x" }, "422 #/quantity"],
    ["accelerate-vesting", "no reason", { quantity: "1" }, "422 #/reason"],
    [
      "accelerate-vesting",
      "an unknown security",
      { securityId: "unknown", quantity: "1", reason: "x" },
      "404 not-found",
    ],
  ];
  test.each(rows)("%s: %s", async (route, _what, given, expected) => {
    const securityId = await option(company, { vestingTermsId: mixed });
    const answer = await run(company, route, { securityId, effectiveDate: "2024-03-15", ...given });
    expect(outcome(answer)).toBe(expected);
  });
});

describe("vesting goes along", () => {
  test("acceleration and cancellation take the last shares", async () => {
    const securityId = await option(company, { vestingTermsId: monthly });
    await act("accelerate-vesting", { securityId, quantity: "300", reason: "Sale" });
    expect(await vested(securityId, "2024-03-15")).toBe("500/1000");
    await act("cancel", { securityId, quantity: "500", cancellationReason: "FORFEITURE" });
    expect([await vested(securityId, "2024-03-15"), await vested(securityId, "2030-01-01")]).toEqual([
      "500/500",
      "500/500",
    ]);
  });

  test("a transfer divides what has vested and what is to come, and later starts change neither part", async () => {
    const securityId = await option(company, { vestingTermsId: mixed });
    await act("record-vesting-event", { securityId, conditionId: "sale" });
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
    const { newSecurityId } = await act("transfer", { securityId, ...parties, quantity: "400" });
    expect([await vested(securityId, "2024-12-31"), await vested(newSecurityId, "2024-12-31")]).toEqual([
      "300/600",
      "200/400",
    ]);
    const restart = { securityId, conditionId: "year", effectiveDate: "2026-01-01" };
    expect(outcome(await run(company, "start-vesting", restart))).toBe("409 invalid-state");
    expect([await vested(securityId, "2025-12-31"), await vested(newSecurityId, "2025-12-31")]).toEqual([
      "600/600",
      "400/400",
    ]);
    const back = { fromStakeholderId: company.other, toStakeholderId: company.holder };
    const third = (await act("transfer", { securityId: newSecurityId, ...back, quantity: "100" })).newSecurityId;
    expect(await vested(third, "2024-12-31")).toBe("50/100");
  });

  test("stock from an ordinary exercise has vested; from an early one it goes on vesting", async () => {
    const securityId = await option(company, { vestingTermsId: monthly });
    const body = { securityId, exercisePrice: "0.25", effectiveDate: "2024-03-15" };
    const ordinary = (await act("exercise", { ...body, quantity: "200" })).newSecurityId;
    const early = (await act("exercise", { ...body, quantity: "500", earlyExercise: true })).newSecurityId;
    expect([await vested(ordinary, "2024-03-15"), await vested(early, "2024-03-15")]).toEqual(["200/200", "0/500"]);
    expect(await vested(early, "2024-08-01")).toBe("500/500");
    expect(await get(company, `/securities/${securityId}/vesting?asOf=2024-08-01`)).toMatchObject({
      ...{ quantity: "500", vested: "200", exercised: "700", earlyExercised: "500" },
    });
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other, quantity: "50" };
    const moved = (await act("transfer", { securityId: ordinary, ...parties })).newSecurityId;
    expect(await vested(moved, "2024-03-15")).toBe("50/50");
    expect(await get(company, `/securities/${ordinary}`)).toMatchObject({ vestingTermsId: monthly });
  });

  test("a split counts in new shares, and a correction of the quantity is part of the grant", async () => {
    const common = await makeShareClass(company.server);
    const stockPlanId = await makePlan(company.server, { stockClassIds: [common] });
    const securityId = await option(company, { vestingTermsId: monthly, quantity: "100", stockPlanId });
    const ratio = { numerator: 2, denominator: 1 };
    await done(company, "split", { stockClassId: common, ...ratio, effectiveDate: "2024-03-15" });
    expect(await vested(securityId, "2024-03-20")).toBe("40/200");
    await company.server.api("PATCH", `/securities/${securityId}`, { quantity: "250" });
    expect(await vested(securityId, "2999-01-01")).toBe("250/250");
    await company.server.api("PATCH", `/securities/${securityId}`, { quantity: "150" });
    expect(await vested(securityId, "2999-01-01")).toBe("150/150");
  });

  test("a start that is recorded after splits says what had vested before them, too", async () => {
    const held = async (startsFirst: boolean) => {
      const common = await makeShareClass(company.server);
      const stockPlanId = await makePlan(company.server, { stockClassIds: [common] });
      const securityId = await option(company, { vestingTermsId: monthly, quantity: "100", stockPlanId });
      await act("accelerate-vesting", { securityId, quantity: "1", reason: "Merit", effectiveDate: "2024-01-01" });
      const start = () => act("start-vesting", { securityId, conditionId: "month", effectiveDate: "2024-02-15" });
      if (startsFirst) await start();
      for (const numerator of [2, 3]) await act("split", { stockClassId: common, numerator, denominator: 1 });
      if (!startsFirst) await start();
      return [await vested(securityId, "2024-03-15"), await vested(securityId, "2024-09-15")];
    };
    expect(await held(true)).toEqual(["66/600", "426/600"]);
    expect(await held(false)).toEqual(["66/600", "426/600"]);
  });

  test("what only records something says nothing about it", async () => {
    const securityId = await option(company, { vestingTermsId: mixed });
    const entry = { type: "VESTING_EVENT", securityId, effectiveDate: "2024-03-15", metadata: { conditionId: "sale" } };
    expect(outcome(await company.server.api("POST", "/transactions", entry))).toBe("201");
    expect(await vested(securityId, "2024-12-31")).toBe("0/1000");
  });
});
