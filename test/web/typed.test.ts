// Numbers that people type into pages, in the way of their language: read to the very number, or refused with what to type.
import { describe, expect, test } from "bun:test";
import { formatDecimal, parseDecimal } from "../../src/kernel/numbers/decimal.ts";
import { LOCALES } from "../../src/web/chosen-locale.ts";
import { decimalFault, heldOf, readDecimal, shownOf } from "../../src/web/parts/forms/decimal.ts";
import { asTyped, readTyped, typedFault } from "../../src/web/parts/forms/typed.ts";
import { proved, seedCount } from "../kit/proof.ts";

describe("a typed number", () => {
  test.each([
    ["en-US", "1,250", "1250"],
    ["en-US", "1.250", "1.250"],
    ["en-US", "1500", "1500"],
    ["en-US", " 1500.25 ", "1500.25"],
    ["en-US", "1'500'000.5", "1500000.5"],
    ["en-US", "1 500 000", "1500000"],
    ["en-US", "007", "7"],
    ["en-US", ".5", "0.5"],
    ["en-US", "123456789012345.1234567891", "123456789012345.1234567891"],
    ["de-DE", "1.250", "1250"],
    ["de-DE", "1250", "1250"],
    ["de-DE", "1.500.000", "1500000"],
    ["de-DE", "1,5", "1.5"],
    ["de-DE", "1.250,75", "1250.75"],
    ["de-CH", "1’250.75", "1250.75"],
    ["de-CH", "1'250.75", "1250.75"],
    ["es-ES", "1.250", "1250"],
    ["fr-FR", "1 250,5", "1250.5"],
    ["fr-FR", "1\u202f250,5", "1250.5"],
    ["en-IN", "1,50,000", "150000"],
    ["pl-PL", "1250,5", "1250.5"],
  ])("%s: %p is read as %p", (locale, typed, read) => expect(readTyped(typed, locale)).toBe(read));

  test.each([
    ["en-US", "0,125", "Type 0.125"],
    ["en-US", "1,5", "Type 1.5"],
    ["en-US", "1.500,25", "Type 1500.25"],
    ["de-DE", "1.5", "Type 1,5"],
    ["de-DE", "0.125", "Type 0,125"],
    ["de-DE", "1,250.50", "Type 1250,50"],
    ["fr-FR", "1.5", "Type 1,5"],
    ["en-US", "1,50,000", "Enter digits, with fractions as in 1500.25"],
    ["de-DE", "1,5,0", "Enter digits, with fractions as in 1500,25"],
    ["en-US", "1,500'000", "Enter digits, with fractions as in 1500.25"],
    ["en-US", "1.12345678901", "Enter at most 15 digits, and 10 of a fraction"],
  ])("%s: %p is refused: %s", (locale, typed, told) => {
    expect([readTyped(typed, locale), typedFault(typed, locale)]).toEqual([null, told]);
  });

  test.each(["1e5", "-1", "+1", "", ".", "1.", "½", "١", "1  000", "0,125,000"])("%p is not a number", (typed) =>
    expect(readTyped(typed, "en-US")).toBeNull(),
  );
});

describe("a field for a number", () => {
  test("holds it as the API writes it, and shows it in the person's way", () => {
    expect(heldOf("1.250,5", "de-DE")).toBe("1250.5");
    expect([shownOf("1250.125", "de-DE"), shownOf("1250.125", "en-US")]).toEqual(["1250,125", "1250.125"]);
    expect([heldOf("2,5 %", "de-DE"), shownOf("2.5%", "de-DE")]).toEqual(["2.5%", "2,5%"]);
    expect(heldOf("5% up to 30.000.000,5; 10%", "de-DE")).toBe("5% up to 30000000.5;10%");
    expect(shownOf("5% up to 30000000.5; 10%", "de-DE")).toBe("5% up to 30000000,5;10%");
    expect(heldOf("5% up to 1.5; 10%", "de-DE")).toStartWith("~");
    expect([heldOf("UNLIMITED"), shownOf("UNLIMITED"), heldOf("  ")]).toEqual(["UNLIMITED", "UNLIMITED", ""]);
  });

  test("holds what cannot be read as it was typed, and says what to type", () => {
    const held = heldOf("0,125", "en-US");
    expect([readDecimal(held), decimalFault(held), shownOf(held)]).toEqual([null, "Type 0.125", "0,125"]);
    expect([decimalFault(""), decimalFault("1.250")]).toEqual([undefined, undefined]);
  });
});

/** All ways of writing a number in a language, blanks and apostrophes made plain. */
function waysOf(value: string, locale: string): readonly string[] {
  const format = new Intl.NumberFormat(locale, {
    ...{ numberingSystem: "latn", useGrouping: "always", maximumFractionDigits: 20 },
  });
  const sign = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? "";
  const [whole = "", places] = value.split(".");
  const threes = (apart: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, apart);
  const wholes = [whole, threes(" "), threes("'"), plain(format.format(BigInt(whole)))];
  return wholes.map((each) => (places === undefined ? each : `${each}${sign}${places}`));
}

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ").replace(/’/g, "'");

/** Types random numbers of every language in every other one; the texts that are read as what they do not say. */
function misread(count: number, reader: typeof readTyped) {
  let state = 5;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wrong: string[] = [];
  let [read, refused] = [0, 0];
  for (let round = 0; round < count; round++) {
    const whole = String(random(10 ** (1 + random(9))));
    const value = random(2) === 0 ? whole : `${whole}.${String(random(10 ** 3)).padStart(1 + random(5), "0")}`;
    const [own = "", other = ""] = [LOCALES[random(LOCALES.length)], LOCALES[random(LOCALES.length)]];
    for (const typed of waysOf(value, own)) {
      if (reader(typed, own) !== value) wrong.push(`${own}: ${typed}`);
      const elsewhere = reader(typed, other);
      if (elsewhere === null) refused++;
      else if (/^\d+(\.\d+)?$/.test(elsewhere) && waysOf(elsewhere, other).includes(plain(typed))) read++;
      else wrong.push(`${other}: ${typed} as ${elsewhere}`);
    }
  }
  return { wrong, read, refused };
}

test("random numbers in the way of each language are read exactly in it, and in others so or not; a lenient reader is found out", () => {
  const count = seedCount(250, 100_000);
  const { wrong, read, refused } = misread(count, readTyped);
  expect(wrong).toEqual([]);
  expect(Math.min(read, refused)).toBeGreaterThan(count / 10);
  expect(LOCALES.length).toBeGreaterThanOrEqual(10);
  // Planted: commas, blanks and points before the last sign are taken away, whatever the language.
  const lenient = (typed: string) => typed.replace(/[., '](?=.*[.,])/g, "").replace(",", ".");
  expect(misread(200, lenient).wrong).not.toEqual([]);
  proved({ fault: "N2", what: "numbers typed in each of 26 languages", count, seed: "5", result: "exact, or refused" });
});

test("what a form puts into a field is read as the same number in every language", () => {
  for (const locale of LOCALES) {
    for (const value of ["0.125", "1.250", "1250", "1234567.1234567891", "0.0001"]) {
      expect(readTyped(asTyped(value, locale), locale)).toBe(value);
      expect(heldOf(shownOf(value, locale), locale)).toBe(value);
      expect(formatDecimal(parseDecimal(value))).toBe(
        formatDecimal(parseDecimal(readTyped(asTyped(value, locale), locale) ?? "0")),
      );
    }
  }
});
