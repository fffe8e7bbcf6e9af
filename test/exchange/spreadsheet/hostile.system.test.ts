// Files that are made to do harm, or are broken: each is refused with one line, soon, and without eating the memory.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { strToU8, zipSync } from "fflate";
import { isTooComplex } from "../../../src/exchange/reading/answer-lines.ts";
import { UnreadableFile } from "../../../src/exchange/spreadsheet/file/grid.ts";
import { readSpreadsheet } from "../../../src/exchange/spreadsheet/file/read-spreadsheet.ts";
import { templateBytes } from "../../../src/exchange/spreadsheet/file/template-file.ts";
import { sheetsOf } from "../../kit/file-reader.ts";
import { whole } from "../../views/reports/made.ts";
import { cell, workbook } from "./workbook.ts";

setDefaultTimeout(60_000);

/** Why a file is refused; fails where it is read. */
async function refusal(bytes: Uint8Array, name = "file.xlsx"): Promise<string> {
  const started = performance.now();
  try {
    await readSpreadsheet(bytes, name);
  } catch (error) {
    if (!(error instanceof UnreadableFile || isTooComplex(error))) throw error;
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(error.message).not.toContain("\n");
    return error.message;
  }
  throw new Error("the file was read");
}

/** The archive with each of its files listed twice, both over the same bytes. */
function overlapping(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  const [size, at] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const directory = bytes.subarray(at, at + size);
  const made = Buffer.concat([bytes.subarray(0, at), directory, directory, bytes.subarray(end)]);
  const count = view.getUint16(end + 10, true);
  made.writeUInt16LE(count * 2, made.length - 22 + 8);
  made.writeUInt16LE(count * 2, made.length - 22 + 10);
  made.writeUInt32LE(size * 2, made.length - 22 + 12);
  return made;
}

test("taking rows ends where the one who asked for them has had enough", async () => {
  let left = 2;
  const pulse = () => {
    if (--left === 0) throw new Error("enough");
  };
  const bytes = Buffer.from("Certificate\nCS-1\nCS-2\n");
  await expect(sheetsOf(bytes, "file.csv", pulse)).rejects.toThrow("enough");
});

describe("a workbook is refused", () => {
  const header = `<row r="1">${cell("A1", "Certificate")}</row>`;
  const hostile: readonly (readonly [what: string, bytes: () => Uint8Array, why: RegExp])[] = [
    [
      "with 200 MB of text in a cell",
      () => workbook(`<row r="1">${cell("A1", "x".repeat(200 * 1024 ** 2))}</row>`),
      /too long|times as large/,
    ],
    [
      "with millions of empty rows",
      () => workbook('<row r="1"/>'.repeat(2_000_000)),
      /1,000,001 rows.*1,000,000 are allowed/,
    ],
    [
      "with entities of its own",
      () =>
        workbook(header, { "xl/worksheets/sheet1.xml": '<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>' }),
      /document type/,
    ],
    [
      "with an entity from elsewhere",
      () => workbook(header, { "xl/worksheets/sheet1.xml": '<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet/>' }),
      /document type/,
    ],
    ["with a cell beyond the last column", () => workbook(`<row r="1">${cell("XFE1", "x")}</row>`), /outside/],
    ["with a cell far outside", () => workbook(`<row r="1">${cell("ZZZZZZZ999999999", "x")}</row>`), /outside/],
    [
      "with an unknown text",
      () => workbook('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'),
      /text that the workbook does not have/,
    ],
    [
      "with an unknown style",
      () => workbook('<row r="1"><c r="A1" s="7"><v>7</v></c></row>'),
      /style that the workbook does not have/,
    ],
    [
      "whose XML is cut short",
      () => workbook("", { "xl/worksheets/sheet1.xml": "<worksheet><sheetData><row" }),
      /broken/,
    ],
    ["whose files overlap", () => overlapping(workbook(header)), /overlap/],
    ["with too many columns", () => workbook(`<row r="1">${cell("GZ1", "x")}</row>`), /more than 200 columns/],
    ["that is an old one", () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), /Save it as an Excel workbook/],
    ["that is an OpenDocument", () => zipSync({ "content.xml": strToU8("<x/>") }), /Save it as an Excel workbook/],
  ];
  test.each(hostile)("%s", async (_what, bytes, why) => {
    expect(await refusal(bytes())).toMatch(why);
  });

  test("whose bytes were damaged anywhere, or is read as it was", async () => {
    const sound = await whole(templateBytes(true));
    let refused = 0;
    for (let at = 100; at < sound.length; at += 997) {
      const broken = Uint8Array.from(sound);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const read = await readSpreadsheet(broken, "file.xlsx").catch((error) => error);
      if (read instanceof UnreadableFile) refused++;
      else expect(read).toBeArray();
    }
    expect(refused).toBeGreaterThan(5);
  });

  test("but names of object members are names like others", async () => {
    const [grid] = await readSpreadsheet(
      workbook(`<row r="1">${cell("A1", "constructor")}</row>`, {}, "__proto__"),
      "x",
    );
    expect([grid?.name, grid?.rows[0]?.cells.get(0)?.text]).toEqual(["__proto__", "constructor"]);
    expect(Object.keys({})).toEqual([]);
  });
});

describe("a CSV is refused", () => {
  const broken: readonly (readonly [what: string, text: string | Uint8Array])[] = [
    ["with a quote that is never closed", 'Certificate,Holder\n"CS-1,Ada\n'],
    ["with text behind a closing quote", 'Certificate,Holder\n"CS-1"x,Ada\n'],
    ["with a record of 3 MB", `Certificate\n${"x".repeat(3 * 1024 ** 2)}\n`],
    ["with more rows than it may have", `a\n${"1\n".repeat(50_001)}`],
    ["that is no text", Uint8Array.from([0x80, 0xff, 0x00, 0xfe])],
  ];
  test.each(broken)("%s", async (_what, text) => {
    await refusal(typeof text === "string" ? strToU8(text) : text, "Stock.csv");
  });

  test("but 50,000 rows under a header are no more than it may have", async () => {
    const [grid] = await readSpreadsheet(strToU8(`a\n${"1\n".repeat(50_000)}`), "x.csv");
    expect(grid?.rows).toHaveLength(50_001);
  });

  test("but its separator and its encoding are found out", async () => {
    for (const text of ["a;b,c;d\n1;2;3\n", "a\tb\n1\t2\n", "a,b\n1,2\n"]) {
      const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
      for (const bytes of [strToU8(text), strToU8(`\uFEFF${text}`), utf16]) {
        const [grid] = await readSpreadsheet(bytes, "x.csv");
        expect(grid?.rows[1]?.cells.get(0)?.text).toBe("1");
      }
    }
  });
});
