// Hostile calls of every route, and calls of every route in any order: whatever is sent is answered as the reference
// says (oracle.ts), another organization's ids are as good as none, and the ledger explains every total after.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Service } from "../kit/in-process.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { hostileCall, sensibleCall } from "./calls.ts";
import { TestCompany } from "./company.ts";
import { Oracle } from "./oracle.ts";
import { expectClean, expectTwinsAlike, play, traceOf } from "./play.ts";

const CALLS_IN_ROUND = 500;
const ROUNDS = seedCount(1, 1000);
const SEQUENCES = seedCount(1, 2000);
const SEQUENCE_LENGTH_MAX = 200;
/** So many organizations share a database. */
const ROUNDS_IN_SERVICE = 20;
const TIMEOUT_MS = 3_600_000;

let oracle: Oracle;
let service: Service | null = null;

beforeAll(async () => {
  oracle = await Oracle.make();
});
afterAll(() => service?.stop());

/** A service for the round with that number; with a `CAPTABLE_SEED` the same ids come again only in a fresh one. */
async function serviceFor(round: number, seed: number): Promise<Service> {
  if (service === null || round % ROUNDS_IN_SERVICE === 0) {
    await service?.stop();
    service = await Service.start(seed);
  }
  return service;
}

test(
  `S4: ${ROUNDS * CALLS_IN_ROUND} hostile calls are answered as documented, and foreign ids as unknown ones`,
  async () => {
    let twins = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const seed = firstSeed() + round;
      const pick = seeded(seed);
      const home = await serviceFor(round, seed);
      const [company, other] = [await TestCompany.create(home), await TestCompany.create(home)];
      const before = await traceOf(other);
      try {
        expect((await play(oracle, company, hostileCall, CALLS_IN_ROUND, pick)).slice(0, 5)).toEqual([]);
        twins += await expectTwinsAlike(company, other, CALLS_IN_ROUND / 10, pick);
        await expectClean(company);
        expect(await traceOf(other)).toBe(before);
        expect(home.differences(other.orgId)).toEqual([]);
      } catch (error) {
        throw new Error(`CAPTABLE_SEED=${seed} bun test test/fuzz/hostile.test.ts -t S4`, { cause: error });
      }
    }
    expect(twins).toBeGreaterThan(ROUNDS * 10);
    const seed = `${firstSeed()}-${firstSeed() + ROUNDS - 1}`;
    proved({
      fault: "S4",
      what: "hostile calls in process",
      count: ROUNDS * CALLS_IN_ROUND,
      seed,
      result: "0 undocumented",
    });
    proved({ fault: "S1", what: "foreign against unknown ids", count: twins, seed, result: "0 differences" });
  },
  TIMEOUT_MS,
);

test(
  `P10: any of ${SEQUENCES} sequences of 1 to ${SEQUENCE_LENGTH_MAX} calls leaves a ledger that explains every total`,
  async () => {
    let done = 0;
    for (let round = 0; round < SEQUENCES; round++) {
      const seed = firstSeed() + round;
      const pick = seeded(seed);
      const company = await TestCompany.create(await serviceFor(round, seed));
      const length = 1 + pick(SEQUENCE_LENGTH_MAX);
      try {
        expect((await play(oracle, company, sensibleCall, length, pick)).slice(0, 5)).toEqual([]);
        await expectClean(company);
      } catch (error) {
        throw new Error(`CAPTABLE_SEED=${seed} bun test test/fuzz/hostile.test.ts -t P10`, { cause: error });
      }
      done += length;
    }
    const seed = `${firstSeed()}-${firstSeed() + SEQUENCES - 1}`;
    proved({
      fault: "P10",
      what: `sequences of calls (${done} calls)`,
      count: SEQUENCES,
      seed,
      result: "0 differences",
    });
  },
  TIMEOUT_MS,
);
