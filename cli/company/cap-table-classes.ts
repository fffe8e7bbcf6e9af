// The cap table by share class: rows for the terminal and for CSV.

import { parseDecimal } from "../../src/kernel/numbers/decimal.ts";
import { type CapTable, formatPercent } from "../../src/views/cap-table/table.ts";
import { type Column, columnOfFigures, type Figure, fitted } from "../columns.ts";
import { percents, toFigure, total } from "./cap-table-holders.ts";

/** What a row shows; figures as the API has them, words as they are. */
interface Line {
  readonly name: string;
  readonly id: string;
  readonly authorized: string;
  readonly available: string;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly asConverted: string;
  readonly percent: string;
  readonly votes: string;
}

const NO_LIMIT = { authorized: "", available: "" };
const NOTHING = { ...NO_LIMIT, outstanding: "", options: "", warrants: "", votes: "" };

/** Every class, what is of none, each plan's available reserve, and the sums. */
function linesOf({ byClass, shareClasses, equityPlans, totals }: CapTable): readonly Line[] {
  const percent = (part: string) => formatPercent(parseDecimal(part), parseDecimal(totals.asConverted));
  const classes = byClass.map(({ stockClassId, ...figures }): Line => {
    const stockClass = shareClasses.find(({ id }) => id === stockClassId);
    const { name = "(no class)", authorized = "", available = "" } = stockClass ?? {};
    return { name, id: stockClassId ?? "", authorized, available, ...figures, percent: percent(figures.asConverted) };
  });
  const plans = equityPlans.map(({ id, name, available }): Line => {
    const counted = available.startsWith("-") ? "0" : available;
    return { ...NOTHING, name: `${name}, available`, id, asConverted: counted, percent: percent(counted) };
  });
  const { outstanding, options, warrants, asConverted } = totals;
  const votes = total(byClass.map((figures) => figures.votes));
  const all = { ...NO_LIMIT, outstanding, options, warrants, asConverted, percent: percent(asConverted), votes };
  return [...classes, ...plans, { ...all, name: "Total", id: "" }];
}

const figures = columnOfFigures<Line>;

/** A table of `width` columns. */
export function byClass(table: CapTable, width: number): readonly string[] {
  const { totals, shareClasses, equityPlans } = table;
  if (table.byClass.length + shareClasses.length + equityPlans.length === 0) return ["There is no share class."];
  const name: Column<Line> = { heading: "CLASS", isCut: true, cell: (line) => line.name };
  const limits = [figures("AUTHORIZED", (line) => line.authorized), figures("UNISSUED", (line) => line.available)];
  const shares = [
    figures("OUTSTANDING", (line) => line.outstanding),
    ...(totals.options === "0" ? [] : [figures("OPTIONS", (line) => line.options)]),
    ...(totals.warrants === "0" ? [] : [figures("WARRANTS", (line) => line.warrants)]),
  ];
  const all = figures("TOTAL", (line) => line.asConverted);
  const votes = figures("VOTES", (line) => line.votes);
  const share = percents<Line>("SHARE", (line) => line.asConverted, totals.asConverted);
  return fitted(
    linesOf(table),
    [
      [name, ...limits, ...shares, all, share, votes],
      [name, ...shares, all, share, votes],
      [name, ...shares, all, share],
      [name, all, share],
    ],
    width,
  );
}

/** The same as rows for a spreadsheet, with every figure. */
export function classesAsCsv(table: CapTable): readonly (readonly (string | Figure)[])[] {
  const heading = [
    ...["Class", "Id", "Authorized", "Unissued", "Outstanding", "Options", "Warrants", "Fully diluted"],
    ...["Percent fully diluted", "Votes"],
  ];
  const rows = linesOf(table).map((line) => [
    ...[line.name, line.id],
    ...[line.authorized, line.available, line.outstanding, line.options, line.warrants].map(toFigure),
    ...[line.asConverted, line.percent, line.votes].map(toFigure),
  ]);
  return [heading, ...rows];
}
