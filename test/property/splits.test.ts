// Splits whose rows follow a few at a time, against the same history where each split is carried out whole: after every
// step, with pieces in between or not, both companies show the same, the second cap table agrees, and `verify` finds nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { SplitRatio } from "../../src/kernel/numbers/split-figures.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { caughtUp, type GatheredSplit, gatherSplit } from "../../src/ledger/splits/gather-split.ts";
import { SPLIT_SIZES, splitPiece } from "../../src/ledger/splits/split-pieces.ts";
import { continueLongWrite, type LongWrite } from "../../src/storage/database/long-writes.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { firstSeed, mustMeetAll, proved } from "../kit/proof.ts";
import { QUICK } from "../kit/release.ts";
import { checkHistories } from "./check.ts";
import { type Choice, named } from "./choosing.ts";
import { Company, newCall, type Outcome, setClock } from "./company.ts";
import { exportedFrom } from "./cut.ts";
import { History } from "./history.ts";
import { expectVerified } from "./invariants.ts";
import { TODAY } from "./model/dates.ts";
import { newModel } from "./model/start.ts";
import type { Step } from "./model/step.ts";
import { openPlace, type Place } from "./place.ts";
import { choiceOfAll } from "./steps.ts";
import { Tally } from "./tally.ts";
import { certificate, holder, maybeTerms, price, rounding, start } from "./values.ts";

const FILE = "test/property/splits.test.ts";
const HISTORIES = { quick: QUICK ? 12 : 100, most: 200, release: 2000, from: 1 };
/** Within how many histories a wrong program must be noticed. */
const WITHIN = 20;
const STEPS = 25;
const TIMEOUT_MS = 3_600_000;
const START_MS = Date.parse(`${TODAY}T01:00:00Z`);
const HOUR_MS = 3_600_000;
/** Small, so that most splits are long, and take many pieces. */
const SMALL = { whole: 1, piece: 2, lookedAt: 5 };
const WHOLE = { ...SMALL, whole: Number.MAX_SAFE_INTEGER };
const USUAL = { ...SPLIT_SIZES };
const OFTEN: readonly Step["op"][] = [
  ...(["split", "issue-shares", "issue-options", "issue-warrant", "post-security", "transfer", "exercise"] as const),
  ...(["cancel", "patch-security", "terminate-service"] as const),
];
/** What must happen while a split is under way. */
const MET: readonly string[] = [
  ...OFTEN,
  ...[
    "a long split",
    "facts caught up",
    "a piece",
    "repurchase",
    "convert",
    "retract",
    "delete-security",
    "adjust-authorized",
    "adjust-reserve",
  ],
];

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => {
  Object.assign(SPLIT_SIZES, USUAL);
  place.close();
});

/** How a wrong program would go on. */
const MUTANTS = ["forgets the rest", "does a piece twice", "does not split first", "reads what is stored"] as const;
type Mutant = (typeof MUTANTS)[number] | null;
/** Where to begin, so that each is soon noticed. */
const FROM = { "forgets the rest": 1, "does a piece twice": 1, "does not split first": 5, "reads what is stored": 1 };

const pieces = fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2, 9);

/** A step of a history, and how many pieces are done after it. */
interface Turn {
  readonly choose: Choice;
  readonly pieces: number;
}

const few = fc.integer({ min: 2, max: 14 }).map(String);
const held = {
  holder,
  quantity: few,
  certificate,
  date: fc.constantFrom("2024-02-29", "2025-06-30"),
  terms: maybeTerms,
  start,
};

/** What a company has before: enough for splits of many pieces. */
const opening = fc.array(
  fc.oneof(
    fc
      .record({ ...held, stockClass: fc.constantFrom(0, 0, 0, 1, 2), price: fc.option(price) })
      .map((given) => named("issue-shares", given, () => ({ op: "issue-shares", ...given }))),
    fc
      .record({ ...held, plan: fc.constantFrom(0, 0, 1), stockClass: fc.constantFrom(null, 0, 1), strike: price })
      .map((given) => named("issue-options", given, () => ({ op: "issue-options", ...given, expires: null }))),
    fc
      .record({ ...held, stockClass: fc.constantFrom(0, 0, 1), strike: price })
      .map((given) => named("issue-warrant", given, () => ({ op: "issue-warrant", ...given }))),
  ),
  { minLength: 6, maxLength: 16 },
);

const splitting = fc
  .record({
    stockClass: fc.constantFrom(0, 0, 0, 1, 2),
    ratio: fc.constantFrom([2, 1], [3, 2], [3, 1], [5, 3], [10, 1], [2, 3], [7, 5], [1, 1]),
    rounding,
    date: fc.constantFrom(TODAY, TODAY, "2026-03-01", "2026-06-16"),
  })
  .map((given) =>
    named("split", given, () => {
      const { ratio, ...rest } = given;
      return { op: "split", ...rest, numerator: ratio[0] ?? 1, denominator: ratio[1] ?? 1 };
    }),
  );

/** The choice, mostly dated today: after a split few other days are allowed. */
const meanwhile = fc.tuple(choiceOfAll(OFTEN), fc.nat(3)).map(([choose, number]) =>
  named(choose.op, { choose, number }, (model) => {
    const step = choose(model);
    return step !== null && "date" in step && number > 0 ? { ...step, date: TODAY } : step;
  }),
);

const turns: fc.Arbitrary<readonly Turn[]> = fc
  .tuple(
    opening,
    fc.array(
      fc.record({ choose: fc.oneof({ weight: 1, arbitrary: splitting }, { weight: 5, arbitrary: meanwhile }), pieces }),
      {
        maxLength: STEPS,
        size: "max",
      },
    ),
    splitting,
  )
  .map(([issues, rest, choose]) => [
    ...issues.map((issue) => ({ choose: issue, pieces: 0 })),
    { choose, pieces: 0 },
    ...rest,
  ]);

/** A company whose splits are of these sizes. */
class Sized extends Company {
  #sizes: typeof SPLIT_SIZES = WHOLE;

  static of(tx: Tx, sizes: typeof SPLIT_SIZES): Sized {
    setClock(START_MS - HOUR_MS);
    const company = new Sized(tx);
    company.#sizes = sizes;
    return company;
  }

  override run(step: Step, isDry = false): Outcome {
    Object.assign(SPLIT_SIZES, this.#sizes);
    return super.run(step, isDry);
  }

  /** The long write of its split; undefined if none is under way. */
  get underWay(): LongWrite | undefined {
    const sql = `select * from long_writes where "orgId" = ? and kind = 'split'`;
    return this.tx.sqlite.prepare<[string], LongWrite>(sql).get(this.orgId);
  }

  piece(): void {
    const write = this.underWay;
    if (write) continueLongWrite(this.tx, newCall(this.orgId, "job"), write, splitPiece);
  }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Hashes are of ids, too. */
const HASH = /[0-9a-f]{64}/g;

/** What a company shows by its routes, with ids that are alike in every company; at length: what takes longer to make, too. */
function shown(company: Sized, at: Moment): Record<string, string> {
  setClock(at.instant);
  const { tx, orgId, ids } = company;
  const entries = tx.sqlite
    .prepare<[string], { id: string }>(`select id from transactions where "orgId" = ? order by sequence`)
    .all(orgId);
  const lists = { ...ids, entries: entries.map(({ id }) => id), organization: [orgId] };
  const names = new Map(
    Object.entries(lists).flatMap(([kind, list]) => list.map((id, index) => [id, `${kind} ${index}`] as const)),
  );
  const seen: Record<string, string> = {};
  const see = (name: string, read: () => unknown) => {
    const text = JSON.stringify(orProblem(read)) ?? "";
    seen[name] = text.replaceAll(UUID, (id) => names.get(id) ?? "other").replaceAll(HASH, "hash");
  };
  for (const path of ["/securities", "/share-classes", "/equity-plans", "/transactions"]) {
    see(path, () => company.read(path, { limit: "200" }));
  }
  for (const id of ids.securities) see(`/securities/${names.get(id)}`, () => company.read("/securities/:id", {}, id));
  for (const path of ["/cap-table", "/cap-table/summary"]) see(path, () => company.read(path, { asOf: at.day }));
  if (!at.isAtLength) return seen;
  for (const path of ["/cap-table/health", "/compliance/rule-701", "/compliance/option-grants"]) {
    see(path, () => company.read(path));
  }
  for (const id of ids.securities)
    see(`/securities/${names.get(id)}/vesting`, () => company.read("/securities/:id/vesting", {}, id));
  see("export", () => exportedFrom(tx, orgId));
  return seen;
}

function orProblem(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return `${error.slug} ${error.detail}`;
    throw error;
  }
}

/** When something is looked at, and how closely. */
interface Moment {
  readonly instant: number;
  readonly day: string;
  readonly isAtLength: boolean;
}

/** Expects both to show the same; a difference is told by its place, since what is shown is long. */
function expectAlike(long: Sized, whole: Sized, at: Moment): void {
  const [first, second] = [shown(long, at), shown(whole, at)];
  expect(Object.keys(first).length).toBe(Object.keys(second).length);
  for (const [name, text] of Object.entries(second)) {
    const is = first[name] ?? "";
    if (is === text) continue;
    const place = [...text].findIndex((letter, index) => letter !== is[index]);
    const around = (shownText: string) => shownText.slice(Math.max(0, place - 300), place + 60);
    throw new Error(`${name}\n row by row: ${around(is)}\n whole: ${around(text)}`);
  }
}

/** The facts of splits as they were some steps ago, and what a commit makes of them now. */
class EarlierFacts {
  readonly #company: Company;
  #earlier: readonly (() => readonly [GatheredSplit | null, GatheredSplit])[] = [];

  constructor(company: Company) {
    this.#company = company;
  }

  /** Gathers the facts of a split of each class. */
  gather(turn: number): void {
    const { tx, orgId, ids } = this.#company;
    const rounding: SplitRatio["rounding"] = turn % 2 === 0 ? "DOWN" : "FRACTIONAL";
    this.#earlier = ids.classes.map((stockClassId, index) => {
      const [of, ratio] = [
        { orgId, stockClassId },
        { numerator: 3n, denominator: 2n + BigInt(index), rounding },
      ];
      const was = gatherSplit(tx, of, ratio);
      return () => [caughtUp(tx, of, ratio, was), gatherSplit(tx, of, ratio)];
    });
  }

  /** Expects those that could be caught up to be what is gathered now; the largest figures may be of what has gone. */
  expectAlike(tally: Tally): void {
    for (const both of this.#earlier) {
      const [caught, now] = both();
      if (caught === null) continue;
      tally.count("facts caught up", true);
      expect(factsOf(caught)).toEqual(factsOf(now));
      expect(caught.sums.largestCount).toBeGreaterThanOrEqual(now.sums.largestCount);
      expect(caught.sums.largestPrice).toBeGreaterThanOrEqual(now.sums.largestPrice);
    }
  }
}

function factsOf({ sums: { count, parts, issued, closing }, open, stopped, ...rest }: GatheredSplit) {
  const places = open.map(([{ table, id, column }, quantity]) => [`${table} ${id} ${column}`, quantity] as const);
  return { ...rest, count, parts, issued, closing, open: Object.fromEntries(places), stopped: [...stopped].sort() };
}

/** Does the turns in both companies, and looks at everything after each. */
function live(tx: Tx, chosen: readonly Turn[], tally: Tally, mutant: Mutant = null): void {
  const [long, whole] = [Sized.of(tx, SMALL), Sized.of(tx, WHOLE)];
  const history = new History(long, newModel());
  const facts = new EarlierFacts(whole);
  try {
    for (const [at, { choose, pieces }] of chosen.entries()) {
      const instant = START_MS + 1000 * at;
      const moment = { instant: instant + 500, day: at % 3 === 0 ? TODAY : "2025-06-30", isAtLength: at % 4 === 1 };
      const wasUnderWay = long.underWay !== undefined;
      const done = history.steps.length;
      setClock(instant);
      history.advance(choose);
      const step = history.steps.at(-1);
      if (step === undefined || history.steps.length === done) continue;
      setClock(instant);
      const isDone = whole.run(step).isDone;
      if (wasUnderWay && isDone) tally.count(step.op, true);
      if (!wasUnderWay && long.underWay) tally.count("a long split", true);
      expectAlike(long, whole, moment);
      for (let piece = 0; piece < pieces && long.underWay; piece++) {
        tally.count("a piece", true);
        long.piece();
        expectAlike(long, whole, moment);
      }
      falsify(long, whole, mutant);
      if (at % 4 === 2) facts.expectAlike(tally);
      if (at % 3 === 0) facts.gather(at);
    }
    history.finish();
    while (long.underWay) long.piece();
    expectAlike(long, whole, { instant: START_MS + HOUR_MS, day: TODAY, isAtLength: true });
    expectVerified(long);
    expect(storedIn(long)).toEqual(storedIn(whole));
  } catch (error) {
    throw new Error(`after\n${history.told()}\n${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** Rows as they are stored, when all pieces are done. */
function storedIn({ tx, orgId }: Company): unknown[] {
  const columns = `type, status, quantity, pricePerShare, exercisePrice, planCharge, chargeBasis, updatedAt`;
  return tx.sqlite.prepare(`select ${columns} from securities where orgId = ? order by seq`).all(orgId);
}

function falsify(long: Sized, whole: Sized, mutant: Mutant): void {
  const { tx, orgId } = long;
  if (mutant === null || long.underWay === undefined) return;
  const change = (sql: string) => tx.sqlite.prepare(sql).run(orgId);
  if (mutant === "forgets the rest") change("delete from splits_under_way where orgId = ?");
  else if (mutant === "does a piece twice")
    change(`update long_writes set "after" = 0 where orgId = ? and kind = 'split'`);
  else if (mutant === "does not split first") change("delete from splits_apart where orgId = ?");
  else expect(storedIn(long)).toEqual(storedIn(whole));
}

test(
  "a company whose splits follow row by row shows what one shows where they are whole",
  async () => {
    const tally = new Tally();
    const missing = () => tally.missing(MET, []);
    const count = await checkHistories<Turn>({
      file: FILE,
      ...HISTORIES,
      isMet: () => missing().length === 0,
      choices: turns,
      run: (chosen) => place.writer.submit((tx) => live(tx, chosen, tally)),
    });
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const what = `random histories with splits under way, against the same with whole splits (${tally})`;
    proved({ fault: "P1, P2", what, count, seed: String(firstSeed(HISTORIES.from)), result: "0 differences" });
  },
  TIMEOUT_MS,
);

test.each(MUTANTS)(
  "noticed: a program that %s",
  async (mutant) => {
    for (let seed = FROM[mutant]; seed < FROM[mutant] + WITHIN; seed++) {
      const chosen = fc.sample(turns, { seed, numRuns: 1 }).flat();
      const isNoticed = await place.writer.submit((tx) => {
        try {
          live(tx, chosen, new Tally(), mutant);
          return false;
        } catch {
          return true;
        }
      });
      if (isNoticed) return;
    }
    throw new Error(`not noticed within ${WITHIN} histories`);
  },
  TIMEOUT_MS,
);
