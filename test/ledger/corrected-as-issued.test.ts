// A correction is worth an issuance: random securities with direct edits on several days, then corrected, show what the
// same company shows that issued them right from the start: on every day, in every figure.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/kernel/date.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { Service } from "../kit/in-process.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { Random } from "../kit/random.ts";

setDefaultTimeout(600_000);

type Given = Readonly<Record<string, unknown>>;
type Type = "STOCK" | "STOCK_OPTION" | "WARRANT";

const DAYS = 20;
const DAY_MS = 24 * 3600 * 1000;
const FIRST_MS = Date.parse("2026-01-10T09:00:00Z");
const ROUTES = { STOCK: "issue-shares", STOCK_OPTION: "issue-options", WARRANT: "issue-warrant" } as const;

let service: Service;
let nowMs = FIRST_MS;
beforeAll(async () => {
  service = await Service.start(8);
  service.runtime.nowMs = () => nowMs++;
});
afterAll(() => service.stop());

/** What a security is: records by their names, figures as they are sent. */
interface Said {
  readonly type: Type;
  readonly holder: string;
  readonly stockClass: string | null;
  readonly plan: string | null;
  readonly terms: string | null;
  readonly start: string | null;
  readonly quantity: string;
  readonly price: string;
  readonly total: string | null;
}

/** What is said anew of it. */
type Edit = Partial<Omit<Said, "type">>;

interface Moment {
  readonly onDay: number;
  readonly edit: Edit;
}

/** All of a seed: how it was issued, edited, corrected, and what came after. */
interface Story {
  readonly issuedOn: string;
  readonly issued: Said;
  readonly edits: readonly Moment[];
  readonly correction: Moment & { readonly asPatch: boolean };
  readonly again: Moment | null;
  readonly cancelled: boolean;
}

function quantityOf(random: Random): string {
  return String(random.pick([100, 480, 4800, 1000, random.between(1, 9999), random.between(1, 9999)]));
}

function priceOf(random: Random): string {
  return random.pick(["1", "2.5", "0.0001", "0.37"]);
}

function saidOf(random: Random): Said {
  const type: Type = random.pick<Type>(["STOCK", "STOCK_OPTION", "WARRANT"]);
  const terms = random.pick([null, "monthly", "cliff", "event"]);
  return {
    type,
    holder: random.pick(["ann", "bob"]),
    stockClass: type === "WARRANT" && random.chance(0.3) ? null : random.pick(["common", "preferred"]),
    plan: type === "STOCK_OPTION" ? random.pick(["plan", "other"]) : null,
    terms,
    start: terms && random.chance(0.5) ? random.pick(["2025-02-15", "2026-03-31"]) : null,
    quantity: quantityOf(random),
    price: priceOf(random),
    total: type === "WARRANT" && random.chance(0.2) ? "777" : null,
  };
}

/** An edit of one to three members that the ledger tells. */
function editOf(random: Random, { type }: Said): Edit {
  const kinds = ["quantity", "quantity", "holder", "stockClass", ...(type === "STOCK_OPTION" ? ["plan"] : [])];
  const chosen = new Set(Array.from({ length: random.between(1, 3) }, () => random.maybe(kinds)));
  return {
    ...(chosen.has("quantity") ? { quantity: quantityOf(random) } : {}),
    ...(chosen.has("holder") ? { holder: random.pick(["ann", "bob", "cy"]) } : {}),
    ...(chosen.has("stockClass") ? { stockClass: random.pick(["common", "preferred"]) } : {}),
    ...(chosen.has("plan") ? { plan: random.pick(["plan", "other"]) } : {}),
  };
}

function correctionOf(random: Random, now: Said): Edit {
  const more = random.chance(0.5) ? { price: priceOf(random) } : {};
  const total = now.type === "WARRANT" && random.chance(0.2) ? { total: random.pick([null, "888"]) } : {};
  const vesting = random.chance(0.2) ? { terms: random.pick(["monthly", "cliff"]) } : {};
  return { ...editOf(random, now), ...more, ...total, ...vesting };
}

function storyOf(random: Random): Story {
  const issued = saidOf(random);
  let day = random.between(0, 5);
  let now = issued;
  const edits = Array.from({ length: random.below(4) }, () => {
    day += random.below(40);
    const edit = random.chance(0.15) ? { price: priceOf(random) } : editOf(random, issued);
    now = { ...now, ...edit };
    return { onDay: day, edit };
  });
  day += random.below(60);
  const edit = correctionOf(random, now);
  const moves = Object.entries(edit).some(
    ([name, value]) => ["quantity", "holder", "stockClass", "plan"].includes(name) && now[name as keyof Said] !== value,
  );
  const asPatch = moves && random.chance(0.4);
  const correction = { onDay: day, edit: asPatch ? { ...edit, price: now.price === "3" ? "4" : "3" } : edit, asPatch };
  const again = random.chance(0.3) ? { onDay: day + random.below(30), edit: correctionOf(random, now) } : null;
  const issuedOn = random.pick(["2025-01-01", "2025-03-31", "2025-12-31", "2026-01-10", "2026-01-11"]);
  return { issuedOn, issued, edits, correction, again, cancelled: random.chance(0.3) };
}

/** What the security is after all edits and corrections. */
function rightOf({ issued, edits, correction, again }: Story): Said {
  return Object.assign({ ...issued }, ...edits.map(({ edit }) => edit), correction.edit, again?.edit ?? {});
}

const TIMED = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
const TERMS: Readonly<Record<string, readonly Given[]>> = {
  monthly: [{ id: "month", trigger: { ...TIMED, occurrences: 48 }, portion: { numerator: 1, denominator: 48 } }],
  cliff: [
    { id: "cliff", trigger: { ...TIMED, periodLength: 12, occurrences: 1 }, portion: { numerator: 1, denominator: 4 } },
    {
      ...{ id: "rest", cliffConditionId: "cliff", trigger: { ...TIMED, occurrences: 36 } },
      portion: { numerator: 1, denominator: 48 },
    },
  ],
  event: [{ id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } }],
};

/** A company of the service whose records go by names. */
class Named {
  readonly orgId: string;
  readonly ids: Record<string, string> = {};
  constructor(orgId: string) {
    this.orgId = orgId;
  }

  async ask(method: string, path: string, body?: Given) {
    const { status, text, json } = await service.api(method, path, body, { orgId: this.orgId });
    if (status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${status} ${text}`);
    return json.data ?? json;
  }

  async make(name: string, path: string, body: Given): Promise<void> {
    this.ids[name] = (await this.ask("POST", path, body)).id;
  }

  static async found(): Promise<Named> {
    const named = new Named(await service.newOrganization("Corrected, Inc."));
    for (const name of ["ann", "bob", "cy"]) {
      await named.make(name, "/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" });
    }
    for (const [name, classType] of [
      ["common", "COMMON"],
      ["preferred", "PREFERRED"],
    ] as const) {
      const figures = {
        initialSharesAuthorized: "1000000",
        votesPerShare: "1",
        seniority: 1,
        boardApprovalDate: "2024-01-01",
      };
      await named.make(name, "/share-classes", { name, classType, defaultIdPrefix: `${name}-`, ...figures });
    }
    const stockClassIds = [named.ids.common, named.ids.preferred];
    for (const planName of ["plan", "other"]) {
      const reserve = { initialSharesReserved: "100000", adoptedDate: "2024-01-01" };
      await named.make(planName, "/equity-plans", { planName, stockClassIds, ...reserve });
    }
    for (const [name, vestingConditions] of Object.entries(TERMS)) {
      await named.make(name, "/vesting-terms", { name, description: name, vestingConditions });
    }
    return named;
  }

  /** Members as the API has them. */
  #members(type: Type, { holder, stockClass, plan, terms, start, quantity, price, total }: Edit): Given {
    const of = (name: string | null | undefined) => (name ? this.ids[name] : undefined);
    const members = {
      ...{ stakeholderId: of(holder), stockClassId: of(stockClass), stockPlanId: of(plan), vestingTermsId: of(terms) },
      ...{ vestingStartDate: start ?? undefined, quantity, totalConsideration: total },
      ...(type === "STOCK" ? { pricePerShare: price } : { exercisePrice: price }),
    };
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  }

  async issue(said: Said, effectiveDate: string): Promise<void> {
    const { total, ...rest } = said;
    const option = said.type === "STOCK_OPTION" ? { optionType: "NSO" } : {};
    const members = this.#members(said.type, total === null ? rest : said);
    const body = { ...members, ...option, certificateId: "X-1", effectiveDate };
    this.ids.security = (await this.ask("POST", `/transactions/${ROUTES[said.type]}`, body)).securityId;
  }

  async patch(type: Type, edit: Edit): Promise<void> {
    await this.ask("PATCH", `/securities/${this.ids.security}`, this.#members(type, edit));
  }

  async correct(type: Type, edit: Edit): Promise<void> {
    const said = { securityId: this.ids.security, reason: "As the paper says", ...this.#members(type, edit) };
    await this.ask("POST", "/transactions/correct", said);
  }

  /** Cancels a part of what is outstanding, today. */
  async cancel(): Promise<void> {
    const security = await this.ask("GET", `/securities/${this.ids.security}`);
    const body = { securityId: this.ids.security, quantity: "1", cancellationReason: "FORFEITURE" };
    if (security.quantity !== "1") await this.ask("POST", "/transactions/cancel", { ...body, effectiveDate: today() });
  }

  /** Text in which ids are names; others, and instants, are not compared. */
  #named(seen: unknown): unknown {
    let text = JSON.stringify(seen);
    for (const [name, id] of Object.entries(this.ids)) text = text.replaceAll(id, name);
    text = text.replaceAll(/[0-9a-f]{8}-0000-7000-8000-[0-9a-f]{12}/g, "id");
    return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, "instant"));
  }

  async tables(days: readonly string[], knownAt?: string): Promise<unknown[]> {
    const known = knownAt === undefined ? "" : `&knownAt=${knownAt}`;
    const views: unknown[] = [];
    for (const day of days) {
      const query = `asOf=${day}${known}`;
      const positions = [];
      for (const name of ["ann", "bob", "cy"]) {
        positions.push(await this.ask("GET", `/stakeholders/${this.ids[name]}/position?${query}`));
      }
      views.push(this.#named({ day, table: await this.ask("GET", `/cap-table?${query}`), positions }));
    }
    return views;
  }

  /** What stands besides the table: vesting of the days, charge, what was paid, what is issued and available. */
  async figures(days: readonly string[]): Promise<unknown> {
    const { security } = this.ids;
    const vesting: unknown[] = [];
    for (const day of days) {
      const seen = this.#named(await this.ask("GET", `/securities/${security}/vesting?asOf=${day}`));
      vesting.push({ day, seen });
    }
    const row = await this.ask("GET", `/securities/${security}`);
    const lists = [];
    for (const path of ["/share-classes", "/equity-plans"]) lists.push(await this.ask("GET", path));
    return { vesting, row: this.#named({ ...row, ahead: [] }), lists: this.#named(lists) };
  }
}

function today(): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

function moveTo(fromMs: number, day: number): void {
  nowMs = Math.max(nowMs, fromMs + day * DAY_MS);
}

const VESTING = ["vestingTermsId", "vested", "unvested", "unscheduled", "exercisable", "vestedNotExercised"];

/** Views but for some members: terms and what was paid are shown as recorded now. */
function asKnown(views: unknown, left: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(views, (name, value) => (left.includes(name) ? undefined : value)));
}

/** Tells the story to two companies, one of which issues right from the start; throws where they differ. */
async function tell(seed: number, falsify: (right: Said) => Said = (right) => right): Promise<void> {
  const random = new Random(seed);
  const story = storyOf(random);
  const { type } = story.issued;
  const shift = FIRST_MS;
  nowMs = FIRST_MS;
  const [company, other] = [await Named.found(), await Named.found()];
  const days = Array.from({ length: DAYS }, () => addDays("2024-12-20", random.below(random.pick([500, 900, 2200]))));
  await company.issue(story.issued, story.issuedOn);
  await other.issue(falsify(rightOf(story)), story.issuedOn);
  for (const { onDay, edit } of story.edits) {
    moveTo(shift, onDay);
    await company.patch(type, edit);
  }
  moveTo(shift, story.correction.onDay);
  const before = await company.tables(days);
  const { knownAt } = await company.ask("GET", "/cap-table");
  nowMs += 5;
  const { edit, asPatch } = story.correction;
  await (asPatch ? company.patch(type, edit) : company.correct(type, edit));
  const left = ["purchasePrice", ...(edit.terms === undefined ? [] : VESTING)];
  expect(asKnown(await company.tables(days, knownAt), left)).toEqual(asKnown(before, left));
  if (story.again) {
    moveTo(shift, story.again.onDay);
    await company.correct(type, story.again.edit);
  }
  if (story.cancelled) for (const each of [company, other]) await each.cancel();
  expect(await company.tables(days)).toEqual(await other.tables(days));
  expect(await company.figures(days)).toEqual(await other.figures(days));
  const { differences } = await verifyWhole(service.reader, company.orgId);
  expect(differences).toEqual([]);
}

describe("a corrected security", () => {
  test("is on every day what it would be, had it been issued so", async () => {
    const [first, count] = [firstSeed(), seedCount(2, 300)];
    for (let seed = first; seed < first + count; seed++) {
      await tell(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${JSON.stringify(storyOf(new Random(seed)))}\n${error}`);
      });
    }
    const what = "corrected securities, on 20 days each as if issued so";
    proved({ fault: "C8", what, count, seed: `${first}`, result: "equal" });
  });

  test("is told from one that was issued with a share more", async () => {
    const oneMore = (right: Said) => ({ ...right, quantity: String(Number(right.quantity) + 1) });
    await expect(tell(firstSeed(), oneMore)).rejects.toThrow();
  });
});
