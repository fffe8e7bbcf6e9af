// How names compare: one folding for all of them, and which two are alike.
import { describe, expect, test } from "bun:test";
import { distance } from "../../../src/kernel/text/distance.ts";
import { areAlike, foldName, likenessOf, similarPairs } from "../../../src/kernel/text/names.ts";
import { RELEASE } from "../../kit/release.ts";

const alike = (one: string, other: string) => areAlike(likenessOf(one), likenessOf(other));

describe("one name in two ways", () => {
  test.each([
    ["Ann Lee", " ann\u00a0 LEE "],
    ["O'Hara", "O’Hara"],
    ["Jean-Luc", "Jean‑Luc"],
    ["Straße AG", "STRASSE AG"],
    ["Ångström", "A\u030angstro\u0308m"],
    ["Acme “A”", 'Acme "A"'],
    ["Ann\u200b Lee", "Ann Lee"],
    ["ＡＣＭＥ", "acme"],
    ["ΟΔΟΣ", "οδος"],
    ["ﬁnance", "finance"],
  ])("%p is %p", (one, other) => expect(foldName(one)).toBe(foldName(other)));

  test.each([
    ["राम", "रोम"],
    ["Fund, L.P.", "Fund LP"],
    ["Tomás", "Tomas"],
    ["Fund I", "Fund II"],
  ])("%p is not %p", (one, other) => expect(foldName(one)).not.toBe(foldName(other)));

  test("folding what is folded changes nothing, of every letter there is", () => {
    const changed: number[] = [];
    for (let code = 0x20; code < 0x2_0000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const once = foldName(`a${String.fromCodePoint(code)}b`);
      if (foldName(once) !== once) changed.push(code);
    }
    expect(changed).toEqual([]);
  });
});

describe("names alike", () => {
  test.each([
    ["Tomas Herrera", "Tomás Herrera"],
    ["Fund, L.P.", "Fund LP"],
    ["Acme Ltd", "Acme GmbH"],
    ["Smith & Jones Co. Ltd.", "Smith and Jones"],
    ["John Smith", "Jon Smith"],
    ["John Smith", "Jonh Smith"],
    ["John Smith", "Johm Smith"],
    ["Van Dyke", "Vandyke"],
    ["Fund II, LP", "Fund II"],
  ])("%p and %p", (one, other) => expect([alike(one, other), alike(other, one)]).toEqual([true, true]));

  test.each([
    ["Fund I", "Fund II"],
    ["Holder 12", "Holder 13"],
    ["Fund 1-2", "Fund 1-3"],
    ["Venture Fund-II", "Venture Fund-I"],
    ["Ann", "Ana"],
    ["Ann Lee", "ANN LEE"],
    ["John Smith", "Joan Smyth"],
    ["AG", "SE"],
    ["!", "?"],
    ["राम", "रोम"],
  ])("%p and %p are not", (one, other) => expect([alike(one, other), alike(other, one)]).toEqual([false, false]));
});

test("pairs of similar names are those that each being held against each would find, and a finder that misses swaps is found out", () => {
  let [state, found, missed] = [7, 0, 0];
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < (RELEASE ? 3000 : 150); round++) {
    const letters = "ab ";
    const names = Array.from({ length: 25 }, () =>
      Array.from({ length: 5 + random(4) }, () => letters[random(3)]).join(""),
    ).map(likenessOf);
    const wanted = names.flatMap((later, b) =>
      names.slice(0, b).flatMap((earlier, a) => {
        const isOne = earlier.folded === later.folded || areAlike(earlier, later);
        return isOne && b >= 10 ? [`${a} ${b}`] : [];
      }),
    );
    const pairs = similarPairs(names, 10).map(([a, b]) => `${a} ${b}`);
    expect(pairs.toSorted()).toEqual(wanted.toSorted());
    found += wanted.length;
    // Planted: names are found by equal bare names alone.
    missed += wanted.filter((pair) => {
      const [a = 0, b = 0] = pair.split(" ").map(Number);
      return names[a]?.bare !== names[b]?.bare;
    }).length;
  }
  expect(found).toBeGreaterThan(100);
  expect(missed).toBeGreaterThan(50);
});

const ALIKE = 10_000;

test(`${ALIKE} names that are all alike are reported within seconds`, () => {
  const digits = "abcdefghij";
  const names = Array.from({ length: ALIKE }, (_, at) =>
    likenessOf(`Holder ${[...String(at).padStart(5, "0")].map((digit) => digits[Number(digit)]).join("")} Person`),
  );
  expect(similarPairs(names)).toHaveLength(2000);
});

test.each([
  ["kitten", "sitting", 3],
  ["ab", "ba", 1],
  ["", "abc", 3],
  ["abcd", "abcd", 0],
  ["a cat", "an act", 2],
])("from %p to %p is %d", (from, to, steps) => expect(distance(from, to)).toBe(steps));
