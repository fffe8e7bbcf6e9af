// Parses figures as people write them, exactly or not at all: the decimal sign is given by the user, or shown by the
// file, and never guessed. Pure.
import { isSignOf } from "../file/currency-signs.ts";
import type { Cell } from "../file/grid.ts";
import { type Understood, unquoted, type Ways, wrong } from "./cell-values.ts";

const SIGNIFICANT = 15;

/** A number as files of Excel have it, as plain digits; null for none. More than 15 are rounded, as Excel does. */
export function plainNumber(text: string): string | null {
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(text)) return null;
  const digits = text.replace(/e.*$/i, "").replace(/[-+.]/g, "").replace(/^0+/, "");
  if (digits.length <= SIGNIFICANT && !/e/i.test(text)) return trimmed(text.replace(/^\+/, ""));
  const rounded = Number(text).toPrecision(SIGNIFICANT);
  return trimmed(expanded(rounded));
}

/** Without an exponent. */
function expanded(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}${digits.length > point ? `.${digits.slice(point)}` : ""}`;
}

function trimmed(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  const places = fraction.replace(/(?<!0)0+$/, "");
  const plain = whole.replace(/^(-?)0+(?=\d)/, "$1") || "0";
  return places === "" ? plain : `${plain}.${places}`;
}

/** Removes a currency before or behind a figure; reports another one. */
function withoutCurrency(text: string, currency: string): { readonly text: string } | { readonly foreign: string } {
  const match =
    /^(?<before>[$€£¥₹]|[A-Z]{3}\s?)(?<rest>.*)$/u.exec(text) ??
    /^(?<rest>.*?)\s?(?<after>[$€£¥₹]|[A-Z]{3})$/u.exec(text);
  if (!match?.groups) return { text };
  const sign = (match.groups.before ?? match.groups.after ?? "").trim();
  return isSignOf(sign, currency) ? { text: (match.groups.rest ?? "").trim() } : { foreign: sign };
}

const WHOLE_MAX = 15;
const PLACES_MAX = 10;

/** How figures are written: in threes, which begin with no zero, and plain. */
function writing(point: string, comma: string) {
  const blank = "[ \\u00a0\\u2009\\u202f]";
  return {
    grouped: new RegExp(`^[1-9]\\d{0,2}(?:(?:${comma}\\d{3})+|(?:${blank}\\d{3})+|(?:['’]\\d{3})+)(?:${point}\\d+)?$`),
    plain: new RegExp(`^(?:\\d+(?:${point}\\d+)?|${point}\\d+)$`),
    /** The separators of thousands. */
    apart: new RegExp(`${blank}|['’]|${comma}`, "g"),
  };
}

const WRITTEN = { POINT: writing("\\.", ","), COMMA: writing(",", "\\.") } as const;

/** The value of a text with this decimal sign; null if it is then not a figure. */
function figureAs(text: string, decimal: Ways["decimal"], hasGroups: boolean): string | null {
  const { grouped, plain, apart } = WRITTEN[decimal];
  if (!plain.test(text) && !(hasGroups && grouped.test(text))) return null;
  return trimmed(text.replace(apart, "").replace(",", "."));
}

/** A cell of a column of figures, as what shows the decimal sign of its file. */
export interface ShownFigure {
  readonly cell: Cell;
  readonly isMoney: boolean;
  /** Whether it is a percentage, which has no thousands. */
  readonly isPercent: boolean;
}

/**
 * A file's decimal sign: the point, if the user gave none and one of its texts is a number with a point and none with a
 * comma.
 */
export function waysOfFile(figures: Iterable<ShownFigure>, ways: Ways): Ways {
  if (ways.isDecimalAssumed !== true) return ways;
  for (const { cell, isMoney, isPercent } of figures) {
    if (cell.kind !== "text") continue;
    const text = (unquoted(cell) ?? "").replace(isPercent ? /\s*%$/ : /(?!)/, "");
    const money = isMoney ? withoutCurrency(text, ways.currency) : { text };
    if ("foreign" in money || figureAs(money.text, "POINT", !isPercent) === null) continue;
    if (figureAs(money.text, "COMMA", !isPercent) === null) return { ...ways, isDecimalAssumed: false };
  }
  return ways;
}

const NEGATIVE = /^\(.*\)$|^[-–−]/;

/** A figure. */
export function figureIn(cell: Cell, ways: Ways, isMoney: boolean): Understood {
  const { currency } = ways;
  const text = unquoted(cell) ?? "";
  const foreign = (sign: string, is: string) =>
    wrong(
      "foreign-currency",
      `${is} in ${sign}, and the company's currency is ${currency}`,
      `Write it in ${currency}.`,
    );
  const negative = () => wrong("negative", "is negative", "Write a figure of zero or more.");
  if (NEGATIVE.test(text)) return negative();
  if (cell.kind === "number") {
    const plain = plainNumber(text);
    if (plain === null) return badNumber(text, ways, true);
    const isForeign = isMoney && cell.currency !== undefined && !isSignOf(cell.currency, currency);
    return isForeign ? foreign(cell.currency ?? "", "is shown") : bounded(plain);
  }
  const money = isMoney ? withoutCurrency(text, currency) : { text };
  if ("foreign" in money) return foreign(money.foreign, "is");
  return NEGATIVE.test(money.text) ? negative() : writtenFigure(money.text, ways, true);
}

/** A text of digits, blanks, points and commas. */
function writtenFigure(text: string, ways: Ways, hasGroups: boolean): Understood {
  const read = figureAs(text, ways.decimal, hasGroups);
  if (read === null) return badNumber(text, ways, hasGroups);
  const other = ways.isDecimalAssumed === true ? figureAs(text, "COMMA", hasGroups) : null;
  if (other === null || other === read) return bounded(read);
  const fix = "Say decimal=POINT or decimal=COMMA, or write it without thousands.";
  return wrong("ambiguous-number", `can be ${read}, or ${other}: nothing in the file shows its decimal sign`, fix);
}

function badNumber(text: string, { decimal }: Ways, hasGroups: boolean): Understood {
  const other = decimal === "POINT" ? "COMMA" : "POINT";
  const example = decimal === "POINT" ? "1,234,567.89" : "1.234.567,89";
  const isOther = figureAs(text, other, hasGroups) !== null;
  const sign = other === "COMMA" ? "comma" : "point";
  const fix = isOther ? `Import with decimal=${other}, if ${sign} is its decimal sign, or write` : "Write";
  return wrong("bad-number", "is not a number", `${fix} it as ${example}.`);
}

function bounded(figure: string): Understood {
  const [whole = "", places = ""] = figure.split(".");
  if (whole.length <= WHOLE_MAX && places.length <= PLACES_MAX) return { value: figure };
  return wrong("too-many-digits", "has more than 15 digits, or more than 10 places", "Write a shorter figure.");
}

/** A percentage: `12`, `12%`, or a number that its cell shows as one. */
export function percentIn(cell: Cell, ways: Ways): Understood {
  const read = plainPercent(cell, ways);
  if ("fault" in read || cell.isPercent === true || !/^0\.0*[1-9]/.test(read.value)) return read;
  if (/%\s*$/.test(cell.text)) return read;
  const detail = `was taken for ${read.value} %, which is less than one per cent`;
  return { ...read, warning: { code: "small-percent", detail, fix: "Write 20 or 20% where 0.2 means that." } };
}

function plainPercent(cell: Cell, ways: Ways): Understood {
  if (cell.isPercent === true) return hundredfold(figureIn(cell, ways, false));
  if (cell.kind === "number") return figureIn(cell, ways, false);
  return ungrouped((unquoted(cell) ?? "").replace(/(?<!\s)\s*%$/, ""), ways);
}

/** A part of one as a percentage: 0.12 is twelve per cent; what has the sign is one already. */
export function fractionIn(cell: Cell, ways: Ways): Understood {
  if (cell.kind === "text" && /%\s*$/.test(cell.text)) return percentIn(cell, ways);
  return hundredfold(cell.kind === "number" ? figureIn(cell, ways, false) : ungrouped(unquoted(cell) ?? "", ways));
}

/** Percentages and parts of one have no thousands. */
function ungrouped(text: string, ways: Ways): Understood {
  if (NEGATIVE.test(text)) return figureIn({ kind: "text", text }, ways, false);
  return writtenFigure(text, ways, false);
}

/** The point moves by two places. */
function hundredfold(read: Understood): Understood {
  if ("fault" in read) return read;
  const [whole = "0", places = ""] = read.value.split(".");
  const digits = `${whole}${places.padEnd(2, "0")}`;
  return bounded(trimmed(`${digits.slice(0, whole.length + 2)}.${digits.slice(whole.length + 2)}`));
}
