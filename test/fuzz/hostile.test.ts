// Hostile calls of every route, and calls of every route in any order (S4, P10): whatever is sent is answered as the
// reference says (oracle.ts), another organization's ids are as good as none, and the ledger explains every total after.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Pick, seeded } from "../matrix/mutants.ts";
import { expectSound } from "../support/cap-table.ts";
import { firstSeed, proved, seedCount } from "../support/proof.ts";
import type { Answer } from "../support/server.ts";
import { type Call, differenceOf, hostileCall, sensibleCall, tell, twinCalls } from "./calls.ts";
import { Oracle } from "./oracle.ts";
import { Service } from "./service.ts";
import { Town } from "./town.ts";

const CALLS_IN_ROUND = 500;
const ROUNDS = seedCount(10, 1000);
const SEQUENCES = seedCount(60, 2000);
const SEQUENCE_LENGTH_MAX = 200;
const AT_ONCE = 20;
/** So many organizations share a database. */
const ROUNDS_IN_SERVICE = 20;
const DAYS = ["2024-02-29", "2025-06-30", "2026-06-15", "9999-12-31"];
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

/** Sends calls, some at once, and returns what is wrong with the answers. */
async function play(town: Town, make: (town: Town, pick: Pick) => Call, count: number, pick: Pick): Promise<string[]> {
  const faults: string[] = [];
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const calls = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => make(town, pick));
    const answers = await Promise.all(calls.map(({ sending }) => town.service.send(sending)));
    calls.forEach((call, index) => {
      const answer = answers[index] as Answer;
      const fault = oracle.judge(call.route, answer);
      if (fault !== null) faults.push(`${tell(call)}\n  ${fault}`);
      town.learn(call.route, answer);
    });
    await town.look();
  }
  return faults;
}

/** Whether the service still adds up: verified, in every view, and nothing of its own failed. */
async function expectClean(town: Town): Promise<void> {
  expect(town.service.differences(town.orgId)).toEqual([]);
  for (const day of DAYS) expectSound((await town.api("GET", `/cap-table?asOf=${day}`)).json.data);
  expect(town.service.failures).toEqual([]);
  expect({ polluted: Reflect.get({}, "isAdmin") }).toEqual({ polluted: undefined });
}

/** All that another organization could notice. */
async function traceOf(town: Town): Promise<string> {
  const log = await town.api("GET", "/audit-log?limit=1");
  return (await town.api("GET", "/cap-table/summary")).text + log.text;
}

async function expectTwinsAlike(town: Town, other: Town, count: number, pick: Pick): Promise<number> {
  let compared = 0;
  for (let index = 0; index < count; index++) {
    const twins = twinCalls(town, other, pick);
    if (twins === null) continue;
    const [unknown, foreign] = twins;
    const first = await town.service.send(unknown.sending);
    const difference = differenceOf(first, await town.service.send(foreign.sending));
    if (difference !== null) throw new Error(`${tell(foreign)}\n  ${difference}`);
    if (first.status >= 400) compared++;
  }
  return compared;
}

test(
  `S4: ${ROUNDS * CALLS_IN_ROUND} hostile calls are answered as documented, and foreign ids as unknown ones`,
  async () => {
    let twins = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const seed = firstSeed() + round;
      const pick = seeded(seed);
      const home = await serviceFor(round, seed);
      const [town, other] = [await Town.found(home), await Town.found(home)];
      const before = await traceOf(other);
      try {
        expect((await play(town, hostileCall, CALLS_IN_ROUND, pick)).slice(0, 5)).toEqual([]);
        twins += await expectTwinsAlike(town, other, CALLS_IN_ROUND / 10, pick);
        await expectClean(town);
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
      const town = await Town.found(await serviceFor(round, seed));
      const length = 1 + pick(SEQUENCE_LENGTH_MAX);
      try {
        expect((await play(town, sensibleCall, length, pick)).slice(0, 5)).toEqual([]);
        await expectClean(town);
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
