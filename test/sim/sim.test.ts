// The whole service in a simulated world (simulator.ts), seed after seed: whatever crashes, fails or jumps, nothing that
// was acknowledged is lost, nothing happens twice, the ledger explains every row, and the chain ends as the ledger says.
import { expect, test } from "bun:test";
import { firstSeed, mustMeetAll, proved, seedsUntil } from "../kit/proof.ts";
import { addTo, inWords, simulate } from "./run.ts";
import type { DeliberateFault } from "./service.ts";

/** A quick run begins where a few seeds have a crash of every kind. */
const COUNT = { quick: 4, most: 50, release: 3000, from: 28 };
const FIRST = firstSeed(COUNT.from);
/** The kinds of moments to crash at, and how often each comes at least in each fifty seeds. */
const CRASHES: readonly (readonly [kind: RegExp, least: number])[] = [
  [/^before COMMIT$/, 4],
  [/^during COMMIT$/, 3],
  [/^after COMMIT$/, 4],
  [/^between steps$/, 20],
  [/^before (?!COMMIT|signing)/, 4],
  [/^amid /, 4],
  [/^after (?!COMMIT|signing)/, 4],
  [/signing$/, 0.5],
];
/** What else must befall a service. */
const WORLDLY: readonly string[] = ["restored", "reorganized"];
/** What is planted to be found, and the guarantees of which one must be seen broken. */
const PLANTED: readonly (readonly [DeliberateFault, RegExp])[] = [
  ["a commit that a crash undoes", /I[125]:/],
  ["answers forgotten in a crash", /I2:/],
  ["an altered row", /I3-I6:/],
  ["double mints", /I7:/],
];
/** How the first history went, where it was simulated already. */
let digestOfFirst: string | null = null;
const PLANTED_SEEDS_MAX = 20;
const TIMEOUT_MS = 3 * 3_600_000;

test(
  "simulated histories keep every guarantee",
  async () => {
    const [totals, crashes] = [new Map<string, number>(), new Map<string, number>()];
    const happened = (kind: string) => totals.get(kind) ?? 0;
    const crashesOf = (kind: RegExp) =>
      [...crashes].reduce((sum, [point, many]) => sum + (kind.test(point) ? many : 0), 0);
    const isMet = () => WORLDLY.every(happened) && CRASHES.every(([kind]) => crashesOf(kind) > 0);
    let count = 0;
    for (const seed of seedsUntil(isMet, COUNT)) {
      count++;
      const outcome = await simulate(seed);
      if (seed === FIRST) digestOfFirst = outcome.digest;
      addTo(totals, outcome.counts);
      addTo(crashes, outcome.crashes);
    }
    // A simulation in which nothing goes wrong would prove nothing.
    if (mustMeetAll(count)) expect({ isMet: isMet(), crashes: inWords(crashes) }).toMatchObject({ isMet: true });
    if (count >= 50) {
      for (const kind of WORLDLY) expect(happened(kind)).toBeGreaterThan(9);
      for (const [kind, least] of CRASHES) {
        const isOften = crashesOf(kind) >= least * Math.floor(count / 50);
        expect({ kind, crashes: crashesOf(kind), isOften }).toMatchObject({ isOften: true });
      }
    }
    const seeds = `${FIRST}-${FIRST + count - 1}`;
    const [before, during, after] = ["before", "during", "after"].map((when) => crashes.get(`${when} COMMIT`) ?? 0);
    const crashed = `${happened("crash")} crashes (${before} before, ${during} during, ${after} after a commit)`;
    const result = `${crashed}, ${happened("restored")} restores, ${happened("answer")} answers: 0 lost, 0 twice`;
    proved({ fault: "2.7", what: "simulated histories of a whole service", count, seed: seeds, result });
  },
  TIMEOUT_MS,
);

test(
  "a seed is always the same history",
  async () => {
    const one = digestOfFirst ?? (await simulate(FIRST)).digest;
    const [other, another] = [await simulate(FIRST), await simulate(FIRST + 1)];
    expect(other.digest).toBe(one);
    expect(another.digest).not.toBe(one);
  },
  TIMEOUT_MS,
);

test.each(PLANTED)(
  "%s would be found",
  async (planted, guarantee) => {
    for (let seed = FIRST; seed < FIRST + PLANTED_SEEDS_MAX; seed++) {
      const told = await simulate(seed, planted).then(() => "nothing", String);
      if (guarantee.test(told)) return;
      expect(told).toBe("nothing");
    }
    throw new Error(`${planted} went unseen in ${PLANTED_SEEDS_MAX} seeds`);
  },
  TIMEOUT_MS,
);
