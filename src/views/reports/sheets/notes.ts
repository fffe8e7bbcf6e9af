// The sheet Notes: definitions of figures, omissions, and texts of this workbook that are not numbers. Pure.

import { isDecimalText } from "../../../kernel/numbers/decimal.ts";
import { counted } from "../../../kernel/text/text.ts";
import { VERSION } from "../../../kernel/version.ts";
import { ratioLine } from "../../cap-table/layout/ratios.ts";
import type { Basis } from "../keys.ts";
import type { Measured } from "../measure.ts";
import type { Company } from "../report-company.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { text } from "../sheet-columns.ts";
import { votingOtherwise } from "./summary.ts";

const WHAT_COUNTS: readonly string[] = [
  "Figures come from the ledger: every entry whose effective date is on or before the day, in the order of recording. An " +
    "entry dated before those that it builds on counts from the day on which they do.",
  "Outstanding is what is open on the day. Issued is the quantity of the entry that made a security. Transferred, " +
    "exercised, converted, repurchased and cancelled are sums of entries of these kinds. Adjusted is what remains: stock " +
    "splits and direct edits. In each row, issued plus adjusted less what went out is what is outstanding.",
  "Exercise prices, legends and the like are as they stand; the price per share is the one at issuance.",
  "Vested includes exercised shares. Exercisable is outstanding less unvested, and nothing after the " +
    "day on which the grant expires.",
  "A plan's figures are restated for splits. What is available is what is reserved less what was granted and issued, plus " +
    "what returned. An overdrawn plan counts as nothing available in Summary and Cap table.",
  "Names, terms, legends and valuations are not on the ledger: they are as recorded now, without records made later than " +
    "the instant that the report is known at.",
  "Left out: accrued interest of convertibles, and dividends. Convertibles count as no shares.",
];

const BASIS_WORDS: Readonly<Record<Basis, string>> = {
  FULLY_DILUTED: "Fully diluted counts stock and warrants as converted, options and what plans have available.",
  GRANTED: "% granted is of stock and warrants as converted and options, without what plans have available.",
  OUTSTANDING: "Percentages are of outstanding stock only.",
};

/** Lays the sheet out, knowing the others. */
export function notesSheet(company: Company, basis: Basis, others: readonly Measured[]): Sheet {
  const { organization, table, currency } = company;
  const words = table.shareClasses.filter(({ authorized }) => !isDecimalText(authorized));
  const notes = [
    ...WHAT_COUNTS,
    BASIS_WORDS[basis],
    ...ofConversion(company),
    ...ofAmounts(company),
    ...others.flatMap(longColumns),
    ...others.flatMap(cutTexts),
    ...words.map(({ name, authorized }) => `${name} has no number of authorized shares: ${authorized}.`),
    `Amounts are in ${currency}.`,
    `Organization ${organization.id}.`,
    `Made by captable ${VERSION}.`,
    ...(company.isTest ? ["This is data of a test environment."] : []),
  ];
  return sheetOf({
    key: "notes",
    name: "Notes",
    isSnapshot: false,
    frozen: 0,
    columns: [text<string>("note", "Note", (note) => note)],
    rows: () => notes,
  });
}

/** What does not count, or vote, share by share. */
function ofConversion(company: Company): readonly string[] {
  const line = ratioLine(company.table.shareClasses);
  return [
    ...(line === null ? [] : [`${line}.`]),
    ...votingOtherwise(company).map((name) => `${name} votes as converted: its votes are a value and no formula.`),
  ];
}

/** What of the securities is not known, or in another currency; the classes in one by name. */
function ofAmounts(company: Company): readonly string[] {
  const { amounts, valuations, view, currency } = company;
  const { unknown, inOther } = amounts;
  const isOther = (own: string | null | undefined) => (own ?? currency) !== currency;
  const classes = view.names.classes.filter((row) => isOther(row.currency));
  const known = new Map(view.names.classes.map((row) => [row.id, row.currency]));
  const valued = valuations.filter(({ stockClassId }) => isOther(known.get(stockClassId ?? ""))).length;
  const counts = [
    ...(inOther > 0 ? [counted(inOther, "security has", "securities have")] : []),
    ...(classes.length > 0 ? [counted(classes.length, "class has", "classes have")] : []),
    ...(valued > 0 ? [counted(valued, "valuation has", "valuations have")] : []),
  ];
  return [
    ...(unknown > 0 ? [`The consideration of ${counted(unknown, "security", "securities")} is unknown.`] : []),
    ...counts.map(
      (subject) =>
        `${subject} amounts in another currency: they are text with their currency, in no total and no formula.`,
    ),
    ...classes.map((row) => `${row.name} is in ${row.currency}.`),
  ];
}

function longColumns({ sheet, columns }: Measured): readonly string[] {
  return columns
    .filter(({ isLong }) => isLong)
    .map(
      ({ column }) =>
        `${sheet.name}, ${column.header}: figures of more than 15 digits are text, digit by digit, and no formula reads them.`,
    );
}

function cutTexts({ sheet, cutTexts: count }: Measured): readonly string[] {
  if (count === 0) return [];
  return [`${sheet.name}: ${counted(count, "text was", "texts were")} cut to what a cell takes.`];
}
