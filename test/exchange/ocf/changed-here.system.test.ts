// A package that comes again, grown, after what it brought was changed here: what it says of that is refused, with all
// that builds on it, since it would count shares a second time.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Fields, grant, note, stock, tx, warrant } from "./objects.ts";
import { HERE, Organization } from "./organization.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const A = stock("A", "2024-01-10", "100");
const OTHER = stock("C", "2024-01-10", "7");

type Act = (company: Organization) => Promise<unknown>;

/** What may be done here to the stock A. */
const EDITS: Readonly<Record<string, Act>> = {
  "a cancellation": (company) => company.cancel("A", "40"),
  "a transfer": (company) => company.transfer("A", "40"),
  "a split": (company) => company.split(2, 1),
  "a direct edit": (company) => company.call("PATCH", "/securities/A", { quantity: "120" }),
  "another holder": (company) => company.call("PATCH", "/securities/A", { stakeholderId: "bob" }),
  "another status": (company) => company.call("PATCH", "/securities/A", { status: "CANCELLED" }),
  "a deletion": (company) => company.call("DELETE", "/securities/A"),
};

const LATER = "2024-03-01";

/** What the package may say of A when it comes again: transactions, and the issuances of what they make. */
const GROWTH: Readonly<Record<string, readonly Fields[]>> = {
  "a partial cancellation": [
    tx("STOCK_CANCELLATION", LATER, {
      security_id: "A",
      quantity: "30",
      balance_security_id: "B",
      reason_text: "Left",
    }),
    stock("B", LATER, "70"),
  ],
  "a partial cancellation in place": [
    tx("STOCK_CANCELLATION", LATER, { security_id: "A", quantity: "30", reason_text: "Left" }),
  ],
  "a whole cancellation": [tx("STOCK_CANCELLATION", LATER, { security_id: "A", quantity: "100", reason_text: "Left" })],
  "a transfer, and one of what it makes": [
    tx("STOCK_TRANSFER", LATER, { security_id: "A", quantity: "100", resulting_security_ids: ["R"] }),
    stock("R", LATER, "100", { stakeholder_id: "bob" }),
    tx("STOCK_TRANSFER", "2024-04-01", {
      security_id: "R",
      quantity: "60",
      resulting_security_ids: ["R2"],
      balance_security_id: "R3",
    }),
    stock("R2", "2024-04-01", "60"),
    stock("R3", "2024-04-01", "40", { stakeholder_id: "bob" }),
  ],
  "a repurchase": [
    tx("STOCK_REPURCHASE", LATER, {
      security_id: "A",
      quantity: "10",
      price: { amount: "1", currency: "USD" },
      balance_security_id: "B",
    }),
    stock("B", LATER, "90"),
  ],
  "a conversion": [
    tx("STOCK_CONVERSION", LATER, { security_id: "A", quantity_converted: "100", resulting_security_ids: ["P"] }),
    stock("P", LATER, "200", { stock_class_id: "preferred" }),
  ],
  "a retraction": [tx("STOCK_RETRACTION", LATER, { security_id: "A", reason_text: "An error" })],
  "a reissuance": [
    tx("STOCK_REISSUANCE", LATER, { security_id: "A", resulting_security_ids: ["N"] }),
    stock("N", LATER, "100"),
  ],
  "a consolidation": [
    tx("STOCK_CONSOLIDATION", LATER, { security_ids: ["C", "A"], resulting_security_id: "N" }),
    stock("N", LATER, "107"),
  ],
};

describe("the reproduction", () => {
  test("40 of 100 cancelled here, the package grown by a cancellation of 30 with a balance of 70: 60 stay 60", async () => {
    const company = await Organization.make(server);
    await company.import(A);
    await EDITS["a cancellation"]?.(company);
    const changed = await company.lastEntry();
    const grown = [A, ...(GROWTH["a partial cancellation"] ?? [])];
    const report = await company.import(...grown);
    const cause = { code: "changed-here", securityId: "A", transactionId: changed };
    expect(report.errors).toMatchObject([
      { ...cause, id: grown[1]?.id, objectType: "TX_STOCK_CANCELLATION", pointer: "#/security_id" },
      { ...cause, id: grown[2]?.id, objectType: "TX_STOCK_ISSUANCE", pointer: "#" },
    ]);
    expect((await company.addsUp()).classes).toEqual({ common: "60" });
    const again = await company.import(...grown);
    expect(again.errors).toEqual(report.errors);
    expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
    expect((await company.addsUp()).classes).toEqual({ common: "60" });
  });

  test("without the change the same package comes in", async () => {
    const company = await Organization.make(server);
    await company.import(A);
    const report = await company.import(A, ...(GROWTH["a partial cancellation"] ?? []));
    expect(report.errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "70" });
  });
});

describe("nothing is lost or made where a security was changed here by", () => {
  for (const [edit, act] of Object.entries(EDITS)) {
    for (const [what, objects] of Object.entries(GROWTH)) {
      test(`${edit}, and the package says ${what}`, async () => {
        const company = await Organization.make(server);
        await company.import(A, OTHER);
        await act(company);
        const before = await company.addsUp();
        const report = await company.import(A, OTHER, ...objects);
        expect(report.errors.map(({ code, id, securityId }) => [code, id, securityId])).toEqual(
          objects.map(({ id }) => ["changed-here", id, expect.any(String)] as never),
        );
        expect(await company.addsUp()).toEqual(before);
      });
    }
  }
});

/** Other securities, an edit of each, and what a package may say of them. */
const OTHERS: readonly (readonly [what: string, issuance: Fields, act: Act, growth: readonly Fields[]])[] = [
  [
    "an option cancelled in part: an exercise",
    grant("O", "2024-01-10", "100"),
    (company) => company.cancel("O", "40"),
    [
      tx("EQUITY_COMPENSATION_EXERCISE", LATER, { security_id: "O", quantity: "60", resulting_security_ids: ["S"] }),
      stock("S", LATER, "60"),
    ],
  ],
  [
    "an option exercised in part: a cancellation with its return to the pool",
    grant("O", "2024-01-10", "100"),
    (company) =>
      company.act("exercise", { securityId: "O", quantity: "40", exercisePrice: "1", paymentMethod: "CASH" }),
    [
      tx("EQUITY_COMPENSATION_CANCELLATION", LATER, { security_id: "O", quantity: "100", reason_text: "Left" }),
      tx("STOCK_PLAN_RETURN_TO_POOL", LATER, {
        security_id: "O",
        stock_plan_id: "plan",
        quantity: "100",
        reason_text: "Left",
      }),
    ],
  ],
  [
    "an option transferred in part: a repricing",
    grant("O", "2024-01-10", "100"),
    (company) => company.transfer("O", "40"),
    [
      tx("EQUITY_COMPENSATION_REPRICING", LATER, {
        security_id: "O",
        new_exercise_price: { amount: "0.5", currency: "USD" },
      }),
    ],
  ],
  [
    "an option changed by hand: a release",
    grant("O", "2024-01-10", "100"),
    (company) => company.call("PATCH", "/securities/O", { quantity: "80" }),
    [
      tx("EQUITY_COMPENSATION_RELEASE", LATER, {
        security_id: "O",
        quantity: "10",
        release_price: { amount: "1", currency: "USD" },
        settlement_date: LATER,
        resulting_security_ids: ["S"],
      }),
      stock("S", LATER, "10"),
    ],
  ],
  [
    "a warrant exercised in part: its exercise",
    warrant("W", "2024-01-10", "100"),
    (company) =>
      company.act("exercise", { securityId: "W", quantity: "40", exercisePrice: "1", paymentMethod: "CASH" }),
    [
      tx("WARRANT_EXERCISE", LATER, { security_id: "W", trigger_id: "W trigger", resulting_security_ids: ["S"] }),
      stock("S", LATER, "100"),
    ],
  ],
  [
    "a note converted in part: its conversion",
    note("N", "2024-01-10", "100"),
    (company) =>
      company.act("convert", { securityId: "N", stockClassId: "common", resultingQuantity: "10", quantity: "40" }),
    [
      tx("CONVERTIBLE_CONVERSION", LATER, {
        security_id: "N",
        trigger_id: "N trigger",
        reason_text: "Round",
        resulting_security_ids: ["S"],
      }),
      stock("S", LATER, "25"),
    ],
  ],
];

describe("neither with", () => {
  for (const [what, issuance, act, growth] of OTHERS) {
    test(what, async () => {
      const company = await Organization.make(server);
      await company.import(issuance);
      await act(company);
      const before = await company.addsUp();
      const { errors } = await company.import(issuance, ...growth);
      expect(errors.map(({ code, id }) => [code, id])).toEqual(growth.map(({ id }) => ["changed-here", String(id)]));
      expect(await company.addsUp()).toEqual(before);
    });
  }
});

describe("what does not change a security does not stand in the way:", () => {
  test("a vesting fact, an entry that only records something, an edit of what it is called", async () => {
    const company = await Organization.make(server);
    await company.import(A);
    await company.act("start-vesting", { securityId: "A" });
    await company.call("POST", "/transactions", { type: "STOCK_CANCELLATION", securityId: "A", effectiveDate: HERE });
    await company.call("PATCH", "/securities/A", { certificateId: "CS-1000" });
    const { errors } = await company.import(A, ...(GROWTH["a partial cancellation"] ?? []));
    expect(errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "70" });
  });

  test("what an import brought", async () => {
    const company = await Organization.make(server);
    const cancelled = GROWTH["a partial cancellation in place"] ?? [];
    await company.import(A, ...cancelled);
    const more = tx("STOCK_CANCELLATION", "2024-04-01", { security_id: "A", quantity: "20", reason_text: "Left" });
    expect((await company.import(A, ...cancelled, more)).errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "50" });
  });

  test("what was done to another security", async () => {
    const company = await Organization.make(server);
    await company.import(A, OTHER);
    await company.cancel("C", "5");
    expect((await company.import(A, OTHER, ...(GROWTH["a retraction"] ?? []))).errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "2" });
  });
});

test("vesting transactions are refused where a vesting fact was made here, and only there", async () => {
  const company = await Organization.make(server);
  const terms = {
    object_type: "VESTING_TERMS",
    id: "terms",
    name: "On events",
    description: "Half at each",
    allocation_type: "CUMULATIVE_ROUNDING",
    vesting_conditions: ["first", "second"].map((id) => ({
      id,
      portion: { numerator: "1", denominator: "2" },
      trigger: { type: "VESTING_EVENT" },
      next_condition_ids: [],
    })),
  };
  const grants = ["O", "Q"].map((id) => grant(id, "2024-01-10", "100", { vesting_terms_id: "terms" }));
  await company.import(terms, ...grants);
  await company.act("record-vesting-event", { securityId: "O", conditionId: "first" });
  const changed = await company.lastEntry();
  await company.cancel("Q", "40");
  const events = ["O", "Q"].map((id) =>
    tx("VESTING_EVENT", LATER, { security_id: id, vesting_condition_id: "second" }),
  );
  const { errors, imported } = await company.import(terms, ...grants, ...events);
  expect(errors).toMatchObject([{ id: events[0]?.id, securityId: "O", transactionId: changed }]);
  expect(imported.transactions).toBe(1);
});
