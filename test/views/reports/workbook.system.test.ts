// The workbook: every figure equals the cap table's, every formula gives its saved value, and nothing of what people
// typed becomes a formula.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { unzipSync, zipSync } from "fflate";
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { layOutTable } from "../../../src/views/cap-table/table.ts";
import type { SHEET_KEYS } from "../../../src/views/reports/keys.ts";
import { BASES } from "../../../src/views/reports/keys.ts";
import type { Company } from "../../../src/views/reports/report-company.ts";
import { layOutSheet, layOutWorkbook } from "../../../src/views/reports/sheets/all.ts";
import { notesSheet } from "../../../src/views/reports/sheets/notes.ts";
import { randomFrom } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { evaluate } from "./evaluate.ts";
import { companyOf, inPlace, readWhole, recordsOf, sumOf, workbookOf } from "./made.ts";
import { convert, OFFICE } from "./office.ts";
import { HAS_OPENPYXL, type PythonCell, readByOpenpyxl } from "./openpyxl.ts";
import { randomCompany } from "./random-company.ts";
import { type ReadCell, type ReadSheet, readXlsx, unescaped } from "./read-xlsx.ts";

setDefaultTimeout(RELEASE ? 1_800_000 : 120_000);

const COMPANIES = RELEASE ? 200 : 6;
const DAYS = ["2025-01-31", "2025-06-30", "2026-01-01", "2026-06-15", "2027-01-01", "9999-12-31"];
const PERCENT_TOLERANCE = 1e-14;

/** Random companies, each read at some day and instant. */
function companies(count: number, each: (company: Company, seed: number) => void): Promise<void> {
  return inPlace((tx) => {
    for (let seed = 1; seed <= count; seed++) {
      const random = randomFrom(seed);
      const service = randomCompany(tx, seed, 40);
      const whole = companyOf(tx, service);
      const times = [...whole.entries()].map(({ createdAt }) => createdAt);
      for (let look = 0; look < 3; look++) {
        const asOf = DAYS[Math.floor(random() * DAYS.length)] ?? "2026-06-15";
        const knownAt = look === 0 ? null : (times[Math.floor(random() * times.length)] ?? null);
        each(companyOf(tx, service, { asOf, knownAt }), seed * 10 + look);
      }
    }
  });
}

async function workbooks(count: number): Promise<Map<string, Uint8Array>> {
  const made: Promise<readonly [string, Uint8Array]>[] = [];
  await inPlace(async (tx) => {
    for (let seed = 1; seed <= count; seed++) {
      const asOf = DAYS[seed % DAYS.length] ?? "2026-06-15";
      const company = companyOf(tx, randomCompany(tx, seed, 60), { asOf });
      const basis = BASES[seed % BASES.length] ?? "FULLY_DILUTED";
      made.push(workbookOf(readWhole(company), basis).then((bytes) => [`c${seed}`, bytes]));
    }
  });
  return new Map(await Promise.all(made));
}

describe("figures", () => {
  test("sums of the registers are the cap table's, at any day and by what was known at any instant", async () => {
    let compared = 0;
    await companies(COMPANIES, (company) => {
      const { totals, equityPlans, stakeholders } = company.table;
      const sheet = (key: (typeof SHEET_KEYS)[number]) => layOutSheet(company, key, "FULLY_DILUTED");
      expect(sumOf(sheet("stock-ledger"), "outstanding")).toBe(totals.outstanding);
      expect(sumOf(sheet("option-ledger"), "outstanding")).toBe(totals.options);
      expect(sumOf(sheet("warrants"), "outstanding")).toBe(totals.warrants);
      for (const key of ["summary", "cap-table"] as const) {
        expect(sumOf(sheet(key), "outstanding")).toBe(totals.outstanding);
        expect(sumOf(sheet(key), "fullyDiluted")).toBe(totals.asConverted);
        expect(sumOf(sheet(key), "warrants")).toBe(totals.warrants);
      }
      expect(recordsOf(sheet("pool")).map(({ available, reserved }) => ({ available, reserved }))).toEqual(
        equityPlans.map(({ available, reserved }) => ({ available, reserved })),
      );
      for (const { id, holdings, outstanding } of stakeholders) {
        const own = recordsOf(sheet("stock-ledger")).filter(({ holderId }) => holderId === id);
        const sum = own.reduce((total, row) => total + parseDecimal(String(row.outstanding)), 0n);
        expect(sum).toBe(parseDecimal(outstanding));
        compared += holdings.length;
      }
      expect(company.table).toEqual(layOutTable(company.view));
    });
    expect(compared).toBeGreaterThan(COMPANIES);
  });

  test("what was issued and adjusted, less what went out, is what is outstanding, in each row", async () => {
    let rows = 0;
    await companies(COMPANIES, (company) => {
      for (const key of ["stock-ledger", "option-ledger", "warrants", "convertibles"] as const) {
        for (const row of recordsOf(layOutSheet(company, key, "FULLY_DILUTED"))) {
          const of = (name: string) => parseDecimal(String(row[name] ?? "0"));
          const out = ["transferred", "exercised", "converted", "repurchased", "cancelled"].map(of);
          expect(of("issued") + of("adjusted") - out.reduce((sum, each) => sum + each, 0n)).toBe(of("outstanding"));
          rows++;
        }
      }
    });
    expect(rows).toBeGreaterThan(COMPANIES * 5);
  });

  test("a row that no split and no edit touched has nothing to adjust", async () => {
    let plain = 0;
    await companies(COMPANIES, (company) => {
      const touched = [...company.entries()].some(
        ({ type, metadata }) => type === "STOCK_SPLIT" || (metadata ?? "").includes("directEdit"),
      );
      if (touched) return;
      for (const key of ["stock-ledger", "option-ledger", "warrants", "convertibles"] as const) {
        for (const { adjusted } of recordsOf(layOutSheet(company, key, "FULLY_DILUTED"))) {
          expect(adjusted).toBe("0");
          plain++;
        }
      }
    });
    expect(plain).toBeGreaterThan(5);
  });
});

/** Every formula of a workbook with the value that it was saved with. */
function* formulasOf(sheets: readonly ReadSheet[]) {
  for (const sheet of sheets) {
    for (const [reference, { formula, value }] of sheet.cells) {
      if (formula !== null) yield { sheet, reference, formula, saved: Number(value) };
    }
  }
}

function isSame(formula: string, one: number, other: number): boolean {
  return formula.startsWith("IF(") ? Math.abs(one - other) <= PERCENT_TOLERANCE : one === other;
}

describe("formulas", () => {
  test("each gives the value that is saved with it", async () => {
    let count = 0;
    for (const [name, bytes] of await workbooks(COMPANIES)) {
      for (const { sheet, reference, formula, saved } of formulasOf(readXlsx(bytes).sheets)) {
        const got = evaluate(sheet, formula);
        if (!isSame(formula, got, saved))
          throw new Error(`${name} ${sheet.name}!${reference} ${formula}: ${got}, ${saved}`);
        count++;
      }
    }
    expect(count).toBeGreaterThan(COMPANIES * 20);
  });

  test.skipIf(!OFFICE)("LibreOffice, told to recalculate, gives each its saved value", async () => {
    const made = await workbooks(RELEASE ? COMPANIES : 4);
    const wrong = [...made].find(([, bytes]) => [...formulasOf(readXlsx(bytes).sheets)].length > 0);
    const spoiled = spoil(wrong?.[1] ?? new Uint8Array());
    const recalculated = await convert(new Map([...made, ["spoiled", spoiled.bytes]]), "xlsx");
    let count = 0;
    for (const [name, bytes] of made) {
      const after = readXlsx(recalculated.get(name) ?? new Uint8Array()).sheets;
      for (const { sheet, reference, formula, saved } of formulasOf(readXlsx(bytes).sheets)) {
        const cell = after.find((each) => each.name === sheet.name)?.cells.get(reference);
        if (!cell?.formula || !isSame(formula, Number(cell.value), saved)) {
          throw new Error(`${name} ${sheet.name}!${reference} ${formula}: ${cell?.value}, saved ${saved}`);
        }
        count++;
      }
    }
    expect(count).toBeGreaterThan(made.size * 20);
    // The control: a saved value that is wrong does not survive.
    const mended = readXlsx(recalculated.get("spoiled") ?? new Uint8Array()).sheets;
    const cell = mended.find(({ name }) => name === spoiled.sheet)?.cells.get(spoiled.reference);
    expect(cell?.value).not.toBe("987654321");
  });

  test.skipIf(!HAS_OPENPYXL)("openpyxl reads each cell as it is in the file", async () => {
    const made = [...(await workbooks(RELEASE ? COMPANIES : 4)).values()];
    const counts = { number: 0, text: 0, date: 0, formula: 0 };
    for (const [at, read] of (await readByOpenpyxl(made)).entries()) {
      const { sheets } = readXlsx(made[at] ?? new Uint8Array());
      expect(read.map(({ name }) => name)).toEqual(sheets.map(({ name }) => name));
      for (const [index, sheet] of read.entries()) {
        expect([sheet.name, sheet.frozen === null, sheet.titles]).toEqual([sheet.name, false, "$1:$4"]);
        const filled = [...(sheets[index]?.cells ?? [])].filter(([, { value }]) => (value ?? "") !== "");
        expect(Object.keys(sheet.cells).sort()).toEqual(filled.map(([reference]) => reference).sort());
        for (const [reference, cell] of filled) compare(sheet.cells[reference], cell, counts);
      }
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });
});

const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** Compares a cell as openpyxl read it with the file, and counts what kind it is. */
function compare(read: PythonCell | undefined, { formula, value, isText }: ReadCell, counts: Record<string, number>) {
  const kind = formula !== null ? "formula" : isText ? "text" : read?.isDate ? "date" : "number";
  const said = isText ? unescaped(value ?? "") : Number(value);
  const got = kind === "date" ? (Date.parse(`${read?.value}Z`) - EPOCH_MS) / DAY_MS : read?.value;
  // An instant of a serial is as near as a millisecond.
  const isSaid = kind === "date" ? Math.abs(Number(got) - Number(said)) * DAY_MS <= 1 : got === said;
  expect({ formula: read?.formula?.replace(/^=/, "") ?? null, got, isSaid }).toEqual({ formula, got, isSaid: true });
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** The workbook with the saved value of its first formula spoiled. */
function spoil(bytes: Uint8Array) {
  const [first] = formulasOf(readXlsx(bytes).sheets);
  const parts = unzipSync(bytes);
  for (const [name, part] of Object.entries(parts)) {
    const xml = new TextDecoder().decode(part);
    if (xml !== first?.sheet.xml) continue;
    const cell = new RegExp(`(<c r="${first.reference}"[^>]*><f>[^<]*</f><v>)[^<]*`);
    parts[name] = new TextEncoder().encode(xml.replace(cell, "$1987654321"));
  }
  return { bytes: zipSync(parts), sheet: first?.sheet.name ?? "", reference: first?.reference ?? "" };
}

const HOSTILE = [
  "=1+1",
  "+cmd|' /C calc'!A0",
  "-2+3",
  "@SUM(A1)",
  "\tTab",
  "＝1＋1",
  "_x0041_ literal",
  "quotes \" & <tags> ' ]]>",
  "line\nbreak",
  "  spaces  everywhere ",
  `long ${"x".repeat(190)}`,
];

/** A workbook whose holders are called as no program should compute. */
function hostileWorkbook(): Promise<Uint8Array> {
  return inPlace(async (tx) => {
    const company = companyOf(tx, randomCompany(tx, 3, 5));
    const [first] = company.stakeholders();
    const stakeholders = HOSTILE.map((displayName) => ({ ...first, displayName }) as typeof first);
    const named = { ...company, stakeholders: () => stakeholders.filter((each) => each !== undefined) };
    return workbookOf(named, "GRANTED", ["stakeholders"]);
  });
}

describe("what people typed", () => {
  test.skipIf(!HAS_OPENPYXL)("is text to openpyxl, quoted where it begins as a formula", async () => {
    const [[sheet] = []] = await readByOpenpyxl([await hostileWorkbook()]);
    const cells = HOSTILE.map((_, at) => sheet?.cells[`A${5 + at}`]);
    expect(cells.map((cell) => unescaped(String(cell?.value)))).toEqual(HOSTILE);
    for (const [at, cell] of cells.entries()) {
      const isQuoted = /^[=+\-@\t＝]/.test(HOSTILE[at] ?? "");
      expect([HOSTILE[at], cell?.formula, cell?.isQuoted]).toEqual([HOSTILE[at], null, isQuoted]);
    }
  });

  test("comes back as it was, is text, and stays text when it is edited", async () => {
    const bytes = await hostileWorkbook();
    const { sheets, part } = readXlsx(bytes);
    const sheet = sheets.find(({ name }) => name === "Stakeholders");
    const styles = [...part("xl/styles.xml").matchAll(/<xf [^>]*xfId[^>]*>/g)].map(([xf]) => xf);
    // Programs drop what they take for layout, where they are not told to keep it.
    const xml = part("xl/worksheets/sheet1.xml");
    expect(xml).toContain('<t xml:space="preserve">  spaces  everywhere </t>');
    expect(xml).toContain('<t xml:space="preserve">line\nbreak</t>');
    expect(xml).toContain("<t>_x005F_x0041_ literal</t>");
    for (const [at, name] of HOSTILE.entries()) {
      const cell = sheet?.cells.get(`A${5 + at}`);
      expect(cell?.formula).toBeNull();
      expect(cell?.isText).toBe(true);
      expect(unescaped(cell?.value ?? "")).toBe(name);
      expect(styles[cell?.style ?? 0]?.includes("quotePrefix")).toBe(/^[=+\-@\t＝]/.test(name));
    }
  });
});

describe("the file", () => {
  test("has the same bytes when it is made again, under another time zone too", async () => {
    const before = process.env.TZ;
    const made = async () => (await workbooks(2)).get("c2");
    try {
      const first = await inPlace((tx) => readWhole(companyOf(tx, randomCompany(tx, 5, 20))));
      const one = await workbookOf(first);
      process.env.TZ = "Pacific/Kiritimati";
      expect(Buffer.compare(await workbookOf(first), one)).toBe(0);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
    expect((await made())?.length).toBeGreaterThan(1000);
  });

  test("of an empty company has all sheets, and totals of 0 without formulas", async () => {
    const bytes = await inPlace((tx) => {
      const { orgId } = randomCompany(tx, 1, 1);
      const company = companyOf(tx, { orgId }, { asOf: "1999-01-01" });
      return workbookOf({ ...company, entries: () => [], stakeholders: () => [], valuations: [] });
    });
    const { sheets } = readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).toEqual([
      "Summary",
      "Cap table",
      "Stock ledger",
      "Option ledger",
      "Warrants",
      "Convertibles",
      "Pool",
      "Pool history",
      "Authorized",
      "Valuations",
      "Transactions",
      "Stakeholders",
      "Notes",
    ]);
    expect([...formulasOf(sheets)]).toEqual([]);
    expect(sheets[2]?.cells.get("G3")).toMatchObject({ value: "0", formula: null });
  });

  test("freezes, filters and repeats what it should", async () => {
    const bytes = (await workbooks(2)).get("c2") ?? new Uint8Array();
    const { sheets, part } = readXlsx(bytes);
    const book = part("xl/workbook.xml");
    for (const [at, { name, xml }] of sheets.entries()) {
      expect(xml).toContain('ySplit="4"');
      expect(xml.includes("<autoFilter")).toBe(!["Summary", "Cap table", "Pool", "Notes"].includes(name));
      expect(book).toContain(`<definedName name="_xlnm.Print_Titles" localSheetId="${at}">'${name}'!$1:$4`);
      expect(xml).toContain("Page &amp;P of &amp;N");
    }
  });
});

describe("figures of more than 15 digits", () => {
  test("are text digit by digit, and what would read them is a value", async () => {
    const bytes = await inPlace((tx) => {
      const service = randomCompany(tx, 4, 25);
      const company = companyOf(tx, service, { asOf: "9999-12-31" });
      const securities = new Map(company.view.state.securities);
      for (const [id, state] of securities) {
        if (state.type === "STOCK" && state.status === "ACTIVE") {
          securities.set(id, { ...state, quantity: parseDecimal("123456789012345.0123456789") });
        }
      }
      company.view.state.securities.clear();
      for (const [id, state] of securities) company.view.state.securities.set(id, state);
      return workbookOf(readWhole(company), "FULLY_DILUTED", ["stock-ledger"]);
    });
    const { sheets } = readXlsx(bytes);
    const ledger = sheets[0];
    const column = [...(ledger?.cells ?? [])].filter(([at]) => /^M\d+$/.test(at)).map(([, cell]) => cell);
    const long = column.filter(({ value }) => value === "123456789012345.0123456789");
    expect(long.length).toBeGreaterThan(0);
    expect(long.every(({ isText, formula }) => isText && formula === null)).toBe(true);
    expect(ledger?.cells.get("M3")?.formula).toBeNull();
    const notes = [...(sheets.at(-1)?.cells.values() ?? [])].map(({ value }) => value).join("\n");
    expect(notes).toContain("Stock ledger, Outstanding: figures of more than 15 digits");
  });
});

describe("amounts in other currencies", () => {
  test("of one holder stand each in a line of its own; notes count those of classes and valuations, too", async () => {
    await inPlace((tx) => {
      const company = companyOf(tx, randomCompany(tx, 3, 40));
      const holder = company.view.names.stakeholders[0]?.id ?? "";
      const owed = (id: string, quantity: string) => ({ id, type: "CONVERTIBLE", stakeholderId: holder, quantity });
      const open = [owed("a", "100"), owed("b", "20"), owed("c", "3"), owed("d", "4")].map((each) => ({
        ...each,
        quantity: parseDecimal(each.quantity),
      }));
      const rows = new Map(["EUR", "USD", "EUR", "CHF"].map((currency, at) => ["abcd"[at], { currency }]));
      const said = {
        ...company,
        currency: "USD",
        descriptionsOf: () => rows,
        view: { open, convertibles: open, names: company.view.names },
        table: { ...company.table, stakeholders: [{ id: holder, holdings: [], ...NOTHING_HELD }] },
      } as unknown as typeof company;
      const found = recordsOf(layOutSheet(said, "cap-table", "FULLY_DILUTED"));
      const own = found.filter(({ id }) => id === holder);
      expect(own.map(({ principal, outstanding }) => [principal, outstanding])).toEqual([
        ["20", "0"],
        ["4 CHF", null],
        ["103 EUR", null],
      ]);
      const [first] = company.view.names.classes;
      const foreign = {
        ...company,
        valuations: [{ stockClassId: first?.id }],
        view: { state: company.view.state, names: { classes: [{ ...first, currency: "EUR" }] } },
      } as unknown as typeof company;
      const notes = recordsOf(notesSheet(foreign, "FULLY_DILUTED", [])).map(({ note }) => note);
      for (const what of [/^1 class has amounts in/, /^1 valuation has amounts in/, /is in EUR\.$/]) {
        expect(notes).toContainEqual(expect.stringMatching(what));
      }
    });
  });
});

const NOTHING_HELD = {
  ...{ outstanding: "0", options: "0", warrants: "0", fullyDiluted: "0" },
  ...{ asConverted: "0", percentAsConverted: "0.000000" },
};

test("a sheet with more rows than a spreadsheet has is refused, and the CSV named", async () => {
  await inPlace((tx) => {
    const company = companyOf(tx, randomCompany(tx, 1, 40));
    const lay = (rowsMax: number) => layOutWorkbook(company, ["transactions"], "FULLY_DILUTED", rowsMax);
    const rows = [...company.entries()].length;
    expect(lay(rows)).toHaveLength(2);
    expect(() => lay(rows - 1)).toThrow(/transactions sheet|too long/i);
    const refused = (() => {
      try {
        return lay(rows - 1);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ slug: "validation-failed", errors: [{ parameter: "sheets" }] });
    expect(JSON.stringify((refused as { errors: unknown }).errors)).toContain("/api/v1/reports/transactions.csv");
  });
});
