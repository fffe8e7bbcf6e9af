// Whether the histories bite: each falsification must be noticed, and nothing where nothing is falsified.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { Tx } from "../../src/storage/database/sql.ts";
import { RELEASE } from "../kit/release.ts";
import type { Choice } from "./choosing.ts";
import { Company } from "./company.ts";
import type { Mutant } from "./falsify.ts";
import { History } from "./history.ts";
import { RULES } from "./model/rules.ts";
import { newModel } from "./model/start.ts";
import { MUTANTS } from "./mutants.ts";
import { openPlace, type Place } from "./place.ts";
import { choiceOfAll, histories } from "./steps.ts";

setDefaultTimeout(300_000);

const STEPS = 25;
/** How many histories that nothing falsifies a quick run looks at; test/property/ledger.test.ts has more of them. */
const CONTROL = 8;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

type Falsified = Omit<Mutant, "name" | "within" | "from">;

/** The history of a seed: of some operations more where that is asked for. */
function choicesOf(seed: number, often: readonly string[] | undefined): Choice[] {
  return fc.sample(histories(STEPS, often && choiceOfAll(often)), { seed, numRuns: 1 }).flat();
}

/** Runs one history; what it differs in, or null. */
function differenceIn(tx: Tx, seed: number, { rules, decides, found, often }: Falsified): string | null {
  const company = found?.(tx) ?? new Company(tx);
  const history = new History(company, newModel({ ...RULES, ...rules }), decides && { decides });
  try {
    for (const choose of choicesOf(seed, often)) history.advance(choose);
    history.finish();
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (why.startsWith("the model ")) throw error;
    return why;
  }
}

/** The first seed whose history differs, of so many; null where none does. */
async function firstSeedOf(falsified: Falsified, within: number, from = 1): Promise<number | null> {
  for (let seed = from; seed < from + within; seed++) {
    if ((await place.writer.submit((tx) => differenceIn(tx, seed, falsified))) !== null) return seed;
  }
  return null;
}

test.each(MUTANTS)("noticed: $name (within $within histories)", async ({ name, within, from, ...falsified }) => {
  expect(await firstSeedOf(falsified, within, RELEASE ? 1 : from)).not.toBeNull();
});

test("nothing is noticed where nothing is falsified", async () => {
  const most = RELEASE ? Math.max(...MUTANTS.map(({ within }) => within)) : CONTROL;
  expect(await firstSeedOf({}, most)).toBeNull();
});
