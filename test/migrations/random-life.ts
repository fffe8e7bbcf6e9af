// A company's life at random through the API alone, so that a program of any version can live it: people, grants,
// transfers, exercises, conversions, cancellations, corrections, splits, adjustments, vesting and an import. Days only go
// forward. What a program refuses is passed over.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../src/kernel/assert.ts";
import { addDays, type CalendarDate } from "../../src/kernel/date.ts";
import type { Ask } from "../kit/company.ts";
import { randomFrom } from "../kit/random.ts";

const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");
const DAYS = 600;
/** How much of a life is recorded of past days. The rest is of today, as corrections by hand always are. */
const PAST = 0.8;
/** Every so many steps a class is split. */
const SPLIT_EACH = 60;
/** An import in a life: halfway. */
const HALFWAY = 2;

type Given = Readonly<Record<string, unknown>>;

/** A security as its list shows it. */
interface Shown {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly quantity: string;
  readonly stakeholderId: string;
  readonly stockClassId: string | null;
  readonly exercisePrice: string | null;
}

/** How often each kind of step was done. */
export type Counts = Readonly<Record<string, number>>;

/** Lives until the ledger has `entries` entries; the last ones are of `today`. Returns what was done. */
export async function live(ask: Ask, entries: number, today: CalendarDate, seed: number): Promise<Counts> {
  const life = new Life(ask, today, seed);
  await life.begin();
  let recorded = 0;
  let isImported = false;
  while (recorded < entries) {
    if (!isImported && recorded > entries / HALFWAY) {
      await importSmall(ask);
      isImported = true;
    }
    recorded = await life.step(recorded / entries);
  }
  return life.counts;
}

async function importSmall(ask: Ask): Promise<void> {
  const files = readdirSync(PACKAGE).map((name) => [name, JSON.parse(readFileSync(join(PACKAGE, name), "utf8"))]);
  const { "ocf_manifest.json": manifest, ...entityFiles } = Object.fromEntries(files);
  await ask("POST", "/cap-table/ocf-import", { manifest, entityFiles });
}

class Life {
  readonly counts: Record<string, number> = {};
  readonly #ask: Ask;
  readonly #today: CalendarDate;
  readonly #random: () => number;
  readonly #holders: string[] = [];
  readonly #classes: string[] = [];
  readonly #plans: string[] = [];
  readonly #terms: string[] = [];
  #open: Shown[] = [];
  #number = 0;
  #steps = 0;
  #recorded = 0;
  #day: CalendarDate;

  constructor(ask: Ask, today: CalendarDate, seed: number) {
    this.#ask = ask;
    this.#today = today;
    this.#random = randomFrom(seed);
    this.#day = addDays(today, -DAYS);
  }

  async begin(): Promise<void> {
    const made = async (path: string, body: Given) => {
      const { id, data } = await this.#ask("POST", path, body);
      return String(id ?? data.id);
    };
    for (let index = 0; index < 8; index++) {
      const displayName = `Holder ${index}`;
      const body = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
      this.#holders.push(await made("/stakeholders", body));
    }
    for (const [index, name] of ["Common", "Class B", "Seed"].entries()) {
      const shares = { initialSharesAuthorized: "100000000", votesPerShare: "1", seniority: index + 1 };
      const classType = name === "Seed" ? "PREFERRED" : "COMMON";
      this.#classes.push(await made("/share-classes", { ...shares, name, classType, defaultIdPrefix: `${name[0]}-` }));
    }
    for (const [planName, stockClassIds] of [
      ["Narrow", this.#classes.slice(0, 1)],
      ["Wide", this.#classes.slice(0, 2)],
    ] as const) {
      this.#plans.push(await made("/equity-plans", { planName, initialSharesReserved: "1000000", stockClassIds }));
    }
    const month = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 24 };
    const monthly = { id: "m", trigger: month, portion: { numerator: 1, denominator: 24 } };
    const event = { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 2 } };
    const terms = { allocationMethod: "CUMULATIVE_ROUNDING", triggerType: "HYBRID", description: "As agreed" };
    this.#terms.push(await made("/vesting-terms", { ...terms, name: "Monthly", vestingConditions: [monthly] }));
    const half = { ...monthly, portion: { numerator: 1, denominator: 48 } };
    this.#terms.push(await made("/vesting-terms", { ...terms, name: "Sale", vestingConditions: [half, event] }));
    // Classes and plans are shown from their first use on.
    const holder = { stakeholderId: this.#pick(this.#holders), quantity: "100" };
    for (const stockClassId of this.#classes) {
      await this.#do("issue-shares", { ...holder, stockClassId, certificateId: `X-${++this.#number}` });
    }
    for (const stockPlanId of this.#plans) {
      const grant = { ...holder, stockPlanId, exercisePrice: "1", certificateId: `X-${++this.#number}` };
      await this.#do("issue-options", { ...grant, optionType: "NSO" });
    }
  }

  /** Does something on a day that fits how much of the life is over; returns the entries that there are. */
  async step(over: number): Promise<number> {
    const day = addDays(this.#today, -DAYS + Math.floor(DAYS * Math.min(over / PAST, 1)));
    if (day > this.#day) this.#day = day;
    if (this.#open.length === 0 || this.#random() < 0.2) await this.#look();
    const isSplit = ++this.#steps % SPLIT_EACH === 0;
    const [kind, act] = isSplit ? (["split", () => this.#split()] as const) : this.#pick(this.#acts());
    try {
      await act();
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    } catch (error) {
      if (!/: (?:400|404|409|422) /.test(String(error))) throw error;
      this.counts.refused = (this.counts.refused ?? 0) + 1;
    }
    return this.#recorded;
  }

  /** Reads the newest securities that are open, and how many entries there are. */
  async #look(): Promise<void> {
    const { items }: { items: readonly Shown[] } = await this.#ask("GET", "/securities?limit=100");
    this.#open = items.filter(({ status }) => status === "ACTIVE");
    const { data: entries } = await this.#ask("GET", "/transactions?limit=1");
    this.#recorded = entries[0]?.sequence ?? 0;
  }

  #acts(): readonly (readonly [string, () => Promise<unknown>])[] {
    const security = this.#open.length > 0 ? this.#pick(this.#open) : null;
    const issue = ["issue-shares", "issue-shares", "issue-options", "issue-options", "issue-warrant"];
    const issued = [...issue, "issue-convertible"].map((kind) => [kind, () => this.#issue(kind)] as const);
    const adjusted = [["adjust", () => this.#adjust()] as const];
    if (security === null) return issued;
    const moved = ["transfer", "transfer", "exercise", "exercise", "convert", "cancel", "repurchase", "retract"];
    const edited = ["edit", () => this.#ask("PATCH", `/securities/${security.id}`, this.#edit())] as const;
    const vested = ["accelerate-vesting", "start-vesting", "record-vesting-event"];
    return [
      ...issued,
      ...adjusted,
      ...[...moved, ...vested].map((kind) => [kind, () => this.#move(kind, security)] as const),
      ...(this.#day === this.#today ? [edited, edited, edited] : []),
    ];
  }

  #issue(kind: string): Promise<unknown> {
    const vesting = { vestingTermsId: this.#pick(this.#terms), vestingStartDate: this.#day };
    const given = {
      stakeholderId: this.#pick(this.#holders),
      quantity: String(100 * (1 + Math.floor(this.#random() * 20))),
      certificateId: `X-${++this.#number}`,
      ...(kind.endsWith("s") && this.#random() < 0.7 ? vesting : {}),
    };
    const own: Given = {
      "issue-shares": { stockClassId: this.#pick(this.#classes), pricePerShare: "1" },
      "issue-options": { stockPlanId: this.#pick(this.#plans), exercisePrice: "1", optionType: "NSO" },
      "issue-warrant": { stockClassId: this.#pick(this.#classes), exercisePrice: "2" },
      "issue-convertible": { convertibleType: "SAFE" },
    };
    return this.#do(kind, { ...given, ...(own[kind] as Given) });
  }

  #move(kind: string, { id: securityId, quantity, stakeholderId, exercisePrice }: Shown): Promise<unknown> {
    const some = this.#random() < 0.3 ? quantity : String(1 + Math.floor(this.#random() * 40));
    const returnToPool = this.#random() < 0.5;
    const own: Given = {
      transfer: { fromStakeholderId: stakeholderId, toStakeholderId: this.#pick(this.#holders), quantity: some },
      exercise: {
        ...{ quantity: some, exercisePrice: exercisePrice ?? "1", stockClassId: this.#pick(this.#classes) },
        ...(this.#random() < 0.3 ? { earlyExercise: true } : {}),
      },
      convert: { quantity: some, resultingQuantity: some, stockClassId: this.#pick(this.#classes) },
      cancel: { quantity: some, cancellationReason: "FORFEITURE", returnToPool },
      repurchase: { quantity: some, pricePerShare: "1" },
      retract: { reason: "Issued in error" },
      "accelerate-vesting": { quantity: "5", reason: "Sale" },
      "start-vesting": { conditionId: "m" },
      "record-vesting-event": { conditionId: "sale" },
    };
    return this.#do(kind, { securityId, ...(own[kind] as Given) });
  }

  #edit(): Given {
    const quantity = String(50 * (1 + Math.floor(this.#random() * 20)));
    return this.#random() < 0.7 ? { quantity } : { stakeholderId: this.#pick(this.#holders) };
  }

  #split(): Promise<unknown> {
    const [numerator, denominator] = this.#pick([
      [2, 1],
      [3, 2],
      [1, 2],
    ]);
    return this.#do("split", { stockClassId: this.#pick(this.#classes), numerator, denominator, rounding: "DOWN" });
  }

  #adjust(): Promise<unknown> {
    const figure = String(1_000_000 + 1000 * this.#number);
    const stockClassId = this.#pick(this.#classes);
    return this.#random() < 0.5
      ? this.#do("adjust-reserve", { equityPlanId: this.#pick(this.#plans), newSharesReserved: figure })
      : this.#do("adjust-authorized", { stockClassId, newSharesAuthorized: `${figure}00` });
  }

  #do(kind: string, body: Given): Promise<unknown> {
    return this.#ask("POST", `/transactions/${kind}`, { ...body, effectiveDate: this.#day });
  }

  #pick<T>(from: readonly T[]): T {
    return present(from[Math.floor(this.#random() * from.length)], "one of several");
  }
}
