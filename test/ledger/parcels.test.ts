// Vesting follows the shares: what was vested and what is to come is divided by a transfer, an exercise or a
// conversion, and nothing vests, unvests or is lost by it.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ONE, parseDecimal } from "../../src/kernel/numbers/decimal.ts";
import { QUICK } from "../kit/release.ts";
import {
  type Company,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  lastEntries,
  makeTerms,
  option,
  outcome,
  run,
  standing,
  stock,
} from "./support.ts";

setDefaultTimeout(60_000);

const MONTH = {
  id: "month",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
  portion: { numerator: 1, denominator: 10 },
  nextConditionId: "month",
};
const SALE = {
  id: "sale",
  trigger: { type: "EVENT_BASED", eventDescription: "The company is sold" },
  portion: { numerator: 1, denominator: 4 },
  nextConditionId: "after",
};
const AFTER = {
  id: "after",
  trigger: { type: "TIME_BASED", periodLength: 6, periodType: "MONTHS" },
  portion: { numerator: 1, denominator: 4 },
  cliffConditionId: "sale",
};
const YEAR = {
  id: "year",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "YEARS" },
  portion: { numerator: 1, denominator: 4 },
};

let company: Company;
let monthly: string;
let mixed: string;
beforeAll(async () => {
  company = await foundCompany();
  monthly = await makeTerms(company.server, [MONTH]);
  mixed = await makeTerms(company.server, [YEAR, SALE, AFTER], { triggerType: "HYBRID" });
});
afterEach(() => expect(differences(company)).toEqual([]));
afterAll(() => company.server.stop());

/** Granted on 2024-01-01: a tenth each month. On 2024-06-15 half of it has vested. */
const grant = (given: Given = {}) => option(company, { vestingTermsId: monthly, quantity: "1000", ...given });
const HALFWAY = "2024-06-15";

async function act(route: string, body: Given): Promise<Record<string, string>> {
  return done(company, route, { effectiveDate: HALFWAY, ...body });
}

async function transfer(securityId: string, quantity: string, given: Given = {}): Promise<string> {
  const { stakeholderId } = await get(company, `/securities/${securityId}`);
  const toStakeholderId = stakeholderId === company.holder ? company.other : company.holder;
  const parties = { fromStakeholderId: stakeholderId, toStakeholderId };
  return (await act("transfer", { securityId, ...parties, quantity, ...given })).newSecurityId ?? "";
}

async function exercise(securityId: string, quantity: string, given: Given = {}): Promise<string> {
  const body = { securityId, quantity, exercisePrice: "0.25", ...given };
  return (await act("exercise", body)).newSecurityId ?? "";
}

/** `vested/quantity` on a day. */
async function vested(securityId: string, asOf = HALFWAY): Promise<string> {
  const { vested: part, quantity } = await get(company, `/securities/${securityId}/vesting?asOf=${asOf}`);
  return `${part}/${quantity}`;
}

const DAYS = [
  "2023-12-31",
  "2024-02-01",
  "2024-06-14",
  HALFWAY,
  "2024-07-01",
  "2024-10-31",
  "2025-01-01",
  "2030-01-01",
];

/** On each day, what a family holds and what of it has vested: without what was exercised out of vested shares. */
async function family(...ids: readonly string[]): Promise<readonly string[]> {
  const sums: string[] = [];
  for (const day of DAYS) {
    let [quantity, part] = [0n, 0n];
    for (const id of ids) {
      const status = await get(company, `/securities/${id}/vesting?asOf=${day}`);
      const twice = parseDecimal(String(status.exercised)) - parseDecimal(String(status.earlyExercised));
      quantity += parseDecimal(String(status.quantity)) - twice;
      part += parseDecimal(String(status.vested)) - twice;
    }
    sums.push(`${day} ${part / ONE}/${quantity / ONE}`);
  }
  return sums;
}

describe("a transfer", () => {
  test.skipIf(QUICK)("back and forth, a thousand times, vests nothing: only what had vested is exercised", async () => {
    const id = await option(company, { vestingTermsId: monthly, quantity: "1024" });
    const before = await family(id);
    const first = await exercise(id, "512");
    let open = [id];
    for (let round = 0; round < 6; round++) {
      const made: string[] = [];
      for (const each of open) {
        const { quantity } = await get(company, `/securities/${each}`);
        const half = String(Math.floor(Number(quantity) / 2));
        if (half !== "0") made.push(await transfer(each, half));
      }
      open = [...open, ...made];
    }
    expect(open.length).toBe(64);
    expect(await family(...open, first)).toEqual(before);
    for (const each of open) {
      const answer = await run(company, "exercise", {
        ...{ securityId: each, quantity: "1", exercisePrice: "0.25", effectiveDate: HALFWAY },
      });
      expect(outcome(answer)).toBe("409 unvested-quantity");
    }
  });

  test("keeps the days of what is to come, and gives what had vested the day of the operation", async () => {
    const id = await grant();
    const part = await transfer(id, "250");
    expect(await get(company, `/securities/${part}/vesting?asOf=${HALFWAY}`)).toMatchObject({
      ...{ quantity: "250", vested: "125", exercised: "0", earlyExercised: "0", grantSecurityId: id },
      parcels: [
        { date: HALFWAY, conditionId: null, occurrence: 0, milestoneId: null, quantity: "125" },
        ...["07", "08", "09", "10", "11"].map((month, i) => ({
          ...{ date: `2024-${month}-01`, conditionId: "month", occurrence: 6 + i, milestoneId: null, quantity: "25" },
        })),
      ],
    });
    expect([await vested(part, "2024-06-14"), await vested(id, "2024-06-14")]).toEqual(["0/0", "500/1000"]);
    expect([await vested(part, "2024-08-01"), await vested(id, "2024-08-01")]).toEqual(["175/250", "525/750"]);
    const [entry] = await lastEntries(company, 1);
    expect(entry?.metadata).toMatchObject({
      rules: 2,
      parcels: {
        moved: [{ dates: { 0: "2024-02-01", 9: "2024-11-01" }, conditionId: "month", occurrence: 1, quantity: "25" }],
        left: [{ conditionId: "month", occurrence: 1, milestoneId: null, quantity: "75" }],
      },
    });
  });

  test("dated back to before a cancellation vests nothing of what that has not taken yet", async () => {
    const id = await grant();
    await act("cancel", {
      ...{ securityId: id, quantity: "500", cancellationReason: "TERMINATION", effectiveDate: "2024-06-20" },
    });
    const before = await family(id);
    const part = await transfer(id, "100");
    expect(await family(id, part)).toEqual(before);
    expect([await vested(id), await vested(part)]).toEqual(["400/900", "100/100"]);
  });

  test("dated back to before a cancellation leaves what it told, whatever the terms say since", async () => {
    const terms = await makeTerms(company.server, [MONTH]);
    const id = await grant({ vestingTermsId: terms });
    await act("cancel", {
      ...{ securityId: id, quantity: "100", cancellationReason: "TERMINATION", effectiveDate: "2024-10-15" },
    });
    const part = await transfer(id, "400");
    const slow = { ...MONTH, portion: { numerator: 1, denominator: 100 } };
    await company.server.api("PATCH", `/vesting-terms/${terms}`, { vestingConditions: [slow] });
    const before = await family(id, part);
    const shares = await exercise(id, "400", { earlyExercise: true });
    expect(await family(id, part, shares)).toEqual(before);
  });

  test("of stock exercised early, dated back to before another exercise, leaves its family's sums", async () => {
    const id = await grant();
    const later = await exercise(id, "250", { effectiveDate: "2024-10-15" });
    const shares = await exercise(id, "750", { earlyExercise: true });
    const before = await family(id, later, shares);
    const part = await transfer(shares, "300");
    expect(await family(id, later, shares, part)).toEqual(before);
  });

  test("says nothing of parcels where all has vested", async () => {
    const id = await grant();
    await transfer(id, "250", { effectiveDate: "2025-03-01" });
    const [entry] = await lastEntries(company, 1);
    expect(entry?.metadata).not.toHaveProperty("parcels");
    expect(await vested(id, "2025-03-01")).toBe("750/750");
  });

  const counted: [string, Given, string][] = [
    ["as many as wanted", { vestedQuantity: "0" }, "201"],
    ["all of the moved", { vestedQuantity: "250" }, "201"],
    ["more than are moved", { vestedQuantity: "251" }, "422 #/vestedQuantity"],
    ["more than have vested", { vestedQuantity: "501", quantity: "600" }, "422 #/vestedQuantity"],
    [
      "so few that more unvested would go than there are",
      { vestedQuantity: "50", quantity: "600" },
      "422 #/vestedQuantity",
    ],
    ["a number", { vestedQuantity: 5 }, "422 #/vestedQuantity"],
  ];
  test.each(counted)("may say how many of the moved are vested: %s", async (_what, given, expected) => {
    const securityId = await grant();
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
    const body = { securityId, ...parties, quantity: "250", effectiveDate: HALFWAY, ...given };
    const answer = await run(company, "transfer", body);
    expect(outcome(answer)).toBe(expected);
    if (answer.status !== 201) return;
    const moved = given.vestedQuantity === "0" ? "0/250" : "250/250";
    expect(await vested(answer.json.data.newSecurityId)).toBe(moved);
    expect(await vested(securityId)).toBe(given.vestedQuantity === "0" ? "500/750" : "250/750");
  });

  test("keeps accelerated shares, recorded events and what a cancellation left", async () => {
    const id = await grant();
    await act("accelerate-vesting", { securityId: id, quantity: "200", reason: "Sale", effectiveDate: "2024-03-01" });
    await act("cancel", { securityId: id, quantity: "100", cancellationReason: "FORFEITURE" });
    const before = await family(id);
    expect(await vested(id)).toBe("700/900");
    const part = await transfer(id, "450");
    expect(await family(id, part)).toEqual(before);
    const second = await transfer(part, "225");
    expect(await family(id, part, second)).toEqual(before);
    expect(await vested(part)).toBe("175/225");
  });

  test("divides whole shares downwards by the running total, ten places where anything is fractional", async () => {
    const id = await option(company, { vestingTermsId: monthly, quantity: "7" });
    const part = await transfer(id, "2");
    const parcels = (await get(company, `/securities/${part}/vesting`)).parcels as Record<string, string>[];
    expect(parcels.every(({ quantity }) => /^[0-9]+$/.test(quantity ?? ""))).toBe(true);
    const fractional = await transfer(id, "2.5");
    const parts = (await get(company, `/securities/${fractional}/vesting`)).parcels as Record<string, string>[];
    expect(parts.some(({ quantity }) => quantity?.includes("."))).toBe(true);
    expect(await vested(fractional, "2030-01-01")).toBe("2.5/2.5");
  });
});

describe("parcels of its own", () => {
  test("know nothing of another start, other terms, or changes of the terms", async () => {
    const terms = await makeTerms(company.server, [MONTH]);
    const id = await grant({ vestingTermsId: terms });
    const part = await transfer(id, "500");
    const since = async () => (await family(id, part)).slice(DAYS.indexOf(HALFWAY));
    const before = await since();
    for (const each of [id, part]) {
      const rows: [Given, string][] = [
        [{ vestingTermsId: mixed }, "409 invalid-state"],
        [{ vestingStartDate: "2020-01-01" }, "409 invalid-state"],
        [{ vestingTermsId: terms, comments: "the same" }, "200"],
      ];
      for (const [patch, expected] of rows) {
        expect(outcome(await company.server.api("PATCH", `/securities/${each}`, patch))).toBe(expected);
      }
      const start = { securityId: each, effectiveDate: "2024-06-20" };
      expect(outcome(await run(company, "start-vesting", start))).toBe("409 invalid-state");
      expect(outcome(await run(company, "start-vesting", { ...start, conditionId: "month" }))).toBe(
        "409 invalid-state",
      );
    }
    const quicker = { ...MONTH, portion: { numerator: 1, denominator: 2 } };
    await company.server.api("PATCH", `/vesting-terms/${terms}`, { vestingConditions: [quicker] });
    expect(await since()).toEqual(before);
  });

  test("that wait get their days by the terms when their condition happens, and those after it", async () => {
    const id = await option(company, { vestingTermsId: mixed, quantity: "1000" });
    const part = await transfer(id, "400");
    const happened = { securityId: part, conditionId: "sale", effectiveDate: "2024-08-31" };
    await act("record-vesting-event", happened);
    expect(await get(company, `/securities/${part}/vesting?asOf=2024-12-31`)).toMatchObject({
      ...{ vested: "100", unscheduled: "0" },
      events: [
        { date: "2024-08-31", quantity: "100", conditionId: "sale" },
        { date: "2025-01-01", quantity: "100", conditionId: "year" },
        { date: "2025-02-28", quantity: "100", conditionId: "after" },
        { date: "2025-08-31", quantity: "100", conditionId: "after" },
      ],
    });
    // The other part still waits.
    expect(await get(company, `/securities/${id}/vesting?asOf=2024-12-31`)).toMatchObject({
      ...{ vested: "0", unscheduled: "450" },
    });
  });

  test("that wait keep the start that their condition was given before they moved, and after", async () => {
    const started = { conditionId: "after", effectiveDate: "2024-02-01" };
    const id = await option(company, { vestingTermsId: mixed, quantity: "1000" });
    await act("start-vesting", { securityId: id, ...started });
    const part = await transfer(id, "400");
    const late = await transfer(await option(company, { vestingTermsId: mixed, quantity: "1000" }), "400");
    await act("start-vesting", { securityId: late, ...started });
    for (const each of [id, part, late]) {
      await act("record-vesting-event", { securityId: each, conditionId: "sale", effectiveDate: "2024-06-30" });
      const { events } = await get(company, `/securities/${each}/vesting`);
      const days = (events as { readonly date: string; readonly conditionId: string }[])
        .filter(({ conditionId }) => conditionId === "after")
        .map(({ date }) => date);
      expect(days).toEqual(["2024-08-01", "2025-02-01"]);
    }
  });

  test("are cut from the end by a cancellation, and vested ones only when it says so", async () => {
    const id = await grant();
    const part = await transfer(id, "500");
    await act("cancel", { securityId: part, quantity: "100", cancellationReason: "FORFEITURE" });
    expect(await vested(part)).toBe("250/400");
    await act("cancel", { securityId: part, quantity: "100", cancellationReason: "FORFEITURE", vestedQuantity: "100" });
    expect(await vested(part)).toBe("150/300");
    const tooMany = { securityId: part, quantity: "200", cancellationReason: "FORFEITURE", effectiveDate: HALFWAY };
    expect(outcome(await run(company, "cancel", { ...tooMany, vestedQuantity: "10" }))).toBe("422 #/vestedQuantity");
  });

  test("are cut by as many shares as were cancelled, also where other terms leave fewer vested ones", async () => {
    const id = await grant();
    await act("cancel", { securityId: id, quantity: "300", cancellationReason: "FORFEITURE", vestedQuantity: "200" });
    expect(await vested(id)).toBe("300/700");
    const slow = await makeTerms(company.server, [{ ...MONTH, portion: { numerator: 1, denominator: 100 } }]);
    await company.server.api("PATCH", `/securities/${id}`, { vestingTermsId: slow });
    expect(await vested(id)).toBe("0/700");
    await company.server.api("PATCH", `/securities/${id}`, { vestingTermsId: monthly, vestingStartDate: "2023-01-01" });
    expect(await vested(id)).toBe("700/700");
  });

  test("come back by a correction after all were taken, whatever the terms say since", async () => {
    const terms = await makeTerms(company.server, [MONTH]);
    const gone = [await grant({ vestingTermsId: terms }), await grant({ vestingTermsId: terms })] as const;
    await transfer(gone[0], "1000");
    await transfer(gone[1], "1000", { effectiveDate: "2025-06-15" });
    const slow = { ...MONTH, portion: { numerator: 1, denominator: 1000 } };
    await company.server.api("PATCH", `/vesting-terms/${terms}`, { vestingConditions: [slow] });
    for (const id of gone) {
      await company.server.api("PATCH", `/securities/${id}`, { quantity: "500", status: "ACTIVE" });
      expect(await get(company, `/securities/${id}/vesting`)).toMatchObject({ quantity: "500", vested: "500" });
    }
  });

  test("are multiplied by a split and by a correction upwards", async () => {
    const id = await grant();
    const part = await transfer(id, "500");
    await company.server.api("PATCH", `/securities/${part}`, { quantity: "750" });
    expect([await vested(part, "2027-01-01"), await vested(part)]).toEqual(["750/750", "250/500"]);
    await company.server.api("PATCH", `/securities/${part}`, { quantity: "600" });
    expect(await vested(part, "2027-01-01")).toBe("600/600");
  });
});

describe("an exercise", () => {
  test("takes vested shares first; what it made has vested; the grant goes on by its terms", async () => {
    const id = await grant();
    const before = await family(id);
    const shares = await exercise(id, "300");
    expect(await get(company, `/securities/${id}/vesting?asOf=${HALFWAY}`)).toMatchObject({
      ...{ quantity: "1000", vested: "500", exercised: "300", earlyExercised: "0" },
    });
    expect(await family(id, shares)).toEqual(before);
    expect(await vested(shares)).toBe("300/300");
  });

  test("early takes the rest from the earliest tranches, which the stock carries on", async () => {
    const id = await grant();
    const before = await family(id);
    const shares = await exercise(id, "650", { earlyExercise: true });
    expect(await get(company, `/securities/${id}/vesting?asOf=${HALFWAY}`)).toMatchObject({
      ...{ quantity: "850", vested: "500", exercised: "650", earlyExercised: "150", unvested: "350" },
    });
    expect([await vested(shares), await vested(shares, "2024-07-01"), await vested(shares, "2024-08-01")]).toEqual([
      "500/650",
      "600/650",
      "650/650",
    ]);
    expect(await family(id, shares)).toEqual(before);
    const given = await transfer(shares, "65");
    expect(await family(id, shares, given)).toEqual(before);
  });

  test("keeps the shares that it took when others are accelerated to before them", async () => {
    const id = await grant();
    await exercise(id, "300");
    await act("accelerate-vesting", { securityId: id, quantity: "100", reason: "Sale", effectiveDate: "2024-01-15" });
    const { parcels, events } = await get(company, `/securities/${id}/vesting?asOf=${HALFWAY}`);
    const days = (list: unknown) => (list as { readonly date: string }[]).map(({ date }) => date).slice(0, 3);
    expect(days(parcels)).toEqual(["2024-01-15", "2024-05-01", "2024-06-01"]);
    expect(days(events)).toEqual(["2024-01-15", "2024-02-01", "2024-03-01"]);
  });

  test("counts as vested whatever becomes of the rest", async () => {
    const id = await grant();
    await exercise(id, "500");
    const slow = await makeTerms(company.server, [{ ...MONTH, portion: { numerator: 1, denominator: 100 } }]);
    await company.server.api("PATCH", `/securities/${id}`, { vestingTermsId: slow });
    expect(await vested(id)).toBe("500/1000");
    expect(outcome(await run(company, "exercise", { ...one(id), effectiveDate: HALFWAY }))).toBe(
      "409 unvested-quantity",
    );
    await act("cancel", { securityId: id, quantity: "500", cancellationReason: "TERMINATION" });
    expect([await standing(company, id), await vested(id)]).toEqual(["CANCELLED 0", "500/500"]);
  });
});

function one(securityId: string): Given {
  return { securityId, quantity: "1", exercisePrice: "0.25" };
}

describe("a conversion", () => {
  test("of stock that vests divides and multiplies what vests", async () => {
    const id = await stock(company, { vestingTermsId: monthly });
    const body = { securityId: id, stockClassId: company.preferred, quantity: "400", resultingQuantity: "4000" };
    const { newSecurityId = "" } = await done(company, "convert", { ...body, effectiveDate: HALFWAY });
    expect([await vested(id), await vested(newSecurityId)]).toEqual(["300/600", "2000/4000"]);
    expect([await vested(id, "2024-07-01"), await vested(newSecurityId, "2024-07-01")]).toEqual([
      "360/600",
      "2400/4000",
    ]);
  });
});

describe("milestones", () => {
  async function milestone(securityId: string, quantity: string): Promise<string> {
    const answer = await company.server.api("POST", "/vesting-milestones", { name: "Launch", securityId, quantity });
    return answer.json.id;
  }

  test("are divided like a tranche, and vest in the whole family, an entry each", async () => {
    const id = await stock(company, { quantity: "1000" });
    const launch = await milestone(id, "400");
    const part = await transfer(id, "250");
    const third = await transfer(part, "50");
    expect([
      await vested(id, "2030-01-01"),
      await vested(part, "2030-01-01"),
      await vested(third, "2030-01-01"),
    ]).toEqual(["450/750", "120/200", "30/50"]);
    expect(outcome(await company.server.api("DELETE", `/vesting-milestones/${launch}`))).toBe("409 in-use");
    expect(outcome(await company.server.api("PATCH", `/vesting-milestones/${launch}`, { quantity: "1" }))).toBe(
      "409 invalid-state",
    );
    await company.server.api("POST", `/vesting-milestones/${launch}/complete`);
    const entries = await lastEntries(company, 3);
    expect(entries.map(({ type, securityId, quantity }) => [type, securityId, quantity])).toEqual([
      ["VESTING_EVENT", id, "300"],
      ["VESTING_EVENT", part, "80"],
      ["VESTING_EVENT", third, "20"],
    ]);
    expect(await vested(third, "2030-01-01")).toBe("50/50");
  });

  test("that a cancellation cut vest what is left of them", async () => {
    const id = await stock(company, { quantity: "1000" });
    const launch = await milestone(id, "400");
    await act("cancel", { securityId: id, quantity: "300", cancellationReason: "FORFEITURE" });
    await company.server.api("POST", `/vesting-milestones/${launch}/complete`);
    expect(await lastEntries(company, 1)).toMatchObject([{ type: "VESTING_EVENT", quantity: "100" }]);
    expect(await vested(id, "2030-01-01")).toBe("700/700");
  });

  test("do not take back what a cancellation before them took", async () => {
    const id = await grant();
    await act("cancel", { securityId: id, quantity: "400", cancellationReason: "FORFEITURE" });
    await milestone(id, "100");
    expect(await vested(id, "2030-01-01")).toBe("500/600");
  });
});

describe("what is asked of what has not vested", () => {
  test("cannot be more than that", async () => {
    const id = await grant();
    const accelerate = { securityId: id, reason: "Sale", effectiveDate: HALFWAY };
    expect(outcome(await run(company, "accelerate-vesting", { ...accelerate, quantity: "501" }))).toBe(
      "422 #/quantity",
    );
    expect(
      outcome(await run(company, "record-vesting-event", { ...accelerate, reason: undefined, quantity: "501" })),
    ).toBe("422 #/quantity");
    expect(outcome(await run(company, "accelerate-vesting", { ...accelerate, quantity: "500" }))).toBe("200");
    expect(outcome(await run(company, "accelerate-vesting", { ...accelerate, quantity: "1" }))).toBe("422 #/quantity");
  });
});

describe("a split of a grant that was cut", () => {
  test("unvests nothing", async () => {
    const server = await company.server.api("POST", "/share-classes", {
      ...{ name: "Odd", classType: "COMMON", defaultIdPrefix: "OD-", initialSharesAuthorized: "100000" },
      ...{ votesPerShare: "1", seniority: 3 },
    });
    const stockClassId = server.json.id;
    const id = await stock(company, { stockClassId, quantity: "101", vestingTermsId: monthly });
    await act("cancel", { securityId: id, quantity: "51", cancellationReason: "TERMINATION" });
    expect(await vested(id)).toBe("50/50");
    const ratio = { stockClassId, numerator: 3, denominator: 2, effectiveDate: HALFWAY };
    await done(company, "split", ratio);
    expect(await vested(id)).toBe("75/75");
  });
});
