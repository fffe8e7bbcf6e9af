// Canonical JSON of a text: the quick way gives what the library gives, whatever the names are called.
import { expect, test } from "bun:test";
import canonicalize from "canonicalize";
import { canonicalJson, canonicalText, inNameOrder } from "../../../../src/storage/database/log/log-hash.ts";
import { randomFrom } from "../../../kit/random.ts";

const NAMES = ["a", "b", "B", "10", "9", "1e3", "-1", "__proto__", "é", "z\u0000", "😀", "\ufffd", "_x", "", "toJSON"];
const VALUES = [null, true, false, 0, -0, 1e21, 0.1, "", 'a"b\\c', "line\nbreak", "\u2028", "😀", [], {}];

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const kind = depth > 3 ? 0 : random();
  const count = Math.floor(random() * 5);
  if (kind > 0.7) return Array.from({ length: count }, () => randomValue(random, depth + 1));
  if (kind < 0.4) return pick(VALUES);
  // Not by assignment: that would set a prototype where the name asks for it.
  return Object.fromEntries(Array.from({ length: count }, () => [pick(NAMES), randomValue(random, depth + 1)]));
}

test("a text's canonical form is the library's, with names that an object orders by itself too", () => {
  let differing = 0;
  for (let seed = 1; seed <= 2000; seed++) {
    const value = randomValue(randomFrom(seed), 0);
    const text = JSON.stringify(value);
    const expected = canonicalize(JSON.parse(text));
    expect(canonicalText(text)).toBe(expected as string);
    if (JSON.stringify(inNameOrder(JSON.parse(text))) !== expected) differing++;
  }
  // The quick way alone would be wrong for these.
  expect(differing).toBeGreaterThan(50);
  expect(canonicalText('{"b":"\\ud800","a":1}')).toBe('{"a":1,"b":"\ufffd"}');
  expect(() => canonicalText('{"a":')).toThrow(SyntaxError);
});

test("a value's canonical form is the library's, of plain and of unusual ones, and what it refuses is refused", () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const value = randomValue(randomFrom(seed), 0);
    expect(canonicalJson(value)).toBe(canonicalize(value) as string);
  }
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  const sparse = new Array(2);
  const others = [deep, sparse, [undefined], { b: undefined, a: 1 }, { toJSON: () => 7 }, { at: new Date(0) }];
  for (const value of [...others, Object.create({ a: 1 }), "x", 1, [() => 1], { f: () => 1 }]) {
    expect(canonicalJson(value)).toBe(canonicalize(value) as string);
  }
  for (const value of [{ a: Number.NaN }, [Number.POSITIVE_INFINITY], { "\ud800": 1 }, ["\ud800"], 1n, undefined]) {
    expect(() => canonicalJson(value)).toThrow();
  }
  const circle: unknown[] = [];
  circle.push(circle);
  expect(() => canonicalJson(circle)).toThrow();
});
