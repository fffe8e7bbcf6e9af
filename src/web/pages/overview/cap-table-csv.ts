// The cap table as a CSV file; loaded when a person asks for it, so that the first page is not waiting for it.
import { csvText, figureField, textField } from "../../../kernel/files/csv.ts";
import { largestFirst } from "../../../kernel/numbers/ratios.ts";
import { OVERVIEW } from "../../text/overview.ts";
import { type CapTable, heldOf, nameOf } from "./cap-table-figures.ts";

/** The cap table as a CSV file, with every digit. */
export function csvOf(table: CapTable): string {
  const { shareClasses, stakeholders, totals } = table;
  const { holder, options, warrants, fullyDiluted, csvShare, csvPool, total: totalWord } = OVERVIEW;
  const head = [holder, ...shareClasses.map(({ name }) => name), options, warrants, fullyDiluted, csvShare].map(
    textField,
  );
  const rows = largestFirst(stakeholders).map((each) => [
    nameOf(each),
    ...shareClasses.map(({ id }) => heldOf(each, [id])),
    ...[each.options, each.warrants, each.asConverted, each.percentAsConverted],
  ]);
  const blank = shareClasses.map(() => "");
  const pool = [csvPool, ...blank, "", "", totals.poolAvailable, totals.percentPoolAsConverted];
  const issued = shareClasses.map((each) => each.issued);
  const whole = [totalWord, ...issued, totals.options, totals.warrants, totals.asConverted, "100"];
  const records = [...rows, pool, whole].map(([name = "", ...figures]) => [
    textField(name),
    ...figures.map(figureField),
  ]);
  return csvText([head, ...records]);
}
