// The limit on incentive options where vesting is accelerated: what was exercised before keeps what it was, and all else
// of the year counts anew. Held against a count share by share, on random grants; and through the whole program.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type IsoGrant, isoRows } from "../../../src/views/models/compliance/iso-limit.ts";
import { fraction } from "../../../src/views/models/fraction.ts";
import { seedCount } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(3_600_000);

/** A share of a grant: the day on which it becomes exercisable, and the one on which it would have. */
interface Share {
  readonly date: string;
  readonly instead: string | null;
  readonly isAccelerated: boolean;
}

interface Granted {
  readonly id: string;
  /** In dollars a share, so large that few shares fill the limit. */
  readonly value: number;
  readonly shares: readonly Share[];
  readonly exercises: readonly { readonly date: string; readonly count: number }[];
}

const dayIn = (random: Random, year: number) =>
  `${year}-${String(random.between(1, 12)).padStart(2, "0")}-${String(random.between(1, 28)).padStart(2, "0")}`;

function randomGrants(random: Random): readonly Granted[] {
  return Array.from({ length: random.between(1, 4) }, (_none, index) => {
    const shares = Array.from({ length: random.between(1, 9) }, (): Share => {
      const date = dayIn(random, random.between(2023, 2024));
      if (!random.chance(0.4)) return { date, instead: null, isAccelerated: false };
      const instead = random.chance(0.2) ? null : [dayIn(random, 2023), dayIn(random, 2025)].find((day) => day > date);
      return { date, instead: instead ?? null, isAccelerated: true };
    });
    const exercises = Array.from({ length: random.below(3) }, () => {
      return { date: dayIn(random, random.between(2023, 2024)), count: random.between(1, 4) };
    });
    return { id: `g${index}`, value: random.pick([10_000, 20_000, 30_000, 45_000]), shares, exercises };
  });
}

const dateOf = ({ date, instead, isAccelerated }: Share, before: string | null) =>
  isAccelerated && before !== null && date >= before ? instead : date;
const isIn = (year: number, date: string | null) => date?.startsWith(String(year)) ?? false;

function asModelled({ id, value, shares, exercises }: Granted): IsoGrant {
  return {
    securityId: id,
    value: fraction(BigInt(value)),
    valueFrom: "STRIKE",
    years: [2023, 2024, 2025],
    inYear: (year, before) =>
      shares.flatMap((share) => {
        const date = dateOf(share, before ?? null);
        if (date === null || !isIn(year, date)) return [];
        return [{ date, quantity: fraction(1n), isAccelerated: share.isAccelerated && date === share.date }];
      }),
    exercisedBefore: (day) =>
      fraction(BigInt(exercises.filter(({ date }) => date < day).reduce((sum, { count }) => sum + count, 0))),
  };
}

/** Share by share: whether each of a year is an incentive option. */
function second(grants: readonly Granted[], year: number, keepsExercised = true): ReadonlyMap<Share, boolean> {
  const kept = new Map<Share, boolean>();
  const count = (before: string | null) => {
    const told = new Map(kept);
    const of = (share: Share) => grants.find(({ shares }) => shares.includes(share))?.value ?? 0;
    let left = 100_000 - [...kept].reduce((sum, [share, isIso]) => sum + (isIso ? of(share) : 0), 0);
    let isFull = false;
    for (const { shares, value } of grants) {
      for (const share of shares) {
        if (!isIn(year, dateOf(share, before)) || told.has(share)) continue;
        if (left < value) isFull = true;
        told.set(share, !isFull);
        if (!isFull) left -= value;
      }
    }
    return told;
  };
  const days = grants
    .flatMap(({ shares }) => shares.filter((share) => share.isAccelerated).map(({ date }) => date))
    .filter((date) => isIn(year, date));
  for (const day of [...new Set(days)].sort()) {
    const told = count(day);
    for (const { shares, exercises } of keepsExercised ? grants : []) {
      let exercised = exercises.filter(({ date }) => date < day).reduce((sum, each) => sum + each.count, 0);
      exercised -= shares.filter(({ date }) => date.slice(0, 4) < String(year)).length;
      const own = shares.filter((share) => isIn(year, dateOf(share, day)));
      const rank = (share: Share) => (kept.has(share) ? 0 : told.get(share) ? 1 : 2);
      for (const share of own.sort((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, exercised))) {
        kept.set(share, told.get(share) ?? false);
      }
    }
  }
  return count(null);
}

function differences(seed: number, keepsExercised = true): readonly string[] {
  const grants = randomGrants(new Random(seed));
  const { rows } = isoRows(grants.map(asModelled));
  return [2023, 2024].flatMap((year) => {
    const told = second(grants, year, keepsExercised);
    return grants.flatMap(({ id, shares }) => {
      const own = shares.filter((share) => told.has(share) && isIn(year, share.date));
      const theirs = [own.filter((share) => told.get(share)).length, own.filter((share) => !told.get(share)).length];
      const row = rows.find((each) => each.year === year && each.securityId === id);
      const ours = [Number(row?.iso ?? "0"), Number(row?.nso ?? "0")];
      return Bun.deepEquals(ours, theirs) ? [] : [Bun.inspect({ seed, year, id, ours, theirs })];
    });
  });
}

const SEEDS = seedCount(250, 20_000);

test(`${SEEDS} holders: as many incentive options as a count share by share comes to`, () => {
  const found = Array.from({ length: SEEDS }, (_none, seed) => differences(seed)).flat();
  expect([found.length, found.slice(0, 3)]).toEqual([0, []]);
});

test("who forgets what was exercised before an acceleration is noticed", () => {
  expect(Array.from({ length: 500 }, (_none, seed) => differences(seed, false)).flat().length).toBeGreaterThan(20);
});

describe("through the whole program", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ CAPTABLE_LOG: "off" });
  });
  afterAll(() => server.stop());

  /** Three grants at $1, of which the second vests after some months and is accelerated on a day. */
  async function company(months: number) {
    const where = { orgId: await server.newOrganization() };
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await server.api(method, path, body, where);
      expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
      return answer.json.data ?? answer.json;
    };
    const stakeholderId = await makeStakeholder(server, {}, where);
    const common = await makeShareClass(server, { initialSharesAuthorized: "1000000000" }, where);
    const plan = { planName: "Plan", initialSharesReserved: "1000000", stockClassIds: [common] };
    const { id: stockPlanId } = await ask("POST", "/equity-plans", plan);
    const trigger = { type: "TIME_BASED", periodLength: months, periodType: "MONTHS", occurrences: 1 };
    const late = { id: "t", trigger, portion: { numerator: 1, denominator: 1 } };
    const terms = { name: "late", description: "Once", vestingConditions: [late] };
    const { id: vestingTermsId } = await ask("POST", "/vesting-terms", terms);
    const grant = async (certificateId: string, quantity: string, effectiveDate: string, more = {}) => {
      const option = { stakeholderId, stockPlanId, exercisePrice: "1", optionType: "ISO", certificateId, ...more };
      return (await ask("POST", "/transactions/issue-options", { ...option, quantity, effectiveDate })).securityId;
    };
    const first = await grant("A", "60000", "2023-04-01");
    const second = await grant("B", "50000", "2023-05-01", { vestingTermsId });
    const third = await grant("C", "40000", "2023-06-01");
    const exercise = (securityId: string, quantity: string, effectiveDate: string) =>
      ask("POST", "/transactions/exercise", { securityId, quantity, exercisePrice: "1", effectiveDate });
    const accelerate = (quantity: string, effectiveDate: string) =>
      ask("POST", "/transactions/accelerate-vesting", { securityId: second, quantity, reason: "Sale", effectiveDate });
    const told = async () => {
      const { holders } = await ask("GET", "/compliance/iso-limit?asOf=2024-06-30");
      const rows: readonly Record<string, string>[] = holders[0].rows;
      return [first, second, third].map((id) =>
        rows.filter((row) => row.securityId === id).map(({ year, iso, nso }) => `${year}: ${iso} and ${nso}`),
      );
    };
    return { exercise, accelerate, told, third, first };
  }

  test("what was exercised before the day stays what it was, and uses up its part of the limit", async () => {
    const { exercise, accelerate, told, third } = await company(24);
    await exercise(third, "30000", "2023-07-01");
    await accelerate("50000", "2023-07-15");
    expect(await told()).toEqual([["2023: 60000 and 0"], ["2023: 10000 and 40000"], ["2023: 30000 and 10000"]]);
  });

  test("an exercise on the day of the acceleration, or after it, keeps nothing", async () => {
    const { exercise, accelerate, told, third } = await company(24);
    await exercise(third, "30000", "2023-07-15");
    await accelerate("50000", "2023-07-15");
    expect(await told()).toEqual([["2023: 60000 and 0"], ["2023: 40000 and 10000"], ["2023: 0 and 40000"]]);
  });

  test("without the acceleration its shares count in the year all the same where they would have vested in it", async () => {
    const { exercise, accelerate, told, third } = await company(6);
    await exercise(third, "30000", "2023-07-01");
    await accelerate("50000", "2023-07-15");
    expect(await told()).toEqual([["2023: 60000 and 0"], ["2023: 40000 and 10000"], ["2023: 0 and 40000"]]);
  });

  test("several accelerations, one after the other", async () => {
    const { exercise, accelerate, told, third } = await company(24);
    await accelerate("20000", "2023-06-15");
    await exercise(third, "25000", "2023-07-01");
    await accelerate("30000", "2023-07-15");
    // Before the second one: 60,000, 20,000 and 20,000 of 40,000, of which 20,000 and 5,000 were exercised.
    expect(await told()).toEqual([["2023: 60000 and 0"], ["2023: 20000 and 30000"], ["2023: 20000 and 20000"]]);
  });
});
