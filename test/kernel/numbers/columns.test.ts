// Columns that add up: what is missing goes to the largest remainders exactly, however close they are.
import { expect, test } from "bun:test";
import { apportion, Column } from "../../../src/kernel/numbers/columns.ts";
import { ONE } from "../../../src/kernel/numbers/decimal.ts";
import { dilutedColumns } from "../../../src/views/cap-table/diluted.ts";

/** The method of Hamilton as it is described: every remainder compared with every other. */
function byHand(units: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const parts = weights.map((weight) => (weight * units) / whole);
  const rests = weights.map((weight, index) => ({ index, rest: (weight * units) % whole }));
  rests.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  const missing = Number(units - parts.reduce((sum, part) => sum + part, 0n));
  for (const { index } of rests.slice(0, missing)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

test("remainders that differ by less than a float can tell go to the larger", () => {
  for (let seed = 1n; seed <= 200n; seed++) {
    const large = 10n ** 24n;
    const weights = Array.from({ length: 40 }, (_, place) => large + ((seed * 7919n * BigInt(place + 1)) % 23n));
    for (const units of [7n, 39n, 100_000_000n]) expect(apportion(units, weights)).toEqual(byHand(units, weights));
  }
});

test("parts that floats work out are the exact ones: whole units, ties, and what is nearly one", () => {
  const units = 100_000_000n;
  for (let seed = 1; seed <= 60; seed++) {
    let state = seed * 2_654_435_761;
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    const kinds = [
      // Exactly or very nearly so many units, by turns.
      () => BigInt(next(1000)) * ONE * 1_000_000n + BigInt(next(3)) - 1n,
      () => BigInt(next(7)) * ONE,
      () => BigInt(next(2 ** 30)) * 10n ** BigInt(next(30)),
      () => 10n ** 24n + BigInt(next(3)),
    ];
    const draw = kinds[seed % kinds.length] ?? (() => 1n);
    const weights = Array.from({ length: 50 }, draw).map((weight) => (weight < 0n ? 0n : weight));
    // The rest of a whole that units divide, so that many parts have no remainder.
    const sum = weights.reduce((all, weight) => all + weight, 0n);
    const whole = units * 10n ** 28n;
    if (seed % 2 === 0 && sum < whole) weights.push(whole - sum);
    const all = byHand(units, weights);
    expect(apportion(units, weights)).toEqual(all);
    const column = new Column(units, weights);
    expect(weights.map((_weight, place) => column.part(place))).toEqual(all);
    expect(column.part(weights.length)).toBe(0n);
  }
});

test("columns of thousands of rows are as by hand", () => {
  const weights = Array.from(
    { length: 3000 },
    (_, place) => BigInt(1 + ((place * 7919) % 977)) * ONE + BigInt(place % 3),
  );
  expect(apportion(100_000_000n, weights)).toEqual(byHand(100_000_000n, weights));
});

test("ties go to the larger holder, then to the earlier, and to the pool last", () => {
  const holder = (shares: bigint) => ({ outstandingAsConverted: shares * ONE, asConverted: shares * ONE });
  // Sixths: each remainder is as large as the other.
  const { asConverted, pool } = dilutedColumns([holder(1n), holder(4n)], ONE);
  expect([...asConverted, pool]).toEqual([16_666_667n, 66_666_667n, 16_666_666n]);
  const equal = dilutedColumns([holder(1n), holder(1n)], ONE);
  expect([...equal.asConverted, equal.pool]).toEqual([33_333_334n, 33_333_333n, 33_333_333n]);
});
