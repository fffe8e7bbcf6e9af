// captable cap-table and captable holder: tables that fit, figures that are the API's, and refusals.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fitted, grouped, terminalWidth, toCsv } from "../../../cli/columns.ts";
import { table } from "../../../cli/command.ts";
import { CSV_DEFAULTS, type Field, figureField, textField } from "../../../src/kernel/files/csv.ts";
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { percentInWords } from "../../../src/views/cap-table/layout/percents.ts";
import { sum } from "../../kit/cap-table.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, PROGRAM, programEnvironment, runProgram } from "../../kit/program.ts";
import { startTestServer } from "../../kit/service.ts";

setDefaultTimeout(120_000);

const dataDir = newDataDir();
const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");

beforeAll(async () => {
  expect((await runCommand(["ocf", "import", SMALL, "--data-dir", dataDir])).status).toBe(0);
});
afterAll(() => rmSync(dirname(dataDir), { recursive: true, force: true }));

const run = (args: readonly string[], COLUMNS = "200") =>
  runProgram([...args, "--data-dir", dataDir], { COLUMNS, TZ: "UTC" });

async function shown(args: readonly string[], columns?: string): Promise<string[]> {
  const { status, stdout, stderr } = await run(args, columns);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trimEnd().split("\n");
}

/** What `captable cap-table` writes to a terminal of so many columns. */
async function inTerminal(cols: number): Promise<string> {
  const closed = Promise.withResolvers<void>();
  const written: Uint8Array[] = [];
  const child = Bun.spawn([...PROGRAM, "cap-table", "--data-dir", dataDir], {
    env: programEnvironment({ COLUMNS: "" }),
    terminal: {
      cols,
      rows: 24,
      data: (_terminal, bytes) => void written.push(bytes.slice()),
      exit: () => closed.resolve(),
    },
  });
  expect(await child.exited).toBe(0);
  await closed.promise;
  return Buffer.concat(written).toString();
}

/** The cells of the line that begins with `name`. */
const cells = (lines: readonly string[], name: string) =>
  lines
    .find((line) => line.startsWith(name))
    ?.slice(name.length)
    .trim()
    .split(/\s{2,}/);

describe("captable cap-table", () => {
  test("has a row for each holder, what plans have available, and the sums", async () => {
    const lines = await shown(["cap-table", "--as-of", "2024-06-01"]);
    expect(lines[0]).toBe("Lindenhof Instruments, Inc., cap table as of 2024-06-01");
    const { data } = { data: JSON.parse((await run(["cap-table", "--as-of", "2024-06-01", "--json"])).stdout) };
    const ada = data.stakeholders.find(({ id }: { id: string }) => id === "ada");
    expect(cells(lines, "Ada Wirth")).toContain(grouped(ada.asConverted));
    expect(cells(lines, "Total")).toContain(grouped(data.totals.asConverted));
    expect(cells(lines, "Pool available")).toContain(grouped(data.totals.poolAvailable));
    const unvested = sum(data.stakeholders.map((each: { unvested: string }) => each.unvested));
    expect(unvested).not.toBe("0");
    expect(cells(lines, "Total")).toContain(grouped(unvested));
    expect(data.asOf).toBe("2024-06-01");
    expect(data.knownAt).toMatch(/Z$/);
  });

  test("fits 80 and 200 columns, by holder and by class, and shows more where there is room", async () => {
    for (const by of ["holder", "class"]) {
      const [narrow, wide] = [await shown(["cap-table", "--by", by], "80"), await shown(["cap-table", "--by", by])];
      expect(Math.max(...narrow.slice(1).map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(Math.max(...wide.map((line) => line.length))).toBeLessThanOrEqual(200);
      const heading = (lines: readonly string[]) => lines[2]?.split(/\s{2,}/).length ?? 0;
      expect(heading(wide)).toBeGreaterThan(heading(narrow));
    }
  });

  test("fits a real terminal by itself, and sends it no escapes", async () => {
    const lines = [await inTerminal(80), await inTerminal(200)].map((shown) => shown.trimEnd().split("\r\n"));
    expect(lines.flat().join("")).not.toMatch(/\p{Cc}/u);
    const [narrow = 0, wide = 0] = lines.map((each) => Math.max(...each.map((line) => Bun.stringWidth(line))));
    expect(narrow).toBeLessThanOrEqual(80);
    expect(wide).toBeGreaterThan(narrow);
    expect(wide).toBeLessThanOrEqual(200);
  });

  test("names what is not counted yet, with its principal", async () => {
    const lines = await shown(["cap-table", "--as-of", "2020-12-31"]);
    expect(lines.at(-1)).toBe("Not counted until converted: 1 convertible: Harbour Fund II, L.P. 250,000.");
    expect((await shown(["cap-table"])).at(-1)).toBe("Preferred counts as converted: Series Seed 1:2.");
  });

  test("says in words that there is no holder, and no class", async () => {
    const empty = newDataDir();
    try {
      expect((await runCommand(["org", "create", "--name", "New", "--data-dir", empty])).status).toBe(0);
      const said = async (...more: string[]) =>
        (await runCommand(["cap-table", "--data-dir", empty, ...more])).stdout.split("\n").slice(1);
      expect(await said()).toEqual(["", "No holders yet.", ""]);
      expect(await said("--by", "class")).toEqual(["", "There is no share class.", ""]);
    } finally {
      rmSync(dirname(empty), { recursive: true, force: true });
    }
  });

  test("gives a spreadsheet every figure as it is", async () => {
    const { stdout } = await run(["cap-table", "--csv"]);
    expect(stdout.startsWith("Holder,Stakeholder id,Common,Series Seed,Outstanding,Options")).toBe(true);
    expect(stdout).toContain('"Harbour Fund II, L.P.",fund,100500,400000,500500,0,0,300500,500500,0,');
    expect(stdout.endsWith("100.000000,100.000000\r\n")).toBe(true);
    const classes = (await run(["cap-table", "--csv", "--by", "class"])).stdout;
    expect(classes).toContain("\r\nCommon,");
  });

  test("knows what was known: nothing before the import", async () => {
    const { status, stdout, stderr } = await run([
      ...["cap-table", "--known-at", "2020-01-01T00:00:00Z", "--as-of", "2024-06-01"],
    ]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/WARNING: This ledger begins on \d{4}-\d{2}-\d{2}; nothing was recorded here before\./);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe(
      "Lindenhof Instruments, Inc., cap table as of 2024-06-01, as known at 2020-01-01T00:00:00.000Z",
    );
    expect(lines.some((line) => line.startsWith("Ada"))).toBe(false);
  });

  test("refuses what is no day, no time, no way to show it, and a folder without a database", async () => {
    expect(await run(["cap-table", "--as-of", "2024-02-30"])).toMatchObject({ status: 2, stdout: "" });
    expect(await run(["cap-table", "--known-at", "2024-02-01"])).toMatchObject({ status: 2, stdout: "" });
    expect(await run(["cap-table", "--by", "year"])).toMatchObject({ status: 2, stdout: "" });
    expect(await run(["cap-table", "--csv", "--json"])).toMatchObject({ status: 2, stdout: "" });
    const elsewhere = await runCommand(["cap-table", "--data-dir", join(dirname(dataDir), "nowhere")]);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([3, expect.stringContaining("--data-dir")]);
  });
});

test("every command that takes a holder takes the name that captable holder takes", async () => {
  const made = await run(["report", "statement", " BO  lind", "--out", join(dirname(dataDir), "bo.pdf")]);
  expect([made.status, made.stdout]).toEqual([0, expect.stringContaining("bo.pdf")]);
  const email = ["--email", "bo@example.com", "--role", "STAKEHOLDER"];
  const invited = await run(["members", "invite", ...email, "--stakeholder", "Bo Lind"]);
  expect([invited.status, invited.stdout]).toEqual([0, expect.stringContaining("/join#")]);
  const unknown = await run(["members", "invite", ...email, "--stakeholder", "Unknown"]);
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining("no stakeholder is called Unknown")]);
});

describe("captable holder", () => {
  test("knows a holder by the legal name, too, and no holder by an empty name", async () => {
    const server = await startTestServer({ CAPTABLE_LOG: "off" });
    try {
      const ada = { displayName: "Ada", name: { legalName: "Ada Lovelace" }, type: "INDIVIDUAL" };
      expect((await server.api("POST", "/stakeholders", ada)).status).toBe(201);
      const seek = (name: string) => runCommand(["holder", name, "--data-dir", server.dataDir]);
      expect((await seek("ada lovelace")).stdout).toStartWith("Ada, ");
      expect((await seek("Lovelace")).stderr).toContain("no stakeholder is called Lovelace: name one by its id: ");
      expect((await seek("")).stderr).toContain("no stakeholder is called ");
    } finally {
      await server.stop();
    }
  });

  test("shows each security with its vesting, by name in whatever case, e-mail or id", async () => {
    const lines = await shown(["holder", "bo lind"]);
    expect(lines[0]).toMatch(/^Bo Lind, Lindenhof Instruments, Inc\., as of \d{4}-\d{2}-\d{2}$/);
    expect(lines).toEqual(await shown(["holder", "bo"]));
    const { totals, securities, stakeholder } = JSON.parse((await run(["holder", "bo", "--json"])).stdout);
    expect(stakeholder.id).toBe("bo");
    expect(lines.at(-2)).toBe(`Total ${grouped(totals.asConverted)}, ${totals.percentAsConverted}% fully diluted.`);
    expect(lines.at(-1)).toStartWith(`Vested ${grouped(totals.vested)}, unvested ${grouped(totals.unvested)}, `);
    for (const { certificateId, quantity } of securities) {
      expect(cells(lines, certificateId)).toContain(grouped(quantity));
    }
  });

  test("fits 80 columns and gives a spreadsheet every figure", async () => {
    for (const line of (await shown(["holder", "bo"], "80")).slice(2, -1)) expect(line.length).toBeLessThanOrEqual(80);
    const { stdout } = await run(["holder", "bo", "--csv"]);
    expect(stdout.split("\r\n")[0]).toBe(
      "Certificate,Id,Type,Of,Since,Quantity,Vested,Unvested,Exercised,Exercisable,Exercisable until,Price,Principal",
    );
  });

  test("gives a spreadsheet the principal of what is not converted yet, and not as shares", async () => {
    const { stdout } = await run(["holder", "fund", "--as-of", "2020-12-31", "--csv"]);
    expect(stdout).toContain("\r\nSAFE-1,safe,CONVERTIBLE,,2019-06-01,,,,,,,,250000\r\n");
  });

  test("names the candidates if no holder has the name", async () => {
    const { status, stdout, stderr } = await run(["holder", "i"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("ada (Ada Wirth), ");
    expect(await run(["holder", "unknown holder"])).toMatchObject({ status: 2 });
  });
});

describe("what tables are made of", () => {
  test("the first layout that fits is taken, and one cell is cut", () => {
    const name = { heading: "NAME", isCut: true, cell: (row: readonly string[]) => row[0] ?? "" };
    const figure = { heading: "FIGURE", isFigure: true, cell: (row: readonly string[]) => row[1] ?? "" };
    const layouts = [
      [name, figure, figure],
      [name, figure],
    ];
    const rows = [["A name that is longer than there is room for", "1"]];
    expect(fitted(rows, layouts, 50)[1]).toBe("A name that is longer than there…        1       1");
    expect(fitted(rows, layouts, 30)[1]).toBe("A name that is longer…       1");
    expect(fitted([["漢字の名前はとても広いです", "1"]], layouts, 27)[1]).toBe("漢字の名前はとても…       1");
  });

  test("the width is what COLUMNS says, else the terminal's, else without bound", () => {
    expect(terminalWidth({ COLUMNS: "120" }, 80)).toBe(120);
    expect(terminalWidth({ COLUMNS: "x" }, 80)).toBe(80);
    expect(terminalWidth({}, undefined)).toBe(Number.POSITIVE_INFINITY);
  });

  test("figures keep every digit, and names that look like formulas are texts", () => {
    expect(["1500000.0000000001", "999", "1000", "-1500000"].map(grouped)).toEqual([
      "1,500,000.0000000001",
      "999",
      "1,000",
      "-1,500,000",
    ]);
    const row = [...["=1+1", "@x", '"a", b'].map(textField), figureField("-5")];
    expect(toCsv([row])).toBe(`\uFEFF'=1+1,'@x,"""a"", b",-5\r\n`);
  });

  test("a spreadsheet computes nothing, splits nothing, and takes no word for a number or a day", () => {
    const row = (...cells: readonly string[]) => toCsv([cells.map(textField)]).slice(1, -2);
    expect(row("-Minus & Sons", "+1 555", " =1", "＝1+1", "＠x")).toBe("'-Minus & Sons,'+1 555,' =1,'＝1+1,'＠x");
    expect(row("a;=1+1", "tab\t=1")).toBe(`"a;'=1+1",tab\\u0009=1`);
    expect(row("007", "1-2", "1E5", "12:30", "3.4.5")).toBe("'007,'1-2,'1E5,'12:30,'3.4.5");
    expect(row("CS-1", "2025 Stock Plan", "1st Fund", "")).toBe("CS-1,2025 Stock Plan,1st Fund,");
  });

  test("a figure is a figure however many digits it has: a sum would leave a text out", () => {
    const figures = ["123456789012345", "1234567890123456", "-5", "12345678901.23456", "2026-01-15"];
    expect(toCsv([figures.map(figureField)])).toBe(`\uFEFF${figures.join(",")}\r\n`);
    const options = { ...CSV_DEFAULTS, separator: "SEMICOLON", decimal: "COMMA" } as const;
    const mixed: readonly Field[] = [...["1234.5", "2026-01-15"].map(figureField), textField("1.5")];
    expect(toCsv([mixed], options)).toBe('\uFEFF"1234,5";2026-01-15;\'1.5\r\n');
  });

  test("something is not shown as nothing, nor less than all as all", () => {
    const shown = (part: string, whole: string) =>
      percentInWords({ part: parseDecimal(part), whole: parseDecimal(whole) });
    expect(shown("1", "13000000")).toBe("<0.01%");
    expect(shown("12999999", "13000000")).toBe(">99.99%");
    expect(shown("13000000", "13000000")).toBe("100.00%");
    expect([shown("0", "5"), shown("0", "0")]).toEqual(["0.00%", "0.00%"]);
    // Rounded once: 0.0149999999 percent is 0.015000 in six places, and 0.02 only if those are rounded again.
    expect(shown("0.000149999", "1")).toBe("0.01%");
  });

  test("wide signs, families of emoji and marks on letters stand in their columns", () => {
    const name = { heading: "NAME", cell: (row: readonly string[]) => row[0] ?? "" };
    const figure = { heading: "FIGURE", isFigure: true, cell: (row: readonly string[]) => row[1] ?? "" };
    const names = ["山田太郎", "👩‍👩‍👧‍👦 Trust", "Zu\u0308rich", "🇩🇪 GmbH", "plain"];
    const lines = fitted(
      names.map((each) => [each, "1"]),
      [[name, figure]],
      80,
    );
    expect(new Set(lines.map((line) => Bun.stringWidth(line))).size).toBe(1);
    const listed = table([["NAME", "ID"], ...names.map((each) => [each, "x"])]);
    expect(new Set(listed.slice(1).map((line) => Bun.stringWidth(line))).size).toBe(1);
  });
});
