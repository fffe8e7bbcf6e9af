// Numbers that a double cannot represent are told from those that it can.
import { expect, test } from "bun:test";
import { holdsInexact, parseExactly } from "../../../src/kernel/numbers/exact-number.ts";

test.each([
  "0",
  "-0",
  "1500",
  "0.1",
  "1.0",
  "1.50e3",
  "123456789012345",
  "9007199254740991",
  "1e22",
  "1E+300",
  "5e-324",
  "0.00000000000000000000000000001",
  "100000000000000000000",
])("%s is held", (text) => {
  expect(parseExactly(`[${text}]`)).toEqual([Number(text)]);
});

test.each(["1e400", "-1e400", "1e-400", "12345678901234567890", "9007199254740993", "0.1000000000000000000000001"])(
  "%s is not, wherever it is",
  (text) => {
    for (const body of [`[${text}]`, `{"a":${text}}`, `{"a":{"b":[1,  ${text}]}}`, `{"a":\n${text}}`]) {
      expect([body, holdsInexact(parseExactly(body))]).toEqual([body, true]);
    }
  },
);

test("digits in strings are not checked", () => {
  const text = JSON.stringify({ a: "12345678901234567890", b: ": 1e400", c: ["[1e-400"] });
  expect(parseExactly(text)).toEqual(JSON.parse(text));
});
