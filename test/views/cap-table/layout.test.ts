// One cap table in the terminal, in files, in the workbook, on paper and on the page: the same lines, columns and cells.
import { expect, test } from "bun:test";
import { byClass, byHolder } from "../../../cli/company/cap-table-screen.ts";
import type { Field } from "../../../src/kernel/files/csv.ts";
import { END_OF_TIME } from "../../../src/kernel/runtime.ts";
import { holderLines, POOL, poolLine, totalLine } from "../../../src/views/cap-table/layout/by-holder.ts";
import { classesInOrder, holderColumns } from "../../../src/views/cap-table/layout/holder-columns.ts";
import { classRecords, holderRecords } from "../../../src/views/cap-table/layout/layout-csv.ts";
import type { TableAnswer } from "../../../src/views/cap-table/layout/table-answer.ts";
import { layOutTable } from "../../../src/views/cap-table/table.ts";
import { readView } from "../../../src/views/cap-table/view.ts";
import { sheetRecords } from "../../../src/views/reports/csv.ts";
import { capTableSummary } from "../../../src/views/reports/documents/summary-paper.ts";
import { capTableSheet } from "../../../src/views/reports/sheets/cap-table.ts";
import { summarySheet } from "../../../src/views/reports/sheets/summary.ts";
import { seriesOf } from "../../../src/web/pages/overview/cap-table-figures.ts";
import { facesCompany } from "../../faces/company.ts";
import { seedCount } from "../../kit/proof.ts";
import { companyOf, inPlace } from "../reports/made.ts";

/** A table as a face prints it: a heading, then lines. */
type Printed = readonly (readonly string[])[];

const fields = (records: Iterable<readonly Field[]>): Printed =>
  [...records].map((record) => record.map(({ text }) => text));
const inTerminal = (lines: readonly string[]): Printed => lines.map((line) => line.split(/\s{2,}/));
/** How the terminal and paper set figures apart. */
const plain = (cell: string) => cell.replaceAll(",", "").replace(/^-$/, "");

/** Where a face says otherwise than the file: lines that differ, and cells of columns of one heading that do. */
function differences(file: Printed, face: Printed, shortened: Readonly<Record<string, string>> = {}): string[] {
  const [heading = [], ...lines] = face;
  const [known = [], ...expected] = file;
  const found: string[] = [];
  const [one, other] = [expected, lines].map((each) => each.map(([name]) => name));
  if (!Bun.deepEquals(one, other)) found.push(`lines ${one} are ${other}`);
  const places = heading.map((word) => known.findIndex((each) => each === (shortened[word] ?? word)));
  if (places.some((place, at) => place >= 0 && places.slice(0, at).some((before) => before > place))) {
    found.push(`columns ${heading}`);
  }
  lines.forEach((line, at) => {
    line.forEach((cell, column) => {
      const value = expected[at]?.[places[column] ?? -1];
      if (value !== undefined && !isSame(value, cell)) found.push(`${line[0]} ${heading[column]}: ${value}, ${cell}`);
    });
  });
  return found;
}

/** A dash and no cell are nothing; a percentage in words is of fewer places. */
function isSame(value: string, shown: string): boolean {
  if (shown.endsWith("%")) return Math.abs(Number(value) - Number(shown.replace(/[<>%]/g, ""))) <= 0.0100001;
  const [one, other] = [value, shown].map((cell) => (Number(plain(cell)) === 0 ? "" : plain(cell)));
  return one === other;
}

/** Everything that prints the company's cap table on a day. */
function facesOf(tx: Parameters<typeof companyOf>[0], orgId: string, asOf: string) {
  const view = readView(tx, orgId, { asOf, knownAt: END_OF_TIME });
  const source = { table: layOutTable(view), ranks: view.names.classes };
  const company = companyOf(tx, { orgId }, { asOf });
  const paper = capTableSummary(company, "FULLY_DILUTED").blocks.flatMap((block) =>
    block.kind === "table"
      ? [{ title: block.title, printed: [block.columns.map((each) => each.header), ...block.rows] }]
      : [],
  );
  const onPaper = (title: string) => paper.find((each) => each.title === title)?.printed ?? [];
  return {
    source,
    holders: {
      file: fields(holderRecords(source)),
      terminal: inTerminal(byHolder(source, Number.POSITIVE_INFINITY)),
      sheet: fields(sheetRecords(capTableSheet(company, "FULLY_DILUTED"))),
      paper: onPaper("Holders"),
    },
    classes: {
      file: fields(classRecords(source)),
      terminal: inTerminal(byClass(source, Number.POSITIVE_INFINITY)),
      sheet: fields(sheetRecords(summarySheet(company, "FULLY_DILUTED"))),
      paper: onPaper("Classes"),
    },
  };
}

/** Without the line of sums, and without those of what is available. */
const holdersAlone = (printed: Printed) =>
  printed.filter(([name]) => name !== "Total" && name !== POOL && name?.startsWith("Available: ") !== true);
const withoutSums = (printed: Printed) => printed.filter(([name]) => name !== "Total");

/** Headings of the terminal, which are in capitals and short, as a file has them. */
function shortOf(file: Printed, shorts: Readonly<Record<string, string>>): Record<string, string> {
  const capitals = Object.fromEntries((file[0] ?? []).map((heading) => [heading.toUpperCase(), heading]));
  return { ...capitals, ...shorts };
}

const SHORT = { TOTAL: "Fully diluted", SHARE: "% fully diluted" };

function differencesOf({ holders, classes }: Pick<ReturnType<typeof facesOf>, "holders" | "classes">): string[] {
  // By holder the terminal's OUTSTANDING is a percentage, as stock stands there by class.
  const short = shortOf(holders.file, { ...SHORT, OUTSTANDING: "% outstanding" });
  const alone = holdersAlone(holders.file);
  const paper = [alone[0] ?? [], ...alone.slice(1, holders.paper.length)];
  return [
    ...differences(holders.file, holders.terminal, short),
    ...differences(alone, holdersAlone(holders.sheet)).filter((each) => !each.startsWith("columns ")),
    ...differences(paper, holders.paper),
    ...differences(classes.file, classes.terminal, shortOf(classes.file, SHORT)),
    ...differences(withoutSums(classes.file), classes.sheet),
    ...differences(withoutSums(classes.file), classes.paper),
  ];
}

const COMPANIES = seedCount(8, 300);
const DAYS = ["2024-06-01", "2027-01-01"];

test("the terminal, the file, the workbook, paper and the page print one cap table", async () => {
  let lines = 0;
  let faulty = 0;
  await inPlace((tx) => {
    for (let seed = 1; seed <= COMPANIES; seed++) {
      const { orgId } = facesCompany(tx, seed);
      for (const asOf of DAYS) {
        const faces = facesOf(tx, orgId, asOf);
        const { source, holders } = faces;
        if (holders.terminal.length === 1) continue;
        expect({ seed, asOf, found: differencesOf(faces) }).toEqual({ seed, asOf, found: [] });
        const ranks = source.ranks.map((each) => ({ ...each, name: each.name }));
        const classes = source.table.shareClasses.map(({ id }) => id);
        const onPage = seriesOf(ranks.filter(({ id }) => classes.includes(id))).flatMap(({ classIds }) => classIds);
        expect(onPage).toEqual(classesInOrder(source).map(({ id }) => id));
        lines += holders.file.length;
        // A line that one face lists elsewhere, and a share more in one cell, are found.
        const [heading = [], first = [], second = [], ...rest] = holders.sheet;
        if (second.length === 0 || holdersAlone(holders.sheet).length < 3) continue;
        const swapped = { ...holders, sheet: [heading, second, first, ...rest] };
        expect(differencesOf({ ...faces, holders: swapped })).not.toEqual([]);
        const more = first.map((cell, at) => (heading[at] === "Fully diluted" ? `${cell}1` : cell));
        expect(
          differencesOf({ ...faces, holders: { ...holders, sheet: [heading, more, second, ...rest] } }),
        ).toHaveLength(1);
        faulty++;
      }
    }
  });
  expect(lines).toBeGreaterThan(COMPANIES * 3);
  expect(faulty).toBeGreaterThan(0);
});

const NOTHING = { outstanding: "0", options: "0", warrants: "0", fullyDiluted: "0", asConverted: "0" };
const holder = (displayName: string | null, asConverted: string) => ({
  ...{ ...NOTHING, id: displayName, displayName, asConverted, outstanding: asConverted, vested: "0", unvested: "0" },
  ...{ percentAsConverted: "0.000000", holdings: [] },
});
const answer = (more: Partial<TableAnswer>): TableAnswer => ({
  ...{ shareClasses: [], equityPlans: [], stakeholders: [], byClass: [] },
  totals: { ...NOTHING, poolAvailable: "0", percentPoolAsConverted: "0.000000" },
  ...more,
});

test("common stock comes first, then preferred from junior to senior, and a deleted class is the most junior", () => {
  const stockClass = (id: string, classType: "COMMON" | "PREFERRED") => {
    return { id, name: id, classType, authorized: "1", available: "1" };
  };
  const preferred = ["seed", "a", "deleted", "b"].map((id) => stockClass(id, "PREFERRED"));
  const table = answer({ shareClasses: [...preferred, stockClass("common", "COMMON")] });
  const rank = (id: string, seniority: number) => ({ id, classType: "PREFERRED" as const, seniority });
  const ranks = [rank("b", 1), rank("a", 2), rank("seed", 2), { ...rank("common", 1), classType: "COMMON" as const }];
  const ordered = classesInOrder({ table, ranks }).map(({ id }) => id);
  expect(ordered).toEqual(["common", "deleted", "seed", "a", "b"]);
  expect(holderColumns({ table, ranks }).classes.map(({ heading }) => heading)).toEqual(ordered);
});

test("holders stand by size, those of convertibles alone by name, and what is available only where it is something", () => {
  const table = answer({
    stakeholders: [holder("Zoe", "0"), holder(null, "5"), holder("Bo", "0"), holder("Ada", "7")],
  });
  expect(holderLines(table).map(({ name }) => name)).toEqual(["Ada", "(no holder)", "Bo", "Zoe"]);
  expect(poolLine(table)).toBeNull();
  expect(totalLine(table).name).toBe("Total");
});
