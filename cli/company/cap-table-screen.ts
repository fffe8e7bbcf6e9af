// The cap table in a terminal: of its columns as many as the terminal has room for.

import { ZERO } from "../../src/kernel/numbers/decimal.ts";
import { classColumns, classLines, classPoolLines, classTotalLine } from "../../src/views/cap-table/layout/by-class.ts";
import { holderLines, poolLine } from "../../src/views/cap-table/layout/by-holder.ts";
import { holderColumns, totalWithVesting } from "../../src/views/cap-table/layout/holder-columns.ts";
import type { LayoutColumn } from "../../src/views/cap-table/layout/layout-column.ts";
import { type PercentColumn, percentInWords } from "../../src/views/cap-table/layout/percents.ts";
import type { Source } from "../../src/views/cap-table/layout/table-answer.ts";
import type { CapTable } from "../../src/views/cap-table/table.ts";
import { type Column, columnOfFigures, fitted } from "../columns.ts";

/** What a command lays out: the answer itself, with the ranks of its classes. */
export interface Shown extends Source {
  readonly table: CapTable;
}

/** A table of `width` columns: by class where that fits, else the stock of all classes in one. */
export function byHolder(source: Shown, width: number): readonly string[] {
  const { table } = source;
  const { totals, stakeholders, shareClasses } = table;
  if (stakeholders.length === 0 && totals.poolAvailable === "0") return ["No holders yet."];
  const { classes, ...all } = holderColumns(source);
  const issued = new Set(shareClasses.filter((each) => each.issued !== "0").map(({ id }) => `class ${id}`));
  const stock = classes.filter(({ key }) => issued.has(key)).map(figures);
  const shares = [...(totals.options === "0" ? [] : [all.options]), ...(totals.warrants === "0" ? [] : [all.warrants])];
  const [name, outstanding, unvested] = [cut(all.name), figures(all.outstanding), figures(all.unvested)];
  const shown = [...shares, all.asConverted].map(figures);
  const [ofOutstanding, ofAll] = [percents(all.percentOutstanding), percents(all.percentDiluted)];
  return fitted(
    [...holderLines(table), ...[poolLine(table) ?? []].flat(), totalWithVesting(table)],
    [
      [name, ...stock, ...shown, unvested, ofOutstanding, ofAll],
      [name, ...stock, ...shown, ofOutstanding, ofAll],
      [name, ...stock, ...shown, ofAll],
      [name, outstanding, ...shown, unvested, ofAll],
      [name, outstanding, ...shown, ofAll],
      [name, figures(all.asConverted), ofAll],
    ],
    width,
  );
}

/** The same with a line for each class and plan. */
export function byClass(source: Shown, width: number): readonly string[] {
  const { table } = source;
  const { totals, shareClasses, equityPlans } = table;
  if (table.byClass.length + shareClasses.length + equityPlans.length === 0) return ["There is no share class."];
  const all = classColumns(source);
  const options = totals.options === "0" ? [] : [all.options];
  const warrants = totals.warrants === "0" ? [] : [all.warrants];
  const outstanding = figures(all.outstanding);
  const more = [...options, ...warrants, all.asConverted].map(figures);
  const [name, share, votes] = [cut(all.name), percents(all.percentDiluted), figures(all.votes)];
  return fitted(
    [...classLines(source), ...classPoolLines(table), classTotalLine(table)],
    [
      [name, figures(all.authorized), outstanding, figures(all.notIssued), ...more, share, votes],
      [name, outstanding, ...more, share, votes],
      [name, outstanding, ...more, share],
      [name, figures(all.asConverted), share],
    ],
    width,
  );
}

function cut<L>({ short, cell }: LayoutColumn<L>): Column<L> {
  return { heading: short.toUpperCase(), isCut: true, cell: (line) => cell(line) ?? "" };
}

function figures<L>({ short, cell }: LayoutColumn<L>): Column<L> {
  return columnOfFigures(short, cell);
}

/** Nothing is a dash here, too. */
function percents<L>({ short, part }: PercentColumn<L>): Column<L> {
  const shown = (line: L) => {
    const of = part(line);
    return of === null || of.part === ZERO ? "-" : percentInWords(of);
  };
  return { heading: short.toUpperCase(), isFigure: true, cell: shown };
}
