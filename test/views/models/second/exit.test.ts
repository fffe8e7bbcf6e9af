// A second implementation of exits, written from the rules, agrees to the cent on random companies and values.
import { expect, setDefaultTimeout, test } from "bun:test";
import { modelWaterfall } from "../../../../src/views/models/exit/waterfall.ts";
import type { Company, Mechanism } from "../../../../src/views/models/model-company.ts";
import { Random } from "../../../kit/random.ts";
import { RELEASE } from "../../../kit/release.ts";
import { EXIT_DATE, randomCompany } from "../random-company.ts";
import { SecondExit } from "./exit.ts";

setDefaultTimeout(3_600_000);

const COMPANIES = Number(process.env.CAPTABLE_SECOND ?? (RELEASE ? 20_000 : 150));

type Unit = { readonly name: string; readonly proceeds: string };
const cents = (text: string) => {
  const [whole, fine = ""] = text.split(".");
  return BigInt(`${whole}${fine.padEnd(2, "0")}`);
};
const withoutNothing = (rows: readonly { name: string; cents: bigint }[]) => rows.filter((row) => row.cents > 0n);

function differences(seed: number, tamper: (value: bigint) => bigint = (value) => value): string[] {
  const random = new Random(seed);
  const company = randomCompany(random, { deciders: 6, hasParts: seed % 2 === 0 });
  const values = Array.from({ length: 4 }, () => BigInt(random.between(1, 10 ** random.between(3, 9))));
  return differencesOf(company, values, new SecondExit(company), tamper).map((found) => `${seed}: ${found}`);
}

function differencesOf(
  company: Company,
  values: readonly bigint[],
  second: SecondExit,
  tamper: (value: bigint) => bigint = (value) => value,
): string[] {
  const exitValues = values.map((value) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`);
  const { points } = modelWaterfall(company, { exitValues, breakpoints: false, detail: "UNITS" }, EXIT_DATE);
  return values.flatMap((value, index) => {
    const units = points[index]?.units as readonly Unit[];
    const ours = withoutNothing(units.map(({ name, proceeds }) => ({ name, cents: cents(proceeds) })));
    const theirs = withoutNothing(second.pay(tamper(value)));
    return Bun.deepEquals(ours, theirs) ? [] : [Bun.inspect({ value, ours, theirs })];
  });
}

test(`${COMPANIES} companies, four values each: the same cents for every unit`, () => {
  const found: string[] = [];
  for (let seed = 0; seed < COMPANIES; seed += 1) found.push(...differences(seed));
  expect([found.length, found.slice(0, 3)]).toEqual([0, []]);
});

test("a cent more is noticed", () => {
  const all = Array.from({ length: 20 }, (_none, seed) => differences(seed, (value) => value + 1n)).flat();
  expect(all.length).toBeGreaterThan(20);
});

/** Whether participating preferred is outstanding beside what converts into a part of the liquidity capitalization. */
function isBeside({ classes, held }: Company): boolean {
  const participating = new Set(classes.filter((row) => row.isParticipating).map(({ key }) => key));
  const hasStock = held.some((each) => each.type === "STOCK" && participating.has(each.classKey));
  return hasStock && held.some((each) => each.type === "CONVERTIBLE" && isPart(each.terms.mechanism));
}

function isPart(mechanism: Mechanism): boolean {
  if (mechanism.type === "PERCENT") return true;
  return mechanism.type === "SAFE" && mechanism.cap !== null && mechanism.rules.includeThisSecurity;
}

test(`${COMPANIES} companies with participating preferred beside SAFEs, at large values: the same`, () => {
  const [found, forgotten]: [string[], string[]] = [[], []];
  let count = 0;
  for (let seed = 0; count < COMPANIES; seed += 2) {
    const company = randomCompany(new Random(seed), { deciders: 6, hasParts: true });
    if (!isBeside(company)) continue;
    count += 1;
    const random = new Random(seed + 1);
    const values = Array.from({ length: 2 }, () => BigInt(random.between(100_000_000, 2_000_000_000)));
    found.push(...differencesOf(company, values, new SecondExit(company)));
    // Who forgets it in the capitalization comes to other figures.
    if (count <= 100) forgotten.push(...differencesOf(company, values, new SecondExit(company, false)));
  }
  expect([found.length, found.slice(0, 3)]).toEqual([0, []]);
  expect(forgotten.length).toBeGreaterThan(50);
});
