// Splits of a class by import and by hand, in any order: a split is refused once stock of the class was changed here,
// with all that the package says of the class after it; and a reader that adds up the export by date gets the cap
// table.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Fields, grant, stock, tx } from "./objects.ts";
import { HERE, Organization } from "./organization.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const split = (date: string, stock_class_id = "common", numerator = "2") =>
  tx("STOCK_CLASS_SPLIT", date, { stock_class_id, split_ratio: { numerator, denominator: "1" } });
const A = stock("A", "2024-01-10", "100");
const O = grant("O", "2024-01-10", "50");
const preferred = { stock_class_id: "preferred" };

const ids = (objects: readonly Fields[]) => objects.map(({ id }) => String(id)).sort();
const refusedIds = (errors: readonly { readonly id: string | null }[]) => errors.map(({ id }) => String(id)).sort();

const MARCH = "2024-03-01";
const APRIL = "2024-04-01";

/** What a package says of the class after its split, in shares after it. */
const ON_THE_CLASS: readonly Fields[] = [
  split(MARCH),
  stock("later", APRIL, "30"),
  tx("STOCK_CANCELLATION", APRIL, { security_id: "A", quantity: "200", reason_text: "Left" }),
  tx("STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", APRIL, { stock_class_id: "common", new_shares_authorized: "5" }),
  tx("EQUITY_COMPENSATION_EXERCISE", APRIL, { security_id: "O", quantity: "20", resulting_security_ids: ["S"] }),
  stock("S", APRIL, "20"),
  tx("STOCK_TRANSFER", APRIL, { security_id: "later", quantity: "30", resulting_security_ids: ["latest"] }),
  stock("latest", APRIL, "30", { stakeholder_id: "bob" }),
  tx("STOCK_CONVERSION", APRIL, { security_id: "P", quantity_converted: "10", resulting_security_ids: ["PC"] }),
  stock("PC", APRIL, "20"),
  split("2024-05-01"),
];

/** What it says of another one. */
const ON_ANOTHER: readonly Fields[] = [
  stock("P2", APRIL, "5", preferred),
  split("2024-05-01", "preferred", "3"),
  tx("STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", APRIL, { stock_class_id: "preferred", new_shares_authorized: "500" }),
];

describe("a class split is refused, with all that follows on the class, after", () => {
  const P = stock("P", "2024-01-10", "10", preferred);
  const HERE: Readonly<Record<string, (company: Organization) => Promise<unknown>>> = {
    "a cancellation of stock of it": (company) => company.cancel("A", "40"),
    "an issuance into it": (company) =>
      company.act("issue-shares", {
        stakeholderId: "bob",
        stockClassId: "common",
        quantity: "1",
        pricePerShare: "1",
        certificateId: "CS-1",
      }),
    "an exercise into it": (company) =>
      company.act("exercise", { securityId: "O", quantity: "1", exercisePrice: "1", paymentMethod: "CASH" }),
    "a conversion into it": (company) =>
      company.act("convert", { securityId: "P", stockClassId: "common", quantity: "1" }),
    "a split by hand": (company) => company.split(2, 1),
    "stock that was moved out of it": (company) =>
      company.call("PATCH", "/securities/A", { stockClassId: "preferred" }),
  };
  for (const [what, act] of Object.entries(HERE)) {
    test(what, async () => {
      const company = await Organization.make(server);
      await company.import(A, O, P);
      await act(company);
      const before = await company.addsUp();
      const { errors, imported } = await company.import(A, O, P, ...ON_THE_CLASS, ...ON_ANOTHER);
      expect(errors.filter(({ code }) => code !== "changed-here")).toEqual([]);
      const isOnBoth = what.includes("conversion") || what.includes("moved");
      expect(refusedIds(errors)).toEqual(expect.arrayContaining(ids(ON_THE_CLASS.slice(0, 2))));
      if (!isOnBoth) {
        expect(refusedIds(errors)).toEqual(ids(ON_THE_CLASS));
        expect(imported).toMatchObject({ issuances: 1, transactions: 2 });
      }
      if (!what.includes("moved")) expect((await company.totals()).classes.common).toBe(before.classes.common);
      expect(errors[0]).toMatchObject({ stockClassId: "common", transactionId: expect.any(String) });
      await company.addsUp();
    });
  }

  test("and not after vesting facts, options, or stock of another class", async () => {
    const company = await Organization.make(server);
    await company.import(A, O, P);
    await company.act("start-vesting", { securityId: "A" });
    await company.cancel("O", "10");
    await company.cancel("P", "1");
    expect((await company.import(A, O, P, split(MARCH))).errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "200", preferred: "9" });
  });
});

test("an acceleration counts shares before a split made here, and is refused after it; without one it comes in", async () => {
  const sooner = tx("VESTING_ACCELERATION", APRIL, { security_id: "O", quantity: "15", reason_text: "Sold" });
  for (const isSplit of [true, false]) {
    const company = await Organization.make(server);
    await company.import(A, O);
    if (isSplit) await company.split(2, 1, { effectiveDate: MARCH });
    const { errors } = await company.import(A, O, sooner);
    expect(errors.map(({ code, id }) => [code, id])).toEqual(isSplit ? [["changed-here", String(sooner.id)]] : []);
    await company.addsUp();
  }
});

describe("stock that comes in after a split and is dated before it is split, too:", () => {
  const B = stock("B", "2024-02-01", "30");

  test("after an imported one", async () => {
    const company = await Organization.make(server);
    await company.import(A, split(MARCH));
    const { warnings } = await company.import(A, B, split(MARCH));
    expect(warnings).toMatchObject([{ code: "split-since", id: B.id }]);
    expect((await company.addsUp()).classes).toEqual({ common: "260" });
  });

  test("after one by hand, whatever it rounds", async () => {
    const company = await Organization.make(server);
    await company.import(A);
    await company.split(3, 2, { effectiveDate: "2024-03-01" });
    await company.import(A, stock("B", "2024-02-01", "31"), stock("C", "2024-04-01", "7"));
    expect((await company.addsUp()).classes).toEqual({ common: "203.5" });
  });

  test("after one by hand, once, however many packages bring such stock", async () => {
    const company = await Organization.make(server);
    await company.import();
    await company.split(3, 2, { effectiveDate: "2024-03-01" });
    await company.import(A);
    await company.import(A, B);
    await company.import(A, B, stock("C", "2024-02-10", "10"));
    expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "210" });
  });

  test("after several, and not if the package issues it anew under one", async () => {
    const company = await Organization.make(server);
    const [first, second] = [split(MARCH), split(APRIL, "common", "5")];
    await company.import(A, first, second);
    const reissued = [
      stock("D", "2024-02-01", "10"),
      tx("STOCK_REISSUANCE", MARCH, {
        security_id: "D",
        resulting_security_ids: ["D2"],
        split_transaction_id: first.id,
      }),
      stock("D2", MARCH, "20"),
    ];
    await company.import(A, B, ...reissued, first, second);
    expect((await company.addsUp()).classes).toEqual({ common: "1400" });
  });

  test("also what a late transfer made, and what a late partial cancellation took", async () => {
    const company = await Organization.make(server);
    await company.import(A, B, split(MARCH));
    const grown = [
      tx("STOCK_TRANSFER", "2024-02-10", {
        security_id: "A",
        quantity: "40",
        resulting_security_ids: ["A1"],
        balance_security_id: "A2",
      }),
      stock("A1", "2024-02-10", "40", { stakeholder_id: "bob" }),
      stock("A2", "2024-02-10", "60"),
      tx("STOCK_CANCELLATION", "2024-02-10", { security_id: "B", quantity: "10", reason_text: "Left" }),
    ];
    expect((await company.import(A, B, ...grown, split(MARCH))).errors).toEqual([]);
    expect((await company.addsUp()).classes).toEqual({ common: "240" });
  });
});

describe("of stock that comes in after a split made here, and was multiplied by it,", () => {
  const L = stock("L", "2024-01-10", "25");
  const sold = (date: string) => [
    tx("STOCK_TRANSFER", date, {
      security_id: "L",
      quantity: "10",
      resulting_security_ids: ["R"],
      balance_security_id: "B",
    }),
    stock("R", date, "10", { stakeholder_id: "bob" }),
    stock("B", date, "15"),
  ];

  test("what is dated before the split takes as many more", async () => {
    const company = await Organization.make(server);
    await company.import();
    await company.split(3, 1);
    const taken = tx("STOCK_REPURCHASE", HERE, {
      security_id: "B",
      quantity: "5",
      price: { amount: "1", currency: "USD" },
    });
    const { errors } = await company.import(L, ...sold(MARCH), taken);
    expect(errors).toEqual([]);
    expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "30", "bob|STOCK|common": "30" });
  });

  test("what is dated after it is refused: its results would hold less than it takes", async () => {
    const company = await Organization.make(server);
    await company.import();
    await company.split(3, 1, { effectiveDate: MARCH });
    const changed = await company.lastEntry();
    const { errors } = await company.import(L, ...sold(APRIL));
    const cause = { code: "changed-here", securityId: "L", transactionId: changed };
    expect(errors).toMatchObject(sold(APRIL).map(({ id }) => ({ ...cause, id })));
    expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "75" });
  });

  test("what is dated before it, and makes something that is issued after it, is refused too", async () => {
    const company = await Organization.make(server);
    await company.import();
    await company.split(3, 1, { effectiveDate: MARCH });
    const [transfer, ...results] = [...sold("2024-02-01").slice(0, 1), ...sold(APRIL).slice(1)];
    if (!transfer) throw new Error("there is a transfer");
    const { errors } = await company.import(L, transfer, ...results);
    expect(errors.map(({ code, id }) => [code, id])).toEqual(
      [transfer, ...results].map(({ id }) => ["changed-here", String(id)]),
    );
    expect((await company.addsUp()).holdings).toEqual({ "ada|STOCK|common": "75" });
  });
});

test("what a split made here rounded down to nothing has ended here: nothing more comes of it", async () => {
  const company = await Organization.make(server);
  const small = [stock("small", "2024-01-10", "2"), grant("o", "2024-01-10", "2")];
  await company.import(...small);
  await company.split(1, 3, { rounding: "DOWN" });
  const changed = await company.lastEntry();
  const grown = [
    tx("STOCK_TRANSFER", "2027-01-01", { security_id: "small", quantity: "2", resulting_security_ids: ["R"] }),
    stock("R", "2027-01-01", "2"),
    tx("EQUITY_COMPENSATION_TRANSFER", "2027-01-01", {
      security_id: "o",
      quantity: "2",
      resulting_security_ids: ["Q"],
    }),
    grant("Q", "2027-01-01", "2"),
  ];
  const { errors } = await company.import(...small, ...grown);
  expect(errors).toMatchObject(grown.map(({ id }) => ({ code: "changed-here", id, transactionId: changed })));
  expect((await company.addsUp()).holdings).toEqual({});
});

test("what an import ended before a split made here was not changed by it", async () => {
  const company = await Organization.make(server);
  const ended = [
    grant("o", "2024-01-10", "30"),
    split("2024-02-01"),
    tx("EQUITY_COMPENSATION_CANCELLATION", MARCH, { security_id: "o", quantity: "30", reason_text: "Left" }),
    stock("s", "2024-01-10", "30"),
    tx("STOCK_CANCELLATION", MARCH, { security_id: "s", quantity: "60", reason_text: "Left" }),
  ];
  await company.import(...ended);
  await company.split(1, 3);
  const said = ["o", "s"].map((security_id) =>
    tx("STOCK_PLAN_RETURN_TO_POOL", MARCH, { security_id, stock_plan_id: "plan", quantity: "30", reason_text: "Said" }),
  );
  expect((await company.import(...ended, ...said)).errors).toEqual([]);
  await company.addsUp();
});

test("a split that comes late splits what was issued by its day", async () => {
  const company = await Organization.make(server);
  const later = stock("later", APRIL, "7");
  await company.import(A, later);
  await company.import(A, later, split(MARCH));
  expect((await company.addsUp()).classes).toEqual({ common: "207" });
});
