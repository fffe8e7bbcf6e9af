// Random companies of which a tenth of the entries is dated ahead of the day of their recording and a tenth dated back,
// with splits, transfers, exercises, conversions and cancellations in between.
import type { Service } from "../../../kit/in-process.ts";
import type { Shape } from "./company.ts";

/** The day on which everything is recorded. */
export const TODAY = "2026-06-15";
const STEPS = 26;

type Pick = (below: number) => number;

/** What a company may have that makes the days go against the order of recording. */
export const KINDS = [
  "entries",
  "issued ahead",
  "taken ahead",
  "issued back",
  "taken back",
  "splits after entries ahead",
  "takings back that count later",
  "refused",
] as const;

/** How often each was met. */
export type Met = Record<(typeof KINDS)[number], number>;

/** That each was not met yet. */
export function newMet(): Met {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Met;
}

/** A company that was made, and the days that its entries name. */
export interface RandomCompany {
  readonly orgId: string;
  readonly days: readonly string[];
}

/** Makes one; `pick` decides what happens in it, `met` counts what of it goes against the order. */
export async function makeRandomCompany(home: Service, pick: Pick, met: Met): Promise<RandomCompany> {
  const made = new Making(home, await home.newOrganization("Ahead, Inc."), pick, met);
  await made.found();
  for (let step = 0; step < STEPS; step++) await made.step();
  return { orgId: made.orgId, days: made.days };
}

class Making {
  readonly orgId: string;
  readonly days: string[] = [];
  readonly #home: Service;
  readonly #pick: Pick;
  readonly #met: Met;
  #isAhead = false;
  #latest = "";
  #lastSplit = "";
  readonly #holders: string[] = [];
  readonly #classes: string[] = [];
  readonly #securities: string[] = [];
  #plan = "";
  #past = 0;
  #numbers = 0;

  constructor(home: Service, orgId: string, pick: Pick, met: Met) {
    this.#met = met;
    this.#home = home;
    this.orgId = orgId;
    this.#pick = pick;
  }

  async found(): Promise<void> {
    for (const name of ["Ann", "Bob", "Cy"]) {
      const body = { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" };
      this.#holders.push((await this.#call("POST", "/stakeholders", body)).id);
    }
    for (const [at, name] of ["Common", "Series A"].entries()) {
      const body = { name, classType: at === 0 ? "COMMON" : "PREFERRED", votesPerShare: "1", seniority: 2 - at };
      const more = { defaultIdPrefix: `${name[0]}-`, initialSharesAuthorized: "1000000000" };
      this.#classes.push((await this.#call("POST", "/share-classes", { ...body, ...more })).id);
    }
    const plan = { planName: "Plan", initialSharesReserved: "100000000", stockClassIds: [this.#classes[0]] };
    this.#plan = (await this.#call("POST", "/equity-plans", plan)).id;
  }

  async step(): Promise<void> {
    const what = this.#pick(20);
    if (what < 7 || this.#securities.length < 2) return this.#issue();
    if (what < 10) return this.#split();
    const id = this.#one(this.#securities);
    const security = await this.#call("GET", `/securities/${id}`);
    const all = Number(security.quantity ?? 0);
    if (all < 2 || security.status !== "ACTIVE") return;
    const some = String(this.#pick(4) === 0 ? all : 1 + this.#pick(Math.floor(all) - 1));
    const on = { securityId: id, quantity: some, effectiveDate: this.#day() };
    const holder = security.stakeholderId;
    if (what < 14) {
      const toStakeholderId = this.#one(this.#holders.filter((each) => each !== holder));
      await this.#transact("transfer", { ...on, fromStakeholderId: holder, toStakeholderId });
    } else if (what < 17) {
      await this.#transact("cancel", { ...on, cancellationReason: "TERMINATION", returnToPool: this.#pick(2) === 0 });
    } else if (security.type === "STOCK_OPTION") {
      await this.#transact("exercise", { ...on, exercisePrice: security.exercisePrice });
    } else if (what === 18) {
      const conversion = { stockClassId: this.#classes[0], resultingQuantity: String(1 + this.#pick(500)) };
      await this.#transact("convert", { ...on, ...conversion, notByRight: true });
    } else await this.#transact("repurchase", { ...on, pricePerShare: "1" });
  }

  async #issue(): Promise<void> {
    const effectiveDate = this.#pick(8) === 0 ? this.#noted(dayAfter("2024-01-01", this.#pick(890))) : this.#day();
    const stakeholderId = this.#one(this.#holders);
    const common = {
      stakeholderId,
      effectiveDate,
      quantity: String(10 + this.#pick(5000)),
      certificateId: this.#number(),
    };
    const [stockClassId, kind] = [this.#one(this.#classes), this.#pick(6)];
    const record = {
      stakeholderId,
      grantDate: effectiveDate,
      quantity: common.quantity,
      certificateId: common.certificateId,
    };
    if (kind < 3) await this.#transact("issue-shares", { ...common, stockClassId, pricePerShare: "1.5" });
    else if (kind < 5) {
      const option = { stockPlanId: this.#plan, exercisePrice: "0.5", optionType: "NSO" };
      await this.#transact("issue-options", { ...common, ...option });
    } else {
      const warrant = { ...record, type: "WARRANT", stockClassId, exercisePrice: "2" };
      const { id, warnings } = await this.#call("POST", "/securities", warrant);
      this.#note("issued", effectiveDate, warnings);
      if (id !== undefined) this.#securities.push(id);
    }
  }

  async #split(): Promise<void> {
    const ratio = { numerator: 1 + this.#pick(5), denominator: 1 + this.#pick(3) };
    const rounding = this.#one(["DOWN", "UP", "NEAREST", "FRACTIONAL"]);
    const on = { stockClassId: this.#one(this.#classes), effectiveDate: this.#rising() };
    await this.#transact("split", { ...on, ...ratio, rounding });
  }

  async #transact(route: string, body: Shape): Promise<void> {
    const made = await this.#call("POST", `/transactions/${route}`, body);
    const kind = route.startsWith("issue-") ? "issued" : route === "split" ? "split" : "taken";
    this.#note(kind, body.effectiveDate, made.warnings);
    this.#securities.push(...[made.securityId, made.newSecurityId].filter((id) => typeof id === "string"));
  }

  /** Counts an entry that was recorded, of which the answer has warnings. */
  #note(kind: "issued" | "taken" | "split", date: string, warnings: readonly Shape[] | undefined): void {
    const met = this.#met;
    if (warnings === undefined) {
      met.refused++;
      return;
    }
    met.entries++;
    if (kind === "split") {
      if (this.#isAhead) met["splits after entries ahead"]++;
      this.#lastSplit = date;
      return;
    }
    if (warnings.some(({ code }) => code === "counts-later")) met["takings back that count later"]++;
    if (date > TODAY) {
      met[`${kind} ahead`]++;
      this.#isAhead = true;
    } else if (date < this.#latest) met[`${kind} back`]++;
    else this.#latest = date;
  }

  /** What is refused is refused, and the history goes on. */
  async #call(method: string, path: string, body?: object): Promise<Shape> {
    const { status, json, text } = await this.#home.api(method, path, body, { orgId: this.orgId });
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status >= 300 ? {} : (json.data ?? json);
  }

  /** A day ahead for one in ten, one that is past for another; else a later and later one. */
  #day(): string {
    const kind = this.#pick(10);
    if (kind === 0) return this.#noted(dayAfter(TODAY, 1 + this.#pick(500)));
    return kind === 1 ? this.#noted(this.#back()) : this.#rising();
  }

  /** Any day, or one shortly before the last split: what is dated so counts shares that are there later. */
  #back(): string {
    if (this.#lastSplit === "" || this.#pick(2) === 0) return dayAfter("2024-01-01", this.#pick(890));
    return dayAfter(this.#lastSplit, -1 - this.#pick(150));
  }

  #rising(): string {
    this.#past = Math.min(890, this.#past + this.#pick(70));
    return this.#noted(dayAfter("2024-01-01", this.#past));
  }

  #noted(day: string): string {
    if (!this.days.includes(day)) this.days.push(day);
    return day;
  }

  #number(): string {
    this.#numbers++;
    return `N-${this.#numbers}`;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#pick(list.length)] as T;
  }
}

/** A day so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
