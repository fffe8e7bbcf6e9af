// Doubtful rows: lines of sums, duplicates within a file, and numbers that differ in zeros alone. Each would count
// shares that no holder has. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { placeIn, placeOf, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import { NEXT } from "./mapping.ts";

const SECURITIES: ReadonlySet<string> = new Set(["stock", "options", "warrants", "convertibles"]);

/** The words for sums, at the beginning of a label. */
const SUM =
  /^(?:(?:grand[ -]|sub[ -]?|sous-)?(?:totals?|totaal)\b|(?:gesamt|zwischen)?summe\b|(?:ins)?gesamt\b|somme$|suma$|sum(?:$| of\b))/;

/** Whether the file gives a security's row no number of its own. */
function isUnnumbered(row: SheetRow): boolean {
  return [undefined, NEXT].includes(said(row, "certificate"));
}

/** The sums of a table so far: of all its rows, and of those since its last line of sums. */
interface Sums {
  all: Decimal;
  since: Decimal;
  rowsSince: number;
}

/**
 * The rows without the lines of sums, which have no number and stand in the column of holders under the word for a sum:
 * reported, and left out if the figure is that of the rows above; else a problem. `isKnown` says whether a holder has
 * the name. A row without a number that equals the sum of all above it gets a warning.
 */
export function withoutSums<R extends SheetRow>(
  rows: readonly R[],
  found: SheetProblems,
  isKnown: (row: R) => boolean,
): R[] {
  const tables = new Map<string, Sums>();
  return rows.flatMap((row): R[] => {
    if (!SECURITIES.has(row.to)) return [row];
    const key = `${row.to} ${row.place.sheet}`;
    const sums = tables.get(key) ?? { all: ZERO, since: ZERO, rowsSince: 0 };
    tables.set(key, sums);
    const quantity = parseDecimal(said(row, "quantity") ?? "0");
    const isSum = quantity !== ZERO && (quantity === sums.all || quantity === sums.since);
    if (isUnnumbered(row) && SUM.test(foldName(said(row, "holder") ?? "")) && !isKnown(row)) {
      const made = `the rows above make ${formatDecimal(sums.since)}`;
      Object.assign(sums, { since: ZERO, rowsSince: 0 });
      return isSum ? leftOut(row, found) : [differing(row, found, made)];
    }
    if (isSum && isUnnumbered(row) && sums.rowsSince > 1) tellAsMuch(row, found);
    Object.assign(sums, { all: sums.all + quantity, since: sums.since + quantity, rowsSince: sums.rowsSince + 1 });
    return [row];
  });
}

function leftOut(row: SheetRow, found: SheetProblems): [] {
  const detail = `${said(row, "holder")} is as much as the rows above it, and is left out as a line of sums`;
  found.warning("line-left-out", placeIn(row, "holder"), detail, "Give it a number, if it is a security.");
  return [];
}

function differing<R extends SheetRow>(row: R, found: SheetProblems, made: string): R {
  const detail = `${said(row, "holder")} looks like a line of sums and not a holder, and has another figure: ${made}`;
  const fix = "Take the line out, or list the holder first. If it is a sum, a row is missing or wrong.";
  found.problem("looks-like-total", placeIn(row, "holder"), detail, fix);
  return { ...row, isWrong: true };
}

function tellAsMuch(row: SheetRow, found: SheetProblems): void {
  const detail = `${said(row, "quantity")} is as much as the rows above it together, and the row has no number`;
  found.warning("looks-like-total", placeIn(row, "quantity"), detail, "Take the line out, if it is their sum.");
}

/** Warns of rows without a number of their own that equal an earlier row of the file: both are imported. */
export function tellRepeated(rows: readonly SheetRow[], found: SheetProblems): void {
  const first = new Map<string, SheetRow>();
  for (const row of rows) {
    if (row.isNumbered !== true && row.recorded === undefined) continue;
    const own = [...row.fields].filter(([name]) => name !== "certificate");
    const key = JSON.stringify([row.to, ...own.map(([name, { value }]) => [name, value])]);
    const before = first.get(key);
    if (before === undefined) first.set(key, row);
    else if (row.recorded === undefined) {
      const detail = `says the same as ${placeOf(before)}, and has no number either: both come in`;
      found.warning("same-row", placeIn(row, "quantity"), detail, "Leave one out, if they are one security.");
    }
  }
}

/** A number without zeros before its digits, and without what parts letters from digits: `CS-001` as `cs1`. */
function bareNumber(number: string): string {
  return foldName(number)
    .replace(/(?<!\d)[\s._-]+|[\s._-]+(?!\d)/g, "")
    .replace(/(?<!\d)0+(?=\d)/g, "");
}

/** Warns of a number that differs from another of the file, or of the records, in zeros, blanks or hyphens alone. */
export function tellSimilarNumbers(rows: readonly SheetRow[], recorded: Iterable<string>, found: SheetProblems): void {
  const there = new Set(recorded);
  const known = new Map([...there].map((number) => [bareNumber(number), number]));
  for (const row of rows) {
    const number = SECURITIES.has(row.to) ? said(row, "certificate") : undefined;
    if (number === undefined || number === NEXT || there.has(number)) continue;
    const like = known.get(bareNumber(number));
    if (like === undefined) known.set(bareNumber(number), number);
    else if (like !== number) {
      const detail = `${number} and ${like} are two numbers, and easily confused`;
      found.warning("similar-number", placeIn(row, "certificate"), detail, "Write both alike if they are one.");
    }
  }
}
