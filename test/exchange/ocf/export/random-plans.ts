// A random company with plans, through the API: grants and stock under plans for one class and for several, what is made
// of them, splits of the classes, and edits if they are asked for.
import { Random } from "../../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import type { TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";

const ROUNDINGS = ["DOWN", "UP", "NEAREST", "FRACTIONAL"];
const FIRST_DAY = Date.UTC(2025, 0, 1);

/** How a company is made. */
export interface Making {
  readonly seed: number;
  readonly steps: number;
  /** Whether quantities, plans and a plan's classes are edited, too. */
  readonly isEdited: boolean;
}

/** One company, as it grows. */
export class RandomPlans {
  readonly days = new Set<string>();
  splits = 0;
  readonly #server: TestServer;
  readonly #orgId: string;
  readonly #dice: Random;
  readonly #isEdited: boolean;
  readonly #securities: string[] = [];
  #holders: string[] = [];
  #classes: string[] = [];
  #plans: string[] = [];
  #day = 0;
  #certificates = 0;

  private constructor(server: TestServer, orgId: string, { seed, isEdited }: Making) {
    this.#server = server;
    this.#orgId = orgId;
    this.#dice = new Random(seed);
    this.#isEdited = isEdited;
  }

  static async make(server: TestServer, making: Making): Promise<RandomPlans & { readonly orgId: string }> {
    const orgId = await server.newOrganization("Pool, Inc.");
    const company = new RandomPlans(server, orgId, making);
    await company.#found();
    for (let i = 0; i < making.steps; i++) await company.#step();
    return Object.assign(company, { orgId });
  }

  async #found(): Promise<void> {
    const where = { orgId: this.#orgId };
    this.#holders = [await makeStakeholder(this.#server, {}, where), await makeStakeholder(this.#server, {}, where)];
    const authorized = { initialSharesAuthorized: "1000000000" };
    const other = { ...authorized, name: "Class B", defaultIdPrefix: "CB-", seniority: 3 };
    this.#classes = [
      await makeShareClass(this.#server, authorized, where),
      await makeShareClass(this.#server, other, where),
    ];
    const [common, second] = this.#classes;
    for (const [i, stockClassIds] of [[common], [common], [common, second], [second]].entries()) {
      const defaultCancellationBehavior = i % 2 === 0 ? "RETURN_TO_POOL" : "RETIRE";
      const board = { boardApprovalDate: "2025-01-01", defaultCancellationBehavior };
      const plan = { planName: `Plan ${i}`, initialSharesReserved: "100000", stockClassIds, ...board };
      this.#plans.push((await this.#call("POST", "/equity-plans", plan)).id);
    }
  }

  async #step(): Promise<void> {
    this.#day += this.#dice.below(9);
    const held = this.#securities.length > 0 ? this.#pick(this.#securities) : null;
    const security = held === null ? {} : await this.#call("GET", `/securities/${held}`);
    const roll = this.#dice.below(16);
    if (security.id === undefined || this.#securities.length < 3 || roll < 4) await this.#issue();
    else if (this.#isEdited && roll < 7) await this.#edit(security);
    else await this.#act(security);
  }

  async #issue(): Promise<void> {
    const place = this.#dice.below(this.#plans.length);
    const quantity = String(1 + this.#dice.below(900));
    const certificateId = `X-${++this.#certificates}`;
    const given = { stakeholderId: this.#pick(this.#holders), quantity, certificateId };
    const stockClassId = place === 3 ? this.#classes[1] : this.#classes[place === 2 ? this.#dice.below(2) : 0];
    const under = { stockPlanId: this.#plans[place], stockClassId };
    if (this.#dice.below(3) === 0) await this.#award({ ...given, ...under, pricePerShare: "1" });
    else await this.#transact("issue-options", { ...given, ...under, exercisePrice: "1", optionType: "NSO" });
  }

  async #award(body: object): Promise<void> {
    const grantDate = this.#today();
    const { id } = await this.#call("POST", "/securities", { type: "STOCK", ...body, grantDate });
    if (id !== undefined) this.#securities.push(id);
    this.days.add(grantDate);
  }

  async #act({ id: securityId, quantity: all, stakeholderId, exercisePrice }: Shape): Promise<void> {
    const half = Math.max(1, Math.floor(Number(all) / 2));
    const quantity = this.#dice.below(4) === 0 ? all : String(1 + this.#dice.below(half));
    const some = { securityId, quantity };
    const [fromStakeholderId, toStakeholderId] = [stakeholderId, this.#pick(this.#holders)];
    const returnToPool = this.#dice.below(2) === 0;
    const [place, kind] = [this.#dice.below(2), this.#dice.below(8)];
    const ratio = { numerator: 1 + this.#dice.below(5), denominator: 1 + this.#dice.below(3) };
    const split = { stockClassId: this.#classes[place], ...ratio, rounding: this.#pick(ROUNDINGS) };
    const right = { stockClassId: this.#classes[1 - place], resultingQuantity: String(1 + this.#dice.below(5000)) };
    if (kind <= 1) {
      const { securitiesAdjusted } = await this.#transact("split", split);
      if (securitiesAdjusted !== undefined) this.splits++;
    } else if (kind === 2) await this.#transact("transfer", { ...some, fromStakeholderId, toStakeholderId });
    else if (kind === 3) await this.#transact("exercise", { ...some, exercisePrice: exercisePrice ?? "1" });
    else if (kind === 4) await this.#transact("convert", { ...some, ...right, notByRight: true });
    else if (kind === 5) await this.#transact("repurchase", { ...some, pricePerShare: "1", returnToPool });
    else await this.#transact("cancel", { ...some, cancellationReason: "FORFEITURE", returnToPool });
  }

  async #edit({ id }: Shape): Promise<void> {
    const [kind, place] = [this.#dice.below(4), this.#dice.below(this.#plans.length)];
    const path = `/securities/${id}`;
    if (kind === 0) await this.#call("PATCH", path, { stockPlanId: this.#plans[place] });
    else if (kind === 1) await this.#call("PATCH", path, { stockPlanId: null });
    else if (kind === 2) await this.#call("PATCH", path, { quantity: String(1 + this.#dice.below(900)) });
    else {
      const stockClassIds = this.#dice.below(2) === 0 ? this.#classes : [this.#pick(this.#classes)];
      await this.#call("PATCH", `/equity-plans/${this.#plans[place]}`, { stockClassIds });
    }
  }

  #today(): string {
    return new Date(FIRST_DAY + this.#day * 86_400_000).toISOString().slice(0, 10);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#dice.below(list.length)] as T;
  }

  async #transact(route: string, body: object): Promise<Shape> {
    const effectiveDate = this.#today();
    const answer = await this.#call("POST", `/transactions/${route}`, { ...body, effectiveDate });
    const { securityId, newSecurityId } = answer;
    this.#securities.push(...[securityId, newSecurityId].filter((id) => typeof id === "string"));
    this.days.add(effectiveDate);
    return answer;
  }

  /** What is refused is refused: the company goes on. */
  async #call(method: string, path: string, body?: object): Promise<Shape> {
    const { status, json, text } = await this.#server.api(method, path, body, { orgId: this.#orgId });
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status >= 300 ? {} : (json.data ?? json);
  }
}
