// What a file may have is counted before anything is made of it: each figure at its edge, where the file is read, and one
// beyond, where the refusal names the figure and what is allowed.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { strToU8, zipSync } from "fflate";
import { COMMAND_BOUNDS, SERVED_BOUNDS, ValueMeter } from "../../../src/exchange/ocf/bounds.ts";
import { Findings } from "../../../src/exchange/ocf/finding.ts";
import { type ZipLimits, zipEntries } from "../../../src/exchange/ocf/zip-read.ts";
import { readSpreadsheet } from "../../../src/exchange/spreadsheet/file/read-spreadsheet.ts";
import { RELEASE } from "../../kit/release.ts";
import { cell, workbook } from "../spreadsheet/workbook.ts";

setDefaultTimeout(300_000);

const HEADER = `<row r="1">${cell("A1", "Certificate")}</row>`;
const SHEET = "xl/worksheets/sheet1.xml";
const sheet = (before: string, rows: string, after = "") =>
  workbook("", { [SHEET]: `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>` });
const part = (name: string, xml: string) => workbook(HEADER, { [`xl/${name}.xml`]: xml });
const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}="1"`).join(" ");

/** A figure of spreadsheets: what is allowed, a file with so many of it, and how the refusal of one more begins. */
type Figure = readonly [what: string, allowed: number, file: (count: number) => Uint8Array, named: string];

const FIGURES: readonly Figure[] = [
  [
    "columns described",
    16_384,
    (count) => sheet(`<cols>${'<col min="1" max="200" hidden="1"/>'.repeat(count)}</cols>`, HEADER),
    "16,385 columns described by <col>",
  ],
  [
    "merged ranges",
    100_000,
    (count) => sheet("", HEADER, '<mergeCell ref="A1:B2"/>'.repeat(count)),
    "100,001 merged ranges",
  ],
  // The workbook's own relation counts, too.
  ["links", 65_535, (count) => sheet("", HEADER, '<hyperlink ref="A1"/>'.repeat(count)), "65,537 links"],
  ["styles", 65_536, (count) => part("styles", `<s><cellXfs>${"<xf/>".repeat(count)}</cellXfs></s>`), "65,537 styles"],
  ["number formats", 65_536, (count) => part("styles", `<s>${"<numFmt/>".repeat(count)}</s>`), "65,537 number formats"],
  [
    "levels of XML",
    32,
    (count) => part("styles", "<a>".repeat(count) + "</a>".repeat(count)),
    "33 nested levels of XML",
  ],
  ["attributes", 64, (count) => part("styles", `<s ${attributes(count)}/>`), "65 attributes of one element"],
];

/** Those that take seconds. */
const LONG: readonly Figure[] = [
  ["rows of a CSV", 1_000_000, (count) => strToU8("\n".repeat(count)), "1,000,001 rows (empty ones counted)"],
  ["rows of a sheet", 1_000_000, (count) => sheet("", "<row/>".repeat(count)), "1,000,001 rows (empty ones counted)"],
  [
    "cells of a sheet",
    5_000_000,
    (count) => sheet("", `<row>${"<c/>".repeat(count)}</row>`),
    "5,000,001 cells (empty ones counted)",
  ],
  [
    "shared strings",
    2_000_000,
    (count) => part("sharedStrings", `<sst>${"<si/>".repeat(count)}</sst>`),
    "2,000,001 shared strings",
  ],
  // With the one around them.
  ["elements", 7_999_999, (count) => part("styles", `<s>${"<a/>".repeat(count)}</s>`), "8,000,001 elements in a part"],
];

describe("a spreadsheet", () => {
  test.each([...FIGURES, ...(RELEASE ? LONG : [])])("%s", async (_what, allowed, file, named) => {
    await readSpreadsheet(file(allowed), "x.csv");
    await expect(readSpreadsheet(file(allowed + 1), "x.csv")).rejects.toThrow(`The file has ${named}`);
    await expect(readSpreadsheet(file(allowed + 1), "x.csv")).rejects.toThrow(" are allowed. ");
  });
});

describe("JSON", () => {
  const counted = (text: string, valuesMax: number) =>
    new ValueMeter({ ...SERVED_BOUNDS, valuesMax }).count(strToU8(text));

  test("nested levels, whatever else is there", () => {
    for (const open of ["[", '{"a":']) {
      counted(open.repeat(32), 100);
      expect(() => counted(open.repeat(33), 100)).toThrow("33 nested levels of JSON or more; 32 are allowed");
    }
    // Brackets in a text nest nothing.
    counted(JSON.stringify(["[".repeat(1000), '\\"[['.repeat(100)]), 100);
  });

  test("values, as a parser finds them", () => {
    const values = (value: unknown): number =>
      1 +
      (value !== null && typeof value === "object" ? Object.values(value) : []).reduce(
        (sum: number, each) => sum + values(each),
        0,
      );
    const texts = [
      "1",
      "[]",
      "{}",
      "[1]",
      '{"a":[]}',
      '[[],[],{"b":"c,d"}]',
      " [ ] ",
      '{"a":{"b":[1,2,[3]]},"c":null}',
    ];
    for (const text of texts) {
      const count = values(JSON.parse(text));
      counted(text, count);
      if (count > 1) expect(() => counted(text, count - 1)).toThrow("values of JSON or more");
    }
  });

  test("values of all files together, by HTTP and by the command line", () => {
    const list = strToU8(`[${"0,".repeat(1_999_998)}0]`);
    const meter = new ValueMeter(SERVED_BOUNDS);
    meter.count(list);
    meter.count(list);
    expect(() => meter.count(strToU8("0"))).toThrow("4,000,001 values of JSON or more; 4,000,000 are allowed");
    const byCommand = new ValueMeter(COMMAND_BOUNDS);
    for (let file = 0; file < 3; file++) byCommand.count(list);
  });
});

describe("an archive", () => {
  const MEBIBYTE = 1024 ** 2;
  const limits: ZipLimits = { bytesMax: 96 * MEBIBYTE, ratioMax: 100, entriesMax: 10, mayOverlap: true };
  const unpack = async (archive: Uint8Array, given: Partial<ZipLimits> = {}) => {
    const findings = new Findings();
    for (const entry of zipEntries(archive, findings, { ...limits, ...given })) await entry.read(findings);
    expect(findings.list).toEqual([]);
  };

  test("a part above 32 MiB, by how much it was packed", async () => {
    await unpack(zipSync({ a: new Uint8Array(32 * MEBIBYTE) }, { level: 1 }));
    const packed = zipSync({ a: new Uint8Array(33 * MEBIBYTE) }, { level: 1 });
    await expect(unpack(packed)).rejects.toThrow(
      "times as large as packed, or more; above 32 MiB 100 times are allowed",
    );
    await unpack(packed, { ratioMax: 2000 });
  });

  test("all parts together", async () => {
    const parts = zipSync({ a: new Uint8Array(30 * MEBIBYTE), b: new Uint8Array(30 * MEBIBYTE) }, { level: 1 });
    await unpack(parts, { bytesMax: 60 * MEBIBYTE });
    await expect(unpack(parts, { bytesMax: 59 * MEBIBYTE })).rejects.toThrow("59 MiB are allowed");
  });
});
