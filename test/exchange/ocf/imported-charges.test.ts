// What imported awards charge their plans: splits multiply it, and what they are exercised or converted into takes it
// over under the same plan alone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Fields, grant, stock, tx } from "./objects.ts";
import { Organization } from "./organization.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const PLAN = { object_type: "STOCK_PLAN", initial_shares_reserved: "5000", default_cancellation_behavior: "RETIRE" };
const wide: Fields = { ...PLAN, id: "wide", plan_name: "Wide", stock_class_ids: ["common", "preferred"] };
const second: Fields = { ...PLAN, id: "second", plan_name: "Second", stock_class_ids: ["common"] };
const split = tx("STOCK_CLASS_SPLIT", "2024-03-01", {
  stock_class_id: "common",
  split_ratio: { numerator: "3", denominator: "1" },
});

async function imported(...objects: readonly Fields[]) {
  const org = await Organization.make(server);
  expect((await org.import(wide, second, ...objects)).errors).toEqual([]);
  const chargeOf = async (id: string) => (await org.call("GET", `/securities/${id}`)).planCharge;
  const available = async (id: string) =>
    (await org.call("GET", "/cap-table")).equityPlans.find((plan: { id: string }) => plan.id === id).available;
  return { org, chargeOf, available };
}

test("an imported split multiplies what is charged to plans for its class alone, and no other", async () => {
  const { chargeOf } = await imported(
    stock("s", "2024-01-01", "100", { stock_plan_id: "plan" }),
    grant("o", "2024-01-02", "50"),
    stock("w", "2024-01-03", "70", { stock_plan_id: "wide" }),
    split,
    stock("late", "2024-04-01", "10", { stock_plan_id: "plan" }),
  );
  expect(await chargeOf("s")).toBe("300");
  expect(await chargeOf("o")).toBe("150");
  expect(await chargeOf("w")).toBe("70");
  expect(await chargeOf("late")).toBe("10");
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});

test("stock that comes in after the split of its class charges in the shares of after it", async () => {
  const { org, chargeOf } = await imported(split);
  await org.import(stock("s", "2024-01-01", "100", { stock_plan_id: "plan" }));
  expect(await chargeOf("s")).toBe("300");
});

test("a balance that a package issues anew after a split keeps the whole charge", async () => {
  const anew = { security_id: "o", quantity: "50", balance_security_id: "o2", reason_text: "Split" };
  const { chargeOf } = await imported(
    grant("o", "2024-01-02", "50"),
    split,
    tx("EQUITY_COMPENSATION_CANCELLATION", "2024-03-01", anew),
    tx("STOCK_PLAN_RETURN_TO_POOL", "2024-03-01", {
      security_id: "o",
      stock_plan_id: "plan",
      quantity: "0",
      reason_text: "No",
    }),
    grant("o2", "2024-03-01", "150"),
  );
  expect([await chargeOf("o"), await chargeOf("o2")]).toEqual([null, "150"]);
});

for (const [words, plan] of [
  ["another plan", { stock_plan_id: "second" }],
  ["no plan", {}],
] as const)
  test(`an exercise into stock of ${words} uses up the option's charge`, async () => {
    const exercise = { security_id: "o", quantity: "40", resulting_security_ids: ["x"] };
    const { org, chargeOf, available } = await imported(
      grant("o", "2024-01-02", "50"),
      tx("EQUITY_COMPENSATION_EXERCISE", "2024-02-01", exercise),
      stock("x", "2024-02-01", "40", plan),
    );
    expect([await chargeOf("o"), await chargeOf("x")]).toEqual(["10", null]);
    const cancel = { securityId: "x", quantity: "40", cancellationReason: "FORFEITURE", returnToPool: true };
    await org.act("cancel", cancel);
    expect([await available("plan"), await available("second")]).toEqual(["99950", "5000"]);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  });

test("a conversion takes the charge along under the same plan alone", async () => {
  const converted = (id: string) => ({
    security_id: id,
    quantity_converted: "100",
    resulting_security_ids: [`${id}2`],
  });
  const { chargeOf } = await imported(
    stock("a", "2024-01-01", "100", { stock_plan_id: "plan" }),
    tx("STOCK_CONVERSION", "2024-02-01", converted("a")),
    stock("a2", "2024-02-01", "900", { stock_plan_id: "plan" }),
    stock("b", "2024-01-01", "100", { stock_plan_id: "plan" }),
    tx("STOCK_CONVERSION", "2024-02-01", converted("b")),
    stock("b2", "2024-02-01", "900", { stock_plan_id: "second" }),
  );
  expect([await chargeOf("a2"), await chargeOf("b2"), await chargeOf("b")]).toEqual(["100", null, null]);
});

test("a charge that a return tells counts for the shares that are there", async () => {
  const told = { planCharge: { charge: "75", quantity: "50" } };
  const said = { security_id: "o", stock_plan_id: "plan", quantity: "0", reason_text: "Charge" };
  const comments = [`captable:${JSON.stringify(told)}`];
  const { chargeOf, available } = await imported(
    grant("o", "2024-01-02", "50"),
    tx("STOCK_PLAN_RETURN_TO_POOL", "2024-02-01", { ...said, comments }),
  );
  expect([await chargeOf("o"), await available("plan")]).toEqual(["75", "99950"]);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});

describe("a transaction that comes in after what it made", () => {
  const transfer = (from: string, to: string, date: string) =>
    tx("EQUITY_COMPENSATION_TRANSFER", date, { security_id: from, quantity: "100", resulting_security_ids: [to] });
  const [a, b] = [grant("a", "2024-01-01", "100"), grant("b", "2024-02-01", "100")];
  const [first, next] = [transfer("a", "b", "2024-02-01"), transfer("b", "c", "2024-03-01")];

  test("passes its charge on to what holds the shares now", async () => {
    const c = grant("c", "2024-03-01", "100");
    const { org, chargeOf, available } = await imported(a, b, c, next);
    expect(await available("plan")).toBe("99800");
    expect((await org.import(a, b, c, first, next)).warnings).toEqual([]);
    expect(await Promise.all(["a", "b", "c"].map(chargeOf))).toEqual([null, null, "100"]);
    expect(await available("plan")).toBe("99900");
    await org.addsUp();
  });

  test("charges nothing, and says so, where the shares went on to a security that is missing", async () => {
    const { org, chargeOf, available } = await imported(a, b, next);
    const { warnings } = await org.import(a, b, first, next);
    expect(warnings.map(({ code, id }) => [code, id])).toEqual([["charge-lost", String(first.id)]]);
    expect([await chargeOf("a"), await chargeOf("b"), await available("plan")]).toEqual([null, null, "99900"]);
    await org.addsUp();
  });

  const CHAINS = seedCount(2, 400);
  test(`${CHAINS} random chains of grants: the pool and every charge are those of one import of all`, async () => {
    let compared = 0;
    for (let seed = firstSeed(); seed < firstSeed() + CHAINS; seed++) {
      const pick = seeded(seed);
      const { issuances, endings } = randomChain(pick);
      const early = endings.filter(() => pick(2) === 0);
      const whole = [...issuances, ...endings];
      const [inParts, atOnce] = [await imported(...issuances, ...early), await imported(...whole)];
      const { warnings } = await inParts.org.import(...whole);
      // What acts on a security that had ended by then has no effect, and is warned of.
      if (warnings.some(({ code }) => code === "closed-security")) continue;
      compared++;
      const ids = issuances.map(({ security_id: id }) => String(id));
      const figures = async ({ chargeOf, available }: Awaited<ReturnType<typeof imported>>) => ({
        charges: await Promise.all(ids.map(chargeOf)),
        available: await available("plan"),
      });
      expect({ seed, ...(await figures(inParts)) }).toEqual({ seed, ...(await figures(atOnce)) });
      await inParts.org.addsUp();
    }
    expect(compared).toBeGreaterThan(CHAINS / 2);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
    const what = "chains of grants imported in parts, in whatever order";
    proved({ fault: "E12", what, count: compared, seed: `${firstSeed()} on`, result: "the pools of one import" });
  }, 1_200_000);
});

/** A grant, and what became of it: transferred, exercised and cancelled, whole or in part. */
function randomChain(pick: (below: number) => number): { issuances: Fields[]; endings: Fields[] } {
  const [issuances, endings]: [Fields[], Fields[]] = [[grant("g", "2024-01-01", "1000")], []];
  const open = [{ id: "g", quantity: 1000, isOption: true }];
  const steps = 1 + pick(5);
  for (let step = 1; step <= steps; step++) {
    const [one] = open.splice(pick(open.length), 1);
    if (one === undefined) break;
    const date = `2024-${String(step + 1).padStart(2, "0")}-01`;
    const moved = pick(2) === 0 || one.quantity < 2 ? one.quantity : 1 + pick(one.quantity - 1);
    const issue = (id: string, quantity: number, isOption: boolean) => {
      open.push({ id, quantity, isOption });
      const of = isOption ? grant : stock;
      issuances.push(of(id, date, String(quantity), isOption ? {} : { stock_plan_id: "plan" }));
    };
    const kind = pick(3);
    const family = one.isOption ? "EQUITY_COMPENSATION" : "STOCK";
    const isExercise = kind === 1 && one.isOption;
    const [rest, balance] = [one.quantity - moved, `b${step}`];
    // OCF has no balance of an exercise: the rest stays.
    if (rest > 0 && isExercise) open.push({ ...one, quantity: rest });
    if (rest > 0 && !isExercise) issue(balance, rest, one.isOption);
    const named = rest > 0 && !isExercise ? { balance_security_id: balance } : {};
    const said = { security_id: one.id, quantity: String(moved), ...named };
    if (kind === 0) {
      endings.push(tx(`${family}_CANCELLATION`, date, { ...said, reason_text: "Left" }));
      continue;
    }
    issue(`n${step}`, moved, one.isOption && !isExercise);
    const type = isExercise ? "EQUITY_COMPENSATION_EXERCISE" : `${family}_TRANSFER`;
    endings.push(tx(type, date, { ...said, resulting_security_ids: [`n${step}`] }));
  }
  return { issuances, endings };
}
