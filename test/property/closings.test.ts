// Closing a round both ways: planned beforehand with other writes, splits and corrections in between, as a service plans
// it in a reading thread, and worked out whole in the commit. Both write the same, to the byte, or are refused alike.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { present } from "../../src/kernel/assert.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { END_OF_TIME } from "../../src/kernel/runtime.ts";
import { isOutdated } from "../../src/kernel/threads/outdated.ts";
import { SPLIT_SIZES } from "../../src/ledger/splits/split-pieces.ts";
import { loading, type Reply } from "../../src/resources/route.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { RollBack } from "../../src/storage/database/writer.ts";
import { standOf } from "../../src/views/cap-table/basis.ts";
import type { EarlierPlan } from "../../src/views/models/closing/closing-plan.ts";
import { closeRoundRoute } from "../../src/views/models/closing/closing-route.ts";
import { planEarlier } from "../../src/views/models/closing/plan-closing.ts";
import { runModel } from "../../src/views/models/model.ts";
import { ConvertibleParts } from "../../src/views/models/read/convertible-parts.ts";
import { readCompany } from "../../src/views/models/read/read-company.ts";
import { firstSeed, mustMeetAll, proved } from "../kit/proof.ts";
import { QUICK } from "../kit/release.ts";
import { checkHistories } from "./check.ts";
import type { Choice } from "./choosing.ts";
import { Company, newCall, setClock } from "./company.ts";
import { expectVerified } from "./invariants.ts";
import { TODAY } from "./model/dates.ts";
import { decide } from "./model/decide.ts";
import { newModel } from "./model/start.ts";
import type { Model } from "./model/state.ts";
import { openPlace, type Place } from "./place.ts";
import { type Beside, issueSafe, OTHERS, type Other, opening, type Round, round, underWay } from "./rounds.ts";
import { Tally } from "./tally.ts";

const FILE = "test/property/closings.test.ts";
const HISTORIES = { quick: QUICK ? 40 : 300, most: 900, release: 5000 };
/** Within how many histories a wrong program must be noticed. */
const WITHIN = 150;
const TIMEOUT_MS = 3_600_000;
const START_MS = Date.parse(`${TODAY}T01:00:00Z`);
const HOUR_MS = 3_600_000;
/** Small, so that most splits are under way for some writes. */
const SMALL = { whole: 1, piece: 2, lookedAt: 5 };
const USUAL = { ...SPLIT_SIZES };

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await loading(PLAN.run);
});
afterAll(() => {
  Object.assign(SPLIT_SIZES, USUAL);
  place.close();
});

const PLAN = present(closeRoundRoute.plan, "the plan of a closing");

/** How a wrong program would go on: it takes ledger, log or both for as long as they were. */
const MUTANTS = ["skips the entries since", "skips the rows of the log since", "skips all that came since"] as const;
type Mutant = (typeof MUTANTS)[number] | null;

/** A history: what the company has, and its rounds, one after the other. */
interface Life {
  readonly opening: readonly Choice[];
  readonly rounds: readonly Round[];
}

const lives: fc.Arbitrary<readonly Life[]> = fc
  .record({ opening, rounds: fc.array(round, { minLength: 1, maxLength: 3 }) })
  .map((life) => [life]);

/** What a closing comes to: its answer, and all that it wrote; or its refusal. */
interface Came {
  readonly how: "closed" | "dry" | "refused" | "outdated";
  readonly slug: string | null;
  readonly told: string;
}

/** A company whose model, the second cap table, only says what may be chosen. */
class Living {
  readonly company: Company;
  #model: Model = newModel();

  constructor(tx: Tx) {
    setClock(START_MS);
    this.company = new Company(tx);
  }

  /** Does a step; its kind if it was done. */
  step(choose: Choice): string | null {
    const step = choose(this.#model);
    if (step === null) return null;
    const decided = decide(this.#model, step);
    const isDone = this.company.run(step).isDone;
    if (isDone && "after" in decided) this.#model = decided.after;
    return isDone ? step.op : null;
  }

  write({ choose, other, number }: Beside): string | null {
    if (other === null) return this.step(choose);
    return this.#attempt(() => (OTHERS[other] as Other)(this.company, number)) ? other : null;
  }

  safe(number: number): void {
    this.#attempt(() => issueSafe(this.company, number));
  }

  #attempt(work: () => void): boolean {
    const { sqlite } = this.company.tx;
    sqlite.exec("SAVEPOINT other");
    try {
      work();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      sqlite.exec("ROLLBACK TO other");
      return false;
    } finally {
      sqlite.exec("RELEASE other");
    }
  }

  /** Closes a round, with a plan or whole, and takes everything back. */
  try(body: Readonly<Record<string, unknown>>, plan: EarlierPlan | undefined, keeps = false): Came {
    const { tx, orgId } = this.company;
    const { sequence } = standOf(tx, orgId).log;
    let ids = 0;
    setClock(START_MS + HOUR_MS + sequence);
    const placed = (number: number, digits: number) => String(number).padStart(digits, "0");
    const newId = () => `${orgId.slice(-8)}-0000-7000-8000-${placed(sequence, 6)}${placed(++ids, 6)}`;
    tx.sqlite.exec("SAVEPOINT closing");
    try {
      const made = { ...newCall(orgId, "POST /api/v1/models/round/close"), newId };
      const request = { params: {}, body: body as never };
      const reply = plan ? PLAN.run(tx, made, request, plan) : closeRoundRoute.run(tx, made, request);
      return {
        how: "closed",
        slug: null,
        told: `${JSON.stringify({ ...reply, effects: reply.effects?.() })}\n${this.#all()}`,
      };
    } catch (thrown) {
      if (isOutdated(thrown)) return { how: "outdated", slug: null, told: "" };
      if (thrown instanceof RollBack) return { how: "dry", slug: null, told: JSON.stringify(thrown.value as Reply) };
      if (!(thrown instanceof Problem)) throw thrown;
      const { slug, detail, errors = [] } = thrown;
      return { how: "refused", slug, told: `${slug} ${detail} ${JSON.stringify(errors)}` };
    } finally {
      if (!keeps) tx.sqlite.exec("ROLLBACK TO closing");
      tx.sqlite.exec("RELEASE closing");
    }
  }

  /** Every row of the organization. */
  #all(): string {
    const { tx, orgId } = this.company;
    const texts = tablesIn(tx).flatMap((table) => {
      const rows = tx.sqlite.prepare(`select * from main."${table}" where "orgId" = ?`).all(orgId);
      return rows.map((row) => `${table} ${JSON.stringify(row)}`);
    });
    return texts.sort().join("\n");
  }

  body({ name, closingDate, valuation, investors, pool, shiftSeniority, isDry, isOther }: Round) {
    const { ids, orgId, tx } = this.company;
    const model = {
      closingDate,
      newClass: { name, seniority: 1 },
      shiftSeniority,
      valuation,
      investors: investors.map((each) => ({ stakeholderId: ids.holders[each.holder] ?? "", amount: each.amount })),
      ...(pool ? { pool: { ...pool, plan: undefined, equityPlanId: ids.plans[pool.plan] } } : {}),
    };
    const asked = { orgId, model: "ROUND", body: { ...model, asOf: closingDate } as never, nowMs: START_MS } as const;
    const digest = this.#digestOf(() => runModel(tx, asked), isOther);
    return JSON.parse(JSON.stringify({ model, digest, dryRun: isDry }));
  }

  #digestOf(run: () => Record<string, unknown>, isOther: boolean): string {
    const none = "0".repeat(64);
    try {
      return isOther ? none : String(run().digest);
    } catch (thrown) {
      if (thrown instanceof Problem) return none;
      throw thrown;
    }
  }
}

let tables: readonly string[] | null = null;
function tablesIn({ sqlite }: Tx): readonly string[] {
  const sql = `select m.name from sqlite_master m where m.type = 'table'
    and exists (select 1 from pragma_table_info(m.name) where name = 'orgId') order by 1`;
  tables ??= sqlite.prepare<[], string>(sql).pluck().all();
  return tables;
}

/** What must happen. */
const MET = [
  ...["closed at once", "closed though something was written", "planned anew and closed", "planned anew and refused"],
  ...["refused by its plan", "a dry run by its plan", "closed beside a split under way"],
  ...["held: makes a legend", "held: describes", "held: asks for an approval", "held: record-only"],
  ...["held: does a piece"],
  ...[
    "moved: split",
    "moved: renames",
    "moved: sets terms",
    "moved: numbers",
    "moved: issue-shares",
    "moved: transfer",
  ],
  ...[
    "moved: retract",
    "moved: patch-security",
    "moved: protects",
    "moved: issues a SAFE",
    "moved: makes a holder",
    "moved: divides",
  ],
];

function live(tx: Tx, life: Life, tally: Tally, mutant: Mutant = null): void {
  Object.assign(SPLIT_SIZES, SMALL);
  const living = new Living(tx);
  const { company } = living;
  const { orgId } = company;
  for (const choose of life.opening) living.step(choose);
  for (const each of life.rounds) {
    for (const number of each.safes) living.safe(number);
    for (const write of each.before) living.write(write);
    const body = living.body(each);
    const nowMs = START_MS;
    const plan = () => JSON.parse(JSON.stringify(planEarlier(tx, { orgId, nowMs }, body))) as EarlierPlan;
    const first = plan();
    const then = living.try(body, undefined);
    const written = each.beside.flatMap((write) => living.write(write) ?? []);
    const now = standOf(tx, orgId);
    expectSameByFold(living);
    const [whole, isSplitting] = [living.try(body, undefined), underWay(tx, orgId) !== undefined];
    const came = living.try(body, falsified(first, now, mutant));
    const outdated = came.how === "outdated";
    const isPlanned = "plan" in first.outcome;
    for (const op of written) {
      if (written.length === 1 && isPlanned) tally.count(`${outdated ? "moved" : "held"}: ${op}`, true);
    }
    if ("refusal" in first.outcome) {
      // As it was when it was planned, unless the commit itself finds sooner that the round was closed.
      expect([then.told, whole.told]).toContain(came.told);
      expect(came.how).toBe("refused");
      if (came.told === then.told) tally.count("refused by its plan", true);
    } else if (!outdated) {
      expect(came).toEqual(whole);
      if (came.how === "closed")
        tally.count(written.length > 0 ? "closed though something was written" : "closed at once", true);
      if (came.how === "dry") tally.count("a dry run by its plan", true);
      if (came.how === "closed" && isSplitting) tally.count("closed beside a split under way", true);
    } else {
      const again = living.try(body, plan());
      expect(again).toEqual(whole);
      tally.count(`planned anew and ${again.how}`, true);
    }
    // For good, so that the next round comes after it.
    expect(living.try(body, plan(), true).how).toBe(whole.how);
    expectVerified(company);
  }
}

const NEEDED = { prices: false, strikes: false, principals: false, vestedOn: null };

/** Expects a company read from today's view, which goes on from write to write, to be the one that a replay gives. */
function expectSameByFold({ company: { tx, orgId } }: Living): void {
  const moment = { asOf: TODAY, knownAt: END_OF_TIME };
  const folded = readCompany(tx, orgId, moment, NEEDED, { today: TODAY, keptFrom: 0 }).company;
  expect(folded).toEqual(readCompany(tx, orgId, moment, NEEDED).company);
}

function falsified(plan: EarlierPlan, now: EarlierPlan["stand"], mutant: Mutant): EarlierPlan {
  if (mutant === "skips the entries since") return { ...plan, stand: { ...plan.stand, ledger: now.ledger } };
  if (mutant === "skips the rows of the log since") return { ...plan, stand: { ...plan.stand, log: now.log } };
  return mutant === null ? plan : { ...plan, stand: now };
}

test(
  "a round closed by a plan made before other writes is the round closed whole after them",
  async () => {
    const tally = new Tally();
    const missing = () => tally.missing(MET, []);
    const count = await checkHistories<Life>({
      file: FILE,
      ...HISTORIES,
      isMet: () => missing().length === 0,
      choices: lives,
      run: (chosen) =>
        place.writer.submit((tx) => {
          for (const life of chosen) live(tx, life, tally);
        }),
    });
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const what = `random companies whose rounds are closed both ways (${tally})`;
    proved({ fault: "CL1", what, count, seed: String(firstSeed()), result: "0 differences" });
  },
  TIMEOUT_MS,
);

/** Where to begin, so that each is soon noticed. */
const FROM = { "skips the entries since": 30, "skips the rows of the log since": 17, "skips all that came since": 1 };

/** Whether a wrong program is noticed within some histories. */
async function isNoticed(mutant: Mutant, from = 1): Promise<boolean> {
  for (let seed = from; seed < from + WITHIN; seed++) {
    const chosen = fc.sample(lives, { seed, numRuns: 1 }).flat();
    const came = await place.writer.submit((tx) => {
      try {
        for (const life of chosen) live(tx, life, new Tally(), mutant);
        return false;
      } catch {
        return true;
      }
    });
    if (came) return true;
  }
  return false;
}

test.each(MUTANTS)(
  "noticed: a program that %s",
  async (mutant) => expect(await isNoticed(mutant, FROM[mutant])).toBe(true),
  TIMEOUT_MS,
);

test(
  "noticed: a program that reads today's view though terms of convertibles depend on the entries",
  async () => {
    const asked = present(Object.getOwnPropertyDescriptor(ConvertibleParts.prototype, "areAsked"), "the question");
    Object.defineProperty(ConvertibleParts.prototype, "areAsked", { configurable: true, get: () => false });
    try {
      expect(await isNoticed(null, 50)).toBe(true);
    } finally {
      Object.defineProperty(ConvertibleParts.prototype, "areAsked", asked);
    }
  },
  TIMEOUT_MS,
);
