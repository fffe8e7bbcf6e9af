// How securities vest goes round by OCF: an organization that imports an export sees the same shares vest on every day,
// however they were transferred, exercised, cancelled or accelerated before.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDecimal } from "../../../../src/kernel/numbers/decimal.ts";
import { Random } from "../../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "./support.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const TODAY = new Date().toISOString().slice(0, 10);
const DAYS = ["2023-12-31", "2024-02-01", "2024-06-14", "2024-06-15", "2024-09-01", "2025-01-15", TODAY, "2029-01-01"];
const MONTHLY = [
  { id: "cliff", trigger: timed(12), portion: part(12, 48), nextConditionId: "month" },
  { id: "month", trigger: timed(1), portion: part(1, 48), cliffConditionId: "cliff" },
];
const MIXED = [
  { id: "year", trigger: timed(12), portion: part(1, 4) },
  { id: "sale", trigger: { type: "EVENT_BASED", eventDescription: "Sale" }, portion: part(1, 4) },
  { id: "after", trigger: timed(6), portion: part(2, 4), cliffConditionId: "sale" },
];

function timed(periodLength: number) {
  return { type: "TIME_BASED", periodLength, periodType: "MONTHS" };
}

function part(numerator: number, denominator: number) {
  return { numerator, denominator };
}

interface Founded {
  readonly orgId: string;
  readonly call: ReturnType<typeof callerOf>;
  readonly tx: (route: string, body: object) => Promise<Shape>;
  readonly holders: readonly string[];
  readonly classes: readonly string[];
  readonly terms: Readonly<Record<"monthly" | "mixed", string>>;
  readonly planId: string;
}

async function found(): Promise<Founded> {
  const orgId = await server.newOrganization();
  const [call, where] = [callerOf(server, orgId), { orgId }];
  const holders = [await makeStakeholder(server, {}, where), await makeStakeholder(server, {}, where)];
  const classes = [
    await makeShareClass(server, {}, where),
    await makeShareClass(server, { name: "B", seniority: 2 }, where),
  ];
  const makeTerms = async (name: string, vestingConditions: object) =>
    (await call("POST", "/vesting-terms", { name, description: name, vestingConditions })).id as string;
  const terms = { monthly: await makeTerms("Monthly", MONTHLY), mixed: await makeTerms("Mixed", MIXED) };
  const plan = { planName: "Plan", initialSharesReserved: "100000", stockClassIds: [classes[0]] };
  const planId = (await call("POST", "/equity-plans", plan)).id;
  const tx = (route: string, body: object) =>
    call("POST", `/transactions/${route}`, { effectiveDate: "2024-06-15", ...body });
  return { orgId, call, tx, holders, classes, terms, planId };
}

let counter = 0;
async function grant({ tx, holders, planId }: Founded, vestingTermsId: string, quantity = "1000"): Promise<string> {
  const given = { stakeholderId: holders[0], stockPlanId: planId, quantity, exercisePrice: "1", optionType: "ISO" };
  const dated = { certificateId: `O-${++counter}`, effectiveDate: "2024-01-01", vestingTermsId };
  return (await tx("issue-options", { ...given, ...dated })).securityId;
}

/** By holder and kind, on each day: what is outstanding, what of it has vested, and what has no day yet. */
async function vestingOf(orgId: string, since: string): Promise<Record<string, string>> {
  const call = callerOf(server, orgId);
  const sums = new Map<string, [bigint, bigint, bigint]>();
  for (let cursor = ""; ; ) {
    const page = await call("GET", `/securities?limit=100${cursor}`);
    for (const { id, stakeholderId, type } of page.items) {
      for (const day of DAYS.filter((each) => each >= since)) {
        const status = await call("GET", `/securities/${id}/vesting?asOf=${day}`);
        const twice = parseDecimal(status.exercised) - parseDecimal(status.earlyExercised);
        const key = `${stakeholderId} ${type} ${day}`;
        const [held, vested, waiting] = sums.get(key) ?? [0n, 0n, 0n];
        sums.set(key, [
          held + parseDecimal(status.quantity) - twice,
          vested + parseDecimal(status.vested) - twice,
          // What is known of events shows on the days before them, too; OCF says it from then on.
          waiting + (day >= TODAY ? parseDecimal(status.unscheduled) : 0n),
        ]);
      }
    }
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  const told = [...sums].map(([key, [held, vested, waiting]]) => [key, `${vested}/${held} ${waiting}`] as const);
  return Object.fromEntries(told.filter(([, figures]) => figures !== "0/0 0").sort());
}

/** Exports, checks, imports into another organization, and compares; then once more from there. */
async function expectRoundTrip(company: Founded, since = "") {
  const exported = await exportOf(server, company.orgId);
  await expectNoProblems(exported);
  const copy = await server.newOrganization();
  const report = await importInto(server, copy, exported.path);
  expect(report.errors).toEqual([]);
  // What OCF cannot raise is cancelled, and issued anew with its number.
  expect(report.warnings.filter(({ code }) => code !== "duplicate-certificate")).toEqual([]);
  const figures = await vestingOf(company.orgId, since);
  expect(await vestingOf(copy, since)).toEqual(figures);
  const again = await server.newOrganization();
  await importInto(server, again, (await exportOf(server, copy)).path);
  expect(await vestingOf(again, since)).toEqual(figures);
  return exported;
}

describe("stock that vests otherwise goes round a split of its class", () => {
  async function shares({ tx, holders, classes, terms }: Founded, vestingTermsId: string | null = terms.mixed) {
    const given = { stakeholderId: holders[0], stockClassId: classes[0], quantity: "100", effectiveDate: "2024-01-01" };
    return (await tx("issue-shares", { ...given, certificateId: `S-${++counter}`, vestingTermsId }))
      .securityId as string;
  }

  const split = (classes: readonly string[], effectiveDate = TODAY) => ({
    ...{ stockClassId: classes[0], numerator: 2, denominator: 1, effectiveDate },
  });

  test("a milestone attached after the split holds as many shares in the copy", async () => {
    const company = await found();
    const securityId = await shares(company, null);
    await company.tx("split", split(company.classes));
    await company.call("POST", "/vesting-milestones", { name: "Launch", securityId, quantity: "6" });
    expect((await company.call("GET", `/securities/${securityId}/vesting`)).vested).toBe("194");
    await expectRoundTrip(company, TODAY);
  });

  test("one attached between two splits, and one after both", async () => {
    const company = await found();
    const securityId = await shares(company, null);
    const attach = (quantity: string) =>
      company.call("POST", "/vesting-milestones", { name: "Launch", securityId, quantity });
    await company.tx("split", split(company.classes));
    await attach("6");
    await company.tx("split", split(company.classes));
    await attach("10");
    await expectRoundTrip(company, TODAY);
  });

  test("an event of a day after the split that was recorded before it vests the divided shares in the copy", async () => {
    const company = await found();
    const { tx, holders, classes } = company;
    const tomorrow = new Date(Date.parse(TODAY) + 86_400_000).toISOString().slice(0, 10);
    const moved = { fromStakeholderId: holders[0], toStakeholderId: holders[1], quantity: "40", effectiveDate: TODAY };
    const made = await tx("transfer", { securityId: await shares(company), ...moved });
    await tx("record-vesting-event", {
      securityId: made.newSecurityId,
      conditionId: "sale",
      effectiveDate: tomorrow,
    });
    await tx("split", split(classes));
    await expectRoundTrip(company, "2029-01-01");
  });
});

test("an event that comes with a grown package vests what was divided here meanwhile", async () => {
  const { orgId, tx, holders, classes, terms } = await found();
  const given = { stakeholderId: holders[0], stockClassId: classes[0], quantity: "100", vestingTermsId: terms.mixed };
  const { securityId } = await tx("issue-shares", { ...given, certificateId: `S-${++counter}` });
  const { files, path } = await exportOf(server, orgId);
  const copy = await server.newOrganization();
  await importInto(server, copy, path);
  const call = callerOf(server, copy);
  const moved = { fromStakeholderId: holders[0], toStakeholderId: holders[1], quantity: "40", effectiveDate: TODAY };
  await call("POST", "/transactions/transfer", { securityId, ...moved });
  const before = await call("GET", `/securities/${securityId}/vesting`);
  const event = { object_type: "TX_VESTING_EVENT", id: "sale", date: TODAY, security_id: securityId };
  files["transactions.json"].items.push({ ...event, vesting_condition_id: "sale" });
  const folder = mkdtempSync(join(tmpdir(), "captable-grown-"));
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(file));
  expect((await importInto(server, copy, folder)).errors).toEqual([]);
  rmSync(folder, { recursive: true });
  const after = await call("GET", `/securities/${securityId}/vesting`);
  expect([before.vested, after.vested, after.unscheduled]).toEqual(["15", "30", "0"]);
});

describe("an export names exact days where the terms do not say them", () => {
  test("of a grant by its terms it says nothing but the terms", async () => {
    const company = await found();
    await grant(company, company.terms.monthly);
    await grant(company, company.terms.mixed);
    const exported = await expectRoundTrip(company);
    const issued = ofType(exported, "TX_EQUITY_COMPENSATION_ISSUANCE");
    expect(issued.map(({ vestings, vesting_terms_id }) => [vestings, vesting_terms_id])).toEqual([
      [undefined, company.terms.monthly],
      [undefined, company.terms.mixed],
    ]);
  });

  test("after a transfer both parts have their own", async () => {
    const company = await found();
    const { tx, holders, terms } = company;
    const securityId = await grant(company, terms.monthly, "4800");
    const parties = { fromStakeholderId: holders[0], toStakeholderId: holders[1] };
    await tx("transfer", { securityId, ...parties, quantity: "1150", effectiveDate: "2025-03-10" });
    const exported = await expectRoundTrip(company);
    const [, first, second] = ofType(exported, "TX_EQUITY_COMPENSATION_ISSUANCE");
    for (const issuance of [first, second]) {
      expect(issuance?.vesting_terms_id).toBeUndefined();
      expect(issuance?.vestings).toHaveLength(35);
      expect(issuance?.vestings[0]).toMatchObject({ date: "2025-03-10" });
    }
    expect([first?.vestings[0].amount, second?.vestings[0].amount].sort()).toEqual(["1065", "335"]);
  });

  test("what waits keeps the terms beside it, and gets its day in the copy, too", async () => {
    const company = await found();
    const { tx, holders, terms, call } = company;
    const securityId = await grant(company, terms.mixed);
    const parties = { fromStakeholderId: holders[0], toStakeholderId: holders[1] };
    const { newSecurityId } = await tx("transfer", { securityId, ...parties, quantity: "401" });
    const exported = await expectRoundTrip(company);
    const issued = ofType(exported, "TX_EQUITY_COMPENSATION_ISSUANCE").find(
      (each) => each.security_id === newSecurityId,
    );
    expect(issued).toMatchObject({
      vesting_terms_id: terms.mixed,
      vestings: [{ date: "2025-01-01", amount: "100" }],
      comments: [expect.stringContaining(`{"amount":"100","condition":"sale","occurrence":1}`)],
    });
    await tx("record-vesting-event", { securityId: newSecurityId, conditionId: "sale", effectiveDate: "2024-08-01" });
    await expectRoundTrip(company);
    const copy = await server.newOrganization();
    await importInto(server, copy, exported.path);
    const event = { securityId: newSecurityId, conditionId: "sale", effectiveDate: "2024-08-01" };
    await callerOf(server, copy)("POST", "/transactions/record-vesting-event", event);
    const status = await callerOf(server, copy)("GET", `/securities/${newSecurityId}/vesting?asOf=2029-01-01`);
    expect(status).toMatchObject(await pick(call, newSecurityId));
  });

  test("shares that vested by a count, without a condition, have vested in the copy, too", async () => {
    const company = await found();
    const { tx, terms } = company;
    const securityId = await grant(company, terms.monthly);
    await tx("record-vesting-event", { securityId, quantity: "120" });
    await expectRoundTrip(company, "2024-06-15");
  });

  test("what an early exercise left vests in the copy as it did then, whatever becomes of the terms", async () => {
    const company = await found();
    const { tx, call, terms } = company;
    const securityId = await grant(company, terms.monthly);
    await tx("exercise", { securityId, quantity: "100", exercisePrice: "1", earlyExercise: true });
    const yearly = [{ id: "cliff", trigger: timed(12), portion: part(1, 1) }];
    await call("PATCH", `/vesting-terms/${terms.monthly}`, { vestingConditions: yearly });
    await expectRoundTrip(company, "2024-06-15");
  });

  test("also where an import brought the grant", async () => {
    const company = await found();
    await grant(company, company.terms.mixed);
    const orgId = await server.newOrganization();
    await importInto(server, orgId, (await exportOf(server, company.orgId)).path);
    const call = callerOf(server, orgId);
    const [{ id: securityId }] = (await call("GET", "/securities")).items;
    const event = { securityId, quantity: "120", effectiveDate: "2024-06-15" };
    await call("POST", "/transactions/record-vesting-event", event);
    await expectRoundTrip({ ...company, orgId, call }, "2024-06-15");
  });

  test("a start that is recorded later and dated earlier is the one that counts in the copy, too", async () => {
    const company = await found();
    const { tx, terms } = company;
    const securityId = await grant(company, terms.monthly);
    await tx("start-vesting", { securityId, effectiveDate: "2024-06-15" });
    await tx("start-vesting", { securityId, effectiveDate: "2023-02-28" });
    await expectRoundTrip(company, "2024-06-15");
  });

  test("milestones wait in the copy, and what a cancellation left is the same", async () => {
    const company = await found();
    const { tx, call, terms } = company;
    const securityId = await grant(company, terms.monthly);
    const milestone = { name: "Launch", securityId, quantity: "300" };
    const { id } = await call("POST", "/vesting-milestones", milestone);
    await tx("cancel", { securityId, quantity: "100", cancellationReason: "FORFEITURE" });
    await expectRoundTrip(company);
    await call("POST", `/vesting-milestones/${id}/complete`);
    await expectRoundTrip(company);
  });

  test("milestones that imported options and stock wait for, wait in the copy of the copy, and vest there", async () => {
    const company = await found();
    const option = await grant(company, company.terms.monthly);
    const stock = { stakeholderId: company.holders[0], stockClassId: company.classes[0], quantity: "500" };
    const dated = { certificateId: `S-${++counter}`, effectiveDate: "2024-01-01" };
    const { securityId } = await company.tx("issue-shares", { ...stock, ...dated });
    const copy = await server.newOrganization();
    await importInto(server, copy, (await exportOf(server, company.orgId)).path);
    const call = callerOf(server, copy);
    const attach = (given: object) => call("POST", "/vesting-milestones", { name: "Launch", ...given });
    const { id } = await attach({ securityId: option, quantity: "300" });
    await attach({ securityId, quantity: "200" });
    await expectRoundTrip({ ...company, orgId: copy });
    await call("POST", `/vesting-milestones/${id}/complete`);
    await expectRoundTrip({ ...company, orgId: copy });
  });

  test("the start of one condition of an imported grant is the copy's, too", async () => {
    const company = await found();
    const securityId = await grant(company, company.terms.monthly);
    const copy = await server.newOrganization();
    await importInto(server, copy, (await exportOf(server, company.orgId)).path);
    const started = { securityId, conditionId: "cliff", effectiveDate: "2024-05-01" };
    await callerOf(server, copy)("POST", "/transactions/start-vesting", started);
    await expectRoundTrip({ ...company, orgId: copy });
  });

  test("early exercised stock, accelerations and corrections", async () => {
    const company = await found();
    const { tx, terms } = company;
    const early = await grant(company, terms.monthly);
    const { newSecurityId } = await tx("exercise", {
      ...{ securityId: early, quantity: "600", exercisePrice: "1", earlyExercise: true, effectiveDate: "2025-03-01" },
    });
    await tx("repurchase", {
      securityId: newSecurityId,
      quantity: "100",
      pricePerShare: "1",
      effectiveDate: "2025-04-01",
    });
    await tx("accelerate-vesting", {
      securityId: newSecurityId,
      quantity: "50",
      reason: "x",
      effectiveDate: "2025-05-01",
    });
    await expectRoundTrip(company);
  });

  test("a correction of today shows in the issuance, and vests from today on as it does here", async () => {
    const company = await found();
    const lowered = await grant(company, company.terms.monthly);
    await company.call("PATCH", `/securities/${lowered}`, { quantity: "700" });
    const raised = await grant(company, company.terms.monthly);
    await company.call("PATCH", `/securities/${raised}`, { quantity: "1200" });
    await expectRoundTrip(company, TODAY);
  });

  /** Another organization that holds the same by import, grants by terms and parcels of their own. */
  async function importedTwin() {
    const company = await found();
    for (const divided of [false, true, false, true]) {
      const securityId = await grant(company, company.terms.monthly);
      if (!divided) continue;
      const on = { quantity: "150", effectiveDate: "2025-03-10" };
      await company.tx("cancel", { securityId, ...on, cancellationReason: "FORFEITURE" });
    }
    const orgId = await server.newOrganization();
    await importInto(server, orgId, (await exportOf(server, company.orgId)).path);
    const twin = { ...company, orgId, call: callerOf(server, orgId) };
    const listed = (await twin.call("GET", "/securities")).items.filter(({ status }: Shape) => status === "ACTIVE");
    const securities: readonly Shape[] = listed;
    expect(securities).toHaveLength(4);
    return { twin, securities };
  }

  test("a correction of what an import brought does so, too, with days of its own or by terms", async () => {
    const { twin, securities } = await importedTwin();
    for (const [n, { id, quantity }] of securities.entries()) {
      await twin.call("PATCH", `/securities/${id}`, { quantity: String(Number(quantity) + (n < 2 ? 107 : -93)) });
    }
    await expectRoundTrip(twin, TODAY);
  });

  test("a split multiplies what an import brought, on its days", async () => {
    const { twin, securities } = await importedTwin();
    const own = securities.filter(({ vestingTermsId }) => vestingTermsId === null);
    expect(own).toHaveLength(2);
    const before = await Promise.all(own.map(({ id }) => pick(twin.call, id)));
    const { stockClassId } = await twin.call("GET", `/securities/${securities[0]?.id}`);
    const ratio = { numerator: 3, denominator: 1 };
    await twin.call("POST", "/transactions/split", { stockClassId, ...ratio, effectiveDate: TODAY });
    const after = await Promise.all(own.map(({ id }) => pick(twin.call, id)));
    expect(after).toEqual(before.map((each) => thrice(each)));
    await expectRoundTrip(twin, TODAY);
  });
});

async function pick(call: Founded["call"], id: string) {
  const { quantity, vested, unscheduled, events } = await call("GET", `/securities/${id}/vesting?asOf=2029-01-01`);
  return {
    quantity,
    vested,
    unscheduled,
    events: events.map(({ date, quantity: of }: Shape) => ({ date, quantity: of })),
  };
}

function thrice({ quantity, vested, unscheduled, events }: Awaited<ReturnType<typeof pick>>) {
  const times = (text: string) => String(Number(text) * 3);
  const tripled = events.map((each: Shape) => ({ ...each, quantity: times(each.quantity) }));
  return { quantity: times(quantity), vested: times(vested), unscheduled: times(unscheduled), events: tripled };
}

const WALKS = Number(process.env.WALKS ?? (process.env.CAPTABLE_RELEASE ? 200 : 3));
const FIRST = Number(process.env.CAPTABLE_SEED ?? 1);

test.each(Array.from({ length: process.env.CAPTABLE_SEED ? 1 : WALKS }, (_, i) => FIRST + i))(
  "history %d of grants that are divided at random comes back day by day",
  async (seed) => {
    const company = await found();
    const { tx, call, holders, classes, terms } = company;
    const random = new Random(seed);
    const open = [await grant(company, terms.monthly), await grant(company, terms.mixed, "777")];
    const months = ["2024-03-01", "2024-06-15", "2025-02-01", "2025-06-01", "2026-01-01", "2026-08-01"];
    const done = new Map<string, number>();
    for (const effectiveDate of months) {
      for (let step = 0; step < 3; step++) {
        const securityId = random.maybe(open);
        const { quantity, stakeholderId } = await call("GET", `/securities/${securityId}`);
        const some = String(1 + random.below(Math.max(1, Math.floor(Number(quantity) / 2))));
        const to = stakeholderId === holders[0] ? holders[1] : holders[0];
        const on = { securityId, quantity: some, effectiveDate };
        const kinds: Record<string, () => Promise<Shape>> = {
          transfer: () => tx("transfer", { ...on, fromStakeholderId: stakeholderId, toStakeholderId: to }),
          exercise: () => tx("exercise", { ...on, exercisePrice: "1" }),
          early: () => tx("exercise", { ...on, exercisePrice: "1", earlyExercise: true }),
          cancel: () => tx("cancel", { ...on, cancellationReason: "FORFEITURE" }),
          cancelVested: () => tx("cancel", { ...on, cancellationReason: "FORFEITURE", vestedQuantity: "1" }),
          accelerate: () => tx("accelerate-vesting", { ...on, reason: "x" }),
          event: () => tx("record-vesting-event", { securityId, conditionId: "sale", effectiveDate }),
          repurchase: () => tx("repurchase", { ...on, pricePerShare: "1" }),
          convert: () => tx("convert", { ...on, stockClassId: classes[1], resultingQuantity: "333" }),
          raise: () => call("PATCH", `/securities/${securityId}`, { quantity: String(Number(quantity) + 10) }),
        };
        const kind = random.maybe(Object.keys(kinds)) ?? "";
        if (kind === "raise" && effectiveDate !== months.at(-1)) continue;
        const made = await kinds[kind]?.().catch(() => null);
        if (!made) continue;
        done.set(kind, (done.get(kind) ?? 0) + 1);
        if (made.newSecurityId) open.push(made.newSecurityId);
      }
    }
    expect(done.size).toBeGreaterThan(1);
    await expectRoundTrip(company, done.has("raise") ? TODAY : "");
  },
);
