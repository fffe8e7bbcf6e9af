// Numbers that a double cannot represent are told from those that it can.
import { expect, test } from "bun:test";
import { holdsInexact, parseExactly } from "../../../src/kernel/numbers/exact-number.ts";
import { Random } from "../../kit/random.ts";

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

/** Digits and the power of ten of the last one. */
function scaled(source: string): readonly [bigint, number] {
  const [digits = "", power = "0"] = source.toLowerCase().split("e");
  const places = digits.includes(".") ? digits.length - 1 - digits.indexOf(".") : 0;
  return [BigInt(digits.replace(".", "")), Number(power) - places];
}

/** Whether a double is written as what a number says. */
function isHeld(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  const [[digits, power], [read, readPower]] = [scaled(source), scaled(value.toExponential())];
  const least = Math.min(power, readPower);
  return digits * 10n ** BigInt(power - least) === read * 10n ** BigInt(readPower - least);
}

test("in JSON of any shape the same numbers are held, and what is not JSON is refused", () => {
  const random = new Random(31);
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join("");
  const number = () => {
    const whole = random.pick(["0", "-0", "7", `-${1 + random.below(9)}${digits(random.below(20))}`]);
    const fraction = random.pick(["", "", `.${digits(1 + random.below(20))}`, ".50000000000000000000"]);
    return `${whole}${fraction}${random.pick(["", "", "", "e5", "E+12", "e-7", "e300", "e-330", "e400"])}`;
  };
  const texts = ["", "1234567890123456789", '"', "\\", '\\"', '",1e400,"', "[", "\n"] as const;
  const value = (depth: number): string => {
    const kind = random.below(depth > 3 ? 3 : 5);
    if (kind < 2) return number();
    if (kind === 2) return random.pick(["true", "null", JSON.stringify(random.pick(texts))]);
    const items = Array.from({ length: random.below(4) }, () => value(depth + 1));
    if (kind === 3) return `[${items.join(random.pick([",", " ,\n"]))}]`;
    return `{${items.map((item, at) => `${JSON.stringify(`${at}${random.pick(texts)}`)}:${item}`).join(",")}}`;
  };
  const asHeld = (_name: string, read: unknown, context?: { readonly source?: string }) =>
    typeof read === "number" && !isHeld(context?.source ?? "") ? Number.POSITIVE_INFINITY : read;
  let [inexact, broken] = [0, 0];
  for (let n = 0; n < 2000; n++) {
    const text = `[${value(0)}]`;
    const expected = JSON.parse(text, asHeld);
    expect([text, parseExactly(text)]).toEqual([text, expected]);
    if (holdsInexact(expected)) inexact++;
    const at = random.below(text.length + 1);
    const other = text.slice(0, at) + random.pick(['"', "\\", "-", "e", ".", "[", "0", "+", ","]) + text.slice(at);
    const isJson = () => {
      try {
        return JSON.parse(other) !== undefined;
      } catch {
        return false;
      }
    };
    if (isJson()) continue;
    broken++;
    expect(() => parseExactly(other)).toThrow(SyntaxError);
  }
  expect(inexact).toBeGreaterThan(200);
  expect(broken).toBeGreaterThan(200);
});

test.each([
  ["zeros inside a number", (count: number) => `[1${"0".repeat(count)}1]`, true],
  ["zeros inside a fraction", (count: number) => `[1.${"0".repeat(count)}1]`, true],
  ["zeros at its end", (count: number) => `[1.${"0".repeat(count)}]`, false],
  ["escapes", (count: number) => `["${'\\"'.repeat(count)}",1e400]`, true],
])(
  "a mebibyte of %s takes no longer than its length asks for",
  (_what, make, isInexact) => {
    expect(holdsInexact(parseExactly(make(2 ** 19)))).toBe(isInexact);
  },
  10_000,
);
