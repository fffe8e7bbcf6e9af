// A second implementation of exits, written from the rules, agrees to the cent on random companies and values.
import { expect, setDefaultTimeout, test } from "bun:test";
import { modelWaterfall } from "../../../src/models/exit/waterfall.ts";
import { Random } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { EXIT_DATE, randomCompany } from "../random-company.ts";
import { SecondExit } from "./exit.ts";

setDefaultTimeout(3_600_000);

const COMPANIES = Number(process.env.CAPTABLE_SECOND ?? (RELEASE ? 20_000 : 300));

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
  const exitValues = values.map((value) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`);
  const { points } = modelWaterfall(company, { exitValues, breakpoints: false, detail: "UNITS" }, EXIT_DATE);
  const second = new SecondExit(company);
  return values.flatMap((value, index) => {
    const units = points[index]?.units as readonly Unit[];
    const ours = withoutNothing(units.map(({ name, proceeds }) => ({ name, cents: cents(proceeds) })));
    const theirs = withoutNothing(second.pay(tamper(value)));
    return Bun.deepEquals(ours, theirs) ? [] : [Bun.inspect({ seed, value, ours, theirs })];
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
