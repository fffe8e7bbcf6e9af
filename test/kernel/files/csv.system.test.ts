// Text in CSV that becomes no formula, number or day, in whatever spreadsheet opens it; and comes back as it was.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCsv } from "../../../src/exchange/spreadsheet/file/csv-read.ts";
import { Meter } from "../../../src/exchange/spreadsheet/file/grid.ts";
import {
  CSV_DEFAULTS,
  type CsvOptions,
  csvText,
  DECIMAL_SIGNS,
  type DecimalSign,
  type Field,
  figureField,
  guarded,
  SEPARATORS,
  type Separator,
  textField,
  unguarded,
} from "../../../src/kernel/files/csv.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { OFFICE } from "../../views/reports/office.ts";

setDefaultTimeout(120_000);

/** Names of options, all of them. */
const [SEPARATOR_NAMES, DECIMAL_NAMES] = [Object.keys(SEPARATORS), Object.keys(DECIMAL_SIGNS)] as [
  Separator[],
  DecimalSign[],
];

describe("the guard", () => {
  test("stands before what begins a formula, whatever hides it", () => {
    const formulas = ["=1+1", "+1", "-x", "@SUM(A1)", "＝1", "＋1", "－1", "＠x", "\u0000=1", "\tx", "\u001b[2J"];
    const hidden = [" =1", '"=1"', "'=1", "''+x", "\u00a0=1", "\u200b=1", "“=1”", "  '\" -x"];
    for (const text of [...formulas, ...hidden]) expect(guarded(text)).toBe(`'${text}`);
  });

  test("stands before what reads as a number or a day", () => {
    const numbers = [
      "007",
      "1",
      "1.5",
      "1E5",
      "1e+5",
      "50%",
      "$5",
      "5 €",
      "(5)",
      "1'000",
      "１２",
      "½",
      "1/2",
      ".5",
      "−5",
    ];
    const days = ["1-2", "2026-01-15", "1/2/2026", "12:30", "10:30 am", "Mar-1", "DEC-12", "1 Jan 2026", "3. März"];
    const others = ["2026-01-15T14:30:00Z", "3rd", "5 de enero", " 7 ", "Mon 5", "USD 5", '"007"'];
    for (const text of [...numbers, ...days, ...others]) expect(guarded(text)).toBe(`'${text}`);
  });

  test("stands before a formula that is made of the signs of an id", () => {
    for (const text of ["-a1-b2-c3-d4-e5-f6-a1-b2-c3-d4-e5-f6", "0000000000000000000000000000-dec-2026"]) {
      expect(guarded(text)).toBe(`'${text}`);
      expect(csvText([[textField(text)]])).toContain(`'${text}`);
    }
    const ids = ["0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f", "dec0ffee-0000-7000-8000-000000000001", "e".repeat(64)];
    for (const text of ids) expect(csvText([[textField(text)]])).toBe(`\uFEFF${text}\r\n`);
  });

  test("stands behind each comma, semicolon, tab and line break in a text as well", () => {
    expect(guarded("Smith,=1+1")).toBe("Smith,'=1+1");
    expect(guarded("a; =1;b;@x")).toBe("a;' =1;b;'@x");
    expect(guarded("a\t=1")).toBe("a\t'=1");
    expect(guarded("a\n=1\r\n-2\r+3")).toBe("a\n'=1\r\n'-2\r'+3");
    expect(guarded("Held since, 2026-01-15, by deed")).toBe("Held since,' 2026-01-15, by deed");
  });

  test("leaves all other text alone", () => {
    const plain = ["", "Ada Lovelace", "CS-1", "A1", "2025 Stock Plan", "1st Fund", "Mark 1", "x=1", "a-b", "O'Neil"];
    const longer = [
      "Smith, Ada",
      "a@example.com",
      "STOCK_ISSUANCE",
      "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
      "'quoted'",
    ];
    for (const text of [...plain, ...longer]) expect(guarded(text)).toBe(text);
  });

  test("is taken off one apostrophe at a time, and where it stands alone", () => {
    for (const text of ["'=1", "''=1", "'007", "'hello", "it's", "'", "''", "a,'=1", "'a,''1-2"]) {
      expect(unguarded(guarded(text))).toBe(text);
    }
    expect([unguarded("'hello"), unguarded("'=1")]).toEqual(["'hello", "=1"]);
  });

  test("never stands before a figure or a day, and decimals are as they are asked for", () => {
    const record = ["-5", "1234.5", "2026-01-15", "", "UNLIMITED"].map(figureField);
    expect(csvText([record])).toBe("\uFEFF-5,1234.5,2026-01-15,,UNLIMITED\r\n");
    expect(csvText([record], { ...CSV_DEFAULTS, bom: false, decimal: "COMMA" })).toBe(
      '-5,"1234,5",2026-01-15,,UNLIMITED\r\n',
    );
    const options = { ...CSV_DEFAULTS, bom: false, separator: "TAB", decimal: "COMMA" } as const;
    expect(csvText([record], options)).toBe('-5\t"1234,5"\t2026-01-15\t\tUNLIMITED\r\n');
  });
});

/** Pieces of which random texts are made: what begins formulas, what hides it, what parts cells, and what is harmless. */
const PIECES = [
  ..."=+-@＝＋－＠,;\t\n\r\"'",
  ...["\r\n", " ", "\u00a0", "\u200b", "‘", "”", "´", "\u0000", "\u0007", "\u2028", "\u0085", "\uFEFF", "\u0301"],
  ...[
    "a",
    "CS",
    "007",
    "1-2",
    "1",
    "Jan",
    "e5",
    "%",
    "$",
    "(",
    ")",
    ".",
    "/",
    ":",
    "１",
    "½",
    "é",
    "漢",
    "😀",
    "\ud800",
  ],
] as const;

function randomText(random: Random): string {
  return Array.from({ length: random.below(12) }, () =>
    random.pick(PIECES as unknown as readonly [string, ...string[]]),
  ).join("");
}

/** RFC 4180, read sign by sign: another reader than the program's own. */
function recordsIn(csv: string, separator: string): string[][] {
  const records: string[][] = [];
  let [record, field, isQuoted, at]: [string[], string, boolean, number] = [[], "", false, 0];
  while (at < csv.length) {
    const sign = csv[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (csv[at + 1] === '"') field += csv[++at];
      else isQuoted = false;
    } else if (sign === '"' && field === "") isQuoted = true;
    else if (sign === separator) {
      record.push(field);
      field = "";
    } else if (csv.startsWith("\r\n", at)) {
      records.push([...record, field]);
      [record, field] = [[], ""];
      at++;
    } else field += sign;
    at++;
  }
  expect([isQuoted, record, field]).toEqual([false, [], ""]);
  return records;
}

/** What any part of a field begins with, wherever a reader that knows no quotes parts it: no formula. */
function startsFormula(field: string): boolean {
  return field.split(/[,;\t\r\n]/).some((part) => /^[\s"]*[=+\-@＝＋－＠]/.test(part));
}

test("random texts are read back as they were, with each separator, and no part of one begins a formula", () => {
  const [first, count] = [firstSeed(), seedCount(1_000, 100_000)];
  let bitten = 0;
  for (let seed = first; seed < first + count; seed++) {
    const random = new Random(seed);
    const texts = [randomText(random), randomText(random), "end"];
    expect(texts.map(guarded).map(unguarded)).toEqual(texts);
    const options: CsvOptions = {
      ...CSV_DEFAULTS,
      bom: false,
      separator: random.pick(SEPARATOR_NAMES as [Separator, ...Separator[]]),
      decimal: random.pick(DECIMAL_NAMES as [DecimalSign, ...DecimalSign[]]),
    };
    const sign = SEPARATORS[options.separator];
    const [read = []] = recordsIn(csvText([texts.map(textField)], options), sign);
    expect(read.map(unguarded)).toEqual(texts);
    expect(read.filter(startsFormula)).toEqual([]);
    const bare = recordsIn(csvText([texts.map(textField)], { ...options, guard: false }), sign)[0] ?? [];
    expect(bare).toEqual(texts);
    if (bare.some(startsFormula)) bitten++;
  }
  // Without the guard, many of them would.
  expect(bitten).toBeGreaterThan(count / 4);
  proved({
    fault: "CSV",
    what: "random texts written and read back",
    count: count * 2,
    seed: `${first}-${first + count - 1}`,
    result: "0 differences, 0 formulas",
  });
});

/** What most cells begin with, and what they are told from: words, months, digits and the signs of ids. */
const WORDLY = [
  ..."0123456789abcdefABCDEF----  \"'[{(.:/%$_!#,;\n",
  ...["rules", "STOCK_", "de", "dec", "DEC", "feb", "Sept", "septembers", "am", "th", "e", "1e5", "märz", "jan", "usd"],
  ...["1".repeat(95), "0".repeat(390), "-".repeat(9), "é", "½", "decade", "cafe", "1 ma\u0308rz", "3 déc 19", "jän1"],
] as const;

interface Made {
  readonly fewest: number;
  readonly signs: readonly [string, ...string[]];
}

/** Words and figures, and texts as long as ids, of their signs alone. */
const CELLS: readonly [Made, ...Made[]] = [
  { fewest: 0, signs: ["rules", ...WORDLY] },
  { fewest: 32, signs: ["a", ..."0123456789bcdef-"] },
  { fewest: 32, signs: ["dec", "feb", ..."0123456789e-"] },
];

test("a blank that hides nothing changes no decision: what is found quickly is what is found slowly", () => {
  const [first, count] = [firstSeed(), seedCount(1_000, 400_000)];
  const [hidden, parts] = ["\u00a0", /\r\n?|[,;\t\n]/g];
  let taken = 0;
  for (let seed = first; seed < first + count; seed++) {
    const random = new Random(seed);
    const { fewest, signs } = random.pick(CELLS);
    const text = Array.from({ length: fewest + random.below(9) }, () => random.pick(signs)).join("");
    const slow = guarded(hidden + text.replace(parts, `$&${hidden}`)).replaceAll(hidden, "");
    expect(guarded(text)).toBe(slow);
    const [record = []] = recordsIn(csvText([[textField(text)]], { ...CSV_DEFAULTS, bom: false }), ",");
    expect(record).toEqual([slow]);
    if (slow !== text) taken++;
  }
  expect(taken).toBeGreaterThan(count / 10);
  expect(taken).toBeLessThan((count * 9) / 10);
});

test("an import reads what was written as it was, but for blanks around it", () => {
  const random = new Random(firstSeed());
  const texts = Array.from({ length: 500 }, () => randomText(random).toWellFormed()).filter((text) => text !== "");
  const header = ["Text", "End"].map(textField);
  const records = [header, ...texts.map((text) => [text, "end"].map(textField))];
  for (const separator of SEPARATOR_NAMES) {
    const bytes = new TextEncoder().encode(csvText(records, { ...CSV_DEFAULTS, separator }));
    const { rows } = readCsv(bytes, "Sheet", new Meter());
    expect(rows.slice(1).map(({ cells }) => cells.get(0)?.text)).toEqual(texts);
  }
});

/** Texts that a spreadsheet would make something else of, and figures and days that it must read as such. */
const HOSTILE = [
  ...[
    "007",
    "1-2",
    "1E5",
    "12:30",
    "MAR-1",
    "1/2",
    "$5",
    "50%",
    "5,5",
    "1.234,5",
    "2026-01-15",
    "1 Jan 2026",
    "TRUE-1",
  ],
  ...["=1+1", "+1", "-1", "@SUM(1)", " =1+1", '"=1+1"', "'=1+1", "＝1+1", "\t=1+1", '=HYPERLINK("http://x","y")'],
  ...["a,=1+1", "a;=1+1", "a\t=1+1", "a\n=1+1", "a\r\n=1+1", "x,007", "x;1-2", 'Ada, "=1+1"'],
];

describe.skipIf(OFFICE === null)("LibreOffice", () => {
  /** The cells that it reads of each file: the type that each has, and whether it is a formula. */
  async function cellsOf(files: readonly string[], separator: string) {
    const folder = mkdtempSync(join(tmpdir(), "captable-csv-"));
    try {
      const names = files.map((csv, at) => {
        writeFileSync(join(folder, `${at}.csv`), csv);
        return join(folder, `${at}.csv`);
      });
      // UTF-8, numbers and days in other forms looked for as well, and formulas computed: what does most.
      const filter = `--infilter=CSV:${separator.charCodeAt(0)},34,76,1,,1033,false,true,false,false,false,-1,true`;
      const words = ["--headless", `-env:UserInstallation=file://${folder}/profile`, filter];
      const run = Bun.spawn([OFFICE ?? "", ...words, "--convert-to", "fods", "--outdir", folder, ...names], {
        stdout: "ignore",
        stderr: "ignore",
      });
      expect(await run.exited).toBe(0);
      return files.map((_, at) => {
        const xml = readFileSync(join(folder, `${at}.fods`), "utf8");
        return [...xml.matchAll(/<table:table-cell([^>]*office:value-type[^>]*)>/g)].map(([, attributes = ""]) => ({
          type: /office:value-type="([^"]*)"/.exec(attributes)?.[1],
          isFormula: attributes.includes("table:formula"),
        }));
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const figures = ["5", "1234.5", "-5", "2026-01-15"];
  const record = (text: string): Field[] => [textField(text), figureField("5")];

  // It takes as long to start as all other tests of this file. What is guarded is the same with each separator.
  for (const separator of RELEASE ? SEPARATOR_NAMES : SEPARATOR_NAMES.slice(0, 1)) {
    test(`makes no formula and no number of a text, with ${separator}`, async () => {
      const options = { ...CSV_DEFAULTS, separator };
      const csv = csvText([...HOSTILE.map(record), figures.map(figureField)], options);
      const unsafe = csvText(HOSTILE.map(record), { ...options, guard: false });
      const [cells = [], bare = []] = await cellsOf([csv, unsafe], SEPARATORS[separator]);
      expect(cells.filter(({ isFormula }) => isFormula)).toEqual([]);
      const texts = cells.slice(0, HOSTILE.length * 2).filter((_, at) => at % 2 === 0);
      expect(texts.map(({ type }) => type)).toEqual(HOSTILE.map(() => "string"));
      expect(cells.slice(HOSTILE.length * 2).map(({ type }) => type)).toEqual(["float", "float", "float", "date"]);

      // Without the guard it would: the look bites.
      const taken = bare.filter(({ type }, at) => at % 2 === 0 && type !== "string");
      expect(taken.length).toBeGreaterThan(5);
      expect(bare.some(({ isFormula }) => isFormula)).toBe(true);
    });
  }
});
