// Vesting that stopped because service ended, through OCF: an importer of the package sees the same shares vest on
// every day, and can let them vest again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../../../src/kernel/date.ts";
import { parseDecimal } from "../../../../src/kernel/numbers/decimal.ts";
import { proved, seedCount } from "../../../kit/proof.ts";
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

const MONTHLY = [
  {
    id: "month",
    trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
    portion: { numerator: 1, denominator: 48 },
  },
];
const MIXED = [
  {
    id: "year",
    trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS" },
    portion: { numerator: 1, denominator: 2 },
  },
  {
    id: "sale",
    trigger: { type: "EVENT_BASED", eventDescription: "Sale" },
    portion: { numerator: 1, denominator: 4 },
  },
  {
    id: "after",
    trigger: { type: "TIME_BASED", periodLength: 6, periodType: "MONTHS" },
    portion: { numerator: 1, denominator: 4 },
    cliffConditionId: "sale",
  },
];
const LEFT = "2026-05-23";

interface Founded {
  readonly orgId: string;
  readonly call: ReturnType<typeof callerOf>;
  readonly tx: (route: string, body: object) => Promise<Shape>;
  readonly holders: readonly string[];
  readonly classes: readonly string[];
  readonly terms: readonly string[];
}

async function found(): Promise<Founded> {
  const orgId = await server.newOrganization();
  const [call, where] = [callerOf(server, orgId), { orgId }];
  const holders = [await makeStakeholder(server, {}, where), await makeStakeholder(server, {}, where)];
  const classes = [await makeShareClass(server, {}, where), await makeShareClass(server, { name: "B" }, where)];
  const terms: string[] = [];
  for (const vestingConditions of [MONTHLY, MIXED]) {
    terms.push((await call("POST", "/vesting-terms", { name: "T", description: "T", vestingConditions })).id);
  }
  const tx = (route: string, body: object) => call("POST", `/transactions/${route}`, { effectiveDate: LEFT, ...body });
  return { orgId, call, tx, holders, classes, terms };
}

let counter = 0;
async function shares({ tx, holders, classes, terms }: Founded, given: object = {}): Promise<string> {
  const body = {
    stakeholderId: holders[0],
    stockClassId: classes[0],
    quantity: "4800",
    certificateId: `S-${++counter}`,
  };
  const dated = { effectiveDate: "2024-11-23", vestingTermsId: terms[0] };
  return (await tx("issue-shares", { ...body, ...dated, ...given })).securityId;
}

async function copyOf({ orgId }: Founded) {
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  const copy = await server.newOrganization();
  const report = await importInto(server, copy, exported.path);
  expect(report.errors).toEqual([]);
  return { exported, copy };
}

const TODAY = new Date().toISOString().slice(0, 10);
const DAYS = [
  "2024-12-01",
  "2025-06-23",
  LEFT,
  "2026-06-23",
  "2026-09-21",
  "2026-10-22",
  TODAY,
  "2027-03-01",
  "2040-01-01",
];

/** By holder and class, on each day: what has vested of what is held. */
async function figuresOf(orgId: string): Promise<Record<string, string>> {
  const call = callerOf(server, orgId);
  const sums = new Map<string, [bigint, bigint]>();
  for (const { id, stakeholderId, stockClassId } of (await call("GET", "/securities?limit=100")).items) {
    for (const day of DAYS) {
      const { vested, quantity } = await call("GET", `/securities/${id}/vesting?asOf=${day}`);
      const key = `${stakeholderId} ${stockClassId} ${day}`;
      const [before, held] = sums.get(key) ?? [0n, 0n];
      sums.set(key, [before + parseDecimal(vested), held + parseDecimal(quantity)]);
    }
  }
  const told = [...sums].map(([key, [vested, held]]) => [key, `${vested}/${held}`] as const);
  return Object.fromEntries(told.filter(([, figures]) => figures !== "0/0").sort());
}

test("the issuance has the days up to the end of service, no terms, and what stopped in our comment", async () => {
  const company = await found();
  const securityId = await shares(company);
  await company.tx("terminate-service", { stakeholderId: company.holders[0] });
  const { exported, copy } = await copyOf(company);
  const issuances = ofType(exported, "TX_STOCK_ISSUANCE");
  expect(issuances).toHaveLength(1);
  const [issuance = {}] = issuances;
  expect(issuance.vesting_terms_id).toBeUndefined();
  const vestings = issuance.vestings as readonly { date: string; amount: string }[];
  expect(vestings).toHaveLength(18);
  expect([vestings[0], vestings.at(-1)]).toEqual([
    { date: "2024-12-23", amount: "100" },
    { date: "2026-05-23", amount: "100" },
  ]);
  const comment = (issuance.comments as readonly string[]).find((each) => each.startsWith("Waiting to vest: ")) ?? "";
  const waiting = JSON.parse(comment.slice("Waiting to vest: ".length));
  expect(waiting).toHaveLength(30);
  expect(waiting[0]).toEqual({ amount: "100", condition: "month", occurrence: 19, stopped: LEFT, date: "2026-06-23" });
  for (const type of ["TX_VESTING_START", "TX_VESTING_EVENT", "TX_STOCK_REISSUANCE", "TX_STOCK_CANCELLATION"]) {
    expect(ofType(exported, type)).toEqual([]);
  }
  expect(await figuresOf(copy)).toEqual(await figuresOf(company.orgId));
  const call = callerOf(server, copy);
  expect(await call("GET", `/securities/${securityId}`)).toMatchObject({ vestingStoppedOn: LEFT });
});

test("vesting can go on in the copy as it can here, with the same days", async () => {
  const company = await found();
  const securityId = await shares(company);
  await company.tx("terminate-service", { stakeholderId: company.holders[0] });
  const { copy } = await copyOf(company);
  const call = callerOf(server, copy);
  for (const each of [company.call, call]) {
    await each("POST", "/transactions/start-vesting", { securityId, effectiveDate: "2026-08-21" });
  }
  const figures = await figuresOf(company.orgId);
  expect(await figuresOf(copy)).toEqual(figures);
  const next = await call("GET", `/securities/${securityId}/vesting?asOf=2026-09-21`);
  expect(next).toMatchObject({ vested: "1900", vestingStoppedOn: null });
  const again = await copyOf({ ...company, orgId: copy });
  expect(await figuresOf(again.copy)).toEqual(figures);
});

test("what an import brought and stopped here is issued anew, and stops in the next copy", async () => {
  const company = await found();
  await shares(company);
  const { copy } = await copyOf(company);
  const call = callerOf(server, copy);
  const [leaver] = company.holders;
  await call("POST", "/transactions/terminate-service", { stakeholderId: leaver, effectiveDate: LEFT });
  const again = await copyOf({ ...company, orgId: copy });
  expect(await figuresOf(again.copy)).toEqual(await figuresOf(copy));
});

const WALKS = seedCount(1, 300);
const SEEDS = process.env.CAPTABLE_SEED
  ? [Number(process.env.CAPTABLE_SEED)]
  : Array.from({ length: WALKS }, (_, i) => i + 1);
const MET = new Map<string, number>();

test.each(SEEDS)(
  "history %d of leavers, returns, transfers, splits and conversions comes back day by day",
  async (seed) => {
    const company = await found();
    const { tx, call, holders, classes, terms } = company;
    const random = new Random(seed);
    const open = [await shares(company), await shares(company, { vestingTermsId: terms[1], quantity: "777" })];
    const done = new Set<string>();
    for (let day = "2025-03-01"; day < TODAY; day = addDays(day, 40 + random.below(120))) {
      const securityId = random.maybe(open);
      const { quantity, stakeholderId, status } = await call("GET", `/securities/${securityId}`);
      if (status !== "ACTIVE") continue;
      const some = String(1 + random.below(Math.max(1, Math.floor(Number(quantity) / 2))));
      const to = stakeholderId === holders[0] ? holders[1] : holders[0];
      const on = { securityId, effectiveDate: day };
      const part = { ...on, quantity: some };
      const kinds: Record<string, () => Promise<Shape>> = {
        transfer: () => tx("transfer", { ...part, fromStakeholderId: stakeholderId, toStakeholderId: to }),
        accelerate: () => tx("accelerate-vesting", { ...part, reason: "x" }),
        event: () => tx("record-vesting-event", { ...on, conditionId: "sale" }),
        repurchase: () => tx("repurchase", { ...part, pricePerShare: "1" }),
        convert: () => tx("convert", { ...part, stockClassId: classes[1], resultingQuantity: "333" }),
        split: () => tx("split", { stockClassId: classes[0], numerator: 2, denominator: 1, effectiveDate: day }),
        leave: () => tx("terminate-service", { stakeholderId: holders[0], effectiveDate: day }),
        leaveToo: () => tx("terminate-service", { stakeholderId: holders[1], effectiveDate: day }),
        back: () => tx("start-vesting", on),
        backToo: () => tx("start-vesting", on),
      };
      const kind = random.maybe(Object.keys(kinds)) ?? "";
      const made = await kinds[kind]?.().catch(() => null);
      if (!made) continue;
      done.add(kind);
      if (made.newSecurityId) open.push(made.newSecurityId);
    }
    for (const kind of done) MET.set(kind, (MET.get(kind) ?? 0) + 1);
    const { copy } = await copyOf(company);
    const figures = await figuresOf(company.orgId);
    expect(await figuresOf(copy)).toEqual(figures);
    expect(await figuresOf((await copyOf({ ...company, orgId: copy })).copy)).toEqual(figures);
  },
);

test("the histories came to what they are about", () => {
  const met = ["leave", "transfer"].every((kind) => MET.has(kind));
  if (SEEDS.length > 1) expect(met).toBe(true);
  const what = "random histories of ends of service and returns, out by OCF and in";
  proved({ fault: "E1", what, count: SEEDS.length, seed: String(SEEDS[0]), result: "0 differences" });
});
