// Every figure that a guided form fills in is one that the API answers: a page that computes one of its own may come to
// another, and a person records what the page says.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { REGISTERS } from "../../src/web/api/registers.ts";
import { ACTIONS } from "../../src/web/pages/actions/action-specs.ts";
import {
  type Facts,
  type FieldGroup,
  fieldsOf,
  type GuidedField,
  type Values,
} from "../../src/web/pages/actions/spec.ts";
import { EMPTY_ROW } from "../../src/web/pages/models/add-body.ts";
import { firstExit } from "../../src/web/pages/models/exit-body.ts";
import { firstValues } from "../../src/web/pages/models/round-body.ts";
import { RECORDS } from "../../src/web/pages/records/record-specs.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const isDecimal = (text: string) => /^\d+(\.\d+)?$/.test(text);
/** How many rows a list has. */
const COUNTS: ReadonlySet<string> = new Set(["add", "investors", "proRata.participants", "deductions"]);

/** A company in which every form has something to begin with, and what its forms read of it. */
async function company() {
  const where = { orgId: await server.newOrganization() };
  const send = async (method: string, path: string, body?: object) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, {}, where);
  const price = { pricePerShare: "1.25", initialSharesAuthorized: "100000" };
  const stockClassId = await makeShareClass(server, price, where);
  const right = { stockClassId, ratio: { numerator: "3", denominator: "2" }, conversionPrice: "1.8" };
  const preferred = { name: "Series A", classType: "PREFERRED", defaultIdPrefix: "PA-", pricePerShare: "2.7" };
  const rights = { initialSharesAuthorized: "5000", votesPerShare: "1", seniority: 4, conversionRights: [right] };
  const preferredId = (await send("POST", "/share-classes", { ...preferred, ...rights })).id;
  const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [stockClassId] };
  const stockPlanId = (await send("POST", "/equity-plans", plan)).id;
  const condition = {
    id: "month",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
    portion: { numerator: 1, denominator: 48 },
  };
  const terms = { name: "Monthly", description: "Monthly", vestingConditions: [condition] };
  const vestingTermsId = (await send("POST", "/vesting-terms", terms)).id;
  const valuation = { type: "409A", status: "APPROVED", stockClassId, pricePerShare: "2.5" };
  await send("POST", "/valuations", { ...valuation, effectiveDate: "2026-10-01" });
  const grant = { stakeholderId: holder, stockPlanId, quantity: "4800", exercisePrice: "0.75", optionType: "NSO" };
  const days = { effectiveDate: "2024-01-01", certificateId: "ES-7", vestingTermsId, expirationDate: "2030-01-01" };
  const option = (await send("POST", "/transactions/issue-options", { ...grant, ...days })).securityId;
  const exercise = { securityId: option, quantity: "333", exercisePrice: "0.75", effectiveDate: "2026-02-01" };
  await send("POST", "/transactions/exercise", exercise);
  const asOf = "2026-11-20";
  const security = await send("GET", `/securities/${option}`);
  const position = await send("GET", `/stakeholders/${holder}/position?asOf=${asOf}`);
  const held = position.securities.find(({ id }: { readonly id: string }) => id === option);
  const facts = {
    today: asOf,
    classes: (await send("GET", "/share-classes")).items,
    plans: (await send("GET", "/equity-plans")).items,
    terms: (await send("GET", "/vesting-terms")).items,
    valuations: (await send("GET", "/valuations")).items,
    holders: new Map(),
    security,
    vesting: await send("GET", `/securities/${option}/vesting?asOf=${asOf}`),
    inForce: await send("GET", `/valuations/in-force?on=${asOf}&equityPlanId=${stockPlanId}`),
    exercisable: held.exercisable,
    chosenClass: await send("GET", `/share-classes/${preferredId}`),
    nextCertificate: (await send("GET", "/securities/next-certificate?type=STOCK_OPTION")).certificateId,
    table: await send("GET", "/cap-table"),
  } as unknown as Facts;
  const values = { stockClassId: preferredId, stockPlanId, securityId: option, effectiveDate: asOf } as Values;
  return { send, facts, values, stockClassId };
}

type Figures = Readonly<Record<string, string>>;
interface Form {
  readonly name: string;
  readonly groups: readonly FieldGroup[];
}

const FORMS: readonly Form[] = [
  ...Object.values(ACTIONS).map(({ operation, groups }) => ({ name: operation, groups })),
  ...RECORDS.map(({ kind, groups }) => ({ name: kind, groups })),
];

/** The figures and numbers of certificates that forms put in by themselves, by form and field. */
function figuresGiven(facts: Facts, values: Values, forms = FORMS): Figures {
  const given = forms.flatMap(({ name: form, groups }) =>
    fieldsOf(groups).flatMap(({ name, kind, given: giving }) => {
      const isFigure = kind === "decimal" || kind === "whole" || name === "certificateId";
      const figure = isFigure && giving?.(values, facts);
      return figure ? [[`${form} ${name}`, figure] as const] : [];
    }),
  );
  return Object.fromEntries(given);
}

/** Where the API answers what a form fills in. */
const ANSWERED: Figures = {
  "issue-shares certificateId": "nextCertificate",
  "issue-shares pricePerShare": "chosenClass.pricePerShare",
  "issue-options certificateId": "nextCertificate",
  "issue-options exercisePrice": "inForce.pricePerShare",
  "issue-warrant certificateId": "nextCertificate",
  "issue-convertible certificateId": "nextCertificate",
  "transfer quantity": "security.quantity",
  "exercise quantity": "exercisable",
  "exercise exercisePrice": "security.exercisePrice",
  "cancel quantity": "security.quantity",
  "convert quantity": "security.quantity",
  "convert certificateId": "nextCertificate",
  "repurchase quantity": "security.quantity",
  "repurchase pricePerShare": "security.exercisePrice",
  "accelerate-vesting quantity": "vesting.unvested",
  "adjust-conversion ratio.numerator": "chosenClass.conversionRights.0.ratio.numerator",
  "adjust-conversion ratio.denominator": "chosenClass.conversionRights.0.ratio.denominator",
  "adjust-conversion conversionPrice": "chosenClass.conversionRights.0.conversionPrice",
};

/** What forms propose of themselves: what is usual, and no figure of the record. */
const PROPOSED: Figures = {
  "terminate-service exerciseWithinDays": "90",
  "split denominator": "1",
  "share-class votesPerShare": "1",
  "share-class seniority": "5",
  "share-class liquidationPreferenceMultiple": "1",
};

function answeredAt(facts: Facts, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, part) => (inner as Record<string, unknown> | null)?.[part], facts);
}

/** The figures that come from elsewhere than it is said here, by form and field. */
function strayFigures(facts: Facts, given: Figures): readonly string[] {
  const names = new Set([...Object.keys(given), ...Object.keys(ANSWERED), ...Object.keys(PROPOSED)]);
  return [...names].filter((name) => {
    const path = ANSWERED[name];
    return given[name] !== (path === undefined ? PROPOSED[name] : answeredAt(facts, path));
  });
}

test("every figure that a form fills in is one that the API answers, or what is usual", async () => {
  const { facts, values } = await company();
  const given = figuresGiven(facts, values);
  expect(strayFigures(facts, given)).toEqual([]);
  expect(given["exercise quantity"]).toBe("3067");
  expect(given["issue-options certificateId"]).toBe("ES-8");
});

test("a figure that a page makes up is found, and so is one of a form or a field that is new", async () => {
  const { facts, values } = await company();
  const given = figuresGiven(facts, values);
  expect(strayFigures({ ...facts, exercisable: "0" } as Facts, given)).toEqual(["exercise quantity"]);
  const fields: readonly GuidedField[] = [{ name: "total", kind: "decimal", given: () => "7" }];
  const withNew = [...FORMS, { name: "merge", groups: [{ name: "what", fields }] } satisfies Form];
  expect(strayFigures(facts, figuresGiven(facts, values, withNew))).toEqual(["merge total"]);
  const { "exercise quantity": _none, ...without } = given;
  expect(strayFigures(facts, without)).toEqual(["exercise quantity"]);
});

test("a new class ranks after all that there are, also where one in between was deleted", async () => {
  const { facts } = await company();
  const seniority = (ranks: readonly number[]) => {
    const classes = ranks.map((rank) => ({ ...facts.classes[0], seniority: rank }));
    return figuresGiven({ ...facts, classes } as Facts, {})["share-class seniority"];
  };
  expect([seniority([]), seniority([1, 2]), seniority([1, 3]), seniority([3, 1, 1])]).toEqual(["1", "3", "4", "4"]);
});

/** Pages with fields for figures that are made of no list of fields, and what stands in these at first. */
const PAGES: Readonly<Record<string, string>> = {
  "actions/action-field.tsx": "the fields of the lists themselves",
  "compare-scenarios/page.tsx": "nothing",
  "model-exit/page.tsx": "the point of the chart that is looked at",
  "models/beginning-fields.tsx": "nothing",
  "models/close.tsx": "what the round answers as needed",
  "models/compliance-parts.tsx": "nothing",
  "models/exit-inputs.tsx": "the bound of the chart",
  "models/expense.tsx": "nothing",
  "models/round-inputs.tsx": "one time the price, as is usual",
  "records/terms-preview.tsx": "a sample",
  "records/terms-row.tsx": "the template that was chosen",
};

test("a page with fields for figures that this test does not know is found", () => {
  const root = join(import.meta.dir, "../../src/web/pages");
  const asks = (text: string) => /<DecimalField\b|inputMode="numeric"/.test(text);
  const found = [...new Glob("**/*.tsx").scanSync(root)].filter((file) => asks(readFileSync(join(root, file), "utf8")));
  expect(found.toSorted()).toEqual(Object.keys(PAGES).toSorted());
  const lists = [...new Glob("**/*.{ts,tsx}").scanSync(root)].filter((file) =>
    /kind: "(decimal|whole)"/.test(readFileSync(join(root, file), "utf8")),
  );
  const known = ["change", "common-specs", "issue", "limit-specs"].map((name) => `actions/specs/${name}.ts`);
  // A correction begins with the security's own members, and is given nothing.
  expect(lists.toSorted()).toEqual([...known, "security/correction.tsx"].toSorted());
  // The fields of records stand in their registers: each with a form is one of RECORDS.
  const withForm = Object.entries(REGISTERS).flatMap(([path, { form }]) =>
    Object.keys(form).length > 0 ? [path] : [],
  );
  expect(RECORDS.map(({ path }): string => path).toSorted()).toEqual(withForm.toSorted());
});

test("what models begin with is no figure but what is usual", () => {
  const figures = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).filter(([name, value]) => isDecimal(value) && !COUNTS.has(name));
  expect(figures(firstValues("2026-11-20", "Series A"))).toEqual([["newClass.liquidationPreferenceMultiple", "1"]]);
  expect(figures(firstExit("2026-11-20", "9"))).toEqual([["range.to", "9"]]);
  expect(figures(EMPTY_ROW)).toEqual([]);
  expect(figures({ "pool.promised": "5" })).toEqual([["pool.promised", "5"]]);
});

test("after a split of ten for one the form offers a tenth of the 409A's price, and that is not below it", async () => {
  const { send, facts, values, stockClassId } = await company();
  const { stockPlanId } = values;
  await send("POST", "/transactions/split", {
    stockClassId,
    numerator: 10,
    denominator: 1,
    effectiveDate: "2026-11-20",
  });
  const path = `/valuations/in-force?on=${values.effectiveDate}&equityPlanId=${stockPlanId}`;
  const after = { ...facts, inForce: await send("GET", path) } as Facts;
  expect(figuresGiven(facts, values)["issue-options exercisePrice"]).toBe("2.5");
  expect(figuresGiven(after, values)["issue-options exercisePrice"]).toBe("0.25");
  const strike = fieldsOf(ACTIONS["issue-options"].groups).find(({ name }) => name === "exercisePrice");
  expect(strike?.note?.({ ...values, exercisePrice: "0.25" }, after)).toMatch(/^409A valuation in force: 0.25, /);
  expect(strike?.note?.({ ...values, exercisePrice: "0.24" }, after)).toMatch(
    /^Below the 409A valuation in force: 0.25, /,
  );
});
