// What each kind of field accepts: code points, real calendar days, exact decimals, addresses; one field at a time.
import { describe, expect, test } from "bun:test";
import { findFaults } from "../../src/kernel/check.ts";
import {
  body,
  complete,
  date,
  decimal,
  defaulted,
  email,
  freeObject,
  freeText,
  id,
  integer,
  listOf,
  oneOf,
  optional,
  patchOf,
  positiveDecimal,
  text,
} from "../../src/kernel/fields.ts";

function accepts(schema: Parameters<typeof findFaults>[0], value: unknown): boolean {
  return findFaults(schema, value).length === 0;
}

describe("text", () => {
  test.each([
    ["as long as it may be, in code points", "😀".repeat(100), true],
    ["one code point longer", "😀".repeat(101), false],
    ["empty", "", false],
    ["blank", " \u00a0 ", false],
    ["with a line break", "a\nb", false],
    ["with a NUL", "a\u0000b", false],
    ["with a C1 control", "a\u0085b", false],
    ["with a lone surrogate", "a\ud800", false],
    ["right to left with joiners", "שלום\u200d", true],
    ["padded: kept as sent", " a ", true],
    ["a number", 5, false],
  ])("%s", (_case, value, expected) => expect(accepts(text(100), value)).toBe(expected));

  test("free text may be empty, and may have line breaks and tabs, but no other control characters", () => {
    expect(["", "a\r\n\tb", "a\u0007"].map((value) => accepts(freeText(2000), value))).toEqual([true, true, false]);
  });
});

describe("decimals", () => {
  test.each([
    ["0", true, false],
    ["0.0000000001", true, true],
    ["999999999999999.9999999999", true, true],
    ["1000000000000000", false, false],
    ["1.00000000001", false, false],
    ["-1", false, false],
    ["+1", false, false],
    ["1e3", false, false],
    [".5", false, false],
    ["", false, false],
    [5, false, false],
    [null, false, false],
  ])("%p: a decimal %p, a positive one %p", (value, isDecimal, isPositive) => {
    expect([accepts(decimal(), value), accepts(positiveDecimal(), value)]).toEqual([isDecimal, isPositive]);
  });
});

test.each([
  ["a@b.co", true],
  ["first.last+tag@sub.example.org", true],
  ["a@b", false],
  ["a b@c.de", false],
  [".a@b.co", false],
  ["a..b@c.de", false],
  ["@b.co", false],
  [`${"a".repeat(65)}@b.co`, false],
  [`a@${"b".repeat(250)}.co`, false],
])("email %p: %p", (value, expected) => expect(accepts(email(), value)).toBe(expected));

test.each([
  ["2024-02-29", true],
  ["2023-02-29", false],
  ["2024-1-1", false],
  [20240101, false],
])("date %p: %p", (value, expected) => expect(accepts(date(), value)).toBe(expected));

test("an id is any string of 1 to 255 characters without control characters", () => {
  expect(["a", "not a uuid/with?things", "x".repeat(255)].every((value) => accepts(id(), value))).toBe(true);
  expect(["", "x".repeat(256), "a\nb"].some((value) => accepts(id(), value))).toBe(false);
});

test("an integer is whole, within bounds, and never a string", () => {
  const values = [1, 2 ** 53 - 1, 0, 1.5, 2 ** 53, "1", Number.POSITIVE_INFINITY, null];
  expect(values.map((value) => accepts(integer(1), value))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("a free object is kept up to 16 KiB, and refused when it is no object or ill-formed", () => {
  const values = [
    {},
    { a: [1, { b: null }] },
    [],
    null,
    "x",
    { a: "x".repeat(16_384) },
    { a: "\ud800" },
    { a: "\\ud800" },
  ];
  const expected = [true, true, false, false, false, false, false, true];
  expect(values.map((value) => accepts(freeObject(), value))).toEqual(expected);
});

describe("bodies", () => {
  const Body = body({
    name: text(10),
    note: optional(freeText()),
    kind: defaulted(oneOf(["A", "B"]), "A"),
    tags: defaulted(listOf(text(5)), []),
  });

  test("everything that is wrong is said at once, each at its place", () => {
    const value = { note: 5, kind: null, tags: ["x", "x"], extra: 1 };
    const places = findFaults(Body, value).map((fault) => fault.path);
    expect(places.sort()).toEqual(["/extra", "/kind", "/name", "/note", "/tags"]);
  });

  test("null is as if not given for an optional member, and refused for a required or defaulted one", () => {
    expect(accepts(Body, { name: "x", note: null })).toBe(true);
    expect(
      findFaults(Body, { name: null, kind: null })
        .map((fault) => fault.path)
        .sort(),
    ).toEqual(["/kind", "/name"]);
  });

  test("a PATCH takes any part, and null only for what create neither requires nor defaults", () => {
    const Patch = patchOf(Body);
    expect(accepts(Patch, {})).toBe(true);
    expect(accepts(Patch, { note: null })).toBe(true);
    expect(
      findFaults(Patch, { name: null, tags: null, x: 1 })
        .map((fault) => fault.path)
        .sort(),
    ).toEqual(["/name", "/tags", "/x"]);
  });

  test("a completed body has every member: defaults, and null for what was not given", () => {
    expect(complete(Body, { name: "x" })).toEqual({ name: "x", note: null, kind: "A", tags: [] });
  });

  test("prototype keys are members like any other, and refused", () => {
    const value = JSON.parse('{"name":"x","__proto__":{"kind":"B"},"constructor":1}');
    expect(
      findFaults(Body, value)
        .map((fault) => fault.path)
        .sort(),
    ).toEqual(["/__proto__", "/constructor"]);
  });
});
