// Text on paper: wrapped between words, and a word is cut only where no size would have it whole.
import { describe, expect, test } from "bun:test";
import { Fonts, fontsIn } from "../../../src/views/reports/pdf/fonts.ts";
import { Paper } from "../../../src/views/reports/pdf/pdf-paper.ts";

const SAID = { title: "", subject: "", producer: "captable", made: new Date(0), zoom: 1 };
const paperOf = (isLetter: boolean) =>
  new Paper(new Fonts(fontsIn(null)), { ...SAID, isLetter, air: { lines: 1, rows: 0, head: 0 } });

/** Headers of the summary's classes, in columns of 3 parts of 28. */
const HEADERS = [
  "Authorized",
  "Outstanding",
  "Options",
  "Warrants",
  "Fully diluted",
  "% outstanding",
  "% fully diluted",
];
const LOOK = { size: 8.5, isBold: true };

describe.each([
  ["Letter", true],
  ["A4", false],
] as const)("on %s", (_, isLetter) => {
  const paper = paperOf(isLetter);
  const width = (paper.width * 3) / 28 - 4;

  test.each(HEADERS)("the header %s is not cut within a word", (header) => {
    const { lines, look } = paper.fitted(header, width, LOOK);
    expect(lines.join(" ")).toBe(header);
    for (const line of lines) expect(paper.widthOf(line, look)).toBeLessThanOrEqual(width);
  });

  test("a word that fits at no size is cut, at the size at which all text is wrapped", () => {
    const { lines, look } = paper.fitted("a ".concat("w".repeat(60)), width, LOOK);
    expect(lines.join("")).toBe("a".concat("w".repeat(60)));
    expect(look.size).toBe(8);
  });
});
