// Large values are digested by a shorter way than others: it must come to the same digest.
import { expect, test } from "bun:test";
import { digestJson, digestNamed } from "../../src/ledger/hash.ts";
import { Random } from "../kit/random.ts";

const TEXTS = ["", "Ada", "1.50", 'a "b" \\ c', "é\u0000\n\u2028", "😀 𝒜", "\u007f", "ﬁ"] as const;
const NAMES = ["name", "Name", "a", "aa", "é", "_", "name2", "", "z"] as const;

function randomValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.2)) {
    return random.pick([null, true, false, 0, -7, 1e21, 0.1, random.pick(TEXTS)] as const);
  }
  const count = random.below(5);
  if (random.chance(0.4)) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: count }, () => [random.pick(NAMES), randomValue(random, depth - 1)]));
}

test("values whose names are no numbers have one digest, in whatever order their members stand", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const value = randomValue(new Random(seed), 4);
    expect([seed, digestNamed(value)]).toEqual([seed, digestJson(value)]);
  }
  expect(digestNamed({ b: 1, a: [{ d: 2, c: 3 }] })).toBe(digestNamed({ a: [{ c: 3, d: 2 }], b: 1 }));
});

test("names that are numbers have not: a caller with such names uses the other function", () => {
  expect(digestNamed({ 10: 1, 9: 2 })).not.toBe(digestJson({ 10: 1, 9: 2 }));
});
