// A plan's pool has a bottom: what a grant uses up of the reserve goes along with its shares, however they change, and
// never comes back twice.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ONE } from "../../../src/kernel/numbers/decimal.ts";
import { readEntry } from "../../../src/ledger/replay/event.ts";
import { initialState } from "../../../src/ledger/replay/replay.ts";
import { applyEntry } from "../../../src/ledger/rules/apply.ts";
import { chargesUnlike, comparePools, UnboundPlans } from "../../../src/safekeeping/verify/pools.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { firstSeed } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { makeShareClass } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import {
  available,
  type Company,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  lastEntries,
  makePlan,
  option,
  outcome,
  run,
  stock,
} from "../support.ts";

setDefaultTimeout(60_000);

let company: Company;
let plan: string;
const today = () => new Date().toISOString().slice(0, 10);

beforeEach(async () => {
  company = await foundCompany();
  plan = await makePlan(company.server, { initialSharesReserved: "1000", stockClassIds: [company.common] });
});
afterEach(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

const grant = (given: Given = {}) => option(company, { stockPlanId: plan, quantity: "100", ...given });
const chargeOf = async (id: string | undefined) => (await get(company, `/securities/${id}`)).planCharge;
const pool = () => available(company, plan);

async function exercise(securityId: string, quantity: string): Promise<string> {
  const body = { securityId, quantity, exercisePrice: "0.25", effectiveDate: today() };
  return (await done(company, "exercise", body)).newSecurityId ?? "";
}

async function convert(securityId: string, resultingQuantity: string, given: Given = {}): Promise<string> {
  const body = { securityId, stockClassId: company.preferred, resultingQuantity, effectiveDate: today(), ...given };
  return (await done(company, "convert", body)).newSecurityId ?? "";
}

function cancel(securityId: string, quantity: string, returnToPool: boolean) {
  const body = { securityId, quantity, cancellationReason: "FORFEITURE", returnToPool, effectiveDate: today() };
  return done(company, "cancel", body);
}

function edit(id: string, given: Given) {
  return company.server.api("PATCH", `/securities/${id}`, given);
}

describe("what a grant uses up", () => {
  test("goes along through exercise and conversion: 100 options that become 50,000 shares return 100", async () => {
    const shares = await exercise(await grant(), "100");
    const converted = await convert(shares, "50000");
    expect([await chargeOf(shares), await chargeOf(converted), await pool()]).toEqual([null, "100", "900"]);
    await cancel(converted, "25000", true);
    expect([await chargeOf(converted), await pool()]).toEqual(["50", "950"]);
    await cancel(converted, "25000", true);
    expect([await chargeOf(converted), await pool()]).toEqual([null, "1000"]);
    expect(outcome(await run(company, "issue-options", await grantBody("1000.0000000001")))).toBe(
      "409 insufficient-plan-reserve",
    );
  });

  test("is divided in proportion, to 10 places half even, and all of it goes with the last share", async () => {
    const shares = await exercise(await grant({ quantity: "1" }), "1");
    const converted = await convert(shares, "3");
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other, effectiveDate: today() };
    const move = async (quantity: string) =>
      (await done(company, "transfer", { securityId: converted, ...parties, quantity })).newSecurityId;
    const [first, second, third] = [await move("1"), await move("1"), await move("1")];
    expect([await chargeOf(first), await chargeOf(second), await chargeOf(third), await chargeOf(converted)]).toEqual([
      "0.3333333333",
      "0.3333333334",
      "0.3333333333",
      null,
    ]);
  });

  test("is used up for good by what is not returned", async () => {
    const id = await grant();
    await cancel(id, "40", false);
    expect([await chargeOf(id), await pool()]).toEqual(["60", "900"]);
    const shares = await exercise(id, "60");
    const bought = { securityId: shares, quantity: "30", pricePerShare: "1", effectiveDate: today() };
    await done(company, "repurchase", bought);
    expect([await chargeOf(shares), await pool()]).toEqual(["30", "900"]);
    await done(company, "repurchase", { ...bought, returnToPool: true });
    expect([await chargeOf(shares), await pool()]).toEqual([null, "930"]);
  });

  test("is told by each entry that changes it", async () => {
    const id = await grant();
    const shares = await exercise(id, "40");
    expect((await lastEntries(company, 2)).map(({ metadata }) => metadata)).toMatchObject([
      { rules: 2, charges: [{ securityId: id, equityPlanId: plan, before: null, after: "100" }] },
      {
        rules: 2,
        charges: [
          { securityId: id, equityPlanId: plan, before: "100", after: "60" },
          { securityId: shares, equityPlanId: plan, before: null, after: "40" },
        ],
      },
    ]);
  });

  test("a warrant under a plan uses nothing up", async () => {
    const given = { type: "WARRANT", stakeholderId: company.holder, stockClassId: company.common, stockPlanId: plan };
    const body = { ...given, quantity: "100", exercisePrice: "0.25", certificateId: "W-1", grantDate: "2024-01-01" };
    const { id } = (await company.server.api("POST", "/securities", body)).json;
    const shares = await exercise(id, "100");
    await cancel(shares, "100", true);
    expect([await chargeOf(id), await chargeOf(shares), await pool()]).toEqual([null, null, "1000"]);
  });
});

async function grantBody(quantity: string): Promise<Given> {
  const given = { stakeholderId: company.holder, stockPlanId: plan, exercisePrice: "1", optionType: "NSO" };
  return { ...given, quantity, certificateId: "over", effectiveDate: today() };
}

describe("splits", () => {
  test("of one class of a plan for two leave the pool and the charges", async () => {
    const both = await makePlan(company.server, {
      initialSharesReserved: "1000",
      stockClassIds: [company.common, company.preferred],
    });
    const id = await option(company, { stockPlanId: both, stockClassId: company.common, quantity: "100" });
    await done(company, "split", split(10, 1));
    expect(await get(company, `/securities/${id}`)).toMatchObject({ quantity: "1000", planCharge: "100" });
    await cancel(id, "1000", true);
    expect(await available(company, both)).toBe("1000");
  });

  test("multiply pool and charges of a plan for the class alone, cut off, whatever the rounding", async () => {
    const ids = [await grant({ quantity: "1" }), await grant({ quantity: "1" }), await grant({ quantity: "1" })];
    const closed = await grant({ quantity: "1" });
    await edit(closed, { status: "CANCELLED" });
    await done(company, "split", split(1, 3, "UP"));
    expect(await get(company, `/equity-plans/${plan}`)).toMatchObject({ currentSharesReserved: "332" });
    for (const id of [...ids, closed]) expect(await chargeOf(id)).toBe("0.3333333333");
    for (const securityId of ids) {
      await done(company, "retract", { securityId, reason: "In error", effectiveDate: today() });
    }
    expect(await pool()).toBe("332.9999999999");
  });

  test("that leave nothing of a grant let a correction charge what a share charged", async () => {
    const id = await grant({ quantity: "2" });
    await done(company, "split", split(1, 5, "DOWN"));
    expect(await get(company, `/securities/${id}`)).toMatchObject({ quantity: "0", planCharge: "0.4" });
    await edit(id, { quantity: "1" });
    expect(await chargeOf(id)).toBe("1");
  });
});

function split(numerator: number, denominator: number, rounding = "DOWN"): Given {
  return { stockClassId: company.common, numerator, denominator, rounding, effectiveDate: today() };
}

describe("direct edits", () => {
  test("there and back make nothing", async () => {
    const id = await grant();
    for (const quantity of ["300", "100", "7", "100"]) await edit(id, { quantity });
    expect([await chargeOf(id), await pool()]).toEqual(["100", "900"]);
  });

  test("change the charge in proportion: a rise takes from the pool, a fall gives back", async () => {
    const converted = await convert(await exercise(await grant(), "100"), "50000");
    await edit(converted, { quantity: "60000" });
    expect([await chargeOf(converted), await pool()]).toEqual(["120", "880"]);
    await edit(converted, { quantity: "500" });
    expect([await chargeOf(converted), await pool()]).toEqual(["1", "999"]);
    const other = await makePlan(company.server, { initialSharesReserved: "10" });
    expect(outcome(await edit(await option(company, { stockPlanId: other, quantity: "10" }), { quantity: "11" }))).toBe(
      "409 insufficient-plan-reserve",
    );
  });

  test('from "0" charge what a share charged before', async () => {
    const converted = await convert(await exercise(await grant(), "100"), "50000");
    await cancel(converted, "50000", true);
    expect(await pool()).toBe("1000");
    await edit(converted, { quantity: "500" });
    expect([await chargeOf(converted), await pool()]).toEqual(["1", "999"]);
  });

  test("of the status leave charge and pool alone; deleting what is closed returns nothing", async () => {
    const id = await grant();
    await edit(id, { status: "CANCELLED" });
    expect([await chargeOf(id), await pool()]).toEqual(["100", "900"]);
    await edit(id, { status: "ACTIVE" });
    await edit(id, { status: "CANCELLED" });
    expect([await chargeOf(id), await pool()]).toEqual(["100", "900"]);
    await company.server.api("DELETE", `/securities/${id}`);
    expect(await pool()).toBe("900");
  });

  test("of the plan move the charge; a first plan charges the quantity; no plan gives the charge back", async () => {
    const other = await makePlan(company.server, { initialSharesReserved: "1000" });
    const converted = await convert(await exercise(await grant(), "100"), "50000");
    await edit(converted, { stockPlanId: other });
    expect([await chargeOf(converted), await pool(), await available(company, other)]).toEqual(["100", "1000", "900"]);
    await edit(converted, { stockPlanId: null });
    expect([await chargeOf(converted), await available(company, other)]).toEqual([null, "1000"]);
    expect(outcome(await edit(converted, { stockPlanId: other }))).toBe("409 insufficient-plan-reserve");
    const free = await stock(company, { quantity: "30" });
    await edit(free, { stockPlanId: other });
    expect([await chargeOf(free), await available(company, other)]).toEqual(["30", "970"]);
  });
});

const STEPS = RELEASE ? 2000 : 200;

test(`${STEPS} allowed steps at random never make more of a pool than its reserve`, async () => {
  const classes = [company.common, company.preferred, await makeShareClass(company.server)];
  const plans = [plan, await makePlan(company.server, { initialSharesReserved: "500.5", stockClassIds: classes })];
  const random = seeded(firstSeed());
  const open: string[] = [];
  const stats = new Map<string, number>();
  for (let step = 0; step < STEPS; step++) {
    const id = open[random(Math.max(open.length, 1))] ?? "";
    const amount = ["1", "3", "7.5", "40", "0.3333333333"][random(5)] ?? "1";
    const stockClassId = classes[random(3)];
    const kinds: readonly (() => Promise<{ status: number; json: Given }>)[] = [
      () =>
        run(company, "issue-options", {
          ...issue(step),
          stockPlanId: plans[random(2)],
          stockClassId,
          quantity: amount,
        }),
      () => run(company, "exercise", { securityId: id, quantity: amount, exercisePrice: "1", effectiveDate: today() }),
      () =>
        run(company, "cancel", { ...on(id, amount), cancellationReason: "FORFEITURE", returnToPool: random(2) === 0 }),
      () => run(company, "repurchase", { ...on(id, amount), pricePerShare: "1", returnToPool: random(2) === 0 }),
      () =>
        run(company, "convert", { securityId: id, stockClassId, resultingQuantity: "5000", effectiveDate: today() }),
      () =>
        run(company, "transfer", {
          ...{ ...on(id, amount), fromStakeholderId: company.holder, toStakeholderId: company.other },
        }),
      () => run(company, "retract", { securityId: id, reason: "In error", effectiveDate: today() }),
      () => edit(id, { quantity: ["2", "9", "55.5"][random(3)] }),
      () => edit(id, { stockPlanId: [plans[0], plans[1], null][random(3)] }),
      () => edit(id, { status: ["ACTIVE", "CANCELLED", "EXERCISED"][random(3)] }),
      () =>
        run(company, "split", {
          ...split(1 + random(3), 1 + random(3), ["UP", "DOWN", "NEAREST"][random(3)]),
          stockClassId,
        }),
    ];
    const kind = random(kinds.length);
    const answer = await (kinds[kind] ?? kinds[0])?.();
    expect(answer?.status).toBeLessThan(500);
    if (answer && answer.status < 300) stats.set(String(kind), (stats.get(String(kind)) ?? 0) + 1);
    const data = (answer?.json.data ?? {}) as Record<string, string>;
    open.push(...[data.securityId, data.newSecurityId].filter((made) => made !== undefined));
  }
  // Each kind of step was done; after each test no differences are found, pools exceeded included.
  expect([...stats.keys()].length).toBe(11);
  const { notes } = verifyDatabase(company.server.app.reader);
  expect(notes).toEqual([]);
});

test("verify tells of a pool that has more than its reserve, and of charges that do not follow", async () => {
  const id = await grant();
  const { sqlite } = company.server.app.writer.db;
  const entry = sqlite.prepare("select metadata from transactions where securityId = ?").pluck().get(id) as string;
  const state = initialState([], [{ id: plan, initialSharesReserved: "1000", stockClassIds: "[]" }], []);
  const told = (metadata: string) => ({ ...ISSUANCE, securityId: id, metadata: JSON.parse(metadata) });
  expect(chargesUnlike(state, told(entry))).toBeNull();
  expect(chargesUnlike(state, told(entry.replace('"after":"100"', '"after":"99"')))).toContain("nothing to 99");
  applyEntry(state, readEntry(told(entry)));
  state.changePlan(plan, { available: 900n * ONE + 1n });
  const found: string[] = [];
  comparePools(
    state,
    new UnboundPlans(),
    ({ code, detail }) => found.push(`${code} ${detail}`),
    () => undefined,
  );
  expect(found).toEqual(["pool-exceeded it has 900.0000000001 available and 100 in use of 1000 reserved"]);
});

const ISSUANCE = {
  type: "STOCK_OPTION_ISSUANCE",
  stakeholderId: null,
  quantity: "100",
  effectiveDate: "2024-01-01",
} as const;

function issue(step: number): Given {
  const given = { stakeholderId: company.holder, exercisePrice: "1", optionType: "NSO" };
  return { ...given, certificateId: `R-${step}`, effectiveDate: today() };
}

function on(securityId: string, quantity: string): Given {
  return { securityId, quantity, effectiveDate: today() };
}
