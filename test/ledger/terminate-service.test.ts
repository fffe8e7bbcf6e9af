// terminate-service: what goes of a leaver's options, what stays and until when, what the stakeholder becomes, which days
// it takes, and that it tells in a dry run what it does.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addDays } from "../../src/kernel/date.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import {
  available,
  type Company,
  convertible,
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
  standing,
  stock,
  warrant,
} from "./support.ts";

const TODAY = new Date().toISOString().slice(0, 10);
/** A quarter of the shares after each of four years. */
const YEARLY = [
  {
    id: "yearly",
    trigger: { type: "TIME_BASED", periodType: "YEARS", periodLength: 1, occurrences: 4 },
    portion: { numerator: 1, denominator: 4 },
  },
];

let company: Company;
let vestingTermsId: string;
beforeAll(async () => {
  company = await foundCompany();
  vestingTermsId = await makeTerms(company.server, YEARLY);
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

const leaver = (given: Given = {}) => makeStakeholder(company.server, { relationships: ["EMPLOYEE"], ...given });
const leave = (stakeholderId: string, given: Given = {}): Promise<Record<string, unknown>> =>
  done(company, "terminate-service", { stakeholderId, effectiveDate: "2025-06-30", ...given });
const grant = (stakeholderId: string, given: Given = {}) =>
  option(company, { stakeholderId, vestingTermsId, ...given });

describe("an option", () => {
  test("loses what has not vested, to the pool, and keeps the rest until the window ends", async () => {
    const stakeholderId = await leaver();
    const before = Number(await available(company));
    const securityId = await grant(stakeholderId);
    const data = await leave(stakeholderId, { exerciseWithinDays: 90, description: "Left" });
    const [cancellation, update] = await lastEntries(company, 2);
    expect(data).toEqual({
      transactionIds: [cancellation?.id, update?.id],
      cancelled: [{ transactionId: cancellation?.id, securityId, stakeholderId, quantity: "750", returnToPool: true }],
      stopped: [],
      exercisable: [{ securityId, stakeholderId, quantity: "250", until: "2025-09-28" }],
      repurchasable: [],
      warnings: [],
    });
    expect(cancellation).toMatchObject({
      ...{ type: "STOCK_OPTION_CANCELLATION", quantity: "750", effectiveDate: "2025-06-30" },
      metadata: { cancellationReason: "TERMINATION", returnToPool: true, description: "Left" },
    });
    expect(await standing(company, securityId)).toBe("ACTIVE 250");
    expect(Number(await available(company))).toBe(before - 250);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ expirationDate: "2025-09-28" });
    expect(await get(company, `/securities/${securityId}/vesting?asOf=2029-01-01`)).toMatchObject({
      ...{ quantity: "250", vested: "250", unvested: "0" },
    });
    const late = { securityId, quantity: "1", exercisePrice: "0.25", effectiveDate: "2025-09-29" };
    expect(outcome(await run(company, "exercise", late))).toBe("409 invalid-state");
  });

  test("returns nothing where its plan retires what is cancelled, and gives the reason that was sent", async () => {
    const plan = await makePlan(company.server, { defaultCancellationBehavior: "RETIRE" });
    const stakeholderId = await leaver();
    await grant(stakeholderId, { stockPlanId: plan });
    const { cancelled } = await leave(stakeholderId, { cancellationReason: "FORFEITURE" });
    expect(cancelled).toMatchObject([{ quantity: "750", returnToPool: false }]);
    expect(await available(company, plan)).toBe("99000");
    expect((await lastEntries(company, 2))[0]).toMatchObject({ metadata: { cancellationReason: "FORFEITURE" } });
  });

  test("without terms has vested and stays whole; without a window its expiration stays", async () => {
    const stakeholderId = await leaver();
    const securityId = await option(company, { stakeholderId, expirationDate: "2030-01-01" });
    const data = await leave(stakeholderId);
    expect(data).toMatchObject({
      cancelled: [],
      exercisable: [{ securityId, quantity: "1000", until: "2030-01-01" }],
      warnings: [{ code: "iso-window" }, { code: "no-window" }],
    });
    expect(await standing(company, securityId)).toBe("ACTIVE 1000");
  });

  test("that waits for a condition loses all of it", async () => {
    const conditions = [{ id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } }];
    const terms = await makeTerms(company.server, conditions, { triggerType: "EVENT_BASED" });
    const stakeholderId = await leaver();
    const securityId = await grant(stakeholderId, { vestingTermsId: terms });
    expect(await leave(stakeholderId)).toMatchObject({ cancelled: [{ quantity: "1000" }], exercisable: [] });
    expect(await standing(company, securityId)).toBe("CANCELLED 0");
  });

  const windows: readonly (readonly [
    what: string,
    given: Given,
    leaving: Given,
    until: string | null,
    iso: boolean,
  ])[] = [
    [
      "ends with its own expiration where that is earlier",
      { expirationDate: "2025-07-15" },
      { exerciseWithinDays: 90 },
      "2025-07-15",
      false,
    ],
    ["ends on the day itself", {}, { exerciseWithinDays: 0 }, "2025-06-30", false],
    ["of three months keeps an ISO one", {}, { exerciseWithinDays: 92 }, "2025-09-30", false],
    ["of a day more does not", {}, { exerciseWithinDays: 93 }, "2025-10-01", true],
    ["of ten years is nothing to an NSO", { optionType: "NSO" }, { exerciseWithinDays: 3650 }, "2034-01-01", false],
    [
      "stays as it is without a number of days",
      { optionType: "NSO" },
      { exerciseWithinDays: null },
      "2034-01-01",
      false,
    ],
  ];
  test.each(windows)("window %s", async (_what, given, leaving, until, isWarned) => {
    const stakeholderId = await leaver();
    const securityId = await grant(stakeholderId, given);
    const data = await leave(stakeholderId, leaving);
    expect(data.exercisable).toEqual([{ securityId, stakeholderId, quantity: "250", until }]);
    const codes = (data.warnings as unknown as { readonly code: string }[]).map(({ code }) => code);
    expect(codes.includes("iso-window")).toBe(isWarned);
    expect(codes.includes("no-window")).toBe(leaving.exerciseWithinDays === null);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ expirationDate: until });
  });

  test("that had expired is not exercisable", async () => {
    const stakeholderId = await leaver();
    await grant(stakeholderId, { expirationDate: "2025-03-31" });
    expect(await leave(stakeholderId, { exerciseWithinDays: 30 })).toMatchObject({ exercisable: [] });
  });
});

describe("everything else that is held", () => {
  test("stays: unvested stock is listed with its price, warrants and convertibles are not", async () => {
    const stakeholderId = await leaver();
    const securityId = await stock(company, { stakeholderId, vestingTermsId, pricePerShare: "0.01" });
    const others = [
      await stock(company, { stakeholderId }),
      await warrant(company, { stakeholderId, vestingTermsId }),
      await convertible(company, { stakeholderId }),
    ];
    const data = await leave(stakeholderId);
    expect(data).toMatchObject({
      ...{ cancelled: [], exercisable: [] },
      repurchasable: [{ securityId, stakeholderId, quantity: "750", pricePerShare: "0.01" }],
    });
    const states = await Promise.all([securityId, ...others].map((id) => standing(company, id)));
    expect(states).toEqual(["ACTIVE 1000", "ACTIVE 1000", "ACTIVE 1000", "ACTIVE 50000"]);
    expect(await get(company, `/stakeholders/${stakeholderId}`)).toMatchObject({ status: "CURRENT" });
  });
});

describe("the stakeholder", () => {
  const cases: readonly (readonly [was: string[], sent: string[] | null, is: string[]])[] = [
    [["EMPLOYEE", "FOUNDER"], null, ["EX_EMPLOYEE", "FOUNDER"]],
    [["ADVISOR", "CONSULTANT", "EX_ADVISOR"], null, ["EX_ADVISOR", "EX_CONSULTANT"]],
    [["EMPLOYEE"], ["ADVISOR"], ["ADVISOR"]],
    [["EMPLOYEE"], [], []],
    [["INVESTOR"], null, ["INVESTOR"]],
  ];
  test.each(cases)("%p, with %p sent, becomes %p, and FORMER where nothing is held", async (was, sent, is) => {
    const stakeholderId = await leaver({ relationships: was });
    await grant(stakeholderId, { vestingStartDate: "2025-01-01" });
    await leave(stakeholderId, { relationships: sent });
    const { relationships, status } = await get(company, `/stakeholders/${stakeholderId}`);
    expect([relationships, status]).toEqual([is, "FORMER"]);
    expect((await lastEntries(company, 1))[0]).toMatchObject({ type: "STAKEHOLDER_UPDATE", stakeholderId });
  });

  test("may be an institution that holds nothing, once and again: the second time nothing is left to do", async () => {
    const stakeholderId = await leaver({ type: "INSTITUTION", relationships: ["CONSULTANT"] });
    const first = await leave(stakeholderId);
    expect(first.transactionIds).toHaveLength(1);
    expect(await leave(stakeholderId)).toEqual({
      ...{ transactionIds: [], cancelled: [], stopped: [], exercisable: [], repurchasable: [], warnings: [] },
    });
  });
});

describe("it is refused", () => {
  test("where an exercise is dated later, with its id; an exercise of the same day is not later", async () => {
    const stakeholderId = await leaver();
    const securityId = await grant(stakeholderId);
    const exercise = { securityId, quantity: "250", exercisePrice: "0.25", effectiveDate: "2025-06-30" };
    const { transactionId } = await done(company, "exercise", exercise);
    const early = { stakeholderId, effectiveDate: "2025-06-29" };
    const refused = await run(company, "terminate-service", early);
    expect([outcome(refused), refused.json.detail]).toEqual([
      "409 invalid-state",
      expect.stringContaining(transactionId ?? ""),
    ]);
    expect(await leave(stakeholderId)).toMatchObject({ cancelled: [{ quantity: "750" }], exercisable: [] });
    expect(await standing(company, securityId)).toBe("CANCELLED 0");
  });

  test("before the latest entry on an option that it would cancel, and after tomorrow", async () => {
    const stakeholderId = await leaver();
    await grant(stakeholderId);
    const on = (effectiveDate: string) => run(company, "terminate-service", { stakeholderId, effectiveDate });
    expect(outcome(await on("2023-12-31"))).toBe("409 invalid-state");
    expect(outcome(await on(addDays(TODAY, 2)))).toBe("422 #/effectiveDate");
    expect(outcome(await on(addDays(TODAY, 1)))).toBe("200");
  });

  test("where the window would end an option that was granted later, with its id", async () => {
    const stakeholderId = await leaver();
    const securityId = await option(company, { stakeholderId, effectiveDate: "2025-07-01" });
    const on = (given: Given) => run(company, "terminate-service", { stakeholderId, ...given });
    const window = { effectiveDate: "2025-06-30", exerciseWithinDays: 90 };
    const refused = await on(window);
    expect([outcome(refused), refused.json.detail]).toEqual([
      "409 invalid-state",
      expect.stringContaining(`${securityId} was granted on 2025-07-01`),
    ]);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ expirationDate: "2035-07-01" });
    for (const given of [{ effectiveDate: "2025-06-30" }, { ...window, effectiveDate: "2025-07-01" }]) {
      expect(outcome(await on({ ...given, dryRun: true }))).toBe("200");
    }
  });

  test("before a split that such an option went through: what is cancelled is in the shares after it", async () => {
    const stockClassId = await makeShareClass(company.server, { defaultIdPrefix: "L-" });
    const stakeholderId = await leaver();
    await grant(stakeholderId, { stockClassId, stockPlanId: await makePlan(company.server) });
    await done(company, "split", { stockClassId, numerator: 1, denominator: 2, effectiveDate: "2026-01-15" });
    const on = (effectiveDate: string) => run(company, "terminate-service", { stakeholderId, effectiveDate });
    expect([outcome(await on("2026-01-14")), outcome(await on("2026-01-15"))]).toEqual(["409 invalid-state", "200"]);
  });

  const bodies: readonly (readonly [body: Given, outcome: string])[] = [
    [{ stakeholderId: "unknown" }, "404 not-found"],
    [{ exerciseWithinDays: -1 }, "422 #/exerciseWithinDays"],
    [{ exerciseWithinDays: 3651 }, "422 #/exerciseWithinDays"],
    [{ exerciseWithinDays: 1.5 }, "422 #/exerciseWithinDays"],
    [{ cancellationReason: "EXPIRATION" }, "422 #/cancellationReason"],
    [{ relationships: ["FOUNDER", "FOUNDER"] }, "422 #/relationships"],
    [{ relationships: ["FRIEND"] }, "422 #/relationships/0"],
    [{ continues: ["nothing"] }, "422 #/continues/0"],
    [{ continues: Array.from({ length: 501 }, (_, i) => `s${i}`) }, "422 #/continues"],
    [{ effectiveDate: "2025-02-30" }, "422 #/effectiveDate"],
  ];
  test.each(bodies)("with %p: %s", async (body, expected) => {
    const sent = { stakeholderId: company.holder, effectiveDate: "2025-06-30", ...body };
    expect(outcome(await run(company, "terminate-service", sent))).toBe(expected);
  });
});

test("a dry run tells what the run does, and changes nothing", async () => {
  const stakeholderId = await leaver();
  const [kept, gone] = [await grant(stakeholderId), await grant(stakeholderId, { vestingStartDate: "2025-01-01" })];
  const paths = [`/securities/${kept}`, `/securities/${gone}`, `/stakeholders/${stakeholderId}`];
  const all = async () => Promise.all(paths.map((path) => get(company, path)));
  const before = await all();
  const given = { exerciseWithinDays: 30 };
  const { effects, ...told } = await leave(stakeholderId, { ...given, dryRun: true });
  expect(await all()).toEqual(before);
  const data = await leave(stakeholderId, given);
  const nulled = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (name, each) => {
      if (name === "transactionIds") return each.map(() => null);
      return name === "transactionId" ? null : each;
    });
  expect(told).toEqual(nulled(data));
  const after = await all();
  const foretold = effects as { id: string; field: string; before: unknown; after: unknown }[];
  for (const [i, was] of before.entries()) {
    const now = after[i] ?? {};
    const changed = Object.keys(now).filter((name) => name !== "updatedAt" && !Bun.deepEquals(was[name], now[name]));
    const said = foretold.filter(({ id }) => id === was.id);
    expect(said.map(({ field }) => field).sort()).toEqual(changed.sort());
    for (const { field, ...values } of said) expect([values.before, values.after]).toEqual([was[field], now[field]]);
  }
});

test("is done once for one Idempotency-Key", async () => {
  const stakeholderId = await leaver();
  await grant(stakeholderId);
  const body = { stakeholderId, effectiveDate: "2025-06-30" };
  const post = () =>
    company.server.api("POST", "/transactions/terminate-service", body, { headers: { "idempotency-key": "leaver-1" } });
  const [first, again] = [await post(), await post()];
  expect([first.status, again.json]).toEqual([200, first.json]);
  expect(first.json.data.cancelled).toHaveLength(1);
});
