// The cap table as records of a CSV file, with every digit: what the command writes and what the page saves. Pure.
import { type Field, figureField, textField } from "../../../kernel/files/csv.ts";
import { classColumns, classLines, classPoolLines, classTotalLine } from "./by-class.ts";
import { holderLines, poolLine } from "./by-holder.ts";
import { holderColumns, totalWithVesting } from "./holder-columns.ts";
import type { LayoutColumn } from "./layout-column.ts";
import type { Source } from "./table-answer.ts";

/** A record for each holder, one for what plans have available if that is anything, and the sums. */
export function holderRecords(source: Source): readonly (readonly Field[])[] {
  const all = holderColumns(source);
  const { table } = source;
  const columns = [
    ...[all.name, all.id, ...all.classes, all.outstanding, all.options, all.warrants, all.asConverted],
    ...[all.vested, all.unvested, all.percentOutstanding, all.percentDiluted],
  ];
  return recordsOf(columns, [...holderLines(table), ...[poolLine(table) ?? []].flat(), totalWithVesting(table)]);
}

/** A record for each class and plan, and the sums. */
export function classRecords(source: Source): readonly (readonly Field[])[] {
  const all = classColumns(source);
  const { table } = source;
  const columns = [
    ...[all.name, all.id, all.authorized, all.outstanding, all.notIssued, all.options, all.warrants],
    ...[all.asConverted, all.percentDiluted, all.votes],
  ];
  return recordsOf(columns, [...classLines(source), ...classPoolLines(table), classTotalLine(table)]);
}

function recordsOf<L>(columns: readonly LayoutColumn<L>[], lines: readonly L[]): readonly (readonly Field[])[] {
  const field = ({ kind, cell }: LayoutColumn<L>, line: L) =>
    (kind === "text" ? textField : figureField)(cell(line) ?? "");
  return [
    columns.map(({ heading }) => textField(heading)),
    ...lines.map((line) => columns.map((column) => field(column, line))),
  ];
}
