// The whole service in a simulated world (simulator.ts), seed after seed: whatever crashes, fails or jumps, nothing that
// was acknowledged is lost, nothing happens twice, the ledger explains every row, and the chain ends as the ledger says.
import { expect, test } from "bun:test";
import { firstSeed, proved, seedCount } from "../support/proof.ts";
import { simulate } from "./run.ts";

const FIRST = firstSeed();
const COUNT = seedCount(50, 3000);
const TIMEOUT_MS = 3 * 3_600_000;

test(
  `${COUNT} simulated histories keep every guarantee`,
  async () => {
    const totals = new Map<string, number>();
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const { counts } = await simulate(seed);
      for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
    }
    const happened = (kind: string) => totals.get(kind) ?? 0;
    // A simulation in which nothing goes wrong would prove nothing.
    if (COUNT >= 50) for (const kind of ["crash", "restored", "reorganized"]) expect(happened(kind)).toBeGreaterThan(9);
    const seeds = `${FIRST}-${FIRST + COUNT - 1}`;
    const result = `${happened("crash")} crashes, ${happened("restored")} restores, ${happened("answer")} answers: 0 lost, 0 twice`;
    proved({ fault: "2.7", what: "simulated histories of a whole service", count: COUNT, seed: seeds, result });
  },
  TIMEOUT_MS,
);

test(
  "a seed is always the same history",
  async () => {
    const [one, other, another] = [await simulate(FIRST), await simulate(FIRST), await simulate(FIRST + 1)];
    expect(other.digest).toBe(one.digest);
    expect(another.digest).not.toBe(one.digest);
  },
  TIMEOUT_MS,
);
