// One figure in all places: random companies, on 20 days each, read at every place that shows the figure and compared
// exactly with `GET /cap-table`. A fault that is planted in what a place says must be found.
import { expect, setDefaultTimeout, test } from "bun:test";
import { formatDecimal, ONE, parseDecimal } from "../../src/kernel/numbers/decimal.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import type { Company } from "../property/company.ts";
import { exportedFrom } from "../property/cut.ts";
import { LAST_DAY } from "../property/model/dates.ts";
import { Newcomer } from "../property/newcomer.ts";
import { openPlace } from "../property/place.ts";
import { DATES } from "../property/values.ts";
import { facesCompany } from "./company.ts";
import { FACES, type Looked } from "./faces.ts";
import { differences, type Figures, figuresOfTable, kindOf, type Table } from "./figures.ts";

setDefaultTimeout(3_600_000);

// Five in `test`: fewer have not every kind of figure.
const COMPANIES = seedCount(5, 1000);
const DAYS = 20;
/** A database of many companies is no slower to write, but to look through. */
const COMPANIES_IN_PLACE = 50;

/** The days of the histories, and others between and beyond them. */
function daysOf(pick: (below: number) => number): readonly string[] {
  const days = new Set<string>([...DATES, LAST_DAY]);
  while (days.size < DAYS) {
    const [month, day] = [1 + pick(12), 1 + pick(28)].map((each) => String(each).padStart(2, "0"));
    days.add(`${2024 + pick(9)}-${month}-${day}`);
  }
  return [...days].sort();
}

/** Calls `each` with every company on every day. */
async function everyCompany(count: number, each: (looked: Looked, seed: number) => void): Promise<void> {
  for (let first = 0; first < count; first += COMPANIES_IN_PLACE) {
    const place = await openPlace();
    try {
      for (let at = first; at < Math.min(first + COMPANIES_IN_PLACE, count); at++) {
        const seed = firstSeed() + at;
        await place.writer.submit((tx) => {
          const company = facesCompany(tx, seed);
          for (const day of daysOf(seeded(seed))) each(lookedAt(company, day), seed);
        });
      }
    } finally {
      place.close();
    }
  }
}

/** What a place says of a company on a day. */
interface Said {
  readonly face: (typeof FACES)[number];
  readonly day: string;
  readonly seed: number;
  readonly table: Figures;
  readonly figures: Figures;
}

/** In how many companies faults are planted. */
const FAULTED = Math.min(COMPANIES, 20);
/** What was read of these; kept, as reading is most of the work. */
let kept: Promise<readonly Said[]> | null = null;

/** Calls `each` with what every place says of so many companies. */
function everyFace(count: number, each: (said: Said) => void): Promise<void> {
  return everyCompany(count, (looked, seed) => {
    const table = figuresOfTable(looked.table);
    for (const face of FACES) {
      if (face.isAskedOn?.(looked.day) === false) continue;
      each({ face, day: looked.day, seed, table, figures: face.read(looked) });
    }
  });
}

async function readAgain(): Promise<readonly Said[]> {
  const said: Said[] = [];
  await everyFace(FAULTED, (each) => void said.push(each));
  return said;
}

function lookedAt(company: Company, day: string): Looked {
  const { data } = company.read("/cap-table", { asOf: day }) as { readonly data: Table };
  return { company, day, table: data };
}

test("every place says the figures of the cap table, on every day", async () => {
  const compared = new Map<string, number>();
  const keeping: Said[] = [];
  await everyFace(COMPANIES, (said) => {
    const { face, day, seed, table, figures } = said;
    if (seed < firstSeed() + FAULTED) keeping.push(said);
    const kinds = new Set(face.kinds);
    const found = differences(table, figures, kinds);
    const replay = `CAPTABLE_SEED=${seed} bun test test/faces`;
    expect({ face: face.name, day, replay, found }).toMatchObject({ found: [] });
    for (const name of figures.keys()) {
      if (!kinds.has(kindOf(name))) continue;
      const kind = `${face.name}: ${kindOf(name)}`;
      compared.set(kind, (compared.get(kind) ?? 0) + 1);
    }
  });
  kept = Promise.resolve(keeping);
  const told = FACES.flatMap(({ name, kinds }) => kinds.map((kind) => `${name}: ${kind}`));
  // A kind of which no company had a figure proves nothing.
  if (COMPANIES > 1) expect(told.filter((kind) => !compared.has(kind))).toEqual([]);
  const count = [...compared.values()].reduce((sum, each) => sum + each, 0);
  proved({
    fault: "C11",
    what: `companies on ${DAYS} days, ${FACES.length} places (${count} figures)`,
    count: COMPANIES,
    seed: `${firstSeed()}-${firstSeed() + COMPANIES - 1}`,
    result: "equal",
  });
});

/** The figures with one of a kind a share more. */
function withFault(figures: Figures, kind: string): Figures | null {
  const name = [...figures.keys()].find((each) => kindOf(each) === kind);
  if (name === undefined) return null;
  return new Map(figures).set(name, formatDecimal(parseDecimal(figures.get(name) ?? "0") + ONE));
}

test("a share too many in any place, of any kind of figure, is found", async () => {
  const unseen = new Set(FACES.flatMap(({ name, kinds }) => kinds.map((kind) => `${name}: ${kind}`)));
  kept ??= readAgain();
  for (const { face, table, figures } of await kept) {
    for (const kind of face.kinds) {
      const faulty = withFault(figures, kind);
      if (faulty === null) continue;
      const found = differences(table, faulty, new Set(face.kinds)).length;
      expect({ face: face.name, kind, found }).toMatchObject({ found: 1 });
      unseen.delete(`${face.name}: ${kind}`);
    }
  }
  if (COMPANIES >= 20) expect([...unseen]).toEqual([]);
});

/**
 * What a package carries: no plan's figures, which the export restates where it must, and nothing of vesting; nor the class
 * of an option that names none, which follows its plan there.
 */
const CARRIED = new Set([
  ...["outstanding", "options", "warrants", "asConverted", "class"].map((name) => `holder|${name}`),
  ...["outstanding", "warrants"].map((name) => `class|${name}`),
]);

test("a package of the company, imported elsewhere, says them once all is recorded", async () => {
  const count = Math.ceil(COMPANIES / 4);
  let compared = 0;
  const place = await openPlace();
  try {
    for (let at = 0; at < count; at++) {
      const seed = firstSeed() + at;
      const company = await place.writer.submit((tx) => facesCompany(tx, seed));
      const newcomer = await Newcomer.make(place.writer);
      const { errors } = await newcomer.import(exportedFrom(place.db, company.orgId));
      expect({ seed, errors }).toEqual({ seed, errors: [] });
      await place.writer.submit(() => {
        // Direct edits have no day in the format, so that earlier days may differ.
        for (const day of [LAST_DAY]) {
          const [here, there] = [company, newcomer.company].map((each) => figuresOfTable(lookedAt(each, day).table));
          if (!here || !there) throw new Error("two tables are compared");
          const replay = `CAPTABLE_SEED=${seed} bun test test/faces`;
          expect({ day, replay, found: differences(here, there, CARRIED) }).toMatchObject({ found: [] });
          compared += [...there.keys()].filter((name) => CARRIED.has(kindOf(name))).length;
        }
      });
    }
  } finally {
    place.close();
  }
  if (count > 1) expect(compared).toBeGreaterThan(count);
});
