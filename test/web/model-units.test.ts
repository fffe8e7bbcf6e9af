// The forms of models without a browser: what is typed becomes the body, and a body that was kept the same form again.
import { expect, test } from "bun:test";
import { CONVERTIBLE_TERMS, CONVERTIBLE_TYPE } from "../../src/web/pages/actions/specs/issue.ts";
import { addFaults, addOf, EMPTY_ROW, valuesOfAdd } from "../../src/web/pages/models/add-body.ts";
import { afterRound, ITS_OWN } from "../../src/web/pages/models/beginning-values.ts";
import { atValue, exitBody, firstExit, stepOf, valueAt, valuesOfExit } from "../../src/web/pages/models/exit-body.ts";
import {
  firstValues,
  nextSeries,
  roundBody,
  roundFaults,
  valuesOfRound,
} from "../../src/web/pages/models/round-body.ts";
import { named, placed, withoutRow } from "../../src/web/pages/models/values.ts";
import { termsOf, valuesOfTerms } from "../../src/web/pages/records/convertible-values.ts";

const ROUND = {
  ...firstValues("2026-03-01", "Series A"),
  "valuation.amount": "15000000",
  investors: "2",
  "investors.0.who": named("Lead"),
  "investors.0.amount": "4000000",
  "investors.1.who": "0190f5a2",
  "investors.1.amount": "1000000.50",
  "pool.how": "TARGET",
  "pool.targetPercent": "10",
  "proRata.mode": "WITHIN",
  "proRata.participants": "1",
  "proRata.participants.0.who": "0190f5a3",
  "convertible.c1": "EXCLUDE",
  "mfn.c2": "OWN",
};

test("a round's form becomes its body, exactly, and the body the form", () => {
  const body = roundBody(ROUND, null);
  expect(body).toMatchObject({
    asOf: "2026-03-01",
    closingDate: "2026-03-01",
    newClass: { name: "Series A", antiDilution: "BROAD_BASED" },
    valuation: { kind: "PRE_MONEY", amount: "15000000", convertibles: "IN_PRE_MONEY" },
    investors: [
      { name: "Lead", amount: "4000000" },
      { stakeholderId: "0190f5a2", amount: "1000000.50" },
    ],
    pool: { targetPercent: "10", measure: "AVAILABLE", position: "PRE_MONEY" },
    proRata: { mode: "WITHIN", participants: [{ stakeholderId: "0190f5a3" }] },
    conversion: { exclude: ["c1"], force: [], mfnElections: [{ securityId: "c2", adoptsSecurityId: null }] },
  });
  if (body === null) throw new Error("no body");
  expect(roundBody(valuesOfRound(body, "2027-01-01"), null)).toEqual(body);
});

test("what is missing or cannot be read asks for nothing, and says where", () => {
  expect(roundBody(firstValues("2026-03-01", "Series A"), null)).toBeNull();
  const faults = roundFaults({
    ...ROUND,
    "investors.1.amount": "1,5",
    "newClass.name": " ",
    closingDate: "2026-02-30",
  });
  expect(
    Object.keys(faults)
      .filter((name) => faults[name])
      .sort(),
  ).toEqual(["closingDate", "investors.1.amount", "newClass.name"]);
});

test("a row that is taken away moves those after it up", () => {
  const left = { ...ROUND, ...withoutRow(ROUND, "investors", 0) };
  expect(roundBody(left, null)?.investors).toEqual([{ stakeholderId: "0190f5a2", amount: "1000000.50" }]);
});

test("the next series follows the last", () => {
  expect([nextSeries(["Common"]), nextSeries(["Series Seed", "Series A"])]).toEqual(["Series Seed", "Series B"]);
});

test("an exit's form becomes its body, and the body the form", () => {
  const typed = {
    ...firstExit("2026-03-01", "90000000"),
    deductions: "2",
    "deductions.0.name": "Fees",
    "deductions.0.amount": "2.5 %",
    "deductions.1.name": "Debt",
    "deductions.1.amount": "1000000",
    "multiple.a": "2",
    "part.a": "YES",
    "rank.b": "3",
  };
  const body = exitBody(typed, null);
  if (body === null) throw new Error("no body");
  expect(body).toEqual({
    exitDate: "2026-03-01",
    range: { from: "0", to: "90000000", steps: 100 },
    unvested: "FORFEIT",
    deductions: [
      { name: "Fees", percent: "2.5" },
      { name: "Debt", amount: "1000000" },
    ],
    classOverrides: [
      { stockClassId: "a", liquidationPreferenceMultiple: "2", isParticipating: true },
      { stockClassId: "b", seniority: 3 },
    ],
  } as never);
  expect(exitBody(valuesOfExit(body, "2027-01-01"), body)).toEqual(body);
  expect(atValue(body, "5").exitValues).toEqual(["5"]);
  expect(atValue(body, "5")).not.toHaveProperty("range");
});

test("steps of the chart are cents, and a value stands on its step", () => {
  expect([valueAt(33, "100.01"), valueAt(100, "100.01"), valueAt(0, "5")]).toEqual(["33", "100.01", "0"]);
  expect([stepOf("33000000", "100000000"), stepOf("900", "100"), stepOf("1", "0")]).toEqual([33, 100, 0]);
});

const FIELDS = [CONVERTIBLE_TYPE, ...CONVERTIBLE_TERMS.fields];
const trigger = {
  ...{ type: "ELECTIVE_AT_WILL", condition: null, date: null, startDate: null, endDate: null, nickname: "Any time" },
  ...{ description: null, minimumProceeds: null, convertsToFutureRound: null, stockClassId: null },
} as const;
const NOTE = {
  ...{ convertibleType: "NOTE", seniority: 2, maturityDate: "2028-01-01", proRata: null },
  ...{ valuationCap: "5000000", discountPercent: null, interestRate: "6", dayCount: "ACTUAL_365" },
  triggers: [
    {
      ...trigger,
      id: "later",
      type: "AUTOMATIC_ON_DATE",
      date: "2028-01-01",
      mechanism: { type: "FIXED", quantity: "7" },
    },
    {
      ...{ ...trigger, id: "round" },
      mechanism: {
        ...{ type: "NOTE", valuationCap: "5000000", capitalizationText: "As the note says", dayCount: "ACTUAL_365" },
        interestRates: [
          { ratePercent: "6", startDate: "2026-01-01", endDate: "2026-12-31" },
          { ratePercent: "8", startDate: "2027-01-01", endDate: null },
        ],
      },
    },
  ],
} as never;

test("the terms of a convertible are changed within their trigger; the others stay", () => {
  const values = valuesOfTerms(FIELDS, NOTE);
  expect(values["convertibleTerms.interestRate"]).toBe("6");
  const changed = termsOf(
    FIELDS,
    { ...values, "convertibleTerms.valuationCap": "4000000", "convertibleTerms.interestRate": "7" },
    { before: NOTE, grantDate: "2026-01-01" },
  ) as { triggers: readonly { id: string; mechanism: unknown }[] };
  expect(changed).not.toHaveProperty("valuationCap");
  expect(changed.triggers.map(({ id }) => id)).toEqual(["later", "round"]);
  expect(changed.triggers[0]?.mechanism).toEqual({ type: "FIXED", quantity: "7" });
  expect(changed.triggers[1]?.mechanism).toEqual({
    ...{ type: "NOTE", valuationCap: "4000000", capitalizationText: "As the note says", dayCount: "ACTUAL_365" },
    interestRates: [
      { ratePercent: "7", startDate: "2026-01-01", endDate: "2026-12-31" },
      { ratePercent: "8", startDate: "2027-01-01", endDate: null },
    ],
  });
});

test("terms that are in words alone are asked for in short", () => {
  const custom = { ...trigger, id: "c", type: "UNSPECIFIED", mechanism: { type: "CUSTOM", description: "Terms" } };
  const before = { ...(NOTE as object), triggers: [custom], interestRate: null } as never;
  const typed = { ...valuesOfTerms(FIELDS, before), "convertibleTerms.valuationCap": "9000000" };
  expect(termsOf(FIELDS, typed, { before, grantDate: "2026-01-01" })).toEqual({
    ...{ convertibleType: "NOTE", seniority: 2, maturityDate: "2028-01-01", valuationCap: "9000000" },
  });
});

test("securities that are not there become members of a body, and rows again with what has no field", () => {
  const rows = (kinds: readonly Record<string, string>[]) => ({
    add: String(kinds.length),
    ...Object.fromEntries(
      kinds.flatMap((row, at) =>
        Object.entries({ ...EMPTY_ROW, ...row }).map(([name, value]) => [`add.${at}.${name}`, value]),
      ),
    ),
  });
  const typed = rows([
    { who: named("Angel"), quantity: "500000", valuationCap: "8000000", discountPercent: "20", date: "2026-02-01" },
    { kind: "NOTE", who: "h1", quantity: "100000", interestRate: "6", valuationCap: "" },
    { kind: "STOCK_OPTION", who: "h1", equityPlanId: "p1", quantity: "1000", price: "0.5", stockClassId: "left over" },
    { kind: "RESERVE", equityPlanId: "p1", quantity: "250000", who: "left over" },
  ]);
  expect(addFaults(typed)).toEqual({});
  const safe = {
    ...{ type: "CONVERTIBLE", name: "Angel", quantity: "500000", date: "2026-02-01" },
    convertibleTerms: {
      ...{ convertibleType: "SAFE", valuationCap: "8000000", discountPercent: "20", timing: "POST_MONEY" },
    },
  };
  const added = [
    safe,
    {
      ...{ type: "CONVERTIBLE", stakeholderId: "h1", quantity: "100000" },
      convertibleTerms: { convertibleType: "NOTE", interestRate: "6" },
    },
    { type: "STOCK_OPTION", stakeholderId: "h1", equityPlanId: "p1", quantity: "1000", exercisePrice: "0.5" },
    { type: "RESERVE", equityPlanId: "p1", quantity: "250000" },
  ];
  expect(addOf(typed)).toEqual(added);
  expect(addOf(valuesOfAdd(added))).toEqual(added);
  const more = { ...safe, key: "angel", convertibleTerms: { ...safe.convertibleTerms, mfn: true } };
  expect(addOf(valuesOfAdd([more]))).toEqual([more]);
  expect(Object.keys(addFaults(rows([{ quantity: "1,5", valuationCap: "x" }])))).toEqual([
    ...["add.0.who", "add.0.quantity", "add.0.valuationCap"],
  ]);
});

test("convertibles that are not there are left out of a round, by a key that stays theirs", () => {
  const row = (at: number, more: Record<string, string>) =>
    Object.fromEntries(Object.entries({ ...EMPTY_ROW, ...more }).map(([name, value]) => [`add.${at}.${name}`, value]));
  const typed = {
    ...{ ...ROUND, add: "3" },
    ...row(0, { kind: "STOCK", who: "h1", stockClassId: "c1", quantity: "5", how: "EXCLUDE" }),
    ...row(1, { who: "h1", quantity: "500000", how: "EXCLUDE" }),
    ...row(2, { kind: "NOTE", who: "h1", quantity: "100000", how: "FORCE" }),
  };
  const body = roundBody(typed, null);
  const keysIn = (add: readonly object[] = []) => add.map((each) => (each as { key?: string }).key);
  expect(keysIn(body?.add)).toEqual([undefined, "SAFE 2", "Convertible note 3"]);
  expect(body?.conversion).toMatchObject({ exclude: ["c1", "SAFE 2"], force: ["Convertible note 3"] });
  if (body === null) throw new Error("no body");
  const again = valuesOfRound(body, "2027-01-01");
  expect(again).not.toHaveProperty("convertible.SAFE 2");
  expect(roundBody(again, body)).toEqual(body);

  const left = roundBody({ ...again, ...withoutRow(again, "add", 0) }, body);
  expect(keysIn(left?.add)).toEqual(["SAFE 2", "Convertible note 3"]);
  expect(left?.conversion).toMatchObject({ exclude: ["c1", "SAFE 2"] });

  const others = { ...row(0, { who: "h2", quantity: "1" }), ...row(1, { who: "h2", quantity: "2", how: "EXCLUDE" }) };
  const after = roundBody({ ...ROUND, add: "2", ...others }, null, { add: [{ type: "CONVERTIBLE", key: "SAFE 2" }] });
  expect(keysIn(after?.add)).toEqual(["SAFE 2", "SAFE 1", "SAFE 3"]);
  expect(after?.conversion).toMatchObject({ exclude: ["c1", "SAFE 3"] });

  const old = { ...body, add: [{ ...body.add?.[1], key: undefined }], conversion: { exclude: ["add-1"] } };
  const opened = valuesOfRound(old as never, "2027-01-01");
  expect(opened["add.0.how"]).toBe("EXCLUDE");
  expect(roundBody(opened, null)).toMatchObject({ add: [{ key: "SAFE 1" }], conversion: { exclude: ["SAFE 1"] } });
});

test("a model after a kept round begins with what that round begins with, once", () => {
  const safe = { type: "CONVERTIBLE", name: "Angel", quantity: "5", convertibleTerms: { convertibleType: "SAFE" } };
  const before = { ...roundBody(ROUND, null), add: [safe] };
  const first = afterRound(before);
  expect(first.rounds?.[0]).not.toHaveProperty("asOf");
  expect(first.rounds?.[0]).not.toHaveProperty("add");
  const own = { ...ROUND, "newClass.name": "Series B", ...valuesOfAdd([]) };
  const body = roundBody(own, null, first);
  expect(body?.add).toEqual([safe] as never);
  expect(body?.rounds).toHaveLength(1);
  expect(body).not.toHaveProperty("asOf");
  if (body === null) throw new Error("no body");
  const again = valuesOfRound(body, "2027-01-01");
  expect([again.from, again.add]).toEqual([ITS_OWN, "1"]);
  expect(roundBody(again, body, { rounds: body.rounds ?? [] })).toEqual(body);
  expect(roundBody(again, body, first)?.add).toEqual([safe] as never);
});

test("a refusal of an added security stands at its row, also after those that a round before needs", () => {
  const problem = { errors: [{ pointer: "#/add/3/convertibleTerms/valuationCap", detail: "must be positive" }] };
  const values = valuesOfAdd([{ type: "RESERVE" }, { type: "CONVERTIBLE", convertibleTerms: {} }]);
  expect(placed(problem as never, values, 2).faults).toEqual({ "add.1.valuationCap": "Must be positive." });
  expect(placed(problem as never, values).faults).toEqual({ add: "Must be positive." });
});
