// Validator and importer apply a package's transactions in one order: what one calls impossible, the other does too.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { objectType } from "../../../src/exchange/ocf/schemas/schema-registry.ts";
import { inLedgerOrder } from "../../../src/exchange/ocf/story/order.ts";
import { eventOf } from "../../../src/exchange/ocf/story/story-event.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { randomFrom } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { type Company, newCompany, packageWith } from "./import-support.ts";
import { type Fields, grant, note, RECORDS, stock, tx, warrant } from "./objects.ts";

setDefaultTimeout(120_000);

const open: Company[] = [];
afterAll(() => {
  for (const company of open) company.close();
});

/** The ids of the transactions in the order of their application. */
function orderOf(...transactions: readonly Fields[]): unknown[] {
  const items = transactions.flatMap((value) => {
    const type = objectType(value.object_type);
    return type ? [{ type, value, ...eventOf(type, value) }] : [];
  });
  const calculation = inLedgerOrder(items);
  for (;;) {
    const step = calculation.next();
    if (step.done) return step.value.transactions.map(({ value }) => value.id);
  }
}

const transfer = (id: string, date: string, on: string, ...made: readonly string[]) => ({
  ...tx("STOCK_TRANSFER", date, { security_id: on, quantity: "100", resulting_security_ids: made }),
  id,
});
const issued = (id: string, date: string, members: Fields = {}) => ({ ...stock(id, date, "100", members), id });

describe("the order of a package", () => {
  test("is by date, then as it lists them", () => {
    expect(orderOf(issued("b", "2024-02-01"), issued("c", "2024-01-01"), issued("a", "2024-01-01"))).toEqual([
      "c",
      "a",
      "b",
    ]);
  });

  test("has nothing before what it builds on: the issuance, the transfer, its result, what comes of that", () => {
    const day = "2024-01-01";
    const listed = [transfer("t2", day, "r", "q"), issued("q", day), issued("r", day), transfer("t1", day, "s", "r")];
    expect(orderOf(...listed, issued("s", day))).toEqual(["s", "t1", "r", "t2", "q"]);
  });

  test("issues a result with an earlier date after the transaction that makes it", () => {
    const listed = [issued("s", "2024-01-01"), issued("r", "2024-02-01"), transfer("t", "2024-03-01", "s", "r")];
    expect(orderOf(...listed)).toEqual(["s", "t", "r"]);
  });

  test("waits for the maker of its day, not for one of another year", () => {
    const listed = [issued("s", "2024-01-01"), issued("r", "2024-02-01"), transfer("t", "2024-02-01", "s", "r")];
    expect(orderOf(...listed, transfer("again", "2025-01-01", "s", "r"))).toEqual(["s", "t", "r", "again"]);
  });

  test("leaves a result before the split of its day that it is listed before, and puts what makes it first", () => {
    const day = "2024-02-01";
    const split = { ...tx("STOCK_CLASS_SPLIT", day, { stock_class_id: "common" }), id: "x" };
    const listed = [issued("s", "2024-01-01"), issued("r", day), split, transfer("t", day, "s", "r")];
    expect(orderOf(...listed)).toEqual(["s", "t", "r", "x"]);
  });

  test("breaks circles by an issuance, and leaves no object out", () => {
    const [day, later] = ["2024-01-01", "2024-02-01"];
    const circle = [transfer("t1", day, "r1", "r2"), transfer("t2", day, "r2", "r1"), issued("r1", day)];
    const behind = [transfer("t3", later, "r2", "q"), issued("q", day), issued("r2", day)];
    expect(orderOf(...behind, ...circle)).toEqual(["r2", "t2", "r1", "t1", "t3", "q"]);
  });

  test("stands long rows and large circles", () => {
    const many = 20_000;
    const row = Array.from({ length: many }, (_, i) => transfer(`t${i}`, "2024-01-01", `s${i + 1}`, `s${i}`));
    const issuances = Array.from({ length: many }, (_, i) => issued(`s${i}`, "2024-01-01"));
    const circle = transfer("round", "2024-01-01", "s0", `s${many}`);
    for (const closing of [issued(`s${many}`, "2024-01-01"), circle]) {
      expect(new Set(orderOf(...row, ...issuances, closing)).size).toBe(2 * many + 1);
    }
    const exercises = Array.from({ length: many }, (_, i) => transfer(`t${i}`, "2024-01-01", "s", `r${i}`));
    expect(orderOf(...exercises, issued("s", "2024-01-01"))[0]).toBe("s");
  });
});

/** Codes that say that something cannot have happened as it is told. */
const LEDGER_CODES = new Set([
  "closed-security",
  "more-than-held",
  "no-balance",
  "wrong-kind",
  "does-not-add-up",
  "not-positive",
  "dangling-reference",
  "before-issuance",
  "duplicate-security",
]);

const toldIn = (findings: Iterable<{ readonly code: string; readonly id: string | null }>) =>
  [
    ...new Set([...findings].filter(({ code }) => LEDGER_CODES.has(code)).map(({ code, id }) => `${id}: ${code}`)),
  ].sort();

async function compared(make: () => OcfPackage) {
  const company = await newCompany();
  open.push(company);
  const { warnings } = await company.import(make());
  const found = validatePackage(make()).problems.filter(
    // What does not change a holding may come after its security's end.
    ({ code, severity, objectType: type }) => severity === "problem" || code === "no-balance" || type === null,
  );
  return { imported: toldIn(warnings), validated: toldIn(found) };
}

const DAY = "2024-05-01";

test("a grant of 100, a cancellation and an exercise of 60 on one day: both blame the later one of the package", async () => {
  const cancellation = tx("EQUITY_COMPENSATION_CANCELLATION", DAY, {
    security_id: "o",
    quantity: "60",
    reason_text: "Left",
  });
  const exercise = tx("EQUITY_COMPENSATION_EXERCISE", DAY, {
    security_id: "o",
    quantity: "60",
    resulting_security_ids: ["s"],
  });
  const objects = [...RECORDS, cancellation, exercise, stock("s", DAY, "60"), grant("o", DAY, "100")];
  const { imported, validated } = await compared(() => packageWith(objects));
  expect(validated).toEqual([`${cancellation.id}: no-balance`, `${exercise.id}: more-than-held`]);
  expect(imported).toEqual(validated);
});

/** Transactions on a few securities, most of them on one day, in any order, and with any amounts. */
function randomTransactions(seed: number): Fields[] {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const day = () => (random() < 0.8 ? DAY : ["2024-04-30", "2024-05-02"][below(2)]) ?? DAY;
  const objects: Fields[] = [];
  const known: string[] = [];
  const make = [stock, stock, grant, grant, warrant, note];
  const issue = () => {
    const id = `s${known.length}`;
    known.push(id);
    objects.push((make[below(make.length)] ?? stock)(id, day(), String((1 + below(4)) * 25)));
    return id;
  };
  const families = ["STOCK", "EQUITY_COMPENSATION", "WARRANT", "CONVERTIBLE"];
  const familyOf = (id: string) => {
    const issuance = objects.find(({ security_id }) => security_id === id);
    const family = String(issuance?.object_type).slice("TX_".length, -"_ISSUANCE".length);
    return random() < 0.05 ? (families[below(4)] ?? family) : family;
  };
  for (let i = 0; i < 4; i++) issue();
  for (let i = 0; i < 14; i++) {
    const on = known[below(known.length)] ?? "s0";
    const family = familyOf(on);
    const amount = String(below(6) * 25);
    const moved = family === "CONVERTIBLE" ? { amount: { amount, currency: "USD" } } : { quantity: amount };
    const made = random() < 0.6 ? issue() : `s${below(known.length + 2)}`;
    const balance = random() < 0.4 ? { balance_security_id: random() < 0.7 ? issue() : "nowhere" } : {};
    const results = { resulting_security_ids: [made] };
    const kinds: (readonly [kind: string, members: Fields])[] = [
      [`${family}_CANCELLATION`, { ...moved, ...balance, reason_text: "Left" }],
      [`${family}_TRANSFER`, { ...moved, ...balance, ...results }],
      [`${family}_RETRACTION`, { reason_text: "An error" }],
      ["STOCK_REPURCHASE", { ...moved, ...balance, price: { amount: "1", currency: "USD" } }],
      ["STOCK_REISSUANCE", { ...results }],
      ["STOCK_CONVERSION", { quantity_converted: amount, ...balance, ...results }],
      ["EQUITY_COMPENSATION_EXERCISE", { quantity: amount, ...results }],
      ["WARRANT_EXERCISE", { trigger_id: `${on} trigger`, ...results }],
      ["CONVERTIBLE_CONVERSION", { trigger_id: `${on} trigger`, reason_text: "Round", ...balance, ...results }],
      ["STOCK_CLASS_SPLIT", { stock_class_id: "common", split_ratio: { numerator: "2", denominator: "1" } }],
      ["STOCK_CONSOLIDATION", { security_ids: [on, `s${below(known.length)}`], resulting_security_id: made }],
    ];
    const fitting = kinds.filter(
      ([kind]) => random() < 0.02 || kind.startsWith(family) || kind.startsWith("STOCK_CLASS"),
    );
    const [kind, members] = fitting[below(fitting.length)] ?? ["STOCK_RETRACTION", { reason_text: "An error" }];
    const named = kind.startsWith("STOCK_C") && !("quantity_converted" in members) && !("reason_text" in members);
    objects.push({ ...tx(kind, day(), { ...(named ? {} : { security_id: on }), ...members }), id: `t${i}` });
  }
  return objects
    .map((object) => ({ object, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ object }) => object);
}

for (let seed = 1; seed <= (RELEASE ? 300 : 20); seed++) {
  test(`random package ${seed}: import and validation find the same`, async () => {
    const objects = [...RECORDS, ...randomTransactions(seed)];
    const { imported, validated } = await compared(() => packageWith(objects));
    expect(imported).toEqual(validated);
  });
}
