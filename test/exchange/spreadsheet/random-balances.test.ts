// Random balances vest on every day as shares counted one by one do: the first were exercised, the last forfeited, and
// what was transferred took of each part.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Mapping } from "../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { randomFrom } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { openPlace, type Place } from "../../property/place.ts";
import type { Texts } from "./kit.ts";
import { imported, mappingOf } from "./mapped.ts";

setDefaultTimeout(RELEASE ? 3_600_000 : 300_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const GRANTS = 20;
const HEAD = ["No", "Who", "When", "Issued", "Left", "Terms", "Exercised", "Forfeited", "Transferred"];
const MINUS = { exercised: ["Exercised"], forfeited: ["Forfeited"], transferred: ["Transferred"] };
const EVERY = { monthly: 1, quarterly: 3, yearly: 12 } as const;

interface Grant {
  readonly start: string;
  readonly issued: number;
  readonly months: number;
  readonly cliff: number;
  readonly every: keyof typeof EVERY;
  readonly exercised: number;
  readonly forfeited: number;
  readonly transferred: number;
}

function randomGrant(random: () => number): Grant {
  const below = (limit: number) => Math.floor(random() * limit);
  const every = (["monthly", "quarterly", "yearly"] as const)[below(3)] ?? "monthly";
  const periods = 1 + below(Math.floor(60 / EVERY[every]));
  const cliff = below(2) === 0 ? 0 : (1 + below(periods)) * EVERY[every];
  const issued = 1 + below(random() < 0.3 ? 20 : 5000);
  const parts = [0, 0, 0];
  // Nothing left would leave the row out.
  for (let left = issued - 1, way = below(3), times = below(4); times > 0; times--, way = (way + 1) % 3) {
    const part = below(left + 1);
    parts[way] = (parts[way] ?? 0) + part;
    left -= part;
  }
  const [exercised = 0, forfeited = 0, transferred = 0] = parts;
  const start = `20${20 + below(6)}-${String(1 + below(12)).padStart(2, "0")}-${String(1 + below(28)).padStart(2, "0")}`;
  return { start, issued, months: periods * EVERY[every], cliff, every, exercised, forfeited, transferred };
}

const leftOf = ({ issued, exercised, forfeited, transferred }: Grant) => issued - exercised - forfeited - transferred;

/** The day that is so many months after another; days are 28 at most. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = ""] = day.split("-").map((part, at) => (at === 2 ? part : Number(part)));
  const whole = Number(year) * 12 + Number(month) - 1 + months;
  return `${Math.floor(whole / 12)}-${String((whole % 12) + 1).padStart(2, "0")}-${date}`;
}

/** In which month each share that was issued vests, one by one. */
function monthsOfShares({ issued, months, cliff, every }: Grant): number[] {
  const shares: number[] = [];
  for (let month = cliff > 0 ? cliff : EVERY[every]; month <= months; month += EVERY[every]) {
    const total = Math.floor((2 * issued * month + months) / (2 * months));
    while (shares.length < total) shares.push(month);
  }
  return shares;
}

/** What has vested after so many months of what is left. */
function vestedAfter(grant: Grant, months: number): number {
  const { exercised, forfeited, transferred } = grant;
  const kept = monthsOfShares(grant).slice(exercised, grant.issued - forfeited);
  const count = kept.filter((month) => month <= months).length;
  if (kept.length === 0) return 0;
  return count - Math.floor((count * transferred) / kept.length);
}

function textsOf(grants: readonly Grant[]): Texts {
  const rows = grants.map((grant, at) => {
    const { start, issued, months, cliff, every, exercised, forfeited, transferred } = grant;
    const words = `${months} months / ${cliff} months cliff ${every}`;
    const figures = [exercised, forfeited, transferred].map((figure) => (figure === 0 ? "-" : String(figure)));
    return [`ES-${at + 1}`, "Ada", start, String(issued), String(leftOf(grant)), words, ...figures];
  });
  return { Grants: [HEAD, ...rows] };
}

/** How many figures of all grants' days are not those of the shares. */
async function differences(seed: number, mapping: Mapping): Promise<number> {
  const random = randomFrom(seed);
  const grants = Array.from({ length: GRANTS }, () => randomGrant(random));
  const texts = textsOf(grants);
  const { reports, seen } = await imported(place, [texts, texts], { mapping }, (company) => ({
    wrong: grants.flatMap((grant, at) =>
      Array.from({ length: grant.months + 2 }, (_, month) => {
        const expected = String(vestedAfter(grant, month));
        return company.vested(`ES-${at + 1}`, monthsAfter(grant.start, month)) === expected ? 0 : 1;
      }),
    ),
  }));
  expect(reports.map(({ problems }) => problems)).toEqual([[], []]);
  expect(reports[1]?.counts.options).toEqual({ create: 0, unchanged: GRANTS, differs: 0, leftOut: 0 });
  return seen.wrong.reduce<number>((sum, each) => sum + each, 0);
}

const SEEDS = seedCount(1, 500);

test(`${SEEDS * GRANTS} balances vest on every day as their shares do, and come again unchanged`, async () => {
  const mapping = mappingOf({ minus: MINUS });
  const first = firstSeed();
  for (let seed = first; seed < first + SEEDS; seed++)
    expect([seed, await differences(seed, mapping)]).toEqual([seed, 0]);
  const result = "every day as counted share by share";
  proved({
    fault: "balances vest otherwise",
    what: "balances",
    count: SEEDS * GRANTS,
    seed: `${first} to ${first + SEEDS - 1}`,
    result,
  });
});

test("a mapping that takes the exercised for the forfeited is found out", async () => {
  const { exercised, forfeited, transferred } = MINUS;
  const swapped = mappingOf({ minus: { exercised: forfeited, forfeited: exercised, transferred } });
  expect(await differences(1, swapped)).toBeGreaterThan(0);
});
