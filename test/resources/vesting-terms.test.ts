import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
type Members = Readonly<Record<string, unknown>>;

function months(id: string, periodLength: number, numerator: number, denominator: number, links: Members = {}) {
  const trigger = { type: "TIME_BASED", periodLength, periodType: "MONTHS" };
  return { id, trigger, portion: { numerator, denominator }, ...links };
}
const onSale = { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } };
const cliff = months("cliff", 12, 12, 48);
const monthly = months("monthly", 1, 1, 48, { cliffConditionId: "cliff", nextConditionId: "monthly" });
const schedule = { totalMonths: 48, cliffMonths: 12, cliffPercent: 25, vestingFrequency: "MONTHLY" };
const basic = { name: "Standard", description: "Four years", vestingConditions: [cliff, monthly] };

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("vesting terms behave as every resource does", () => tryCommonRules(server, "/vesting-terms", basic, "items"));

test("each member is taken up to its limit, and refused beyond", () => {
  const condition = (changes: Members) => [{ ...cliff, ...changes }];
  const trigger = (changes: Members) => condition({ trigger: { ...cliff.trigger, ...changes } });
  const at = "#/vestingConditions/0";
  return tryBodies(server, "/vesting-terms", {
    required: basic,
    accepted: [
      ["name", "n".repeat(100)],
      ["description", "d".repeat(2000)],
      ...[
        "CUMULATIVE_ROUNDING",
        "CUMULATIVE_ROUND_DOWN",
        "FRONT_LOADED",
        "BACK_LOADED",
        "FRONT_LOADED_TO_SINGLE_TRANCHE",
        "BACK_LOADED_TO_SINGLE_TRANCHE",
        "FRACTIONAL",
      ].map((method) => ["allocationMethod", method] as const),
      ...["TIME_BASED", "EVENT_BASED", "HYBRID"].map((type) => ["triggerType", type] as const),
      ["vestingConditions", [onSale]],
      ["vestingConditions", condition({ portion: { numerator: 0, denominator: 1 } })],
      ["vestingConditions", trigger({ periodLength: 0, periodType: "DAYS", occurrences: 2, eventDescription: null })],
      ["schedule", { ...schedule, cliffPercent: 0, accelerationTriggers: [{ on: "sale", percent: 50 }] }],
      ["schedule", { ...schedule, cliffPercent: 100, vestingFrequency: "ANNUALLY" }],
      ["totalVestingMonths", 48],
      ["cliffMonths", 12],
      ["comments", "c".repeat(2000)],
    ],
    refused: [
      ["name", "n".repeat(101)],
      ["description", " "],
      ["description", "d".repeat(2001)],
      ["allocationMethod", "EVENLY"],
      ["allocationType", "FRACTIONAL"],
      ["triggerType", "NEVER"],
      ["vestingConditions", []],
      ["vestingConditions", {}],
      ["vestingConditions", condition({ id: "" }), `${at}/id`],
      ["vestingConditions", condition({ extra: 1 }), `${at}/extra`],
      ["vestingConditions", condition({ portion: { numerator: -1, denominator: 1 } }), `${at}/portion/numerator`],
      ["vestingConditions", condition({ portion: { numerator: 1.5, denominator: 2 } }), `${at}/portion/numerator`],
      ["vestingConditions", condition({ portion: { numerator: 1, denominator: 0 } }), `${at}/portion/denominator`],
      ["vestingConditions", trigger({ type: "WISHED" }), `${at}/trigger/type`],
      ["vestingConditions", trigger({ periodType: "WEEKS" }), `${at}/trigger/periodType`],
      ["vestingConditions", trigger({ periodType: null }), `${at}/trigger/periodType`],
      ["vestingConditions", trigger({ periodLength: null }), `${at}/trigger/periodLength`],
      ["vestingConditions", trigger({ periodLength: 1.5 }), `${at}/trigger/periodLength`],
      ["vestingConditions", trigger({ occurrences: 0 }), `${at}/trigger/occurrences`],
      ["schedule", { ...schedule, cliffPercent: 100.1 }, "#/schedule/cliffPercent"],
      ["schedule", { ...schedule, vestingFrequency: "DAILY" }, "#/schedule/vestingFrequency"],
      ["schedule", { ...schedule, totalMonths: "48" }, "#/schedule/totalMonths"],
      ["schedule", { ...schedule, accelerationTriggers: ["x"] }, "#/schedule/accelerationTriggers/0"],
      ["totalVestingMonths", -1],
      ["cliffMonths", "12"],
      ["comments", "c".repeat(2001)],
    ],
    nullable: ["schedule", "totalVestingMonths", "cliffMonths", "comments"],
    defaulted: ["allocationMethod", "triggerType"],
  });
});

describe("conditions that cannot be", () => {
  const faulty: readonly (readonly [what: string, conditions: unknown[], pointers: string[]])[] = [
    ["an unknown link", [months("a", 1, 1, 4, { nextConditionId: "z" })], ["0/nextConditionId"]],
    ["a second condition of one id", [cliff, { ...onSale, id: "cliff", portion: cliff.portion }], ["1/id"]],
    ["portions beyond the whole", [cliff, onSale], ["1/portion"]],
    [
      "a circle",
      [months("a", 1, 1, 4, { cliffConditionId: "b" }), months("b", 1, 1, 4, { cliffConditionId: "a" })],
      ["0/cliffConditionId", "1/cliffConditionId"],
    ],
  ];
  for (const [what, vestingConditions, pointers] of faulty) {
    test(`${what} is 422, on create and on PATCH`, async () => {
      const { id } = (await server.api("POST", "/vesting-terms", basic)).json;
      const expected = [422, "validation-failed", ...pointers.map((pointer) => `#/vestingConditions/${pointer}`)];
      const created = await server.api("POST", "/vesting-terms", { ...basic, vestingConditions });
      expect(refusal(created)).toEqual(expected);
      expect(refusal(await server.api("PATCH", `/vesting-terms/${id}`, { vestingConditions }))).toEqual(expected);
    });
  }
});

test("months that contradict the schedule are 422, also when a PATCH makes them so", async () => {
  const wrong = { ...basic, schedule, totalVestingMonths: 47, cliffMonths: 11 };
  const pointers = ["#/totalVestingMonths", "#/cliffMonths"];
  expect(refusal(await server.api("POST", "/vesting-terms", wrong))).toEqual([422, "validation-failed", ...pointers]);
  const { id } = (await server.api("POST", "/vesting-terms", { ...basic, totalVestingMonths: 36 })).json;
  const refused = await server.api("PATCH", `/vesting-terms/${id}`, { schedule });
  expect(refusal(refused)).toEqual([422, "validation-failed", "#/totalVestingMonths"]);
  const taken = await server.api("PATCH", `/vesting-terms/${id}`, { schedule, totalVestingMonths: 48 });
  expect(taken.json).toMatchObject({ schedule, totalVestingMonths: 48 });
});

test("the summary derives from the schedule where there is one, else from the conditions", async () => {
  const summary = async (given: Members) => {
    const { json } = await server.api("POST", "/vesting-terms", { ...basic, ...given });
    return [json.allocationType, json.periodLengthUnits, json.periodLength, json.totalPeriods, json.cliffPeriods];
  };
  expect(await summary({})).toEqual(["CUMULATIVE_ROUNDING", "MONTHS", 1, 48, 12]);
  const yearly = { ...schedule, totalMonths: 40, vestingFrequency: "ANNUALLY" };
  expect(await summary({ schedule: yearly, allocationMethod: "FRACTIONAL" })).toEqual(["FRACTIONAL", "YEARS", 1, 4, 1]);
  expect(await summary({ vestingConditions: [onSale] })).toEqual(["CUMULATIVE_ROUNDING", "MONTHS", 0, 0, 0]);
});

test("terms attached to an ACTIVE security cannot be deleted", async () => {
  const vestingTermsId = (await server.api("POST", "/vesting-terms", basic)).json.id;
  const given = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
  const securityId = await issueShares(server, { ...given, vestingTermsId });
  expect(refusal(await server.api("DELETE", `/vesting-terms/${vestingTermsId}`))).toEqual([409, "in-use"]);
  const cancelling = { securityId, quantity: "1000", cancellationReason: "FORFEITURE", effectiveDate: "2026-02-01" };
  expect((await server.api("POST", "/transactions/cancel", cancelling)).status).toBe(200);
  expect((await server.api("DELETE", `/vesting-terms/${vestingTermsId}`)).status).toBe(204);
});

describe("a preview of a change", () => {
  test("tells what has vested of each grant that follows as the change then makes it, and keeps nothing", async () => {
    const { json: terms } = await server.api("POST", "/vesting-terms", { ...basic, name: "To be changed" });
    const [stakeholderId, stockClassId] = [await makeStakeholder(server), await makeShareClass(server)];
    const shares = (effectiveDate: string) =>
      issueShares(server, { stakeholderId, stockClassId, effectiveDate, quantity: "4801", vestingTermsId: terms.id });
    const [early, late] = [await shares("2020-01-31"), await shares("2022-10-31")];
    const pool = { planName: "Plan", stockClassIds: [stockClassId], initialSharesReserved: "100000" };
    const { id: stockPlanId } = (await server.api("POST", "/equity-plans", pool)).json;
    const grant = { stakeholderId, stockPlanId, quantity: "4800", exercisePrice: "1", optionType: "NSO" };
    const options = { ...grant, certificateId: "TP-1", effectiveDate: "2021-03-01", vestingTermsId: terms.id };
    const { securityId } = (await server.api("POST", "/transactions/issue-options", options)).json.data;
    const exercise = { securityId, quantity: "1200", exercisePrice: "1", effectiveDate: "2023-01-01" };
    expect((await server.api("POST", "/transactions/exercise", exercise)).status).toBe(201);
    const all = [securityId, late, early];
    const ofAll = async (name: "vested" | "quantity") =>
      (await Promise.all(all.map((id) => server.api("GET", `/securities/${id}/vesting`)))).map(
        ({ json }) => json[name],
      );
    const before = await ofAll("vested");
    const changes = { vestingConditions: [months("monthly", 1, 1, 96, { nextConditionId: "monthly" })] };
    const { status, json } = await server.api("POST", `/vesting-terms/${terms.id}/preview`, changes);
    expect([status, json.data.count]).toEqual([200, 3]);
    const told = json.data.securities as Readonly<
      Record<"securityId" | "quantity" | "vestedBefore" | "vestedAfter", string>
    >[];
    expect(told.map((each) => each.securityId)).toEqual(all);
    // What was exercised of a grant is still of it.
    expect(told.map(({ quantity }) => quantity)).toEqual(await ofAll("quantity"));
    expect(told.map(({ vestedBefore }) => vestedBefore)).toEqual(before);
    expect(await ofAll("vested")).toEqual(before);
    await server.api("PATCH", `/vesting-terms/${terms.id}`, changes);
    const after = await ofAll("vested");
    expect(told.map(({ vestedAfter }) => vestedAfter)).toEqual(after);
    expect(after).not.toEqual(before);
  });

  test("is refused as the change would be", async () => {
    const { json: terms } = await server.api("POST", "/vesting-terms", { ...basic, name: "Not to be changed" });
    const of = (changes: Members) =>
      ["PATCH", "POST"].map((method) =>
        server.api(method, `/vesting-terms/${terms.id}${method === "POST" ? "/preview" : ""}`, changes),
      );
    for (const changes of [
      { vestingConditions: [{ ...monthly, cliffConditionId: "none" }] },
      { vestingConditions: 1 },
    ]) {
      const [change, preview] = await Promise.all(of(changes));
      expect([preview?.status, preview?.json.errors]).toEqual([422, change?.json.errors]);
    }
    expect((await server.api("POST", `/vesting-terms/${crypto.randomUUID()}/preview`, {})).status).toBe(404);
  });
});
