// Dates to come over a real socket: a company with a date of each kind and one without, two years of random companies
// against an independent reading, and what a holder is shown.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { present } from "../../../src/kernel/assert.ts";
import { findFaults } from "../../../src/kernel/check.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { DATE_KINDS } from "../../../src/views/dates/kinds.ts";
import { dateRoutes } from "../../../src/views/dates/routes.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Org, stockIssuance, TODAY } from "../health/support.ts";
import { member } from "../portal/support.ts";
import { type DatesCompany, everyKind, randomCompany } from "./companies.ts";
import { datesByReading, readAnswers } from "./reading.ts";

setDefaultTimeout(120_000);

const nowMs = Date.parse(`${TODAY}T12:00:00Z`);
const runtime = { ...systemRuntime, nowMs: () => nowMs };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime });
});
afterAll(() => server.stop());

interface Shown {
  readonly id: string;
  readonly date: string;
  readonly kind: string;
  readonly title: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly stakeholderId: string | null;
}

async function datesIn(org: Org, query = ""): Promise<readonly Shown[]> {
  const answer = await server.api("GET", `/dates${query}`, undefined, { orgId: org.id, role: "VIEWER" });
  expect({ status: answer.status, text: answer.status === 200 ? "" : answer.text }).toEqual({ status: 200, text: "" });
  expect(findFaults(present(dateRoutes[0]?.response, "its schema"), answer.json)).toEqual([]);
  return answer.json.data.items;
}

async function newOrg(): Promise<Org> {
  return new Org(server, await server.newOrganization("Acme, Inc."));
}

const said = (items: readonly Shown[]) => items.map(({ date, kind, title }) => `${date} ${kind} ${title}`);

test("a company with a date of each kind lists them by day, and one without lists none", async () => {
  const company = await everyKind(await newOrg());
  const items = await datesIn(company.org);
  expect(said(items)).toEqual([
    "2026-06-20 section-83b Section 83(b) election for CS-83B (Ada): last day, ask your adviser",
    "2026-07-01 approval-due Approval due: Grant to Ada",
    "2026-08-01 milestone-due Milestone due: First customer",
    "2026-08-29 exercise-window-ends Last day to exercise option OPT-L (Lena)",
    "2026-09-01 convertible-matures Convertible SAFE-1 (Fund LP) matures",
    "2026-10-01 valuation-ends 409A valuation of Common ends",
    "2026-11-01 security-expires Warrant W-1 (Fund LP) expires",
    "2026-12-01 security-expires Option OPT-1 (Ada) expires",
    "2026-12-15 plan-expires Equity plan 2024 Plan expires",
    "2027-01-15 vesting-cliff First vesting of OPT-C (Ada)",
    "2027-05-21 vesting-cliff First vesting of CS-83B (Ada)",
  ]);
  expect(new Set(items.map(({ kind }) => kind)).size).toBe(DATE_KINDS.length - 1);
  const far = await datesIn(company.org, "?from=2030-01-01&to=2030-12-31");
  expect(said(far)).toEqual([
    "2030-01-15 vesting-complete Last vesting of OPT-C (Ada)",
    "2030-05-21 vesting-complete Last vesting of CS-83B (Ada)",
  ]);
  for (const each of items) {
    expect(each.id).toBe(`${each.kind}:${each.resourceId}:${each.date}`);
    const noun = { "equity-plan": "equity-plans", "vesting-milestone": "vesting-milestones" }[each.resourceType];
    const { status } = await company.org.call(
      "GET",
      `/${noun ?? each.resourceType.replace(/y?$/, (end) => (end ? "ies" : "s"))}/${each.resourceId}`,
    );
    expect({ of: each.id, status }).toEqual({ of: each.id, status: 200 });
  }
  const bare = await newOrg();
  const stockClassId = await bare.shareClass();
  await bare.shares(await bare.holder(), stockClassId);
  expect(await datesIn(bare)).toEqual([]);
  expect(await datesIn(bare, "?from=2020-01-01&to=2023-01-05")).toEqual([]);
});

test("kinds, days and more than a thousand dates", async () => {
  const { org } = await everyKind(await newOrg());
  const only = await datesIn(org, "?kinds=security-expires,plan-expires&to=2026-12-10");
  expect(only.map(({ kind }) => kind)).toEqual(["security-expires", "security-expires"]);
  expect((await datesIn(org, "?from=2026-12-15&to=2026-12-15")).map(({ kind }) => kind)).toEqual(["plan-expires"]);
  const refused = async (query: string) => {
    const { status, json } = await org.call("GET", `/dates${query}`);
    return [status, ...(json.errors ?? []).map((error: { parameter: string }) => error.parameter)];
  };
  expect(await refused("?kinds=security-expires,bankruptcy")).toEqual([422, "kinds"]);
  expect(await refused("?kinds=")).toEqual([422, "kinds"]);
  expect(await refused("?from=2026-06-02&to=2026-06-01")).toEqual([422, "to"]);
  expect(await refused("?from=2026-01-01&to=2029-01-06")).toEqual([422, "to"]);
  expect((await org.call("GET", "/dates?from=2026-01-01&to=2029-01-05")).status).toBe(200);
  expect(await refused("?from=2026-02-30")).toEqual([422, "from"]);
  expect(await refused("?from=9999-12-31")).toEqual([200]);
  expect(await refused("?limit=5")).toEqual([422, "limit"]);
  const many = await newOrg();
  for (let at = 0; at < 3; at++) {
    const operations = Array.from({ length: 400 }, (_, index) => ({
      ...{ method: "POST", path: "/api/v1/approvals" },
      body: { title: `A ${at} ${index}`, entityType: "Other", dueDate: "2026-07-01" },
    }));
    await many.made("/batch", { operations: operations.slice(0, at === 2 ? 200 : 400) });
  }
  const whole = (await many.call("GET", "/dates")).json.data;
  expect([whole.items.length, whole.isCut]).toEqual([1000, false]);
  await many.made("/approvals", { title: "One more", entityType: "Other", dueDate: "2026-06-30" });
  const cut = (await many.call("GET", "/dates")).json.data;
  expect([cut.items.length, cut.isCut, cut.items[0].title]).toEqual([1000, true, "Approval due: One more"]);
});

test("two years of random companies equal an independent reading", async () => {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= 6; seed++) {
    const org = await randomCompany(await newOrg(), seed);
    const wanted = datesByReading(await readAnswers(server, org.id), "2025-06-01", "2027-06-01");
    const found = (await datesIn(org, "?from=2025-06-01&to=2027-06-01")).map(({ id }) => id).sort();
    expect({ seed, found }).toEqual({ seed, found: wanted });
    for (const id of wanted) met.set(id.split(":")[0] ?? "", (met.get(id.split(":")[0] ?? "") ?? 0) + 1);
  }
  for (const kind of DATE_KINDS) expect({ kind, isMet: (met.get(kind) ?? 0) > 1 }).toEqual({ kind, isMet: true });
});

test("control: the independent reading follows each member that a date comes from", async () => {
  const { org, ada } = await everyKind(await newOrg());
  const answers = await readAnswers(server, org.id);
  const kindsOf = (changed: Partial<typeof answers>) =>
    datesByReading({ ...answers, ...changed }, TODAY, "2030-06-01").map((id) => id.split(":")[0]);
  const all = kindsOf({});
  expect(new Set(all).size).toBe(DATE_KINDS.length);
  const lacks = (changed: Partial<typeof answers>) => {
    const left = new Set(kindsOf(changed));
    return [...new Set(all.filter((kind) => !left.has(kind)))];
  };
  const without = (list: readonly object[], member: string) => list.map((each) => ({ ...each, [member]: null }));
  const gone = ["exercise-window-ends", "security-expires"];
  expect(lacks({ securities: without(answers.securities, "expirationDate") })).toEqual(gone);
  expect(lacks({ securities: without(answers.securities, "convertibleTerms") })).toEqual(["convertible-matures"]);
  expect(lacks({ valuations: [] })).toEqual(["valuation-ends"]);
  expect(lacks({ plans: without(answers.plans, "expirationDate") })).toEqual(["plan-expires"]);
  expect(lacks({ approvals: without(answers.approvals, "state") })).toEqual(["approval-due"]);
  expect(lacks({ milestones: without(answers.milestones, "status") })).toEqual(["milestone-due"]);
  expect(lacks({ vesting: new Map() })).toEqual(["vesting-cliff", "vesting-complete"]);
  expect(lacks({ organization: {} })).toEqual(["section-83b"]);
  const holders = answers.holders.map((each) => ({ ...each, type: "INSTITUTION", status: "CURRENT" }));
  expect(lacks({ holders })).toEqual(["exercise-window-ends", "section-83b"]);
  expect(answers.holders.some(({ id }) => id === ada)).toBe(true);
});

test("a holder is shown its own dates, of all stakeholders that it is, and no other holder's name or id", async () => {
  const { org, ada, lena, fund }: DatesCompany = await everyKind(await newOrg());
  const people = {
    [ada]: await member(server, { orgId: org.id, stakeholderIds: [ada], nowMs }),
    [lena]: await member(server, { orgId: org.id, stakeholderIds: [lena, fund], nowMs }),
  };
  const own = async ([first = ""]: string[], query = "") => {
    const person = present(people[first], "who is signed in");
    const answer = await person.ask("GET", `/portal/dates${query}`);
    expect(answer.status).toBe(200);
    return { items: answer.json.data.items as Shown[], text: answer.text };
  };
  const adas = await own([ada]);
  expect(adas.items.map(({ kind }) => kind)).toEqual([
    "section-83b",
    "milestone-due",
    "security-expires",
    "vesting-cliff",
    "vesting-cliff",
  ]);
  for (const secret of ["Lena", "Fund LP", lena, fund, "W-1", "SAFE-1", "OPT-L", "2024 Plan", "Grant to Ada", "409A"]) {
    expect(adas.text).not.toContain(secret);
  }
  const both = await own([lena, fund]);
  expect(both.items.map(({ kind }) => kind)).toEqual([
    "exercise-window-ends",
    "convertible-matures",
    "security-expires",
  ]);
  expect(both.text).not.toContain("Ada");
  expect((await own([ada], "?kinds=approval-due,valuation-ends,plan-expires")).items).toEqual([]);
  const foreign = await everyKind(await newOrg());
  const person = await member(server, { orgId: foreign.org.id, stakeholderIds: [foreign.ada], nowMs });
  expect(JSON.stringify((await person.ask("GET", "/portal/dates")).json)).not.toContain(ada);
});

test("an exercise, a cancellation, a transfer, a leaver, a split and a correction move dates", async () => {
  const { org, ada, lena, planId, stockClassId } = await everyKind(await newOrg());
  const option = await org.option(ada, planId, {
    certificateId: "OPT-2",
    expirationDate: "2026-09-09",
    quantity: "10",
  });
  const of = async (id: string) => said((await datesIn(org)).filter(({ resourceId }) => resourceId === id));
  expect(await of(option)).toEqual(["2026-09-09 security-expires Option OPT-2 (Ada) expires"]);
  await org.run("split", { stockClassId, numerator: 2, denominator: 1, rounding: "DOWN", effectiveDate: TODAY });
  expect(await of(option)).toEqual(["2026-09-09 security-expires Option OPT-2 (Ada) expires"]);
  const move = { fromStakeholderId: ada, toStakeholderId: lena, effectiveDate: TODAY };
  const moved = await org.run("transfer", { securityId: option, quantity: "5", ...move });
  expect(await of(moved)).toEqual([expect.stringMatching(/^2026-09-09 exercise-window-ends Last day .*\(Lena\)$/)]);
  await org.run("exercise", { securityId: option, quantity: "15", exercisePrice: "0.5", effectiveDate: TODAY });
  expect(await of(option)).toEqual([]);
  await org.cancel(moved, "5", TODAY);
  expect(await of(moved)).toEqual([]);
  const wrong = await org.option(ada, planId, { certificateId: "OPT-3", expirationDate: "2026-09-10" });
  await org.run("correct", { securityId: wrong, reason: "paper", expirationDate: "2026-09-11" });
  expect(await of(wrong)).toEqual(["2026-09-11 security-expires Option OPT-3 (Ada) expires"]);
  await org.made(`/stakeholders/${ada}`, { relationships: ["EMPLOYEE", "FOUNDER"] }, "PATCH");
  expect(await of(wrong)).toEqual(["2026-09-11 security-expires Option OPT-3 (Ada) expires"]);
  await org.run("terminate-service", { stakeholderId: ada, effectiveDate: TODAY, exerciseWithinDays: 30 });
  expect(await of(wrong)).toEqual(["2026-07-01 exercise-window-ends Last day to exercise option OPT-3 (Ada)"]);
  const back = { status: "CURRENT", relationships: ["EX_EMPLOYEE", "CONSULTANT"] };
  await org.made(`/stakeholders/${ada}`, back, "PATCH");
  expect(await of(wrong)).toEqual(["2026-07-01 security-expires Option OPT-3 (Ada) expires"]);
  await org.made(`/stakeholders/${ada}`, { relationships: ["EX_EMPLOYEE", "INVESTOR"] }, "PATCH");
  expect(await of(wrong)).toEqual(["2026-07-01 exercise-window-ends Last day to exercise option OPT-3 (Ada)"]);
});

test("an entry dated tomorrow counts from tomorrow", async () => {
  const { org, ada, planId } = await everyKind(await newOrg());
  const tomorrow = "2026-06-02";
  const option = await org.option(ada, planId, { expirationDate: "2026-09-09", effectiveDate: tomorrow });
  const kinds = async () => (await datesIn(org)).filter(({ resourceId }) => resourceId === option).length;
  expect(await kinds()).toBe(0);
  const later = await startTestServer(
    { CAPTABLE_LOG: "off" },
    { runtime: { ...runtime, nowMs: () => nowMs + 86_400_000 } },
  );
  try {
    const other = new Org(later, await later.newOrganization());
    const made = await everyKind(other);
    const id = await other.option(made.ada, made.planId, { expirationDate: "2026-09-09", effectiveDate: tomorrow });
    const found = (await other.call("GET", "/dates")).json.data.items as Shown[];
    expect(found.filter(({ resourceId }) => resourceId === id).map(({ kind }) => kind)).toEqual(["security-expires"]);
  } finally {
    await later.stop();
  }
});

test("section 83(b): an individual's unvested stock of a US company, issued or early exercised, and not retracted", async () => {
  const { org, ada, fund, planId, stockClassId, vestingTermsId } = await everyKind(await newOrg());
  const due = async () =>
    (await datesIn(org, "?kinds=section-83b")).map(({ date, title }) => `${date} ${title.split(" ")[4]}`);
  const shares = (holder: string, certificateId: string, given: object) =>
    org.shares(holder, stockClassId, { certificateId, effectiveDate: "2026-05-30", ...given });
  await shares(ada, "CS-VESTED", {});
  await shares(ada, "CS-OLD", { vestingTermsId, vestingStartDate: "2020-01-01" });
  await shares(ada, "CS-PART", { vestingTermsId, vestingStartDate: "2024-01-01" });
  await shares(fund, "CS-FUND", { vestingTermsId });
  const wrong = await shares(ada, "CS-WRONG", { vestingTermsId });
  expect(await due()).toEqual(["2026-06-20 CS-83B", "2026-06-29 CS-PART", "2026-06-29 CS-WRONG"]);
  await org.run("retract", { securityId: wrong, reason: "wrong holder", effectiveDate: "2026-05-31" });
  const option = await org.option(ada, planId, {
    ...{ certificateId: "OPT-E", vestingTermsId, effectiveDate: "2026-05-01", quantity: "480" },
  });
  const early = await org.run("exercise", {
    ...{ securityId: option, quantity: "480", exercisePrice: "1", effectiveDate: "2026-05-31", earlyExercise: true },
  });
  await org.made(`/securities/${early}`, { certificateId: "CS-EARLY" }, "PATCH").catch(() => null);
  const items = await datesIn(org, "?kinds=section-83b");
  expect(items.map(({ date, resourceId }) => [date, resourceId === early]).slice(-1)).toEqual([["2026-06-30", true]]);
  expect(items).toHaveLength(3);
  // What a transfer makes is no new grant of the company's.
  const [part] = items.filter(({ title }) => title.includes("CS-PART"));
  await org.run("transfer", {
    ...{ securityId: part?.resourceId, fromStakeholderId: ada, toStakeholderId: fund, quantity: "40" },
    effectiveDate: "2026-06-01",
  });
  expect(await datesIn(org, "?kinds=section-83b")).toHaveLength(3);
  await org.made("/organization", { countryOfFormation: "DE" }, "PATCH");
  expect(await due()).toEqual([]);
});

test("stock that came by an import with a schedule, and what an imported transfer made", async () => {
  const org = await newOrg();
  const vestings = [
    { date: "2026-08-01", amount: "60" },
    { date: "2026-10-01", amount: "40" },
  ];
  await org.import(stockIssuance("v", "100", { date: "2026-05-20", vestings }));
  await org.made("/organization", { countryOfFormation: "US" }, "PATCH");
  expect(said(await datesIn(org))).toEqual([
    "2026-06-19 section-83b Section 83(b) election for N-v (Ada): last day, ask your adviser",
    "2026-08-01 vesting-cliff First vesting of N-v (Ada)",
    "2026-10-01 vesting-complete Last vesting of N-v (Ada)",
  ]);
});

test("a valuation that another follows ends nothing, and a deleted record has no date", async () => {
  const { org, stockClassId } = await everyKind(await newOrg());
  const ends = async () => (await datesIn(org, "?kinds=valuation-ends&to=2028-01-01")).map(({ date }) => date);
  expect(await ends()).toEqual(["2026-10-01"]);
  const { id } = await org.valuation(stockClassId, { effectiveDate: "2026-05-01", pricePerShare: "2" });
  expect(await ends()).toEqual(["2027-05-01"]);
  await org.valuation(stockClassId, { effectiveDate: "2026-05-15", status: "DRAFT" });
  await org.valuation(stockClassId, { effectiveDate: "2026-05-15", type: "BOARD" });
  expect(await ends()).toEqual(["2027-05-01"]);
  await org.call("DELETE", `/valuations/${id}`);
  expect(await ends()).toEqual(["2026-10-01"]);
});
