// Compliance and expense count grants as they were granted: in the shares, prices and days of then, whatever splits,
// exercises, transfers and leavers came after; and what was retracted or deleted never was.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime, toUtcDate } from "../../../src/kernel/runtime.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

/** A company with a plan, yearly vesting over four years, and what the tests do with it. */
async function company() {
  const where = { orgId: await server.newOrganization() };
  const send = (method: string, path: string, body?: Given) => server.api(method, path, body, where);
  const ask = async (method: string, path: string, body?: Given) => {
    const answer = await send(method, path, body);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[014] $/);
    return answer.json?.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, { relationships: ["EMPLOYEE"] }, where);
  const other = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: "900000000" }, where);
  const plan = { planName: "Plan", initialSharesReserved: "10000000", stockClassIds: [common] };
  const { id: stockPlanId } = await ask("POST", "/equity-plans", plan);
  const yearly = { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS", occurrences: 4 };
  const condition = { id: "y", trigger: yearly, portion: { numerator: 1, denominator: 4 } };
  const terms = { name: "4y", description: "25 % a year", vestingConditions: [condition] };
  const { id: vestingTermsId } = await ask("POST", "/vesting-terms", terms);
  let certificates = 0;
  const next = () => `N-${++certificates}`;
  const act = (operation: string, effectiveDate: string, body: Given) =>
    ask("POST", `/transactions/${operation}`, { effectiveDate, ...body });
  return {
    holder,
    other,
    common,
    stockPlanId,
    vestingTermsId,
    send,
    ask,
    act,
    grant: async (effectiveDate: string, quantity: string, body: Given = {}): Promise<string> => {
      const terms = { stakeholderId: holder, stockPlanId, exercisePrice: "1", optionType: "NSO", vestingTermsId };
      const all = { ...terms, certificateId: next(), quantity, ...body };
      return (await act("issue-options", effectiveDate, all)).securityId;
    },
    stock: async (effectiveDate: string, quantity: string, body: Given = {}): Promise<string> => {
      const all = { stakeholderId: holder, stockClassId: common, certificateId: next(), quantity, ...body };
      return (await act("issue-shares", effectiveDate, all)).securityId;
    },
    value: (pricePerShare: string, effectiveDate: string) =>
      ask("POST", "/valuations", {
        type: "409A",
        status: "APPROVED",
        stockClassId: common,
        pricePerShare,
        effectiveDate,
      }),
    split: (numerator: number, denominator: number, effectiveDate = "2026-01-01") =>
      act("split", effectiveDate, { stockClassId: common, numerator, denominator }),
    iso: async (query = "asOf=2026-06-30"): Promise<readonly string[]> => {
      const { holders } = await ask("GET", `/compliance/iso-limit?${query}`);
      return holders.flatMap(({ rows }: { rows: readonly Record<string, string>[] }) =>
        rows.map((row) => [row.year, row.quantity, row.fairMarketValue, row.iso, row.nso].join(" ")),
      );
    },
    rule701: async (asOf: string): Promise<string> =>
      (await ask("GET", `/compliance/rule-701?asOf=${asOf}`)).aggregateSalesPrice,
    options: async (): Promise<readonly string[]> => {
      const { items } = await ask("GET", "/compliance/option-grants?from=2020-01-01&to=2026-06-30");
      return items.map((item: Record<string, unknown>) =>
        [item.exercisePrice, item.fairMarketValue, ...(item.findings as string[])].join(" "),
      );
    },
    expense: async (securityId: string, method = "STRAIGHT_LINE"): Promise<readonly string[]> => {
      const periods = { from: "2023-01-01", to: "2027-12-31", period: "YEAR" };
      const grants = [{ securityId, fairValuePerShare: "1" }];
      const told = (await ask("POST", "/models/expense", { method, ...periods, grants })).grants[0];
      return [told.total, ...told.periods.map(({ amount }: { amount: string }) => amount)];
    },
  };
}

describe("splits after a grant are undone without a rounded figure", () => {
  test("ISO at 20 that a split 3:1 made 6.6666666667", async () => {
    const { grant, value, split, iso, options, rule701 } = await company();
    await value("20", "2022-12-01");
    await grant("2023-01-01", "20000", { exercisePrice: "20", optionType: "ISO" });
    const years = ["2024", "2025", "2026", "2027"].map((year) => `${year} 5000 20 5000 0`);
    await split(3, 1);
    expect(await iso()).toEqual(years);
    expect(await options()).toEqual(["20 20"]);
    expect(await rule701("2023-06-01")).toBe("400000");
  });

  test("a strike of an option that was exercised before the split", async () => {
    const { grant, act, split, options } = await company();
    const first = await grant("2023-01-01", "900", { exercisePrice: "10", vestingTermsId: null });
    await act("exercise", "2025-01-01", { securityId: first, quantity: "900", exercisePrice: "10" });
    await split(3, 1);
    expect(await options()).toEqual(["10  NO_VALUATION"]);
  });

  test("shares that a split 1:3 rounded", async () => {
    const { grant, split, iso, expense, act } = await company();
    const terms = { optionType: "ISO" };
    const vesting = await grant("2023-01-01", "10001", terms);
    const before = [await iso(), await expense(vesting), await expense(vesting, "GRADED")];
    await split(1, 3);
    expect([await iso(), await expense(vesting), await expense(vesting, "GRADED")]).toEqual(before);
    expect((await expense(vesting))[0]).toBe("10001");
    // The 1,667 that are not vested by then are as many as 5,000 were.
    await act("cancel", "2025-06-30", { securityId: vesting, quantity: "1667", cancellationReason: "FORFEITURE" });
    expect((await expense(vesting)).slice(0, 3)).toEqual((before[1] as string[]).with(0, "5001").slice(0, 3));
  });

  test("shares of a grant without terms", async () => {
    const { grant, split, iso, expense } = await company();
    const id = await grant("2023-01-01", "10001", { optionType: "ISO", vestingTermsId: null });
    await split(1, 3);
    expect(await iso()).toEqual(["2023 10001 1 10001 0"]);
    expect(await expense(id)).toEqual(["10001", "10001", "0", "0", "0", "0"]);
  });

  test("a grant that is corrected to another plan, and one that a status ends", async () => {
    const { grant, expense, ask, common, stockPlanId } = await company();
    const [moved, ended] = [await grant("2023-01-01", "10000"), await grant("2023-01-01", "10000")];
    const before = await expense(moved);
    const other = { planName: "Other", initialSharesReserved: "10000000", stockClassIds: [common] };
    const { id: otherPlanId } = await ask("POST", "/equity-plans", other);
    await ask("PATCH", `/securities/${moved}`, { stockPlanId: otherPlanId });
    expect(await expense(moved)).toEqual(before);
    await ask("PATCH", `/securities/${moved}`, { stockPlanId });
    expect(await expense(moved)).toEqual(before);
    await ask("PATCH", `/securities/${ended}`, { status: "CANCELLED" });
    expect((await expense(ended)).at(-1)).toBe("0");
  });

  test("what goes to another after a split, half of each year's", async () => {
    const { grant, split, act, iso, holder, other } = await company();
    const id = await grant("2023-01-01", "10001", { optionType: "ISO" });
    const before = await iso();
    await split(1, 3, "2023-06-01");
    await act("transfer", "2024-06-01", {
      securityId: id,
      fromStakeholderId: holder,
      toStakeholderId: other,
      quantity: "1500",
    });
    expect(await iso()).toEqual(before);
  });
});

describe("what never was", () => {
  test("retracted and deleted grants count nowhere, on no day", async () => {
    const { grant, act, ask, send, iso, rule701, options } = await company();
    const real = { exercisePrice: "1", optionType: "ISO", vestingTermsId: null };
    await grant("2025-05-02", "90000", real);
    const figures = async () => [
      await iso(),
      await iso("asOf=2025-06-01"),
      await rule701("2025-06-01"),
      await options(),
    ];
    const expected = await figures();
    const typo = await grant("2025-05-01", "100000", real);
    await act("retract", "2025-07-01", { securityId: typo, reason: "typo" });
    expect(await figures()).toEqual(expected);
    const deleted = await grant("2025-05-01", "100000", real);
    await ask("DELETE", `/securities/${deleted}`);
    expect(await figures()).toEqual(expected);
    const body = { method: "GRADED", from: "2025-01-01", to: "2025-12-31", period: "YEAR" };
    const asked = async (securityId: string) =>
      (await send("POST", "/models/expense", { ...body, grants: [{ securityId, fairValuePerShare: "1" }] })).status;
    expect([await asked(typo), await asked(deleted)]).toEqual([422, 404]);
  });

  test("a corrected quantity counts as corrected, whatever split came between", async () => {
    const { grant, ask, iso, rule701, split, expense } = await company();
    const id = await grant("2025-05-01", "100000", { optionType: "ISO" });
    await ask("PATCH", `/securities/${id}`, { quantity: "40000" });
    expect([await rule701("2025-06-01"), await iso("asOf=2025-06-01")]).toEqual([
      "40000",
      ["2026 25000 1 25000 0", "2027 15000 1 15000 0"],
    ]);
    await split(2, 1, toUtcDate(systemRuntime.nowMs()));
    await ask("PATCH", `/securities/${id}`, { quantity: "20000" });
    expect([await rule701("2025-06-01"), await iso()]).toEqual(["10000", ["2026 10000 1 10000 0"]]);
    expect((await expense(id))[0]).toBe("10000");
    await ask("PATCH", `/securities/${id}`, { quantity: "240000" });
    expect(await rule701("2025-06-01")).toBe("120000");
  });

  test("a retraction of what an exercise left takes no more", async () => {
    const { grant, act, rule701 } = await company();
    const id = await grant("2025-05-01", "1000", { vestingTermsId: null });
    await act("exercise", "2025-06-01", { securityId: id, quantity: "400", exercisePrice: "1" });
    await act("retract", "2025-07-01", { securityId: id, reason: "typo" });
    expect(await rule701("2025-06-01")).toBe("400");
  });
});

describe("cost of what vested is not taken back", () => {
  // 4,800 in four years of 1,200: straight on, 1,200 a year but for days.
  const both = async (made: Awaited<ReturnType<typeof company>>, id: string) => [
    await made.expense(id),
    await made.expense(id, "GRADED"),
  ];

  test("by exercises, early ones too, transfers, and what expires or is bought back", async () => {
    const made = await company();
    const { grant, stock, act, holder, other, vestingTermsId } = made;
    const plain = await both(made, await grant("2023-01-01", "4800"));
    const early = await grant("2023-01-01", "4800");
    const strike = { exercisePrice: "1" };
    await act("exercise", "2023-01-02", { securityId: early, quantity: "4800", ...strike, earlyExercise: true });
    const net = await grant("2023-01-01", "4800");
    const paid = { ...strike, paymentMethod: "NET_EXERCISE", fairMarketValue: "3" };
    await act("exercise", "2025-02-01", { securityId: net, quantity: "1200", ...paid });
    const given = await grant("2023-01-01", "4800");
    const parties = { fromStakeholderId: holder, toStakeholderId: other };
    const { newSecurityId } = await act("transfer", "2025-02-01", { securityId: given, quantity: "2400", ...parties });
    const cancelled = await grant("2023-01-01", "4800");
    const expired = { quantity: "600", vestedQuantity: "600", cancellationReason: "EXPIRATION" };
    await act("cancel", "2025-02-01", { securityId: cancelled, ...expired });
    const restricted = await stock("2023-01-01", "4800", { vestingTermsId });
    const bought = { quantity: "1000", vestedQuantity: "1000", pricePerShare: "1" };
    await act("repurchase", "2025-02-01", { securityId: restricted, ...bought });
    for (const id of [early, net, given, cancelled, restricted]) expect(await both(made, id)).toEqual(plain);
    // What is forfeited is, wherever it went: half of the half that was not vested.
    const forfeited = { quantity: "1200", cancellationReason: "FORFEITURE" };
    await act("cancel", "2025-06-30", { securityId: newSecurityId, vestedQuantity: "0", ...forfeited });
    const [line, graded] = await both(made, given);
    expect(line?.[0]).toBe("3600");
    expect([line?.slice(1, 3), graded?.slice(1, 3)]).toEqual([plain[0]?.slice(1, 3), plain[1]?.slice(1, 3)]);
  });

  test("when a leaver's vested options expire after the unvested ones were forfeited", async () => {
    const made = await company();
    const { grant, act, holder, ask } = made;
    const id = await grant("2023-01-01", "4800");
    await act("terminate-service", "2025-06-15", { stakeholderId: holder, exerciseWithinDays: 90 });
    const left = await both(made, id);
    expect(left.map(([total]) => total)).toEqual(["2400", "2400"]);
    const { quantity } = await ask("GET", `/securities/${id}`);
    await act("cancel", "2025-09-15", { securityId: id, quantity, cancellationReason: "EXPIRATION" });
    expect(await both(made, id)).toEqual(left);
  });

  test("where vesting of stock stops as where it is bought back that day, and again from the day of a return on", async () => {
    const made = await company();
    const { stock, act, holder, other, vestingTermsId } = made;
    const given = { vestingTermsId };
    const bought = await stock("2023-01-01", "4800", { ...given, stakeholderId: other });
    const [stopped, back] = [await stock("2023-01-01", "4800", given), await stock("2023-01-01", "4800", given)];
    await act("repurchase", "2025-06-15", { securityId: bought, quantity: "2400", pricePerShare: "1" });
    const before = await both(made, stopped);
    await act("terminate-service", "2025-06-15", { stakeholderId: holder });
    expect(await both(made, stopped)).toEqual(await both(made, bought));
    await act("start-vesting", "2025-07-15", { securityId: back });
    const after = await both(made, back);
    expect(after.map(([total]) => total)).toEqual(before.map(([total]) => total));
    const years = (told: typeof after) => told.map((each) => each?.slice(1, 3));
    expect(years(after)).toEqual(years(before));
    // What stopped is bought back later: nothing of it was recognized meanwhile.
    const until = await both(made, stopped);
    await act("repurchase", "2026-03-15", { securityId: stopped, quantity: "2400", pricePerShare: "1" });
    expect(await both(made, stopped)).toEqual(until);
  });

  test("and the unvested part that was exercised early is forfeited when it is bought back", async () => {
    const made = await company();
    const { grant, act } = made;
    const id = await grant("2023-01-01", "4800");
    const early = { quantity: "4800", exercisePrice: "1", earlyExercise: true };
    const { newSecurityId } = await act("exercise", "2023-01-02", { securityId: id, ...early });
    const before = await both(made, id);
    await act("repurchase", "2025-06-15", { securityId: newSecurityId, quantity: "2400", pricePerShare: "1" });
    const [line, graded] = await both(made, id);
    expect([line?.[0], graded?.[0]]).toEqual(["2400", "2400"]);
    expect(line?.slice(1, 3)).toEqual((before[0] ?? []).slice(1, 3));
    expect(line?.slice(4)).toEqual(["0", "0"]);
  });
});

test("a quantity that was corrected upwards is one grant, of its day", async () => {
  const { grant, ask } = await company();
  const id = await grant("2026-02-01", "4800", { exercisePrice: "2" });
  const old = await grant("2022-02-01", "100", { exercisePrice: "2" });
  await ask("PATCH", `/securities/${id}`, { quantity: "5000" });
  await ask("PATCH", `/securities/${id}`, { quantity: "4000" });
  await ask("PATCH", `/securities/${old}`, { quantity: "200" });
  const asked = `asOf=${toUtcDate(systemRuntime.nowMs())}`;
  expect((await ask("GET", `/compliance/rule-701?${asked}`)).aggregateSalesPrice).toBe("8000");
  const { items } = await ask("GET", "/compliance/option-grants");
  expect(items.map(({ securityId }: Given) => securityId)).toEqual([id]);
});
