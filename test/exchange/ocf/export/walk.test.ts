// Random histories through the API, dated in any order, with edits, splits and deletions: whatever the ledger holds,
// the package has no fault, an importer gets the same totals from it, and exports the same objects again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomFrom } from "../../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { RELEASE } from "../../../kit/release.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";
import { misplacedIn } from "./misplaced.ts";
import { expectNoProblems, exportOf, importInto, tool } from "./support.ts";

const SEEDS = RELEASE ? 40 : 1;
const STEPS = RELEASE ? 120 : 70;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** One organization and the dice that decide what happens in it. */
class Walk {
  readonly #orgId: string;
  readonly #random: () => number;
  #holders: string[] = [];
  #classes: string[] = [];
  #plans: string[] = [];
  #terms = "";
  readonly #securities: string[] = [];
  #certificates = 0;

  constructor(orgId: string, seed: number) {
    this.#orgId = orgId;
    this.#random = randomFrom(seed);
  }

  async prepare(): Promise<void> {
    const where = { orgId: this.#orgId };
    for (let i = 0; i < 3; i++) this.#holders.push(await makeStakeholder(server, {}, where));
    const authorized = { initialSharesAuthorized: "100000000" };
    this.#classes = [
      await makeShareClass(server, authorized, where),
      await makeShareClass(
        server,
        { ...authorized, classType: "PREFERRED", defaultIdPrefix: "P-", seniority: 3 },
        where,
      ),
    ];
    for (const [i, defaultCancellationBehavior] of ["RETURN_TO_POOL", "RETIRE", "RETURN_TO_POOL"].entries()) {
      const stockClassIds = i === 2 ? [] : [this.#classes[0]];
      const plan = {
        planName: `Plan ${i}`,
        initialSharesReserved: "1000000",
        stockClassIds,
        defaultCancellationBehavior,
      };
      this.#plans.push((await this.#call("POST", "/equity-plans", plan)).id);
    }
    this.#terms = (await this.#call("POST", "/vesting-terms", TERMS)).id;
  }

  async step(): Promise<void> {
    const held = this.#securities.length > 0 ? this.#pick(this.#securities) : null;
    const security = held === null ? null : await this.#call("GET", `/securities/${held}`);
    if (security === null || this.#random() < 0.35) return this.#issue();
    if (security.id === undefined) return;
    await this.#act(security);
  }

  async #issue(): Promise<void> {
    const [stakeholderId, effectiveDate] = [this.#pick(this.#holders), this.#day()];
    const certificateId = `X-${++this.#certificates}`;
    const common = { stakeholderId, effectiveDate, certificateId, quantity: this.#quantity() };
    const vesting = this.#random() < 0.3 ? { vestingTermsId: this.#terms } : {};
    const stockClassId = this.#pick(this.#classes);
    const plan = { stockPlanId: this.#pick(this.#plans), exercisePrice: "0.5", optionType: "ISO" };
    const [route, given] = this.#pick<[string, object]>([
      ["issue-shares", { stockClassId, pricePerShare: "1.5", ...vesting }],
      ["issue-options", { ...plan, ...vesting }],
      ["issue-warrant", { stockClassId, exercisePrice: "2" }],
      ["issue-convertible", { convertibleType: this.#pick(["SAFE", "NOTE"]), discountPercent: "12.5" }],
    ]);
    await this.#transact(route, { ...common, ...given });
  }

  async #act({ id: securityId, quantity: all, stakeholderId, exercisePrice }: Shape): Promise<void> {
    const half = Math.max(1, Math.floor(Number(all) / 2));
    const quantity = this.#random() < 0.3 ? all : String(1 + this.#whole(half));
    const on = { securityId, effectiveDate: this.#day() };
    const stockClassId = this.#pick(this.#classes);
    const some = { ...on, quantity };
    const [toStakeholderId, path] = [this.#pick(this.#holders), `/securities/${securityId}`];
    const exercise = { ...some, exercisePrice: exercisePrice ?? "1", earlyExercise: true, stockClassId };
    const ratio = { numerator: 1 + this.#whole(4), denominator: 1 + this.#whole(3) };
    const rounding = this.#pick(["DOWN", "UP", "NEAREST", "FRACTIONAL"]);
    const newSharesReserved = String(500_000 + this.#whole(1_000_000));
    const reserve = { equityPlanId: this.#pick(this.#plans), newSharesReserved, effectiveDate: this.#day() };
    const edit = this.#pick<object>([
      { quantity: this.#quantity() },
      { quantity: this.#quantity(), status: "ACTIVE" },
      { status: this.#pick(["CANCELLED", "EXERCISED", "TRANSFERRED", "ACTIVE"]) },
      { stakeholderId: toStakeholderId },
      { stockClassId },
      { stockPlanId: this.#pick(this.#plans) },
    ]);
    const acts: readonly (() => Promise<unknown>)[] = [
      () => this.#transact("transfer", { ...some, fromStakeholderId: stakeholderId, toStakeholderId }),
      () => this.#transact("exercise", exercise),
      () => this.#transact("cancel", { ...some, cancellationReason: "FORFEITURE", returnToPool: this.#random() < 0.5 }),
      () => this.#transact("convert", { ...some, stockClassId, ...this.#converted() }),
      () => this.#transact("repurchase", { ...some, pricePerShare: "1" }),
      () => this.#transact("retract", { ...on, reason: "Never signed" }),
      () => this.#transact("split", { stockClassId, ...ratio, rounding, effectiveDate: this.#day() }),
      () => this.#transact("adjust-reserve", reserve),
      () => this.#transact("start-vesting", on),
      () => this.#transact("record-vesting-event", { ...on, conditionId: "event" }),
      () => this.#call("PATCH", path, edit),
      () => this.#call("PATCH", path, edit),
      () => this.#call("DELETE", path),
      () => this.#call("POST", `${path}/acceptances`, { acceptedOn: this.#day() }),
      () => this.#call("POST", `${path}/acceptances`, { acceptedOn: this.#day() }),
    ];
    await this.#pick(acts)();
  }

  /** What is recorded of a conversion, by right or not: which of them a class has is not known here. */
  #converted(): object {
    return this.#random() < 0.4 ? {} : { resultingQuantity: this.#quantity(), notByRight: this.#random() < 0.5 };
  }

  async #transact(route: string, body: object): Promise<void> {
    const { securityId, newSecurityId } = await this.#call("POST", `/transactions/${route}`, body);
    this.#securities.push(...[securityId, newSecurityId].filter((id) => typeof id === "string"));
  }

  /** What is refused is refused: the walk goes on. */
  async #call(method: string, path: string, body?: object): Promise<Shape> {
    const { status, json, text } = await server.api(method, path, body, { orgId: this.#orgId });
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status >= 300 ? {} : (json.data ?? json);
  }

  #whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#whole(list.length)] as T;
  }

  #quantity(): string {
    return this.#random() < 0.2 ? `${1 + this.#whole(500)}.5` : String(1 + this.#whole(2000));
  }

  #day(): string {
    const part = (count: number) => String(1 + this.#whole(count)).padStart(2, "0");
    return `202${4 + this.#whole(3)}-${part(12)}-${part(28)}`;
  }
}

const TERMS = {
  name: "Terms",
  description: "By sevenths of a year, and by an event",
  vestingConditions: [
    {
      id: "monthly",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
      portion: { numerator: 7, denominator: 48 },
      nextConditionId: "monthly",
    },
    {
      id: "event",
      trigger: { type: "EVENT_BASED", eventDescription: "Something" },
      portion: { numerator: 0, denominator: 48 },
    },
  ],
};

async function figures(orgId: string) {
  const ask = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const { totals, shareClasses, equityPlans } = (await ask("/cap-table?asOf=2099-01-01")).data;
  return {
    issued: (await ask("/cap-table/summary")).data.totalIssued,
    options: totals.options,
    warrants: totals.warrants,
    classes: Object.fromEntries(shareClasses.map((each: Shape) => [each.id, each.issued])),
    plans: Object.fromEntries(
      equityPlans.map(({ id, reserved, granted, exercised, available }: Shape) => [
        id,
        { reserved, granted, exercised, available },
      ]),
    ),
  };
}

/** The same figures as an independent reader of the package finds them; it counts grants before a split as they were. */
async function figuresOf(path: string) {
  const oracle = JSON.parse(await tool("ocf-oracle.mjs", path));
  const of = (records: Shape, member: string) =>
    Object.fromEntries(Object.entries(records).map(([id, record]) => [id, (record as Shape)[member]]));
  return {
    issued: oracle.totalIssued,
    options: oracle.totalEquityCompensation,
    warrants: oracle.totalWarrants,
    classes: of(oracle.stockClasses, "issued"),
    plans: Object.fromEntries(
      Object.entries<Shape>(oracle.stockPlans).map(([id, { reserved, available }]) => [id, { reserved, available }]),
    ),
  };
}

let accepted = 0;

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`history ${seed} exports without a fault and adds up for any reader`, async () => {
    const orgId = await server.newOrganization("First");
    const walk = new Walk(orgId, seed);
    await walk.prepare();
    for (let i = 0; i < STEPS; i++) await walk.step();
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    expect(misplacedIn(exported.files["transactions.json"]?.items)).toEqual([]);
    accepted += exported.objects.filter(({ object_type: type }) => String(type).endsWith("_ACCEPTANCE")).length;
    const own = await figures(orgId);
    expect(own).toMatchObject(await figuresOf(exported.path));
    const secondId = await server.newOrganization("Second");
    expect((await importInto(server, secondId, exported.path)).errors).toEqual([]);
    expect(await figures(secondId)).toEqual(own);
    const again = new Map(
      (await exportOf(server, secondId)).objects.map((each) => [`${each.object_type} ${each.id}`, each]),
    );
    for (const object of exported.objects) expect(again.get(`${object.object_type} ${object.id}`)).toEqual(object);
    expect(again.size).toBe(exported.objects.length);
  }, 120_000);
}

test("the histories had acceptances", () => expect(accepted).toBeGreaterThan(0));
