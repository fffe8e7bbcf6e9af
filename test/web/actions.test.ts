// What the guided forms work out without a browser: bodies, what fields are given, what will change, ways on, terms as rows.
import { describe, expect, test } from "bun:test";
import { isDeepStrictEqual } from "node:util";
import type { VestingCondition } from "../../src/ledger/vesting/vesting-types.ts";
import { transactionRoutes } from "../../src/resources/transactions/routes.ts";
import { ACTIONS, actionOf } from "../../src/web/pages/actions/action-specs.ts";
import { defaultSpec } from "../../src/web/pages/actions/default-spec.ts";
import { changesOf } from "../../src/web/pages/actions/effects.ts";
import { givenChanges } from "../../src/web/pages/actions/given-values.ts";
import { doubtsOf, wayOnFrom } from "../../src/web/pages/actions/refusals.ts";
import {
  type ActionSpec,
  type Effect,
  type Facts,
  type FieldSpec,
  fieldsOf,
} from "../../src/web/pages/actions/spec.ts";
import { addressOf, returnTo } from "../../src/web/pages/actions/way-back.ts";
import {
  conditionsOf,
  rowFaults,
  rowsFrom,
  rowsOf,
  scheduleOf,
  TEMPLATES,
} from "../../src/web/pages/records/terms-rows.ts";
import { bodyOf, changesOf as changedMembers, faultsOf, placeOf, valuesOf } from "../../src/web/parts/forms/body.ts";
import { sentence } from "../../src/web/parts/forms/words.ts";
import { FIELD_WORDS, labelOf } from "../../src/web/text/actions/field-words.ts";
import { operationWords } from "../../src/web/text/actions/operation-words.ts";
import { ACTION_GROUPS } from "../../src/web/text/actions.ts";

const TABLE = {
  shareClasses: [
    { id: "common", name: "Common", authorized: "1000", issued: "600", available: "400", conversion: null },
  ],
  byClass: [],
  stakeholders: [
    { id: "ada", displayName: "Ada", asConverted: "400", holdings: [] },
    { id: "bo", displayName: "Bo", asConverted: "200", holdings: [] },
  ],
  totals: { outstanding: "600", asConverted: "800", poolAvailable: "200" },
} as unknown as Facts["table"];

const FACTS = {
  today: "2026-11-22",
  classes: [{ id: "common", name: "Common", currentSharesAuthorized: "1000" }],
  plans: [
    { id: "plan", name: "Plan", totalSharesReserved: "200", currentSharesReserved: "200", stockClassIds: ["common"] },
  ],
  terms: [],
  valuations: [],
  holders: new Map([
    ["cy", { displayName: "Cy", status: "FORMER" as const }],
    ["bo", { displayName: "Bo", status: "CURRENT" as const }],
  ]),
  security: null,
  vesting: null,
  exercisable: null,
  inForce: null,
  nextCertificate: "CS-7",
  table: TABLE,
} as unknown as Facts;

const effect = (resourceType: string, id: string | null, field: string, before: unknown, after: unknown): Effect => ({
  ...{ resourceType, id, field, before, after },
});

const FIELDS: readonly FieldSpec[] = [
  { name: "name.legalName", kind: "text" },
  { name: "quantity", kind: "decimal" },
  { name: "days", kind: "whole", isOptional: true },
  { name: "early", kind: "check" },
  { name: "classes", kind: "many", isOptional: true },
  { name: "effectiveDate", kind: "day" },
];

test("every operation of the menu has a form, and every field of it a label", () => {
  const menu = ACTION_GROUPS.flatMap(({ actions }) => actions.map(({ operation }) => operation));
  expect(menu.filter((operation) => actionOf(operation) === null)).toEqual([]);
  expect(Object.keys(ACTIONS).toSorted()).toEqual(menu.toSorted());
  expect(actionOf("constructor")).toBeNull();
  for (const spec of Object.values(ACTIONS)) {
    const own = operationWords(spec.operation)?.fields ?? {};
    const unnamed = fieldsOf(spec.groups).filter(({ name }) => (own[name] ?? FIELD_WORDS[name]) === undefined);
    // A form that follows from the API's body calls a member that has no label by its name.
    expect([spec.operation, isDefault(spec) ? [] : unnamed]).toEqual([spec.operation, []]);
  }
  expect(Object.values(ACTIONS).filter(isDefault).length).toBeGreaterThan(2);
  expect([labelOf("lenderName"), labelOf("ratio.numerator")]).toEqual(["Lender name", "Numerator"]);
});

function isDefault(spec: ActionSpec): boolean {
  return spec.operation !== "correct" && isDeepStrictEqual(spec, defaultSpec(spec.operation));
}

/** Members of operations that no field of their form asks for: sent by the form itself, or said in another way. */
const NOT_ASKED: Readonly<Record<string, readonly string[]>> = {
  // As the organization says; the page of the security asks its holder, too.
  "issue-shares": ["asksAcceptance"],
  "issue-warrant": ["asksAcceptance"],
  "issue-options": ["stockClassId", "asksAcceptance"],
  transfer: ["fromStakeholderId"],
  "issue-convertible": [
    ...["convertibleType", "valuationCap", "discountPercent", "interestRate", "dayCount", "maturityDate", "seniority"],
    "asksAcceptance",
  ],
  "terminate-service": ["relationships"],
  correct: [
    ...["stockClassId", "stockPlanId", "vestingTermsId", "optionType", "expirationDate", "vestingStartDate"],
    ...["valuationId", "boardApprovalDate", "comments", "approvalId", "stockLegendIds", "convertibleTerms"],
    "verificationStatus",
  ],
};

/** What an operation takes, and its form does not ask for. */
function unasked(operation: string, members: readonly string[]): readonly string[] {
  const asked = fieldsOf(actionOf(operation)?.groups ?? []).map(({ name }) => name.split(".")[0]);
  const known = ["dryRun", ...asked, ...(NOT_ASKED[operation] ?? [])];
  return members.filter((member) => !known.includes(member));
}

test("every member that an operation takes is a field of its form, or named here; a new one is found", () => {
  const taken = transactionRoutes.flatMap(({ path, ...route }) => {
    const operation = path.split("/").at(-1) ?? "";
    const body = "body" in route ? route.body : undefined;
    return actionOf(operation) && body ? [{ operation, members: Object.keys(body.properties) }] : [];
  });
  expect(taken.map(({ operation }) => operation).toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
  expect(taken.flatMap(({ operation, members }) => unasked(operation, members))).toEqual([]);
  expect(taken.flatMap(({ operation, members }) => unasked(operation, [...members, `${operation}Too`]))).toEqual(
    taken.map(({ operation }) => `${operation}Too`),
  );
});

interface Schema {
  readonly type?: string;
  readonly minimum?: number;
  readonly "x-positive"?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of what may be left out: what it is, and null. */
  readonly anyOf?: readonly Schema[];
}

/** Fields for numbers that take a 0 where the API takes none, or the other way. */
function strayZeros(fields: readonly FieldSpec[], body: Schema): readonly string[] {
  const inner = (schema: Schema | undefined) => schema?.anyOf?.[0] ?? schema;
  const schemaOf = (name: string) =>
    name.split(".").reduce<Schema | undefined>((at, part) => inner(at?.properties?.[part]), body);
  const numbers = fields.filter(({ kind }) => kind === "decimal" || kind === "whole");
  const differs = ({ name, isPositive = false }: FieldSpec) => {
    const schema = schemaOf(name);
    return isPositive !== (schema?.["x-positive"] === true || (schema?.minimum ?? 0) > 0);
  };
  return numbers.filter(differs).map(({ name }) => name);
}

test("a field for a number takes a 0 where the API does, and nowhere else: a preview of it would be refused", () => {
  let count = 0;
  for (const { path, ...route } of transactionRoutes) {
    const spec = actionOf(path.split("/").at(-1) ?? "");
    if (!spec || !("body" in route)) continue;
    const fields = fieldsOf(spec.groups);
    const body = route.body as Schema;
    expect([spec.operation, strayZeros(fields, body)]).toEqual([spec.operation, []]);
    const numbers = fields.filter(({ kind }) => kind === "decimal" || kind === "whole");
    const turned = numbers.map((field) => ({ ...field, isPositive: !field.isPositive }));
    expect(strayZeros(turned, body)).toEqual(numbers.map(({ name }) => name));
    count += numbers.length;
  }
  expect(count).toBeGreaterThan(20);
});

describe("what is typed", () => {
  const typed = { "name.legalName": " Ada ", quantity: "1500.50", days: "90", early: "true", classes: "a,b" };
  test("becomes a body: exact, nested, without what was left out", () => {
    const body = { name: { legalName: "Ada" }, quantity: "1500.50", days: 90, early: true, classes: ["a", "b"] };
    expect(bodyOf(FIELDS, { ...typed, effectiveDate: "2026-01-31" })).toEqual({ ...body, effectiveDate: "2026-01-31" });
    const least = { ...typed, days: "", early: "", classes: "", effectiveDate: "2026-01-31" };
    expect(bodyOf(FIELDS, least)).toMatchObject({ classes: [] });
    expect(Object.keys(bodyOf(FIELDS, least) ?? {})).not.toContain("days");
  });

  test("is no body while something is wrong with it", () => {
    const bad = { ...typed, quantity: "1,5", days: "9.5", effectiveDate: "2026-02-30" };
    expect(bodyOf(FIELDS, bad)).toBeNull();
    expect(Object.keys(faultsOf(FIELDS, bad))).toEqual(["quantity", "days", "effectiveDate"]);
    expect(faultsOf(FIELDS, {})).toMatchObject({ quantity: "This field is required." });
  });

  test("of a record sends what has changed, and null for what was emptied", () => {
    const before = valuesOf(FIELDS, {
      name: { legalName: "Ada" },
      quantity: "5",
      days: 9,
      early: true,
      classes: ["a"],
    });
    expect(before).toMatchObject({ "name.legalName": "Ada", days: "9", early: "true", classes: "a" });
    const after = { ...before, quantity: "5", days: "", early: "", "name.legalName": "Ada L." };
    expect(changedMembers(FIELDS, before, after)).toEqual({ name: { legalName: "Ada L." }, days: null, early: false });
  });
});

test("a field is filled in until the user changes it", () => {
  const fields: readonly FieldSpec[] = [{ name: "a", kind: "text", given: ({ b }) => (b ? `of ${b}` : undefined) }];
  const first = givenChanges(fields, { a: "", b: "1" }, FACTS, {});
  expect(first.changes).toEqual({ a: "of 1" });
  expect(givenChanges(fields, { a: "of 1", b: "2" }, FACTS, first.given).changes).toEqual({ a: "of 2" });
  expect(givenChanges(fields, { a: "mine", b: "2" }, FACTS, first.given).changes).toEqual({});
  expect(givenChanges(fields, { a: "of 1", b: "" }, FACTS, first.given).changes).toEqual({ a: "" });
  expect(givenChanges(fields, { a: "mine", b: "1" }, FACTS, {}).changes).toEqual({});
});

describe("what will change", () => {
  const issued = [
    effect("security", null, "type", null, "STOCK"),
    effect("security", null, "quantity", null, "200"),
    effect("security", null, "stakeholderId", null, "cy"),
    effect("share-class", "common", "issued", "600", "800"),
  ];

  test("of an issuance: the class, the totals, and everybody's part", () => {
    const { lines, uses, shares } = changesOf(issued, FACTS, new Map());
    expect(lines.map(({ label, before, after }) => [label, before, after])).toEqual([
      ["Common issued", "600", "800"],
      ["Outstanding", "600", "800"],
      ["Fully diluted", "800", "1000"],
      ["New shares, Cy", null, "200"],
    ]);
    expect(uses).toEqual([{ id: "common", name: "Common", used: "800", limit: "1000", isPlan: false }]);
    expect(shares.map(({ name, before, after }) => [name, before, after])).toEqual([
      ["Cy", "0", "20"],
      ["Ada", "50", "40"],
      ["Bo", "25", "20"],
    ]);
  });

  test("of a grant: the pool gives what the holder gets, and no other holder's part changes", () => {
    const granted = [
      effect("security", null, "type", null, "STOCK_OPTION"),
      effect("security", null, "quantity", null, "80"),
      effect("security", null, "stakeholderId", null, "bo"),
      effect("equity-plan", "plan", "currentSharesReserved", "200", "120"),
    ];
    const { lines, uses, shares } = changesOf(granted, FACTS, new Map());
    expect(lines.map(({ label }) => label)).toEqual(["Plan available", "New options, Bo"]);
    expect(uses).toEqual([{ id: "plan", name: "Plan", used: "80", limit: "200", isPlan: true }]);
    expect(shares.map(({ name, before, after }) => [name, before, after])).toEqual([["Bo", "25", "35"]]);
  });

  test("says nothing of parts where a security is not known", () => {
    const effects = [effect("security", "unknown", "quantity", "10", "20")];
    expect(changesOf(effects, FACTS, new Map()).shares).toEqual([]);
  });
});

describe("a refusal", () => {
  const fields = fieldsOf(ACTIONS["issue-shares"].groups);
  test("stands at the field that it is about, with its figures grouped and its days in words", () => {
    expect(placeOf({ slug: "insufficient-authorized-shares" }, fields)).toBe("quantity");
    expect(placeOf({ slug: "duplicate-certificate-id" }, fields)).toBe("certificateId");
    expect(placeOf({ slug: "invalid-state" }, fields)).toBeUndefined();
    expect(sentence("by 2026-11-22 only 13146875.5 of 4500 in CS-123456")).toBe(
      "By Nov 22, 2026 only 13,146,875.5 of 4500 in CS-123456.",
    );
  });

  test("leads on: to the figure that is needed, the next number, an early exercise", () => {
    const values = { stockClassId: "common", quantity: "1000" };
    expect(wayOnFrom({ slug: "insufficient-authorized-shares" }, values, FACTS)).toEqual({
      kind: "ACTION",
      operation: "adjust-authorized",
      fields: { stockClassId: "common", newSharesAuthorized: "1600" },
    });
    const granted = { stockPlanId: "plan", quantity: "250" };
    expect(wayOnFrom({ slug: "insufficient-plan-reserve" }, granted, FACTS)).toMatchObject({
      fields: { equityPlanId: "plan", newSharesReserved: "250" },
    });
    const taken = wayOnFrom({ slug: "duplicate-certificate-id" }, { certificateId: "CS-1" }, FACTS);
    expect(taken).toEqual({ kind: "CHANGE", name: "certificateId", value: "CS-7" });
    expect(wayOnFrom({ slug: "unvested-quantity" }, { earlyExercise: "" }, FACTS)).toMatchObject({ value: "true" });
    expect(wayOnFrom({ slug: "invalid-state" }, values, FACTS)).toEqual({ kind: "RELOAD" });
    expect(wayOnFrom({ slug: "forbidden" }, values, FACTS)).toBeNull();
  });

  test("is not needed for what is only doubtful", () => {
    const values = { stakeholderId: "cy", effectiveDate: "2025-11-21" };
    expect(doubtsOf(fields, values, FACTS, () => 366)).toEqual(["LONG_AGO", "FORMER"]);
    expect(doubtsOf(fields, { effectiveDate: "2026-11-23" }, FACTS, () => -1)).toEqual(["TO_COME"]);
    expect(doubtsOf(fields, { effectiveDate: "2026-11-22" }, FACTS, () => 0)).toEqual([]);
  });
});

test("the way back is a page of the organization, and of no other place", () => {
  const here = addressOf("/o/1/record/issue-shares", { quantity: "5", note: "" });
  expect(here).toBe("/o/1/record/issue-shares?quantity=5");
  const there = addressOf("/o/1/record/adjust-authorized", { a: "b" }, here);
  expect(returnTo(new URL(there, "http://x").searchParams, "/o/1")).toBe(here);
  for (const bad of ["//evil.example", "https://evil.example", "/o/12", "/o/1/../2", "/o/1//x", ""]) {
    expect(returnTo(new URLSearchParams({ return: bad }), "/o/1")).toBeNull();
  }
});

describe("vesting terms as rows", () => {
  const event = (number: number) => `Event ${number}`;
  const CLIFF_BY_LINK: readonly VestingCondition[] = [
    {
      id: "cliff",
      trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS" },
      portion: { numerator: 12, denominator: 48 },
      nextConditionId: "monthly",
    },
    {
      id: "monthly",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
      portion: { numerator: 1, denominator: 48 },
    },
  ];
  const scheduled = (conditions: readonly VestingCondition[]) =>
    scheduleOf({ allocationMethod: "CUMULATIVE_ROUND_DOWN", vestingConditions: conditions }, "48000", "2026-01-31");

  test.each(TEMPLATES)("the template %s gives all of it away and has no fault", (template) => {
    const conditions = conditionsOf(rowsOf(template, event)) ?? [];
    expect(rowFaults(conditions).size).toBe(0);
    const { events, unscheduled } = scheduled(conditions);
    expect(unscheduled).toBe(template === "MILESTONES" ? "48000" : "0");
    expect(events.reduce((total, { quantity }) => total + BigInt(quantity), 0n)).toBe(
      template === "MILESTONES" ? 0n : 48000n,
    );
  });

  test("terms in another notation vest as before, until a user changes them", () => {
    const rows = rowsFrom(CLIFF_BY_LINK);
    expect(rows.map(({ times, after }) => [times, after])).toEqual([
      ["1", ""],
      ["", "cliff"],
    ]);
    const again = conditionsOf(rows, CLIFF_BY_LINK) ?? [];
    expect(scheduled(again)).toEqual(scheduled(CLIFF_BY_LINK));
    expect(scheduled(again).events.length).toBe(37);
  });

  test("a row without a number of times goes on until all has vested", () => {
    const rows = rowsOf("CLIFF", event).map((row) => (row.id === "monthly" ? { ...row, times: "" } : row));
    expect(scheduled(conditionsOf(rows) ?? [])).toEqual(scheduled(conditionsOf(rowsOf("CLIFF", event)) ?? []));
  });

  test("a circle and too large portions stand at their rows; what cannot be read makes no conditions", () => {
    const [cliff, monthly] = rowsOf("CLIFF", event);
    if (!cliff || !monthly) throw new Error("no rows");
    const circle = conditionsOf([{ ...cliff, after: "monthly" }, monthly]) ?? [];
    expect([...rowFaults(circle).keys()]).toEqual([0, 1]);
    expect([...rowFaults(conditionsOf([cliff, { ...monthly, times: "37" }]) ?? []).keys()]).toEqual([1]);
    expect(conditionsOf([{ ...cliff, denominator: "0" }])).toBeNull();
    expect(conditionsOf([{ ...cliff, times: "often" }])).toBeNull();
  });
});
