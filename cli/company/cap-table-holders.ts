// The cap table by holder: rows for the terminal and for CSV.

import { formatDecimal, parseDecimal, sum, ZERO } from "../../src/kernel/numbers/decimal.ts";
import { largestFirst } from "../../src/kernel/numbers/ratios.ts";
import { type CapTable, formatPercent } from "../../src/views/cap-table/table.ts";
import { type Column, columnOfFigures, Figure, fitted } from "../columns.ts";

/** What a row shows; figures as the API has them. */
interface Line {
  readonly name: string;
  readonly id: string;
  readonly stock: ReadonlyMap<string, string>;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly asConverted: string;
  readonly vested: string;
  readonly unvested: string;
  readonly percentOutstanding: string;
  readonly percentAsConverted: string;
}

/** The name shown for securities without a holder. */
export const NO_HOLDER = "(no holder)";

/** Every holder, what plans have available, and the sums. */
function linesOf({ stakeholders, byClass, totals }: CapTable): readonly Line[] {
  const holders = largestFirst(stakeholders).map(({ id, displayName, holdings, ...figures }) => ({
    ...figures,
    name: displayName ?? NO_HOLDER,
    id: id ?? "",
    stock: new Map(holdings.map(({ stockClassId, quantity }) => [stockClassId, quantity])),
  }));
  const percent = (part: string, whole: string) => formatPercent(parseDecimal(part), parseDecimal(whole));
  const { outstanding, options, warrants, asConverted, poolAvailable } = totals;
  const pool: Line = {
    ...{ name: "Available in plans", id: "", stock: new Map(), outstanding: "", options: "", warrants: "" },
    ...{ vested: "", unvested: "", asConverted: poolAvailable, percentOutstanding: "" },
    percentAsConverted: totals.percentPoolAsConverted,
  };
  const all: Line = {
    ...{ name: "Total", id: "", outstanding, options, warrants, asConverted },
    vested: total(stakeholders.map(({ vested }) => vested)),
    unvested: total(stakeholders.map(({ unvested }) => unvested)),
    stock: new Map(byClass.map((each) => [each.stockClassId ?? "", each.outstanding])),
    percentOutstanding: percent(outstanding, outstanding),
    percentAsConverted: percent(asConverted, asConverted),
  };
  return [...holders, ...(poolAvailable === "0" ? [] : [pool]), all];
}

/** The exact sum of figures. */
export function total(figures: readonly string[]): string {
  return formatDecimal(sum(figures.map(parseDecimal)));
}

const figures = columnOfFigures<Line>;

/** A table of `width` columns: by class where that fits, else the stock of all classes in one. */
export function byHolder(table: CapTable, width: number): readonly string[] {
  const { totals, shareClasses, stakeholders } = table;
  if (stakeholders.length === 0 && totals.poolAvailable === "0") return ["No holders yet."];
  const classes = shareClasses
    .filter(({ issued }) => issued !== "0")
    .map(({ id, name }) => figures(name, (line) => line.stock.get(id) ?? ""));
  const name: Column<Line> = { heading: "HOLDER", isCut: true, cell: (line) => line.name };
  const stock = figures("STOCK", (line) => line.outstanding);
  const shares = [
    ...(totals.options === "0" ? [] : [figures("OPTIONS", (line) => line.options)]),
    ...(totals.warrants === "0" ? [] : [figures("WARRANTS", (line) => line.warrants)]),
  ];
  const all = figures("TOTAL", (line) => line.asConverted);
  const unvested = figures("UNVESTED", (line) => line.unvested);
  const outstanding = percents<Line>("OUTSTANDING", (line) => line.outstanding, totals.outstanding);
  const diluted = percents<Line>("SHARE", (line) => line.asConverted, totals.asConverted);
  return fitted(
    linesOf(table),
    [
      [name, ...classes, ...shares, all, unvested, outstanding, diluted],
      [name, ...classes, ...shares, all, outstanding, diluted],
      [name, ...classes, ...shares, all, diluted],
      [name, stock, ...shares, all, unvested, diluted],
      [name, stock, ...shares, all, diluted],
      [name, all, diluted],
    ],
    width,
  );
}

/** Parts of a whole, in percent. */
export function percents<L>(heading: string, of: (line: L) => string, whole: string): Column<L> {
  return { heading, isFigure: true, cell: (line) => percentInWords(of(line), whole) };
}

const PLACES = 2;

/**
 * A part of a whole in percent, each rounded by itself to two places (six are in the CSV), so that equal parts are
 * shown equal and a column may add up to a hundredth more or less than 100. What is something is never shown as
 * nothing, and what is not all never as all.
 */
export function percentInWords(part: string, whole: string): string {
  const [of, all] = [parseDecimal(part === "" ? "0" : part), parseDecimal(whole)];
  if (of === ZERO) return "-";
  const percent = formatPercent(of, all, PLACES);
  if (percent === "0.00") return "<0.01%";
  return percent === "100.00" && of !== all ? ">99.99%" : `${percent}%`;
}

/** The same as rows for a spreadsheet, with every figure. */
export function holdersAsCsv(table: CapTable): readonly (readonly (string | Figure)[])[] {
  const { shareClasses } = table;
  const heading = [
    ...["Holder", "Id", ...shareClasses.map(({ name }) => name)],
    ...["Outstanding", "Options", "Warrants", "Fully diluted", "Vested", "Unvested"],
    ...["Percent outstanding", "Percent fully diluted"],
  ];
  const rows = linesOf(table).map((line) => [
    ...[line.name, line.id, ...shareClasses.map(({ id }) => new Figure(line.stock.get(id) ?? ""))],
    ...[line.outstanding, line.options, line.warrants, line.asConverted, line.vested, line.unvested].map(toFigure),
    ...[line.percentOutstanding, line.percentAsConverted].map(toFigure),
  ]);
  return [heading, ...rows];
}

/** A cell of digits. */
export function toFigure(decimal: string): Figure {
  return new Figure(decimal);
}
